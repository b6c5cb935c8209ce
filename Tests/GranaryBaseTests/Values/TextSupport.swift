import GranaryBase

/// The UTF-8 of a text, for the length of a call.
func withBytes<Value>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) throws -> Value) rethrows -> Value {
    try Array(text.utf8).withUnsafeBufferPointer(body)
}

/// What a body appends to an empty output, as text.
func printed(_ body: (inout [UInt8]) -> Void) -> String {
    var output: [UInt8] = []
    body(&output)
    return String(decoding: output, as: UTF8.self)
}

/// Which way a text was refused; nil where it was accepted.
enum Refusal: String { case syntax, range, precision, ambiguous }

func refusal<Value>(_ text: String, _ body: (UnsafeBufferPointer<UInt8>) throws(ValueTextError) -> Value) -> Refusal? {
    withBytes(text) { bytes in
        do throws(ValueTextError) {
            _ = try body(bytes)
            return nil
        } catch {
            switch error {
            case .syntax: return .syntax
            case .range: return .range
            case .precision: return .precision
            case .ambiguous: return .ambiguous
            }
        }
    }
}
