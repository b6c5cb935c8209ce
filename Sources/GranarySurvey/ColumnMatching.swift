import GranaryBase
import GranaryImport
import GranaryModel

/// Finds the property of each column.
struct ColumnMatching {
    /// The columns of the records, and the members of objects that have a property.
    private(set) var columns: [SurveyedColumn] = []
    /// The members beside those, which an import ignores.
    private(set) var otherMembers: [String] = []

    /// - Parameter entity: nil without a model.
    init(_ surveys: [ColumnSurvey], entity: Schema.Entity?) {
        guard let entity else {
            columns = surveys.filter { $0.owner == nil }.map { SurveyedColumn($0) }
            return
        }
        var found: [Int: (property: String, match: SurveyedColumn.Match)] = [:]
        var free = Set(Self.names(of: entity))
        for (index, survey) in surveys.enumerated() where survey.owner == nil {
            guard let property = Self.property(survey.name, of: entity) else { continue }
            found[index] = (property, .name)
            free.remove(property)
        }
        // An object that is a property keeps its members.
        var isOpen: [Int: Bool] = [:]
        for (index, survey) in surveys.enumerated() {
            guard let owner = survey.owner else {
                isOpen[index] = survey.objects > 0 && found[index] == nil
                continue
            }
            guard isOpen[owner] ?? false else { continue }
            isOpen[index] = survey.objects > 0
            guard let property = Self.property(survey.member, of: entity), free.contains(property),
                survey.objects == 0 || entity.relationship(named: property) != nil
            else { continue }
            found[index] = (property, .member)
            // Related objects keep their members.
            isOpen[index] = false
            free.remove(property)
        }
        for (index, survey) in surveys.enumerated() where survey.owner == nil && found[index] == nil {
            guard !survey.name.isEmpty, !survey.name.hasPrefix("$") else { continue }
            let fitting = free.filter { survey.objects == 0 || Self.holdsObjects($0, entity) }.sorted()
            guard let nearest = NearestText.nearest(to: survey.name, in: fitting) else { continue }
            found[index] = (nearest, .similar)
            free.remove(nearest)
        }
        if found.isEmpty { matchByType(surveys, free, entity, &found) }
        for (index, survey) in surveys.enumerated() {
            if survey.owner == nil || found[index] != nil {
                columns.append(SurveyedColumn(survey, entity, found[index], isOnlyHope: found.isEmpty))
            } else if survey.objects == 0, survey.owner.flatMap({ isOpen[$0] }) ?? false {
                otherMembers.append(survey.name)
            }
        }
    }

    /// Without any known name, the only column of dates is that of the only attribute of dates.
    private func matchByType(
        _ surveys: [ColumnSurvey], _ free: Set<String>, _ entity: Schema.Entity,
        _ found: inout [Int: (property: String, match: SurveyedColumn.Match)]
    ) {
        let attributes = entity.attributes.filter {
            free.contains($0.name) && $0.isPersistent && $0.description.derivationExpression == nil
        }
        for kind in [SurveyedColumn.Role.date, .boolean, .number(isInteger: false), .text] {
            let columns = surveys.indices.filter {
                surveys[$0].owner == nil && SurveyedColumn.guess(surveys[$0]).isAlike(kind)
            }
            let fitting = attributes.filter { SurveyedColumn.role(of: $0.name, entity).isAlike(kind) }
            guard columns.count == 1, fitting.count == 1 else { continue }
            found[columns[0]] = (fitting[0].name, .type)
        }
    }

    private static func holdsObjects(_ property: String, _ entity: Schema.Entity) -> Bool {
        entity.attribute(named: property).map { $0.type == .transformable } ?? true
    }

    static func names(of entity: Schema.Entity) -> [String] {
        entity.attributes.map(\.name) + entity.relationships.map(\.name)
    }

    /// The property that an import takes for a column with this name.
    static func property(_ column: String, of entity: Schema.Entity) -> String? {
        let names = names(of: entity)
        return names.contains(column) ? column : ColumnNames.property(column, among: names)
    }
}
