import GranaryBase

/// The content of the current token.
extension XMLPullParser {
    /// The bytes of the start tag's name.
    var name: ArraySlice<UInt8> { window.bytes[nameRange] }

    /// The number of open elements, including one whose start tag is the current token.
    var depth: Int { openStarts.count }

    func name(of attribute: XMLAttribute) -> String {
        String(decoding: window.bytes[attribute.name], as: UTF8.self)
    }

    func value(of attribute: XMLAttribute) -> String {
        String(decoding: attributeValues[attribute.value], as: UTF8.self)
    }

    var textCount: Int { replacement.isEmpty ? textRange.count : replacement.count }

    var isTextSpace: Bool {
        replacement.isEmpty
            ? window.bytes[textRange].allSatisfy(XMLScalarText.isSpace) : replacement.allSatisfy(XMLScalarText.isSpace)
    }

    func appendText(to text: inout [UInt8]) {
        if replacement.isEmpty {
            text.append(contentsOf: window.bytes[textRange])
        } else {
            text.append(contentsOf: replacement)
        }
    }

    /// The position of the current tag's `<`, or of the first byte of the current text that is not white space.
    mutating func place(of token: Token) -> PropertyListPlace {
        let index =
            switch token {
            case .startTag, .endTag: tag.lowerBound
            case .text where replacement.isEmpty:
                window.bytes[textRange].firstIndex { !XMLScalarText.isSpace($0) } ?? textRange.lowerBound
            case .text: textRange.lowerBound
            case .end: window.index
            }
        window.advancePlace(to: index)
        return PropertyListPlace(window.place(at: index))
    }
}
