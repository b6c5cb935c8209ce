/// How far bytes are valid UTF-8 (RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF).
enum UTF8Validation {
    enum End: Equatable {
        case complete
        /// The bytes end inside a sequence that may still become valid.
        case cutOff
        case wrong
    }

    static func check(_ bytes: UnsafeBufferPointer<UInt8>) -> (valid: Int, end: End) {
        var index = 0
        while index < bytes.count {
            // Most property lists are ASCII nearly throughout: eight bytes at a time.
            while index + 8 <= bytes.count {
                let word = UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: index, as: UInt64.self)
                guard word & 0x8080_8080_8080_8080 == 0 else { break }
                index += 8
            }
            guard index < bytes.count else { break }
            let first = bytes[index]
            if first < 0x80 {
                index += 1
                continue
            }
            let length: Int
            var second: ClosedRange<UInt8> = 0x80...0xBF
            switch first {
            case 0xC2...0xDF: length = 2
            case 0xE0: (length, second) = (3, 0xA0...0xBF)
            case 0xED: (length, second) = (3, 0x80...0x9F)
            case 0xE1...0xEF: length = 3
            case 0xF0: (length, second) = (4, 0x90...0xBF)
            case 0xF1...0xF3: length = 4
            case 0xF4: (length, second) = (4, 0x80...0x8F)
            default: return (index, .wrong)
            }
            for offset in 1..<length {
                guard index + offset < bytes.count else { return (index, .cutOff) }
                guard (offset == 1 ? second : 0x80...0xBF).contains(bytes[index + offset]) else {
                    return (index, .wrong)
                }
            }
            index += length
        }
        return (index, .complete)
    }
}
