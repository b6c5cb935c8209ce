import GranaryImport
import GranaryModel

/// A column with what the model says about it.
struct SurveyedColumn {
    enum Role: Equatable {
        case number(isInteger: Bool)
        case date
        case boolean
        case text
        /// A relationship, whose column has keys.
        case reference(isToMany: Bool)
        case other
        /// The entity has no property for the column.
        case unknown
    }

    let survey: ColumnSurvey
    /// The name of the property; nil without a model, and if there is none.
    let property: String?
    let role: Role

    var name: String { survey.name }

    init(_ survey: ColumnSurvey, entity: Schema.Entity?) {
        self.survey = survey
        guard let entity else {
            property = nil
            role = Self.guess(survey)
            return
        }
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let folded = ColumnNames.folded(survey.name)
        let fitting = names.filter { $0 == survey.name }.first ?? names.filter { ColumnNames.folded($0) == folded }.only
        property = fitting
        if let attribute = fitting.flatMap(entity.attribute(named:)) {
            role = Self.role(of: attribute.type)
        } else if let relationship = fitting.flatMap(entity.relationship(named:)) {
            role = .reference(isToMany: relationship.isToMany)
        } else {
            role = survey.name.hasPrefix("$") ? .other : .unknown
        }
    }

    private static func role(of type: AttributeType) -> Role {
        switch type {
        case .integer16, .integer32, .integer64: .number(isInteger: true)
        case .decimal, .double, .float: .number(isInteger: false)
        case .date: .date
        case .boolean: .boolean
        case .string: .text
        default: .other
        }
    }

    /// The type that nearly all texts of a column have.
    private static func guess(_ survey: ColumnSurvey) -> Role {
        if survey.typed > 0 { return .other }
        if survey.isLikelyBoolean { return .boolean }
        // 20240101 is a number unless a model says otherwise.
        if survey.numbers.isLikely { return .number(isInteger: false) }
        return survey.dates.isLikely ? .date : .text
    }

    var isTyped: Bool {
        switch role {
        case .number, .date, .boolean: true
        default: false
        }
    }
}

extension Array {
    /// The element of an array that has one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
