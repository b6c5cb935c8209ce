import Foundation
import GranaryBase

/// Compares values in files piece by piece. A file that cannot be read has no value.
enum ValueComparison {
    private static let pieceSize = 1 << 16

    /// Whether a file has exactly these bytes.
    static func hasContent(_ path: String, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let source = try? ByteSource(path: path) else { return false }
        var piece = [UInt8](repeating: 0, count: pieceSize)
        var offset = 0
        while true {
            guard let count = read(source, into: &piece) else { return false }
            if count == 0 { return offset == bytes.count }
            guard count <= bytes.count - offset,
                piece[..<count].elementsEqual(bytes[offset..<offset + count])
            else { return false }
            offset += count
        }
    }

    /// Whether two files have the same bytes.
    static func haveEqualContents(_ path: String, _ other: String) -> Bool {
        guard let left = try? ByteSource(path: path), let right = try? ByteSource(path: other) else { return false }
        var pieces = ([UInt8](repeating: 0, count: pieceSize), [UInt8](repeating: 0, count: pieceSize))
        while true {
            guard let count = fill(&pieces.0, from: left), count == fill(&pieces.1, from: right),
                pieces.0[..<count] == pieces.1[..<count]
            else { return false }
            if count < pieceSize { return true }
        }
    }

    /// Fills a piece, up to the end of the file.
    private static func fill(_ piece: inout [UInt8], from source: ByteSource) -> Int? {
        var filled = 0
        while filled < piece.count {
            let start = filled
            let count = piece.withUnsafeMutableBytes { buffer in
                try? source.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[start...]))
            }
            guard let count else { return nil }
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    private static func read(_ source: ByteSource, into piece: inout [UInt8]) -> Int? {
        piece.withUnsafeMutableBytes { try? source.read(into: $0) }
    }
}
