import SwiftSyntax

/// The bytes of a file and the lines in them.
///
/// The `SourceLocationConverter` of swift-syntax gives the same places, but it visits every token of the tree with a
/// recursive visitor, and a tree can be 100,000 nodes deep.
struct SourceText: Sendable {
    /// The largest number of characters that `text(of:)` returns.
    static let maximumCharacters = 200

    let bytes: [UInt8]
    /// The offsets at which lines begin, in ascending order; the first is 0.
    private let lineStarts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts = [0]
        var previous: UInt8 = 0
        for (offset, byte) in bytes.enumerated() {
            // A carriage return before a line feed belongs to the same line break.
            if previous == UInt8(ascii: "\n") || (previous == UInt8(ascii: "\r") && byte != UInt8(ascii: "\n")) {
                starts.append(offset)
            }
            previous = byte
        }
        if previous == UInt8(ascii: "\n") || previous == UInt8(ascii: "\r") { starts.append(bytes.count) }
        lineStarts = starts
    }

    /// Returns the line and the column of an offset.
    ///
    /// - Complexity: O(log n) for n lines.
    func place(offset: Int) -> SourcePlace {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        return SourcePlace(line: low + 1, column: offset - lineStarts[low] + 1)
    }

    /// Returns the place of the first character of a node.
    func place(of node: some SyntaxProtocol) -> SourcePlace {
        place(offset: node.positionAfterSkippingLeadingTrivia.utf8Offset)
    }

    /// Returns the text of a node without the space and comments around it, at most `limit` characters of it.
    ///
    /// It comes from the bytes of the file, because the description of a node visits every node below it.
    func text(of node: some SyntaxProtocol, limit: Int = Self.maximumCharacters) -> String {
        text(
            from: node.positionAfterSkippingLeadingTrivia.utf8Offset,
            to: node.endPositionBeforeTrailingTrivia.utf8Offset, limit: limit)
    }

    /// Returns at most `limit` characters between two offsets.
    func text(from start: Int, to end: Int, limit: Int = Self.maximumCharacters) -> String {
        let start = min(max(start, 0), bytes.count)
        let end = min(max(end, start), bytes.count)
        // Four bytes are the longest scalar. The first scalar after the limit may be damaged, so it is read and dropped.
        let excerpt = bytes[start..<min(end, start + 4 * (limit + 1))]
        var scalars = String.UnicodeScalarView()
        for scalar in String(decoding: excerpt, as: UTF8.self).unicodeScalars.prefix(limit) { scalars.append(scalar) }
        return String(scalars)
    }
}
