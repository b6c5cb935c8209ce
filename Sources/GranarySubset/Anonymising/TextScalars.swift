/// Texts as arrays of characters, with short ways for ASCII.
enum TextScalars {
    /// - Returns: the characters of UTF-8; invalid bytes become U+FFFD.
    static func scalars(_ bytes: UnsafeBufferPointer<UInt8>) -> [Unicode.Scalar] {
        guard bytes.allSatisfy({ $0 < 0x80 }) else {
            return Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        }
        return bytes.map { Unicode.Scalar($0) }
    }

    static func text(_ scalars: [Unicode.Scalar]) -> String { String(decoding: utf8(scalars), as: UTF8.self) }

    static func utf8(_ scalars: [Unicode.Scalar]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count)
        for scalar in scalars { append(scalar, to: &bytes) }
        return bytes
    }

    static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.isASCII {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
    }

    /// The text in lower case, in UTF-8.
    static func lowercased(_ scalars: ArraySlice<Unicode.Scalar>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(scalars.count)
        for scalar in scalars {
            switch scalar {
            case "A"..."Z": bytes.append(UInt8(truncatingIfNeeded: scalar.value | 0x20))
            case _ where scalar.isASCII: bytes.append(UInt8(truncatingIfNeeded: scalar.value))
            default: bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            }
        }
        return bytes
    }
}
