import GranaryBase
import GranaryImport
import GranaryModel

/// Finds the options of an import that give each column a property.
struct ColumnDecisions {
    private(set) var findings: [SurveyFinding] = []

    init(_ columns: [SurveyedColumn], entity: Schema.Entity) {
        var finding = SurveyFinding(.columns, "", "")
        let known = columns.filter { $0.property != nil }
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        var free = Set(names).subtracting(known.compactMap(\.property))
        var notes: [String] = []
        for column in columns where column.role == .unknown && !column.name.isEmpty {
            if let nearest = NearestText.nearest(to: column.name, in: free.sorted()) {
                free.remove(nearest)
                finding.options.append(SurveyOption("map", "\(column.name)=\(nearest)"))
                notes.append("\"\(Diagnostic.shortened(column.name))\" is probably \(nearest)")
            } else {
                finding.options.append(SurveyOption("ignore", column.name))
                notes.append("\(entity.name) has nothing like \"\(Diagnostic.shortened(column.name))\"")
            }
        }
        for relationship in entity.relationships where known.contains(where: { $0.property == relationship.name }) {
            decide(relationship, entity, &finding, &notes)
        }
        let missing = entity.attributes.filter { attribute in
            free.contains(attribute.name) && !attribute.description.isOptional && attribute.isPersistent
                && attribute.description.defaultValue == nil && attribute.description.derivationExpression == nil
        }
        for attribute in missing { notes.append("\(entity.name).\(attribute.name) is required and has no column") }
        finding.value = "\(known.count) of \(columns.count) are properties of \(entity.name)"
        finding.evidence = notes.isEmpty ? "by their names" : notes.joined(separator: "; ")
        findings = [finding]
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
