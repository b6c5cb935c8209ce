package import GranaryBase

/// A `SchemaMigrationPlan` of the sources.
package struct MigrationPlanDeclaration: Sendable {
    package struct Stage: Sendable {
        /// Whether it runs code, and so is not `MigrationStage.lightweight`.
        package let isCustom: Bool
        package let from: String
        package let to: String
    }

    package let name: String
    package let position: SourcePosition
    /// The names of its schemas, the oldest first.
    package let schemas: [String]
    package let stages: [Stage]
}
