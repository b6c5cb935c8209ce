import GranaryBase

/// Text, CDATA sections and comments.
extension XMLPullParser {
    /// Reads text up to a tag, a reference, or a line end that must be replaced.
    ///
    /// - Returns: whether there is text.
    mutating func readText() throws(GranaryError) -> Bool {
        textRange = window.index..<endOfPlainText(isCharacterData: false)
        if !replacement.isEmpty { replacement.removeAll(keepingCapacity: true) }
        if textRange.isEmpty {
            return try readSpecial(window.bytes[window.index], isCharacterData: false)
        }
        window.index = textRange.upperBound
        return true
    }

    /// Reads a part of a CDATA section, or passes its end.
    ///
    /// - Returns: whether there is text.
    mutating func readCharacterData() throws(GranaryError) -> Bool {
        guard let byte = try window.peek(0) else { throw malformed("a CDATA section is not terminated") }
        textRange = window.index..<endOfPlainText(isCharacterData: true)
        if !replacement.isEmpty { replacement.removeAll(keepingCapacity: true) }
        if textRange.isEmpty { return try readSpecial(byte, isCharacterData: true) }
        window.index = textRange.upperBound
        return true
    }

    /// The index of the first byte from the window's index on that is not copied as it is.
    private func endOfPlainText(isCharacterData: Bool) -> Int {
        let bytes = window.bytes
        var index = window.index
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") {
                guard isCharacterData else { break }
            } else if byte == 0x0D || byte == UInt8(ascii: "]") || XMLCharacters.isForbidden(in: bytes, at: index) {
                break
            }
            index += 1
        }
        return index
    }

    /// Reads a `]`, a CR, or a character that no document can contain.
    ///
    /// - Returns: whether there is text.
    private mutating func readSpecial(_ byte: UInt8, isCharacterData: Bool) throws(GranaryError) -> Bool {
        let start = window.index
        switch byte {
        case UInt8(ascii: "]"):
            if try window.begins(with: Self.characterDataEnd) {
                guard isCharacterData else { throw malformed("text contains the forbidden sequence ]]>") }
                window.index += Self.characterDataEnd.count
                phase = .content
                return false
            }
        case 0x0D:
            // A CR LF becomes one LF, so its CR is skipped. A CR without LF becomes an LF.
            if try window.peek(1) == 0x0A {
                window.index += 1
                return false
            }
            replacement.append(0x0A)
        default: throw malformed("a character that XML does not allow", at: start)
        }
        // `start` can be wrong here, because looking ahead can move the window.
        textRange = window.index..<window.index + 1
        window.index += 1
        return true
    }

    /// Skips the comment at the window's index.
    ///
    /// - Returns: false if the document ends inside the comment.
    mutating func skipComment() throws(GranaryError) -> Bool {
        window.index += Self.commentStart.count
        while let byte = try peekInProlog(0) {
            if byte == UInt8(ascii: "-"), try peekInProlog(1) == UInt8(ascii: "-") {
                guard let last = try peekInProlog(2) else { return false }
                guard last == UInt8(ascii: ">") else { throw malformed("a comment contains --") }
                window.index += 3
                return true
            }
            guard !XMLCharacters.isForbidden(in: window.bytes, at: window.index) else {
                throw malformed("a character that XML does not allow")
            }
            window.index += 1
        }
        return false
    }

    private static let characterDataEnd = Array("]]>".utf8)
}
