import GranaryBase

/// A mistake in JSON text, with its byte offset.
///
/// Line and column are computed only for reports.
struct JSONFault: Error {
    enum Kind: Equatable {
        /// Not an error: the buffer ends inside the token, and the source has more bytes.
        case needsMore
        case ended
        case openString
        case expectedValue
        case expectedName
        case expectedColon
        case expectedCommaOrBrace
        case expectedCommaOrBracket
        case trailingComma
        case comment
        case controlCharacter
        case escape
        case unicodeEscape
        case loneSurrogate
        case invalidUTF8
        case nul
        case number
        case leadingZero
        case literal
        case tooDeep
        case stringTooLong
        case nestedTooLong
        case valueTooLong(limit: Int)
        case tooManyFields
        case tooManyColumns
        case extra
        case objectInKey
        case notAnObject
    }

    let kind: Kind
    /// The offset of the byte from the start of the scanned bytes.
    let offset: Int

    init(_ kind: Kind, at offset: Int) {
        self.kind = kind
        self.offset = offset
    }

    var code: Diagnostic.Code {
        switch kind {
        case .loneSurrogate, .invalidUTF8, .nul: .encodingInvalid
        case .tooDeep, .stringTooLong, .nestedTooLong, .valueTooLong, .tooManyFields, .tooManyColumns: .limitExceeded
        case .objectInKey: .valueSyntax
        default: .jsonSyntax
        }
    }

    /// See ``Diagnostic/help``.
    var help: String? { kind == .nul ? "--allow-nul" : nil }

    /// One sentence for the user. `found` is the byte at ``offset``, nil at the end.
    func message(found: UInt8?, limits: JSONReader.Options) -> String {
        let found = found.map(Self.describe) ?? "the end"
        return switch kind {
        case .needsMore, .ended: "the text ends in the middle of a value"
        case .openString: "the string that begins here has no closing quote"
        case .expectedValue: "expected a value, found \(found)"
        case .expectedName: "expected a member name in double quotes, found \(found)"
        case .expectedColon: "expected ':' after the member name, found \(found)"
        case .expectedCommaOrBrace: "expected ',' or '}' after the member, found \(found)"
        case .expectedCommaOrBracket: "expected ',' or ']' after the element, found \(found)"
        case .trailingComma: "a comma before \(found) is not JSON; remove it"
        case .comment: "comments are not JSON; remove it"
        case .controlCharacter: "\(found) must be escaped inside a string"
        case .escape: "\(found) is not an escape; use \" \\ / b f n r t or u with four hexadecimal digits after \\"
        case .unicodeEscape: "\\u needs four hexadecimal digits, found \(found)"
        case .loneSurrogate: "an unpaired surrogate; text cannot contain it"
        case .invalidUTF8: "\(found) is not valid UTF-8 here; JSON must be UTF-8"
        case .nul: "U+0000 inside text"
        case .number: "expected a digit in the number, found \(found)"
        case .leadingZero: "a number does not begin with a 0 before another digit"
        case .literal: "expected true, false or null"
        case .tooDeep: "nested more than \(limits.maximumDepth) deep, the limit"
        case .stringTooLong: "a string of more than \(limits.maximumFieldBytes) bytes, the limit for a field"
        case .nestedTooLong: "a value of more than \(limits.maximumFieldBytes) bytes, the limit for a field"
        case .valueTooLong(let limit): "more than \(limit) bytes from here on without an end, the limit"
        case .tooManyFields: "a record of more than \(limits.maximumFields) values, the limit"
        case .tooManyColumns: "more than \(limits.maximumColumns) different member names, the limit"
        case .extra: "expected the end after the value, found \(found)"
        case .objectInKey:
            "an object inside a list in a list; such a list is a key of several values and cannot contain objects"
        case .notAnObject: "expected an object for a record, found \(found)"
        }
    }

    private static func describe(_ byte: UInt8) -> String {
        switch byte {
        case 0x20: "a space"
        case 0x21...0x7E: "'\(Character(UnicodeScalar(byte)))'"
        case 0x00...0x1F, 0x7F:
            "the control character U+00" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        default: "the byte 0x" + String(byte, radix: 16, uppercase: true)
        }
    }
}
