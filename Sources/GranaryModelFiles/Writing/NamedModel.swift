package import GranaryModel

/// One version of a model that is to be written, under the name that it has in its folder.
package struct NamedModel: Sendable {
    /// Without `.xcdatamodel` or `.mom`.
    package var name: String
    package var model: ManagedObjectModel

    package init(name: String, model: ManagedObjectModel) {
        self.name = name
        self.model = model
    }
}
