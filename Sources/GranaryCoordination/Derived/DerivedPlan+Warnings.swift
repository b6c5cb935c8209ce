package import GranaryBase
import GranaryModel

extension DerivedPlan {
    /// A warning for each attribute that is not computed. Its column stays NULL.
    ///
    /// - Parameter end: until when; nil if nobody else computes it.
    package func warnings(until end: String?) -> [Diagnostic] {
        uncomputed.map { entity, attribute in
            Diagnostic(
                .storeLayout,
                "Granary does not compute \"\(attribute.description.derivationExpression ?? "")\"; the column stays NULL"
                    + (end.map { " until \($0)" } ?? ""),
                severity: .warning, entity: entity.name, property: attribute.name)
        }
    }
}
