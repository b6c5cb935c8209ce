import GranaryBase

/// Names of a model as identifiers of Swift.
enum SwiftIdentifier {
    /// Words that need backticks where they are declared or used as types.
    private static let keywords: Set<String> = [
        "Any", "Protocol", "Self", "Type", "_", "actor", "as", "associatedtype", "async", "await", "break", "case",
        "catch", "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough",
        "false", "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let",
        "nil", "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self",
        "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var",
        "where", "while",
    ]

    /// Names that cannot be given to a type or a property, even with backticks.
    static let impossible: Set<String> = [
        "Any", "Protocol", "Self", "Type", "_", "dynamicType", "init", "self", "super",
    ]

    /// Words that have a meaning where a type is written, so that no class can have them as its name.
    static let impossibleTypes: Set<String> = [
        "__owned", "__shared", "_const", "any", "borrowing", "consuming", "each", "inout", "isolated", "nonisolated",
        "sending", "some",
    ]

    /// The identifier as source text.
    static func text(_ identifier: String) -> String {
        keywords.contains(identifier) ? "`\(identifier)`" : identifier
    }

    /// Returns an identifier for a name: characters that Swift does not allow become `_`, and a name that begins with a
    /// character which may not be first gets `_` before it.
    static func valid(_ name: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in name.unicodeScalars { result.append(isAllowed(scalar) ? scalar : "_") }
        guard let first = result.first else { return "_" }
        return (mayBeFirst(first) ? "" : "_") + String(result)
    }

    private static func mayBeFirst(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x30...0x39, 0x300...0x36F, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: false
        default: true
        }
    }

    /// The grammar's identifier characters, without those that are invisible or change the direction of text.
    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": return true
        default: break
        }
        guard !VisibleText.isInvisible(scalar) else { return false }
        switch scalar.value {
        case 0xA8, 0xAA, 0xAF, 0xB2...0xB5, 0xB7...0xBA, 0xBC...0xBE, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x167F,
            0x1681...0x180D, 0x180F...0x1FFF, 0x203F...0x2040, 0x2054, 0x2070...0x218F, 0x2460...0x24FF,
            0x2776...0x2793, 0x2C00...0x2DFF, 0x2E80...0x2FFF, 0x3004...0x3007, 0x3021...0x302F, 0x3031...0x303F,
            0x3040...0xD7FF, 0xF900...0xFD3D, 0xFD40...0xFDCF, 0xFDF0...0xFE44, 0xFE47...0xFFFD:
            return true
        case 0x10000...0xEFFFD: return scalar.value & 0xFFFF < 0xFFFE
        default: return false
        }
    }

    /// The identifier with its first letter as a capital: `skills` in `addToSkills`.
    static func capitalised(_ identifier: String) -> String {
        guard let first = identifier.first else { return identifier }
        return first.uppercased() + identifier.dropFirst()
    }

    /// The text as the content of a string literal.
    static func literal(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            default:
                if isVisible(scalar) {
                    result.unicodeScalars.append(scalar)
                } else {
                    result += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        return "\"\(result)\""
    }

    /// The text in a comment of one line.
    static func comment(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isVisible(scalar) ? scalar : " ") }
        return String(result)
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        guard !VisibleText.isInvisible(scalar) else { return false }
        return switch scalar.properties.generalCategory {
        case .format, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}
