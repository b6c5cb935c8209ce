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

        /// Whether both are numbers, or the same.
        func isAlike(_ other: Role) -> Bool {
            if case .number = self, case .number = other { return true }
            return self == other
        }
    }

    /// Why a column has its property.
    enum Match {
        /// An import finds it by the name.
        case name
        /// A member of an object has its name.
        case member
        case similar
        /// No name is known, but it is the only one of its type.
        case type
    }

    let survey: ColumnSurvey
    /// The name of the property; nil without a model, and if there is none.
    let property: String?
    let match: Match?
    let role: Role

    var name: String { survey.name }

    /// A column without a model.
    init(_ survey: ColumnSurvey) {
        self.survey = survey
        (property, match) = (nil, nil)
        role = Self.guess(survey)
    }

    /// - Parameter isOnlyHope: whether no column has a property, so that all are described without the model.
    init(
        _ survey: ColumnSurvey, _ entity: Schema.Entity, _ found: (property: String, match: Match)?, isOnlyHope: Bool
    ) {
        self.survey = survey
        (property, match) = (found?.property, found?.match)
        if let found {
            role = Self.role(of: found.property, entity)
        } else {
            role = survey.name.hasPrefix("$") ? .other : isOnlyHope ? Self.guess(survey) : .unknown
        }
    }

    static func role(of property: String, _ entity: Schema.Entity) -> Role {
        if let relationship = entity.relationship(named: property) {
            return .reference(isToMany: relationship.isToMany)
        }
        guard let attribute = entity.attribute(named: property) else { return .unknown }
        return switch attribute.type {
        case .integer16, .integer32, .integer64: .number(isInteger: true)
        case .decimal, .double, .float: .number(isInteger: false)
        case .date: .date
        case .boolean: .boolean
        case .string: .text
        default: .other
        }
    }

    /// The type that nearly all texts of a column have.
    static func guess(_ survey: ColumnSurvey) -> Role {
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
