import Foundation
import GranaryBase
import GranaryModel

/// The digests of the rejects files, as the member `rejects` of the last line of the reasons beside them. By it a later run
/// knows the files for Granary's own, unedited.
struct RejectsSeal: Codable, Hashable {
    struct File: Codable, Hashable {
        /// The file's name, without its folder.
        var name: String
        /// SHA-256, in hexadecimal.
        var sha256: String
    }

    var rejects: [File]

    /// The most bytes of a seal: a file for each kind of source.
    private static let lineLimit: UInt64 = 1 << 20

    /// A line of the reasons with the seal in it.
    ///
    /// - Parameter line: a JSON object and a line end; empty for a line of the seal's own.
    func sealing(_ line: [UInt8]) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let seal = Array((try? encoder.encode(self)) ?? Data("{}".utf8)) + [0x0A]
        guard line.count > 2 else { return seal }
        return line.dropLast(2) + [UInt8(ascii: ",")] + seal.dropFirst()
    }

    /// The seal of a reasons file; nil where there is none.
    static func read(_ path: String) -> RejectsSeal? {
        guard FileKind(path) == .file, let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let end = try? file.seekToEnd(), (try? file.seek(toOffset: end - min(end, lineLimit))) != nil,
            let tail = try? file.readToEnd(), tail.last == 0x0A
        else { return nil }
        let line = tail.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false).last ?? Data()
        return try? JSONDecoder().decode(RejectsSeal.self, from: line)
    }

    /// Whether a file is one of these, byte for byte.
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
