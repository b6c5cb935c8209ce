internal import Foundation

/// Between a path as the user gives it and the name that SQLite opens.
enum FileName {
    /// The file's own name: SQLite puts a journal beside that, not beside a symbolic link to it.
    static func withoutLinks(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The URI that makes SQLite read a file as one that nobody ever changes (https://www.sqlite.org/uri.html).
    ///
    /// - Parameter path: an absolute path.
    static func immutable(_ path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var name = Array("file://".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                name.append(byte)
            default: name += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: name, as: UTF8.self) + "?immutable=1"
    }

    /// The name that makes SQLite open exactly `path`.
    ///
    /// - Throws: where that is not a file: SQLite opens a folder for reading, and waits for ever for a pipe.
    static func checked(_ path: String, origin: SQLiteError.Origin) throws(SQLiteError) -> String {
        guard !path.isEmpty else { throw SQLiteError(.cannotOpen, "the path is empty", origin: origin) }
        guard !path.utf8.contains(0) else {
            throw SQLiteError(.cannotOpen, "the path has a U+0000", origin: origin)
        }
        var status = stat()
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw SQLiteError(.cannotOpenFolder, "it is a folder", origin: origin)
            default: throw SQLiteError(.cannotOpen, "it is not a regular file", origin: origin)
            }
        } else if errno == ENOENT, origin.mode != .create {
            throw SQLiteError(.cannotOpen, "there is no such file", origin: origin)
        }
        // SQLite may be built to read `file:x?y` as a URI (Debian's is), and reads `:memory:` as no file at all.
        return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    }
}
