import Foundation
import GranaryBase

enum FolderListing {
    /// The names in a folder, sorted, so that their order is the same on every system.
    static func names(_ path: String) throws(GranaryError) -> [String] {
        guard let listing = FolderNames(path) else {
            throw GranaryError(.unreadable, "\(path): the folder cannot be read: \(errnoText())")
        }
        if let name = listing.undecodable {
            throw GranaryError(.unreadable, "\(path): the name of \(name) is not UTF-8; rename it")
        }
        return listing.names.sorted()
    }
}

extension URL {
    /// The path as the user gave it, so that messages show a path that the user recognises.
    var givenPath: String {
        let whole = path(percentEncoded: false)
        // For a relative path Foundation sets the current folder as base; any other base is part of the path.
        let base = baseURL?.path(percentEncoded: false).trimmingEnd("/")
        let given = base == FileManager.default.currentDirectoryPath.trimmingEnd("/") ? relativePath : whole
        let trimmed = given.count > 1 ? given.trimmingEnd("/") : given
        return trimmed.isEmpty ? "." : trimmed
    }
}

extension String {
    fileprivate func trimmingEnd(_ end: String) -> String {
        hasSuffix(end) ? String(dropLast(end.count)) : self
    }
}
