import Foundation
import TestSupport

/// The models of other people.
enum DiagramModels {
    static func folders() throws -> [URL] {
        // A version is a folder with the file `contents`.
        try SharedFiles.files(below: "coredata/models").filter { $0.lastPathComponent == "contents" }
            .map { $0.deletingLastPathComponent() }
    }
}
