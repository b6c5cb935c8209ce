extension ModelTextNode {
    /// The value as YAML. Text without quotes is the same text in YAML 1.1 and 1.2.
    ///
    /// - Parameter header: comments at the start of the file.
    func yaml(header: [String] = []) -> String {
        var result = header.map { Self.commentLine($0) }.joined()
        guard case .mapping(let members, isBlock: true) = self, !members.isEmpty else { return result + inline + "\n" }
        Self.append(members, indentation: "", to: &result)
        return result
    }

    private static func append(_ members: [Member], indentation: String, to result: inout String) {
        for member in members {
            let key = scalar(member.key)
            // After an explicit key, the colon is on a line of its own.
            result += indentation + (isLong(key) ? "? \(key)\n\(indentation)" : key) + ":"
            let comment = member.comment.map { "  " + commentLine($0) } ?? "\n"
            if case .mapping(let inner, isBlock: true) = member.value, !inner.isEmpty {
                result += comment
                append(inner, indentation: indentation + "  ", to: &result)
            } else {
                result += " " + member.value.inline + comment
            }
        }
    }

    private static func commentLine(_ text: String) -> String {
        // A line end would end the comment; libyaml refuses other control characters.
        let line = text.unicodeScalars.map { isPrintable($0) ? $0 : " " }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: line)
        return view.isEmpty ? "#\n" : "# \(String(view))\n"
    }

    private var inline: String {
        switch self {
        case .text(let text): Self.scalar(text)
        case .plain(let text): text
        case .list(let list): "[\(list.map(\.inline).joined(separator: ", "))]"
        case .mapping(let members, _):
            "{\(members.map { "\(Self.inlineKey($0.key)): \($0.value.inline)" }.joined(separator: ", "))}"
        }
    }

    private static func inlineKey(_ text: String) -> String {
        let key = scalar(text)
        return isLong(key) ? "? \(key) " : key
    }

    /// Whether YAML needs the mark `?` before a key, which has more than 1,024 characters with its quotes and the colon.
    private static func isLong(_ key: String) -> Bool { key.unicodeScalars.count > 1000 }

    private static func scalar(_ text: String) -> String {
        canBePlain(text) ? text : JSONScalar.quoted(text) { isPrintable($0) }
    }

    /// A conservative subset of the plain scalars that are allowed in flow mappings.
    private static func canBePlain(_ text: String) -> Bool {
        guard !ModelTextValue.isAmbiguous(text), let first = text.unicodeScalars.first,
            let last = text.unicodeScalars.last
        else { return false }
        let isFirst: Bool =
            switch first {
            case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "/", "(", "$", "+": true
            // Plain keys that begin with U+E000 are refused (``PlacedTree``).
            default: first.value > 0xA0 && first.value != 0xE000
            }
        guard isFirst, last != " ", last != ":", text != "<<", text != "=", !text.hasPrefix("---"),
            !text.hasPrefix("...")
        else { return false }
        var before: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_", ".", "-", "+", "/", "(", ")", "!", "<", ">", "=", "$", "@", "~",
                "^", ";", "'", " ", "*", "&", "%", "|", "\"":
                break
            case ":", "#": if before == " " || scalar == ":" { return false }
            default: if scalar.value <= 0xA0 || !isPrintable(scalar) { return false }
            }
            before = scalar
        }
        return true
    }

    /// Whether YAML allows the character as it is on one line.
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xD7FF, 0xE000...0xFEFE, 0xFF00...0xFFFD, 0x10000...0x10FFFF: true
        default: false
        }
    }
}

/// Text in double quotes, as in JSON.
enum JSONScalar {
    static func quoted(_ text: String, isPrintable: (Unicode.Scalar) -> Bool = { $0.value >= 0x20 }) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if isPrintable(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    result += "\\u" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
                }
            }
        }
        return result + "\""
    }
}

extension ModelTextNode {
    /// The value as JSON.
    var json: String {
        var result = ""
        appendJSON(indentation: "", to: &result)
        return result + "\n"
    }

    private func appendJSON(indentation: String, to result: inout String) {
        switch self {
        case .text(let text): result += JSONScalar.quoted(text)
        case .plain(let text): result += text
        case .list(let list):
            result += "["
            for (index, value) in list.enumerated() {
                if index > 0 { result += ", " }
                value.appendJSON(indentation: indentation, to: &result)
            }
            result += "]"
        case .mapping(let members, let isBlock):
            let inner = indentation + "  "
            let isLong = isBlock && !members.isEmpty
            result += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { result += isLong ? "," : ", " }
                if isLong { result += "\n" + inner }
                result += JSONScalar.quoted(member.key) + ": "
                member.value.appendJSON(indentation: inner, to: &result)
            }
            result += isLong ? "\n\(indentation)}" : "}"
        }
    }
}
