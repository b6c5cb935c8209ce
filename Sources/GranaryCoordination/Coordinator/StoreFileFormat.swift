package import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// The format of a store's file, recognised by its first bytes.
package enum StoreFileFormat: Sendable, Hashable {
    case sqlite
    case propertyList

    /// Nil if the file cannot be read, or has another format.
    package init?(fileAt url: URL) {
        guard let file = try? FileHandle(forReadingFrom: url) else { return nil }
        defer { try? file.close() }
        guard let start = try? file.read(upToCount: 16) else { return nil }
        if start == Data("SQLite format 3\0".utf8) {
            self = .sqlite
        } else if start.starts(with: Data("bplist".utf8)) || start.starts(with: Data("<?xml".utf8)) {
            self = .propertyList
        } else {
            return nil
        }
    }
}
