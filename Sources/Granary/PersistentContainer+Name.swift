public import Foundation
public import GranaryBase
public import GranaryContexts
public import GranaryCoordination
import GranaryCoreDataStore
public import GranaryModel
import GranaryModelFiles

extension PersistentContainer {
    /// A container whose store is `NAME.sqlite` in ``defaultDirectoryURL``. `loadPersistentStores()` opens it; change
    /// ``persistentStoreDescriptions`` before that to place it elsewhere.
    /// (`NSPersistentContainer.init(name:managedObjectModel:)`)
    ///
    /// - Parameters:
    ///   - classes: subclasses of ``ManagedObject`` by the class names of the model's entities, with or without a
    ///     module (`App.Customer`, `Customer`).
    ///   - transformers: transformers of Transformable attributes, in addition to the built-in ones.
    ///   - observer: receives what the stores and contexts do.
    /// - Throws: ``GranaryError`` if the model has problems. Each problem is a diagnostic.
    public convenience init(
        name: String, model: ManagedObjectModel, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers(),
        observer: (any PersistentContainerObserver)? = nil
    ) throws(GranaryError) {
        let url = Self.defaultDirectoryURL.appending(path: name + ".sqlite")
        try self.init(
            name: name, model: model, descriptions: [PersistentStoreDescription(.sqlite(url))], classes: classes,
            transformers: transformers, observer: observer)
    }

    /// A container for the model `NAME` among the resources, with the store `NAME.sqlite` in ``defaultDirectoryURL``.
    /// `loadPersistentStores()` opens the store. (`NSPersistentContainer.init(name:)`)
    ///
    /// - Parameters:
    ///   - bundle: the bundle with the model; nil for the main bundle and the resources that SwiftPM places beside the
    ///     program, as the plugin GranaryModelPlugin does.
    ///   - classes: as for `init(name:model:classes:transformers:)`. Generated code lists them.
    /// - Throws: ``GranaryError`` with code `unreadable` if there is no such model; otherwise as
    ///   `init(name:model:classes:transformers:)`.
    public convenience init(
        name: String, bundle: Bundle? = nil, classes: [String: ManagedObject.Type] = [:],
        transformers: AttributeTransformers = AttributeTransformers()
    ) throws(GranaryError) {
        try self.init(
            name: name, model: try ManagedObjectModel(named: name, in: bundle), classes: classes,
            transformers: transformers)
    }
}
