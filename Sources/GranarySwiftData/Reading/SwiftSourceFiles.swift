import Foundation
import GranaryBase

/// The Swift files at the paths that a user gives.
package enum SwiftSourceFiles {
    static let suffix = ".swift"
    /// The maximum number of files and folders that are visited. An app has a few thousand.
    static let limit = 100_000
    /// Folders that hold other people's sources or products of builds.
    private static let skipped: Set<String> = [
        "Pods", "Carthage", "DerivedData", "SourcePackages", "node_modules", "checkouts",
    ]

    /// Whether the path is a Swift file by its name.
    package static func isSwift(_ path: String) -> Bool { path.hasSuffix(suffix) }

    /// Whether a folder contains a Swift file at any depth.
    package static func isFolderOfSources(_ path: String) -> Bool {
        var found = false
        // A folder that cannot be listed has no sources; the caller reports its content.
        try? visit(path) { _ in
            found = true
            return false
        }
        return found
    }

    /// The Swift files at the paths: files as given, and all files in folders, sorted by path, each once. Hidden
    /// folders, folders of packages of others and links are left out: a link can lead out of the given folder.
    ///
    /// - Throws: ``GranaryError``: `unreadable` for a missing path and a folder that cannot be listed.
    static func files(_ paths: [String]) throws(GranaryError) -> [String] {
        var files: [String] = []
        for path in paths {
            switch FileKind(path) {
            case .file: files.append(path)
            case .folder:
                var inside: [String] = []
                try visit(path) { file in
                    inside.append(file)
                    return true
                }
                files += inside.sorted()
            case .missing: throw GranaryError(.unreadable, "\(path): there is no such file")
            case .special: throw GranaryError(.unreadable, "\(path): is neither a file nor a folder")
            }
        }
        var seen: Set<String> = []
        return files.filter { seen.insert($0).inserted }
    }

    /// Calls `body` for each Swift file in a folder until it returns false.
    private static func visit(_ folder: String, _ body: (String) -> Bool) throws(GranaryError) {
        var open = [folder]
        var count = 0
        while let next = open.popLast() {
            guard let listing = FolderNames(next) else {
                throw GranaryError(.unreadable, "\(next): the folder cannot be read")
            }
            for name in listing.names.sorted() where !name.hasPrefix(".") {
                count += 1
                guard count <= limit else {
                    throw GranaryError(
                        .refused,
                        "\(folder): holds more than \(limit) files; name the folders that declare the models")
                }
                let path = "\(next)/\(name)"
                switch FileKind(path) {
                case .file where isSwift(name) && !isLink(path): if !body(path) { return }
                case .folder where !skipped.contains(name) && !isLink(path): open.append(path)
                default: break
                }
            }
        }
    }

    private static func isLink(_ path: String) -> Bool {
        let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
        return type == .typeSymbolicLink
    }
}
