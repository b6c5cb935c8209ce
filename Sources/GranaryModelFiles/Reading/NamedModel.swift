import GranaryBase
package import GranaryModel
import GranaryPropertyLists

/// A version of a model to write, with its name in the folder.
package struct NamedModel: Sendable {
    /// Without `.xcdatamodel` or `.mom`.
    package var name: String
    package var model: ManagedObjectModel

    package init(name: String, model: ManagedObjectModel) {
        self.name = name
        self.model = model
    }
}
