/// A text with places for other values of the object: `patient-{$number}`, `{first}.{last}@example.com`.
package struct ReplacementTemplate: Sendable, Hashable {
    enum Part: Sendable, Hashable {
        case text(String)
        /// The number of the object in the new store.
        case number
        /// The new value of another attribute.
        case attribute(String)
    }

    let parts: [Part]

    var hasNumber: Bool { parts.contains(.number) }
    var names: [String] { parts.compactMap { if case .attribute(let name) = $0 { name } else { nil } } }

    init(_ text: String) throws(AnonymisationRules.Decision.Problem) {
        var parts: [Part] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{") {
            if open > rest.startIndex { parts.append(.text(String(rest[..<open]))) }
            rest = rest[rest.index(after: open)...]
            guard let close = rest.firstIndex(of: "}"), close > rest.startIndex else {
                throw AnonymisationRules.Decision.Problem(
                    message: "a place of a template is {$number} or {ATTRIBUTE}: template: patient-{$number}")
            }
            let name = String(rest[..<close])
            parts.append(name == "$number" ? .number : .attribute(name))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { parts.append(.text(String(rest))) }
        self.parts = parts
    }
}
