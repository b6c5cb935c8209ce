internal import Foundation

/// Converts a path to the name that SQLite opens.
enum FileName {
    /// The path with symbolic links resolved. SQLite creates the journal beside the file, not beside a link to it.
    static func withoutLinks(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// The URI with which SQLite reads a file as immutable (https://www.sqlite.org/uri.html).
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

    /// The name with which SQLite opens exactly `path`.
    ///
    /// - Throws: if it is not a regular file. SQLite opens a folder for reading, and waits forever for a pipe.
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
        // Some builds of SQLite (Debian's) interpret `file:x?y` as a URI, and every build opens `:memory:` without a
        // file.
        return path.utf8.first == UInt8(ascii: "/") ? path : "./" + path
    }
}
