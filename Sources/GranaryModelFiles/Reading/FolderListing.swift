import Foundation
import GranaryBase

enum FolderListing {
    /// The names in a folder, sorted, so that every machine sees them in the same order.
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
    /// The path as the user gave it: messages that echo it can be clicked and grepped for.
    var givenPath: String {
        let whole = path(percentEncoded: false)
        // Foundation gives a relative path the current folder as its base; another base is a part of the path.
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
