import Foundation
import GranaryBase
import GranaryModel

/// The SHA-256 digests of the rejects files, stored as the member `rejects` in the last line of the reasons file. A
/// later run uses them to detect whether the files are unchanged since Granary wrote them.
struct RejectsDigests: Codable, Hashable {
    struct File: Codable, Hashable {
        /// The file's name, without its folder.
        var name: String
        /// SHA-256, in hexadecimal.
        var sha256: String
    }

    var rejects: [File]

    /// The maximum length of the line in bytes.
    private static let lineLimit: UInt64 = 1 << 20

    /// Returns a line of the reasons file with the digests added.
    ///
    /// - Parameter line: a JSON object and a line end; empty for a line with only the digests.
    func added(to line: [UInt8]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let own = Array((try? encoder.encode(self)) ?? Data("{}".utf8)) + [0x0A]
        guard line.count > 2 else { return own }
        return line.dropLast(2) + [UInt8(ascii: ",")] + own.dropFirst()
    }

    /// Reads the digests in a reasons file; nil if it has none.
    static func read(_ path: String) -> RejectsDigests? {
        guard FileKind(path) == .file, let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let end = try? file.seekToEnd(), (try? file.seek(toOffset: end - min(end, lineLimit))) != nil,
            let tail = try? file.readToEnd(), tail.last == 0x0A
        else { return nil }
        let line = tail.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false).last ?? Data()
        return try? JSONDecoder().decode(RejectsDigests.self, from: line)
    }

    /// Reads the digests in the complete reasons files that killed runs have left under temporary names.
    ///
    /// - Parameter path: the final path of the reasons file.
    static func abandoned(_ path: String) -> [RejectsDigests] {
        var found: [RejectsDigests] = []
        PartialFile.abandoned(of: path) { name in
            if let digests = read(name) { found.append(digests) }
            return false
        }
        return found
    }

    /// Whether a file has its recorded digest.
    func holds(_ path: String) -> Bool {
        let name = URL(filePath: path).lastPathComponent
        guard let entry = rejects.first(where: { $0.name == name }), let source = try? ByteSource(path: path) else {
            return false
        }
        var digest = ContentDigest()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { try? source.read(into: $0) } ?? -1
            guard count >= 0 else { return false }
            if count == 0 { break }
            buffer.withUnsafeBytes { digest.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return digest.hexadecimal == entry.sha256
    }
}
