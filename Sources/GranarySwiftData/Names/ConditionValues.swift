/// Decides `#if` conditions.
///
/// SwiftData exists on Apple's platforms only, which decides some conditions; flags come from the user.
struct ConditionValues {
    /// The flags that the user has set or unset, and tests such as `os(iOS)`.
    let defines: [String: Bool]

    /// Nil if it cannot be decided.
    func value(_ conditions: [SourceCondition]) -> Bool? { value(.all(conditions)) }

    private func value(_ condition: SourceCondition) -> Bool? {
        switch condition {
        case .boolean(let value): return value
        case .flag(let name): return defines[name]
        case .platform(let name, let argument): return defines["\(name)(\(argument))"] ?? known(name, argument)
        case .not(let other): return value(other).map { !$0 }
        case .all(let all):
            let values = all.map(value)
            return values.contains(false) ? false : values.contains(nil) ? nil : true
        case .any(let any):
            let values = any.map(value)
            return values.contains(true) ? true : values.contains(nil) ? nil : false
        case .other: return nil
        }
    }

    /// What holds wherever SwiftData exists.
    private func known(_ name: String, _ argument: String) -> Bool? {
        switch (name, argument) {
        case ("canImport", "SwiftData"), ("canImport", "Foundation"), ("canImport", "CoreData"),
            ("canImport", "Darwin"):
            true
        case ("os", "Linux"), ("os", "Windows"), ("os", "Android"), ("os", "WASI"), ("canImport", "Glibc"): false
        // SwiftData needs Swift 5.9.
        case ("swift", let version), ("compiler", let version): isAtMost59(version) ? true : nil
        default: nil
        }
    }

    /// Whether the text is `>=` and a version up to 5.9.
    private func isAtMost59(_ text: String) -> Bool {
        guard text.hasPrefix(">=") else { return false }
        let parts = text.dropFirst(2).split(separator: ".").compactMap { Int($0.filter { $0 != " " }) }
        guard let major = parts.first else { return false }
        return major < 5 || (major == 5 && (parts.dropFirst().first ?? 0) <= 9)
    }

    /// The flags and tests in conditions, as `-D` takes them.
    static func names(_ conditions: [SourceCondition]) -> [String] {
        var names: [String] = []
        var open = conditions
        while let next = open.popLast() {
            switch next {
            case .flag(let name): names.append(name)
            case .platform(let name, let argument): names.append("\(name)(\(argument))")
            case .not(let other): open.append(other)
            case .all(let more), .any(let more): open += more
            case .boolean, .other: break
            }
        }
        return Array(Set(names)).sorted()
    }
}
