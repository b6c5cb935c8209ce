import GranaryBase

/// Finds decisions of the user that name nothing in the sources: a mistyped name would be without effect.
struct UnusedDecisions {
    let index: SourceIndex

    func warnings(_ options: SwiftDataOptions) -> [Diagnostic] {
        let properties = self.properties
        var warnings: [Diagnostic] = []
        for name in options.inverses.keys.sorted() where !properties.contains(name) {
            warnings.append(
                warning("--inverse \(name)", "property \"\(name)\" of a class with @Model", name, properties))
        }
        let unknown = options.types.keys.filter { !properties.contains($0) && index.ids[$0] == nil }
        guard !unknown.isEmpty else { return warnings }
        let types = self.types
        for name in unknown.sorted() where !types.contains(name) {
            warnings.append(warning("--type \(name)", "type or property \"\(name)\"", name, types.union(properties)))
        }
        return warnings
    }

    private func warning(_ option: String, _ what: String, _ name: String, _ known: Set<String>) -> Diagnostic {
        Diagnostic(
            .modelReference,
            "\(option) has no effect: the sources have no \(what)"
                + NearestText.hint(for: name, in: known.sorted()), severity: .warning)
    }

    /// The properties of classes with `@Model`: `Trip.name`.
    private var properties: Set<String> {
        var names: Set<String> = []
        for id in index.models {
            for variable in index[id].variables { names.insert("\(index[id].bareName).\(variable.name)") }
        }
        return names
    }

    /// The types of properties and of their parts, as written.
    private var types: Set<String> {
        var texts = Set(index.ids.keys)
        for variable in index.entries.flatMap(\.variables) {
            var open = [variable.type].compactMap { $0 }
            while let type = open.popLast() {
                guard texts.insert(type.text).inserted else { continue }
                switch type {
                case .optional(let inner), .array(let inner): open.append(inner)
                case .dictionary(let key, let value): open += [key, value]
                case .named(_, let arguments): open += arguments
                case .other: break
                }
            }
        }
        return texts
    }
}
