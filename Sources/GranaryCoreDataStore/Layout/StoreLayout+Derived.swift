import GranaryCoordination
package import GranaryModel

extension StoreLayout: DerivedLayout {
    package func hasColumn(of attribute: Schema.Attribute) -> Bool { column(of: attribute) != nil }

    package func hasColumn(of relationship: Schema.Relationship) -> Bool { column(of: relationship) != nil }

    package func hasLinks(of relationship: Schema.Relationship) -> Bool { linkPlace(of: relationship) != nil }
}

extension DerivedExpression.TextFunction {
    /// Core Data's SQL function.
    var sqlName: String {
        switch self {
        case .canonical: "NSCoreDataCanonical"
        case .uppercase: "NSCoreDataToUpper"
        case .lowercase: "NSCoreDataToLower"
        }
    }
}
