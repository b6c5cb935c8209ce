internal import GranaryCSystem
import Foundation

/// The files and folders that a run reads or writes. No output of the run may replace one of them.
///
/// Files are compared by device and inode; links are followed. A file that does not exist yet is compared by its path,
/// with the links in its folder resolved.
package struct ProtectedFiles: Sendable {
    private struct Entry: Sendable {
        let path: String
        let role: String
    }

    private var entries: [Entry] = []

    package init() {}

    /// Adds a file or folder. An empty path and `-` are ignored.
    ///
    /// - Parameter role: the description in messages, such as `the input`.
    package mutating func add(_ path: String, as role: String) {
        guard !path.isEmpty, path != "-" else { return }
        entries.append(Entry(path: path, role: role))
    }

    package mutating func add(_ paths: [String], as role: String) {
        for path in paths { add(path, as: role) }
    }

    package mutating func add(_ others: ProtectedFiles) { entries += others.entries }

    /// Returns why an output at a path would damage a protected file: `is the store Seed.sqlite`, `lies in the model
    /// Triage.xcdatamodeld`. Nil if it would not, and for standard output.
    package func conflict(of path: String) -> String? {
        guard !path.isEmpty, path != "-" else { return nil }
        let place = Self.resolved(path)
        let identity = FileIdentity(path: path)
        let around = Set(Self.folders(around: place).compactMap(FileIdentity.init(path:)))
        for entry in entries {
            let other = Self.resolved(entry.path)
            let otherIdentity = FileIdentity(path: entry.path)
            // Writing to a device such as /dev/null replaces nothing.
            let isSame = identity.map { $0 == otherIdentity && !Self.isDevice(path) } ?? false
            if place == other || isSame { return "is \(entry.role) \(entry.path)" }
            if let otherIdentity, around.contains(otherIdentity) { return "lies in \(entry.role) \(entry.path)" }
            if let identity, Self.folders(around: other).contains(where: { FileIdentity(path: $0) == identity }) {
                return "is a folder around \(entry.role) \(entry.path)"
            }
        }
        return nil
    }

    /// Returns an absolute path without symbolic links. The last component need not exist.
    private static func resolved(_ path: String) -> String {
        var path = path
        // A link to a missing file leads to the name that the file will have. The system limits chains of links too.
        for _ in 0..<40 {
            if let real = real(path) { return real }
            guard let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else { break }
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
            path = destination.hasPrefix("/") ? destination : folder + destination
        }
        return placed(path)
    }

    /// Returns the absolute path of a missing file, with the links in its folder resolved.
    private static func placed(_ path: String) -> String {
        var path = path[...]
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let slash = path.lastIndex(of: "/")
        let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? String(path)
        guard let parent = real(folder) else { return String(path) }
        return parent == "/" ? "/" + name : parent + "/" + name
    }

    private static func real(_ path: String) -> String? {
        guard let buffer = realpath(path, nil) else { return nil }
        defer { free(buffer) }
        return String(cString: buffer)
    }

    /// Returns the ancestor folders of a resolved path, the nearest first.
    private static func folders(around path: String) -> [String] {
        var folders: [String] = []
        var rest = path[...]
        while let slash = rest.lastIndex(of: "/"), slash > rest.startIndex {
            rest = rest[..<slash]
            folders.append(String(rest))
        }
        return folders
    }

    private static func isDevice(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && (status.st_mode & S_IFMT == S_IFCHR || status.st_mode & S_IFMT == S_IFIFO)
    }
}
