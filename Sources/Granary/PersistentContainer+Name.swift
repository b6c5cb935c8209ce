import Foundation
public import GranaryBase
public import GranaryContexts
public import GranaryCoordination
import GranaryCoreDataStore
public import GranaryModel

extension PersistentContainer {
    /// A container whose store is `NAME.sqlite` in ``defaultDirectoryURL``. `loadPersistentStores()` opens it; change
    /// ``persistentStoreDescriptions`` before that to place it elsewhere.
    /// (`NSPersistentContainer.init(name:managedObjectModel:)`)
    ///
    /// - Parameters:
    ///   - classes: subclasses of ``ManagedObject`` by the class names of the model's entities, with or without a
    ///     module (`App.Customer`, `Customer`).
    ///   - transformers: transformers of Transformable attributes, in addition to the built-in ones.
    /// - Throws: ``GranaryError`` if the model has problems. Each problem is a diagnostic.
    public convenience init(
        name: String, model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) throws(GranaryError) {
        let url = Self.defaultDirectoryURL.appending(path: name + ".sqlite")
        try self.init(
            name: name, model: model, descriptions: [PersistentStoreDescription(.sqlite(url))], classes: classes,
            transformers: transformers)
    }
}
