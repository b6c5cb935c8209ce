package import GranaryModel
package import GranaryPredicates

/// How a migration treats what the inferred mapping leaves open.
package struct MigrationRules: Sendable {
    /// The kinds of problems that do not prevent the migration.
    package var accepted: Set<MigrationProblem.Kind> = []
    /// The values that replace NULL, by entity (an index in the newer version) and slot.
    package var fills: [Int: [Int: AttributeValue]] = [:]
    /// Which of several objects with the same unique values is kept, by entity (an index in the newer version).
    package var choices: [Int: DuplicateChoice] = [:]
    /// Whether problems that no store can hold are passed over: a number that does not fit becomes NULL, and of
    /// duplicates the first one is kept. The result is not published.
    package var passesOver = false
    /// The values that earlier steps could not compute, which are not reported again.
    package var reported = ReportedValues()

    /// Computes values of a row that is not inferred, by entity (an index in the newer version): from a row of the older
    /// version, into the row of the newer one.
    package var policies: [Int: RowPolicy] = [:]

    package typealias RowPolicy =
        @Sendable (
            _ old: borrowing RowBatch, _ row: Int, _ new: inout RowBatch, _ newRow: Int
        ) throws -> Void

    /// Which of several objects with the same unique values is kept.
    package enum DuplicateChoice: Sendable {
        /// That with the lowest primary key.
        case first
        /// That with the highest primary key.
        case last
        /// That with the largest value of an attribute of the newer version; the first of those.
        case largest(Schema.Attribute)
    }

    /// Rules that drop nothing.
    package init() {}

    /// What Core Data's container does when it migrates a store by itself: it drops what the newer version cannot hold,
    /// and does not count related objects.
    package static var ofContainers: MigrationRules {
        var rules = MigrationRules()
        rules.accepted = MigrationProblem.Kind.drops.union([.missingObject, .tooFew, .tooMany])
        return rules
    }
}
