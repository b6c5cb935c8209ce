/// Checks that bytes are UTF-8.
enum UTF8Check {
    /// Returns the offset of the first byte that is not part of valid UTF-8, or `nil`.
    static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
        // The validation of the library takes a tenth of the time of the loop, and nearly all files are valid.
        if String(validating: bytes, as: UTF8.self) != nil { return nil }
        var parser = Unicode.UTF8.ForwardParser()
        var iterator = bytes.makeIterator()
        var offset = 0
        while true {
            switch parser.parseScalar(from: &iterator) {
            case .valid(let scalar): offset += scalar.count
            case .error: return offset
            case .emptyInput: return nil
            }
        }
    }
}
