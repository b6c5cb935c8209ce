import GranaryBase
import GranaryFormats
import GranaryModel
import GranaryPredicates

/// Formats a key of several attributes as a JSON array: `["Smith",7]`.
enum KeyText {
    static func text(of parts: [AttributeValue]) throws(GranaryError) -> String {
        var bytes: [UInt8] = []
        for (index, part) in parts.enumerated() {
            bytes.append(UInt8(ascii: index == 0 ? "[" : ","))
            try part.withBorrowed { (value) throws(GranaryError) in try append(value, to: &bytes) }
        }
        bytes.append(UInt8(ascii: "]"))
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func append(_ value: BorrowedValue, to bytes: inout [UInt8]) throws(GranaryError) {
        switch value {
        case .text(let text), .uri(let text): JSONText.append(text, to: &bytes)
        case .date, .uuid, .binary:
            bytes.append(UInt8(ascii: "\""))
            try ValueText.append(value, dates: .iso8601, binary: .base64, to: &bytes)
            bytes.append(UInt8(ascii: "\""))
        case .null, .boolean, .integer, .float, .double, .decimal:
            try ValueText.append(value, dates: .iso8601, binary: .base64, to: &bytes)
        }
    }
}
