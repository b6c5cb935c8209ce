import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

extension MigrationRules {
    /// The rules of each step from one version to the next.
    ///
    /// A name of an option is that of the newest version that has it. In an older version it means the entity or
    /// attribute that became it, whatever its name was.
    ///
    /// - Parameter versions: the model of the store and those after it.
    /// - Throws: ``GranaryError`` with code `usage` for a name that no version after the store's has, and for a value
    ///   that does not fit.
    static func ofSteps(
        _ options: StoreMigrationOptions, _ versions: [Schema]
    ) throws(GranaryError) -> [MigrationRules] {
        let later = Array(versions.dropFirst())
        let resolved = try ResolvedOptions.all(options, later)
        var steps: [MigrationRules] = []
        var carried = ResolvedOptions()
        for place in later.indices.reversed() {
            if place + 1 < later.count {
                carried = carried.inOlderVersion(ModelMapping(from: later[place], to: later[place + 1]))
            }
            carried.add(resolved[place])
            carried.expand(later[place])
            var rules = MigrationRules(accepting: options)
            for fill in carried.fills { rules.fills[fill.entity, default: [:]][fill.attribute.slot] = fill.value }
            for choice in carried.choices { rules.choices[choice.entity] = choice.rule }
            steps.append(rules)
        }
        return steps.reversed()
    }

    /// The rules of a copy to the same version.
    init(accepting options: StoreMigrationOptions) {
        self.init()
        if options.allowsDrop { accepted.formUnion(MigrationProblem.Kind.drops) }
        if options.invalidObjects == .keep { accepted.formUnion(MigrationProblem.Kind.invalid) }
    }
}

/// The options that name entities and attributes, in one version.
private struct ResolvedOptions {
    struct Fill {
        var entity: Int
        var attribute: Schema.Attribute
        var value: AttributeValue
        /// The text of the value on the command line, which is read again for another type.
        var text: String?
    }

    struct Choice {
        var entity: Int
        var rule: MigrationRules.DuplicateChoice
    }

    var fills: [Fill] = []
    var choices: [Choice] = []

    /// The options of each version: each name is resolved in the newest version that has it.
    static func all(
        _ options: StoreMigrationOptions, _ versions: [Schema]
    ) throws(GranaryError) -> [ResolvedOptions] {
        var found = [ResolvedOptions](repeating: ResolvedOptions(), count: versions.count)
        func resolve(
            _ body: (OptionNames, inout ResolvedOptions) throws(GranaryError) -> Void
        ) throws(GranaryError) {
            var failure: GranaryError?
            for place in versions.indices.reversed() {
                do throws(GranaryError) { return try body(OptionNames(schema: versions[place]), &found[place]) } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
        for (name, value) in options.fills {
            try resolve { names, found throws(GranaryError) in
                let (entity, attribute) = try names.attribute(name)
                try names.check(value, name, attribute)
                found.fills.append(Fill(entity: entity.index, attribute: attribute, value: value, text: nil))
            }
        }
        for (name, text) in options.fillTexts.sorted(by: { utf8Less($0.key, $1.key) }) {
            try resolve { names, found throws(GranaryError) in
                let (entity, attribute) = try names.attribute(name)
                let value = try names.value(text, name, attribute)
                found.fills.append(Fill(entity: entity.index, attribute: attribute, value: value, text: text))
            }
        }
        for (name, rule) in options.duplicateRules.sorted(by: { utf8Less($0.key, $1.key) }) {
            try resolve { names, found throws(GranaryError) in
                let entity = try names.entityWithConstraint(name)
                found.choices.append(Choice(entity: entity.index, rule: try names.choice(rule, entity)))
            }
        }
        return found
    }

    /// Adds the options of this version, which go before those of a newer one.
    mutating func add(_ own: ResolvedOptions) {
        fills += own.fills.sorted { $0.entity < $1.entity }
        choices += own.choices.sorted { $0.entity < $1.entity }
    }

    /// Repeats the options of an entity for its subentities; their own ones count there.
    mutating func expand(_ schema: Schema) {
        fills = fills.flatMap { fill in
            schema.entities[fill.entity].family.map { place in
                var fill = fill
                fill.entity = place
                return fill
            }
        }
        choices = choices.flatMap { choice in
            schema.entities[choice.entity].family.map { Choice(entity: $0, rule: choice.rule) }
        }
        // Of several, the last one counts.
        var places: [Place: Int] = [:]
        for (number, fill) in fills.enumerated() { places[Place(fill)] = number }
        fills = fills.enumerated().filter { places[Place($1)] == $0 }.map(\.element)
        var last: [Int: Int] = [:]
        for (number, choice) in choices.enumerated() { last[choice.entity] = number }
        choices = choices.enumerated().filter { last[$1.entity] == $0 }.map(\.element)
    }

    private struct Place: Hashable {
        let entity: Int
        let slot: Int

        init(_ fill: Fill) {
            entity = fill.entity
            slot = fill.attribute.slot
        }
    }

    /// The same options with the names of the version before: those of an added entity or attribute are left out.
    func inOlderVersion(_ mapping: ModelMapping) -> ResolvedOptions {
        func source(_ entity: Int, _ attribute: Schema.Attribute) -> (entity: Int, attribute: Schema.Attribute)? {
            guard let old = mapping.oldEntities[entity], let sources = mapping.entities[old]?.sources,
                sources.indices.contains(attribute.slot), case .attribute(let found) = sources[attribute.slot]
            else { return nil }
            return (old, found)
        }
        var result = ResolvedOptions()
        for fill in fills.sorted(by: { $0.entity < $1.entity }) {
            guard let (entity, attribute) = source(fill.entity, fill.attribute) else { continue }
            var value: AttributeValue? = fill.value
            if attribute.type != fill.attribute.type {
                value = fill.text.flatMap { AttributeValue(optionText: $0, attribute.type) }
            }
            guard let value else { continue }
            result.fills.append(Fill(entity: entity, attribute: attribute, value: value, text: fill.text))
        }
        for choice in choices {
            guard let entity = mapping.oldEntities[choice.entity] else { continue }
            var rule = choice.rule
            if case .largest(let attribute) = rule {
                guard let (_, found) = source(choice.entity, attribute) else { continue }
                rule = .largest(found)
            }
            result.choices.append(Choice(entity: entity, rule: rule))
        }
        // Superentities first, so that the options of subentities count.
        result.fills.sort { $0.entity < $1.entity }
        result.choices.sort { $0.entity < $1.entity }
        return result
    }
}
