import GranaryBase

/// Reads `VersionedSchema` and `SchemaMigrationPlan` declarations.
struct SchemaReader {
    let index: SourceIndex
    /// The maximum number of list expressions that are followed.
    private static let limit = 10_000

    /// All versioned schemas in the order of the sources.
    func schemas() -> [SchemaDeclaration] {
        index.all { $0.conforms(to: "VersionedSchema") }.map(schema)
    }

    private func schema(_ id: SourceTypeID) -> SchemaDeclaration {
        let entry = index[id]
        let version = entry.variable(named: "versionIdentifier")
        var models: [SourceTypeID] = []
        let problem = collect(from: entry, into: &models)
        return SchemaDeclaration(
            name: entry.name, position: entry.position,
            identifier: Self.identifier(version?.initialValue ?? version?.getter), models: models, problem: problem)
    }

    /// `Schema.Version(1, 0, 0)` or `.init(1, 0, 0)`.
    private static func identifier(_ expression: SourceExpression?) -> String? {
        guard case .call(_, let arguments)? = expression, arguments.count == 3 else { return nil }
        let digits = arguments.compactMap { argument -> String? in
            guard case .integer(let digits) = argument.value, let number = Int(digits) else { return nil }
            return "\(number)"
        }
        return digits.count == 3 ? digits.joined(separator: ".") : nil
    }

    /// Adds the classes of a schema's `models` in order, each once. Returns the reason if they are not known.
    private func collect(from entry: SourceTypeEntry, into models: inout [SourceTypeID]) -> String? {
        if let variable = entry.variable(named: "models"), !variable.conditions.isEmpty,
            index.conditions.value(variable.conditions) == nil
        {
            let names = ConditionValues.names(variable.conditions).joined(separator: " -D ")
            return "#if decides which models \(entry.name) has: -D \(names)"
        }
        guard let list = list(named: "models", of: entry) else {
            return "\(entry.name) has no property models with a list"
        }
        var open: [(expression: SourceExpression, scope: [String])] = [(list, entry.path)]
        var steps = 0
        while let (expression, scope) = open.popLast() {
            steps += 1
            guard steps <= Self.limit else { return "the models of \(entry.name) name each other" }
            switch expression {
            case .array(let elements): open += elements.reversed().map { ($0, scope) }
            case .sequence(let operands, let operators) where operators.allSatisfy { $0 == "+" }:
                open += operands.reversed().map { ($0, scope) }
            case .member(let base?, "self"):
                guard let name = base.dottedName else { return "the models of \(entry.name) are not a list of classes" }
                let found = index.find(name.split(separator: ".").map(String.init), from: scope).ids
                guard let id = found.first else {
                    return "\(entry.name) lists \(name), which the sources do not declare"
                }
                guard found.count == 1 else { return "\(entry.name) lists \(name), which the sources declare twice" }
                guard !index[id].isConditional else {
                    return "#if decides whether \(name), which \(entry.name) lists, exists"
                }
                guard index[id].isModel else { return "\(entry.name) lists \(name), which is not a class with @Model" }
                if !models.contains(id) { models.append(id) }
            case .member(let base?, let property):
                guard let name = base.dottedName,
                    let id = index.find(name.split(separator: ".").map(String.init), from: scope).ids.first,
                    let other = self.list(named: property, of: index[id])
                else { return "the models of \(entry.name) are not a list of classes" }
                open.append((other, index[id].path))
            case .name(let property):
                guard let other = self.list(named: property, of: entry) else {
                    return "the models of \(entry.name) are not a list of classes"
                }
                open.append((other, entry.path))
            default: return "the models of \(entry.name) are not a list of classes, but made at run time"
            }
        }
        return nil
    }

    private func list(named name: String, of entry: SourceTypeEntry) -> SourceExpression? {
        entry.variable(named: name).flatMap { $0.getter ?? $0.initialValue }
    }

    /// The migration plans in the order of the sources.
    func plans() -> [MigrationPlanDeclaration] {
        index.all { $0.conforms(to: "SchemaMigrationPlan") }.map { id in
            let entry = index[id]
            return MigrationPlanDeclaration(
                name: entry.name, position: entry.position, schemas: schemaNames(of: entry), stages: stages(of: entry))
        }
    }

    private func schemaNames(of plan: SourceTypeEntry) -> [String] {
        guard case .array(let elements)? = list(named: "schemas", of: plan) else { return [] }
        return elements.compactMap { schemaName($0, plan.path) }
    }

    /// The name with dots of the schema in `SchemaV1.self`.
    private func schemaName(_ expression: SourceExpression, _ scope: [String]) -> String? {
        guard case .member(let base?, "self") = expression, let name = base.dottedName else { return nil }
        let found = index.find(name.split(separator: ".").map(String.init), from: scope).ids
        return found.first.map { index[$0].name } ?? name
    }

    private func stages(of plan: SourceTypeEntry) -> [MigrationPlanDeclaration.Stage] {
        guard case .array(let elements)? = list(named: "stages", of: plan) else { return [] }
        return elements.compactMap { element in
            var expression = element
            if let name = element.dottedName, let variable = plan.variable(named: name.lastName) {
                expression = variable.initialValue ?? variable.getter ?? element
            }
            guard case .call(.member(_, let kind), let arguments) = expression else { return nil }
            func schema(_ label: String) -> String? {
                arguments.first { $0.label == label }.flatMap { schemaName($0.value, plan.path) }
            }
            guard let from = schema("fromVersion"), let to = schema("toVersion") else { return nil }
            return MigrationPlanDeclaration.Stage(isCustom: kind == "custom", from: from, to: to)
        }
    }
}

extension String {
    /// The part behind the last dot.
    fileprivate var lastName: String { split(separator: ".").last.map(String.init) ?? self }
}
