import GranaryBase
import GranaryImport
import GranaryModel

/// Finds the options of an import that give each column a property.
struct ColumnDecisions {
    private(set) var findings: [SurveyFinding] = []

    /// How many names a message lists.
    private static let mostNames = 8

    init(_ matching: ColumnMatching, entity: Schema.Entity) {
        let columns = matching.columns
        var finding = SurveyFinding(.columns, "", "")
        var notes: [String] = []
        let filled = Set(columns.compactMap(\.property))
        let nests = columns.contains { column in
            column.survey.objects > 0 && column.property.map { entity.relationship(named: $0) != nil } ?? false
        }
        let missing = entity.attributes.filter { attribute in
            !filled.contains(attribute.name) && !attribute.description.isOptional && attribute.isPersistent
                && attribute.description.defaultValue == nil && attribute.description.derivationExpression == nil
        }
        for column in columns where !column.name.isEmpty && !column.name.hasPrefix("$") {
            switch (column.match, column.property) {
            case (.similar?, let property?), (.type?, let property?):
                finding.options.append(SurveyOption("map", "\(column.name)=\(property)"))
                notes.append("\"\(Diagnostic.shortened(column.name))\" is probably \(property)")
            case (.member?, let property?):
                finding.options.append(SurveyOption("map", "\(column.name)=\(property)"))
                notes.append("\"\(Diagnostic.shortened(column.name))\" is \(property)")
            case (.name?, _): continue
            default:
                // Nested objects can have a member of this name.
                finding.options.append(SurveyOption("ignore", nests ? "\(entity.name).\(column.name)" : column.name))
                let hasParts = columns.contains { $0.match == .member && $0.name.hasPrefix(column.name + ".") }
                if !hasParts {
                    notes.append("\(entity.name) has nothing like \"\(Diagnostic.shortened(column.name))\"")
                }
            }
        }
        // Ignoring an object also ignores its members without a property.
        if !matching.otherMembers.isEmpty {
            notes.append("the members \(Self.list(matching.otherMembers)) are not imported")
        }
        for relationship in entity.relationships where filled.contains(relationship.name) {
            decide(relationship, entity, &finding, &notes)
        }
        let unlinked = entity.relationships.filter { relationship in
            !filled.contains(relationship.name) && !relationship.description.isOptional && relationship.isPersistent
        }
        for name in missing.map(\.name) + unlinked.map(\.name) {
            notes.append("\(entity.name).\(name) is required and has no column")
        }
        let known = columns.count { $0.match == .name || $0.match == .member }
        finding.value = "\(known) of \(columns.count) are properties of \(entity.name)"
        finding.evidence = notes.isEmpty ? "by their names" : notes.joined(separator: "; ")
        if !columns.contains(where: { $0.match == .name || $0.match == .member || $0.match == .similar }) {
            finding.doubt = doubt(finding, missing.map(\.name), entity)
        }
        findings = [finding]
    }

    /// What to do about a file of which no column has the name of a property.
    private func doubt(_ finding: SurveyFinding, _ missing: [String], _ entity: Schema.Entity) -> SurveyDoubt {
        let maps = finding.options.filter { $0.name == "map" }.compactMap(\.text)
        let required = missing.isEmpty ? "" : "; \(entity.name) requires \(Self.list(missing))"
        let names = Self.list(ColumnMatching.names(of: entity))
        return SurveyDoubt(
            "no column has the name of a property\(required)",
            (maps.isEmpty ? [] : [maps.joined(separator: " ")])
                + ["--map COLUMN=PROPERTY for each column; the properties are \(names)"])
    }

    private static func list(_ names: [String]) -> String {
        names.prefix(mostNames).map { Diagnostic.shortened($0) }.joined(separator: ", ")
            + (names.count > mostNames ? " and \(names.count - mostNames) others" : "")
    }

    /// What a relationship's column has: the key of the destination, or the attribute that is most like one.
    private func decide(
        _ relationship: Schema.Relationship, _ entity: Schema.Entity, _ finding: inout SurveyFinding,
        _ notes: inout [String]
    ) {
        guard let schema = entity.schema else { return }
        let destination = schema.entities[relationship.destination]
        guard destination.uniquenessConstraints.isEmpty else { return }
        let texts = destination.attributes.filter { $0.isPersistent && $0.type == .string }
        guard let attribute = texts.first(where: { ["name", "code", "title"].contains($0.name) }) ?? texts.first else {
            return
        }
        finding.options.append(SurveyOption("lookup", "\(relationship.name)=\(attribute.name)"))
        notes.append(
            "\(destination.name) has no uniqueness constraint: \(relationship.name) is looked up by \(attribute.name)")
    }
}
