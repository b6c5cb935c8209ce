import GranaryBase

/// The part of a document before its root element.
///
/// A document type declaration with an internal subset can declare entities, which can expand to huge text or refer to
/// files. Such a declaration is refused. The usual `<!DOCTYPE plist PUBLIC …>` is skipped, as are comments and
/// processing instructions.
extension XMLPullParser {
    /// Skips the prolog. The window's index is then at the root element's `<`.
    mutating func skipProlog() throws(GranaryError) {
        var hasDocumentType = false
        while true {
            while let byte = try peekInProlog(0), XMLScalarText.isSpace(byte) { window.index += 1 }
            guard try window.peek(0) == UInt8(ascii: "<") else {
                throw refused("not XML: it does not begin with an element")
            }
            // A prolog in memory can have many parts. Each place is counted from the part before, not from the start.
            window.advancePlace(to: window.index)
            let start = window.place(at: window.index)
            let isComplete: Bool
            if try window.peek(1) == UInt8(ascii: "?") {
                isComplete = try skipInstruction()
            } else if try window.begins(with: Self.commentStart) {
                isComplete = try skipComment()
            } else if try window.begins(with: Self.documentTypeStart) {
                guard !hasDocumentType else { throw refused("a second document type declaration") }
                hasDocumentType = true
                isComplete = try skipDocumentType()
            } else {
                return
            }
            guard isComplete else { throw errors.refused("the document ends before its root element", at: start) }
        }
    }

    /// Returns the byte at a distance from the window's index, as ``XMLWindow/peek(_:)`` does.
    ///
    /// - Throws: ``GranaryError`` if the byte is beyond the limit of the prolog, and the errors of
    ///   ``XMLWindow/peek(_:)``.
    mutating func peekInProlog(_ distance: Int) throws(GranaryError) -> UInt8? {
        if phase == .prolog, window.droppedCount + window.index + distance >= limits.prologBytes {
            throw limit("there are more than \(limits.prologBytes) bytes before the root element, the limit")
        }
        return try window.peek(distance)
    }

    /// Skips a processing instruction or the XML declaration.
    ///
    /// - Returns: false if the document ends first.
    private mutating func skipInstruction() throws(GranaryError) -> Bool {
        var distance = 2
        while let byte = try peekInProlog(distance) {
            if byte == UInt8(ascii: "?"), try peekInProlog(distance + 1) == UInt8(ascii: ">") {
                try checkInstruction(window.index + 2..<window.index + distance)
                window.index += distance + 2
                return true
            }
            guard !XMLCharacters.isForbidden(in: window.bytes, at: window.index + distance) else {
                throw malformed("a character that XML does not allow", at: window.index + distance)
            }
            distance += 1
        }
        return false
    }

    /// - Parameter range: the instruction between `<?` and `?>`.
    private func checkInstruction(_ range: Range<Int>) throws(GranaryError) {
        let nameEnd = XMLCharacters.nameEnd(in: window.bytes, from: range.lowerBound, to: range.upperBound)
        guard nameEnd > range.lowerBound,
            nameEnd == range.upperBound || XMLScalarText.isSpace(window.bytes[nameEnd])
        else { throw malformed("a processing instruction has no valid name") }
        if window.bytes[range.lowerBound..<nameEnd].elementsEqual("xml".utf8) {
            try checkEncoding(window.bytes[nameEnd..<range.upperBound])
        }
    }

    private func checkEncoding(_ declaration: ArraySlice<UInt8>) throws(GranaryError) {
        let text = String(decoding: declaration, as: UTF8.self).lowercased()
        guard let name = text.split(separator: "encoding", maxSplits: 1).dropFirst().first else { return }
        let parts = name.split(whereSeparator: { "=\"' \t\r\n".contains($0) })
        guard let encoding = parts.first else { return }
        let known = window.isUTF16 ? ["utf-16", "utf-16le", "utf-16be"] : ["utf-8", "utf8", "us-ascii", "ascii"]
        guard known.contains(String(encoding)) else {
            let shown = Diagnostic.shortened(String(encoding))
            throw errors.error(
                .encodingInvalid, "the encoding \"\(shown)\" does not match the bytes, which are \(known[0])",
                at: window.place(at: window.index))
        }
    }

    /// Skips a document type declaration. Quoted names in it can contain any character.
    ///
    /// - Returns: false if the document ends first.
    private mutating func skipDocumentType() throws(GranaryError) -> Bool {
        var quote: UInt8 = 0
        var distance = Self.documentTypeStart.count
        while let byte = try peekInProlog(distance) {
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw refused("the document type declares entities or elements, which is not allowed")
            } else if byte == UInt8(ascii: "<") {
                throw refused("the document type declaration is not terminated")
            } else if byte == UInt8(ascii: ">") {
                window.index += distance + 1
                return true
            }
            distance += 1
        }
        return false
    }
}
