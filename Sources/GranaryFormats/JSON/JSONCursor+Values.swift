extension JSONCursor {
    /// Skips a whole value and checks its syntax, depth and text.
    ///
    /// It is iterative: open objects and arrays are a list of flags, so each level costs a byte and no stack.
    ///
    /// - Parameter depth: the number of open objects and arrays around it.
    mutating func skipValue(depth: Int) throws(JSONFault) {
        var openObjects: [Bool] = []
        var text: [UInt8] = []
        values: while true {
            let byte = try token()
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = byte == UInt8(ascii: "{")
                guard depth + openObjects.count < limits.maximumDepth else { throw JSONFault(.tooDeep, at: position) }
                position += 1
                if try token() == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) {
                    position += 1
                } else {
                    openObjects.append(isObject)
                    if isObject { try skipName(&text) }
                    continue values
                }
            case UInt8(ascii: "\""): try scanString(into: &text, keeps: false)
            default: try skipScalar(byte)
            }
            // After a value: the next value, or the ends of open containers.
            while let isObject = openObjects.last {
                let byte = try token()
                if byte == UInt8(ascii: ",") {
                    position += 1
                    try refuseTrailingComma()
                    if isObject { try skipName(&text) }
                    continue values
                }
                guard byte == (isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw unexpected(isObject ? .expectedCommaOrBrace : .expectedCommaOrBracket)
                }
                position += 1
                openObjects.removeLast()
            }
            return
        }
    }

    /// Skips a number, `true`, `false` or `null`.
    @inline(__always)
    mutating func skipScalar(_ first: UInt8) throws(JSONFault) {
        switch first {
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber()
        case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"): try skipWord()
        default: throw unexpected(.expectedValue)
        }
    }

    /// Checks after a comma that no closing brace or bracket follows, which has its own message.
    @inline(__always)
    mutating func refuseTrailingComma() throws(JSONFault) {
        let byte = try token()
        if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { throw JSONFault(.trailingComma, at: position) }
    }

    private mutating func skipName(_ text: inout [UInt8]) throws(JSONFault) {
        guard try current() == UInt8(ascii: "\"") else { throw unexpected(.expectedName) }
        try scanString(into: &text, keeps: false)
        try skipColon()
    }
}
