public import Foundation

/// Which schema of Swift sources a model is, and decisions on what the sources do not tell.
public struct SwiftDataOptions: Sendable {
    /// The name of a `VersionedSchema`, with the types around it if needed: `App.SchemaV2`. Nil for the last schema of
    /// the only migration plan, else the only schema, else all classes with `@Model`.
    public var schema: String?
    /// The names of the classes of the schema, in place of those of a `VersionedSchema`.
    public var modelClasses: [String] = []
    /// How types, or properties such as `Trip.place`, are stored, by name: `Codable`, `none`, an attribute type,
    /// `enum String`, `struct{latitude: Double, note: String?}`.
    public var types: [String: String] = [:]
    /// The flags of `#if`, and tests such as `os(iOS)`.
    public var defines: [String: Bool] = [:]
    /// The inverses of relationships: `Trip.guests` to `Person.trips`, or to `none`.
    public var inverses: [String: String] = [:]
    /// The version hashes of a store or of a pinned schema, 32 bytes each, by the names of the entities. They settle
    /// what the sources do not tell.
    public var expectedHashes: [String: Data]?

    /// Without any decision.
    public init() {}

    /// The options for models that are read in the current task.
    @TaskLocal package static var current = SwiftDataOptions()

    /// These options, and those of another source where these have none.
    func completed(by other: SwiftDataOptions) -> SwiftDataOptions {
        var options = self
        if schema == nil, modelClasses.isEmpty {
            options.schema = other.schema
            options.modelClasses = other.modelClasses
        }
        options.types.merge(other.types) { own, _ in own }
        options.inverses.merge(other.inverses) { own, _ in own }
        options.defines.merge(other.defines) { own, _ in own }
        return options
    }
}
