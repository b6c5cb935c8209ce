/// Values as text of a plan, in the flow style of YAML.
package enum PlanText {
    package static func mapping(_ pairs: [(String, String)]) -> String {
        "{" + pairs.map { "\(quoted($0.0)): \(quoted($0.1))" }.joined(separator: ", ") + "}"
    }

    package static func list(_ texts: [String]) -> String { "[" + texts.map(quoted).joined(separator: ", ") + "]" }

    /// A double-quoted scalar of YAML, which has the escapes of JSON.
    package static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            // A plan has variables in this form.
            case "$": result += text.contains("${") ? "$$" : "$"
            default:
                if scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0xFEFF {
                    let digits = String(scalar.value, radix: 16)
                    result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}
