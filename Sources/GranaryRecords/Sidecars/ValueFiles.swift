import Foundation
package import GranaryBase
import GranaryCoordination

/// The files of values that an exported table names.
///
/// A path in a table leads to a file inside one folder beside the table. No component may be `..` or a symbolic link,
/// so a table cannot name any other file of the system.
package struct ValueFiles: Sendable, Equatable {
    /// The path of the folder with the table.
    let parent: String
    /// The name of the folder with the files, which begins each path.
    let name: String
    /// The columns that contain paths.
    package let columns: Set<String>
    /// For each entity, the columns that contain the values themselves.
    var inline: [String: Set<String>] = [:]

    package init(parent: String, name: String, columns: Set<String>, inline: [String: Set<String>] = [:]) {
        self.parent = parent
        self.name = name
        self.columns = columns
        self.inline = inline
    }

    /// The files of one entity's rows: without the columns that contain the values themselves.
    package func ofRows(of entity: String) -> ValueFiles {
        ValueFiles(parent: parent, name: name, columns: columns.subtracting(inline[entity] ?? []), inline: inline)
    }

    /// The maximum number of folders in a path.
    private static let depthLimit = 16

    /// A path that leads to no readable value.
    package struct Problem: Error {
        package let code: Diagnostic.Code
        package let reason: String
        /// Whether the file, or a folder in its path, does not exist.
        package var isMissing = false
    }

    /// Whether a text can be the name of the folder: a single path component other than `.` and `..`.
    static func isName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == 0x2F || $0 == 0 }
    }

    /// Opens the file that a path names and checks its kind and size.
    package func opened(_ path: UnsafeBufferPointer<UInt8>) throws(Problem) -> ValueFile {
        let parts = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        guard let first = parts.first, let last = parts.last, parts.count > 1, parts.count <= Self.depthLimit,
            parts.allSatisfy(Self.isName)
        else {
            throw Problem(code: .valueSyntax, reason: "must be a path of a file in \(name)")
        }
        guard first.utf8.elementsEqual(name.utf8) else {
            throw Problem(code: .valueSyntax, reason: "must begin with \(name)/")
        }
        var folder = open(parent.isEmpty ? "." : parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failure() }
        defer { close(folder) }
        for part in parts.dropLast() {
            let next = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard next >= 0 else { throw Self.failure() }
            close(folder)
            folder = next
        }
        // Opening a pipe must not wait for its other end.
        let descriptor = openat(folder, last, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure() }
        let text = parts.joined(separator: "/")
        return try ValueFile(descriptor, path: parent.isEmpty ? text : "\(parent)/\(text)")
    }

    static func failure() -> Problem {
        switch errno {
        case ENOENT: Problem(code: .valueMissing, reason: "does not exist", isMissing: true)
        // A symbolic link where a folder must be is ENOTDIR.
        case ELOOP, ENOTDIR: Problem(code: .valueSyntax, reason: "is, or goes through, a symbolic link or a file")
        default: Problem(code: .valueSyntax, reason: "cannot be read: \(errnoText())")
        }
    }
}
