package import GranaryBase

/// A `VersionedSchema` of the sources.
package struct SchemaDeclaration: Sendable {
    /// The name with dots.
    package let name: String
    package let position: SourcePosition
    /// `versionIdentifier` as `2.0.0`; nil if it is not a literal.
    package let identifier: String?
    let models: [SourceTypeID]
    /// Why the list of models is not known; nil if it is.
    let problem: String?
}
