package import GranaryBase
package import GranaryModel

/// The result of one step of a migration.
package struct MigratedStep: Sendable {
    package let mapping: ModelMapping
    package let result: StoreCopy.Result
    /// The external files that were missing.
    package let missingFiles: [Diagnostic]

    package init(mapping: ModelMapping, result: StoreCopy.Result, missingFiles: [Diagnostic] = []) {
        self.mapping = mapping
        self.result = result
        self.missingFiles = missingFiles
    }
}
