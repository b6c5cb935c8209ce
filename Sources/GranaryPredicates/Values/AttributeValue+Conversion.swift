package import GranaryBase
import Foundation

extension AttributeValue {
    /// A copy of a borrowed value; nil for NULL, and for a URI that Foundation cannot represent.
    package init?(_ value: BorrowedValue) {
        switch value {
        case .null: return nil
        case .boolean(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .float(let value): self = .float(value)
        case .double(let value): self = .double(value)
        case .decimal(let value): self = .decimal(value.foundationDecimal)
        case .date(let seconds): self = .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
        case .uri(let bytes):
            guard let url = URL(string: String(decoding: bytes, as: UTF8.self), encodingInvalidCharacters: false) else {
                return nil
            }
            self = .uri(url)
        case .uuid(let value): self = .uuid(value)
        case .binary(let bytes): self = .binary(Data(buffer: bytes))
        }
    }

    /// Calls `body` with the value. Its text and bytes are valid only during the call.
    package func withBorrowed<Result, Failure: Error>(
        _ body: (BorrowedValue) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        switch self {
        case .integer(let value): return try body(.integer(value))
        case .boolean(let value): return try body(.boolean(value))
        case .float(let value): return try body(.float(value))
        case .double(let value): return try body(.double(value))
        case .decimal(let value):
            // Foundation's NaN has no digits; as a double it is refused by the validator.
            guard let exact = ExactDecimal(exactly: value) else { return try body(.double(.nan)) }
            return try body(.decimal(exact))
        case .date(let value): return try body(.date(value.timeIntervalSinceReferenceDate))
        case .uuid(let value): return try body(.uuid(value))
        case .string(let text):
            return try Self.lend(Array(text.utf8)) { bytes throws(Failure) in try body(.text(bytes)) }
        case .uri(let url):
            return try Self.lend(Array(url.absoluteString.utf8)) { bytes throws(Failure) in try body(.uri(bytes)) }
        case .binary(let data): return try Self.lend(Array(data)) { bytes throws(Failure) in try body(.binary(bytes)) }
        }
    }

    private static func lend<Result, Failure: Error>(
        _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { buffer throws(Failure) in try body(buffer) }
    }

    /// Whether the value is neither NaN nor infinite.
    package var isFinite: Bool {
        switch self {
        case .float(let value): value.isFinite
        case .double(let value): value.isFinite
        case .date(let value): value.timeIntervalSinceReferenceDate.isFinite
        case .decimal(let value): ExactDecimal(exactly: value) != nil
        default: true
        }
    }

    /// The kind of the value with its article, for messages.
    package var phrase: String {
        switch self {
        case .integer: "an integer"
        case .boolean: "a Boolean"
        case .float: "a Float"
        case .double: "a Double"
        case .decimal: "a Decimal"
        case .string: "a String"
        case .date: "a Date"
        case .binary: "binary data"
        case .uuid: "a UUID"
        case .uri: "a URI"
        }
    }
}
