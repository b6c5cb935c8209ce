/// Counts diagnostics by rule, severity, entity and property.
///
/// The limit bounds memory if there are many entities or properties; diagnostics past it are counted in one group.
struct DiagnosticTally: Sendable {
    static let limit = 1000

    private struct Key: Hashable {
        let code: Diagnostic.Code
        let severity: Diagnostic.Severity
        let entity: String?
        let property: String?
    }

    private var indexes: [Key: Int] = [:]
    private var kept: [DiagnosticGroup] = []
    private var further: DiagnosticGroup?

    /// The groups in the order of their first diagnostics; the group of all others is last.
    var groups: [DiagnosticGroup] {
        guard let further else { return kept }
        return kept + [further]
    }

    mutating func add(_ diagnostic: Diagnostic) {
        let key = Key(
            code: diagnostic.code, severity: diagnostic.severity, entity: diagnostic.entity,
            property: diagnostic.property)
        if let index = indexes[key] {
            kept[index].add(at: diagnostic.position)
            return
        }
        guard kept.count < Self.limit else {
            addFurther(diagnostic)
            return
        }
        var group = DiagnosticGroup(
            key.code, severity: key.severity, entity: key.entity, property: key.property)
        group.add(at: diagnostic.position)
        indexes[key] = kept.count
        kept.append(group)
    }

    private mutating func addFurther(_ diagnostic: Diagnostic) {
        var group = further ?? DiagnosticGroup(DiagnosticGroup.furtherCode, severity: diagnostic.severity)
        // The group has the highest severity of its diagnostics.
        if diagnostic.severity == .error || group.severity == .note { group.severity = diagnostic.severity }
        group.add(at: diagnostic.position)
        further = group
    }
}
