import GranaryBase
import GranaryImport
import GranaryRecords

/// The variables of a plan: `${NAME}` in any text; `$${` stands for `${`.
struct PlanVariables {
    /// The maximum total size of all variable values that are inserted, because variables can multiply.
    static let maximumBytes = 64 << 20

    /// The variables of the command line, which override the plan's own.
    let overrides: [String: String]
    private let environment: [String: String]
    private var values: [String: String]
    private var usedNames: Set<String> = []
    private var expandedBytes = 0

    init(overrides: [String: String], environment: [String: String]) {
        self.overrides = overrides
        self.environment = environment
        values = overrides
    }

    /// Whether a text can be a variable name: letters, digits and `_`, not starting with a digit.
    static func isName(_ text: String) -> Bool {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let first = text.utf8.first, !digits.contains(first) else { return false }
        return text.utf8.allSatisfy { letters.contains($0 | 0x20) || digits.contains($0) || $0 == UInt8(ascii: "_") }
    }

    /// The variables of the command line that the plan neither defines nor uses.
    func unusedOverrides() -> [String] { overrides.keys.filter { !usedNames.contains($0) }.sorted() }

    mutating func set(_ name: String, _ value: String) {
        usedNames.insert(name)
        if overrides[name] == nil { values[name] = value }
    }

    /// Replaces the variables of a text by their values.
    mutating func expanding(_ text: String) throws(OptionProblem) -> String {
        let bytes = Array(text.utf8)
        let (dollar, open, close) = (UInt8(ascii: "$"), UInt8(ascii: "{"), UInt8(ascii: "}"))
        guard bytes.contains(dollar) else { return text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let rest = bytes[index...]
            if rest.starts(with: [dollar, dollar, open]) {
                result += [dollar, open]
                index += 3
            } else if rest.starts(with: [dollar, open]) {
                guard let end = rest.firstIndex(of: close) else {
                    throw OptionProblem("a ${ without }; write $${ for the text ${")
                }
                let value = try value(String(decoding: bytes[(index + 2)..<end], as: UTF8.self))
                expandedBytes += value.utf8.count
                guard expandedBytes <= Self.maximumBytes else {
                    throw OptionProblem("with expanded variables, the plan has more than \(Self.maximumBytes) bytes")
                }
                result += Array(value.utf8)
                index = end + 1
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private mutating func value(_ name: String) throws(OptionProblem) -> String {
        let prefix = "env:"
        if name.utf8.starts(with: prefix.utf8) {
            let variable = String(name.dropFirst(prefix.count))
            guard let value = environment[variable] else {
                throw OptionProblem("the environment variable \(Diagnostic.shortened(variable)) is not set")
            }
            return value
        }
        guard Self.isName(name) else {
            throw OptionProblem(
                "${\(Diagnostic.shortened(name))} is not a variable name; use letters, digits and _; $${ is the text ${"
            )
        }
        usedNames.insert(name)
        guard let value = values[name] else {
            let hint = NearestText.hint(for: name, in: values.keys.sorted())
            throw OptionProblem("there is no variable \"\(name)\"\(hint)")
        }
        return value
    }
}
