package import GranaryBase
package import GranaryModel

/// A model that was made of Swift sources.
package struct SwiftDataModel: Sendable {
    package let model: ManagedObjectModel
    /// The name of the `VersionedSchema`; nil if it is a list of classes.
    package let schema: String?
    /// The places of entities (`Trip`) and properties (`Trip.name`).
    package let positions: [String: SourcePosition]
    /// Warnings on likely readings, and notes on what was chosen.
    package let messages: [Diagnostic]
}
