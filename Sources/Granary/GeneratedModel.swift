public import Foundation
public import GranaryBase
public import GranaryContexts
public import GranaryCoordination
public import GranaryModel
public import GranaryModelFiles

/// A model with generated classes. Generated code has a type for each model: `LibraryModel` for `Library.xcdatamodeld`.
///
/// ```swift
/// let container = try PersistentContainer(LibraryModel.self, at: .sqlite(url))
/// ```
public protocol GeneratedModel {
    /// The name of the model's file without its extension.
    static var name: String { get }
    /// The bundle with the model; nil for those of the program, as for ``ManagedObjectModel/init(named:in:)``.
    static var bundle: Bundle? { get }
    /// The classes by the class names in the model.
    static var classes: [String: ManagedObject.Type] { get }
}

extension GeneratedModel {
    /// Nil: the model is searched among the resources of the program.
    public static var bundle: Bundle? { nil }

    /// Reads the current version of the model.
    ///
    /// - Throws: as ``ManagedObjectModel/init(named:in:)``.
    public static func model() throws(GranaryError) -> ManagedObjectModel {
        try ManagedObjectModel(named: name, in: bundle)
    }

    /// Returns all versions of the model, sorted by name, the current one marked.
    ///
    /// - Throws: as ``ManagedObjectModel/versions(named:in:)``.
    public static func versions() throws(GranaryError) -> [ModelVersion] {
        try ManagedObjectModel.versions(named: name, in: bundle)
    }
}

extension PersistentContainer {
    /// Creates a container with the classes of a generated model, and opens one store with all entities.
    ///
    /// - Throws: ``GranaryError`` if the model cannot be read, the classes do not fit it, or the store cannot be opened
    ///   or created, or was created for another model.
    public convenience init(
        _ type: (some GeneratedModel).Type, at store: StoreLocation,
        transformers: AttributeTransformers = AttributeTransformers(),
        observer: (any PersistentContainerObserver)? = nil
    ) throws(GranaryError) {
        try self.init(
            model: try type.model(), store: store, classes: type.classes, transformers: transformers,
            observer: observer)
    }

    /// Creates a container with the classes of a generated model. `loadPersistentStores()` opens its stores.
    ///
    /// - Parameters:
    ///   - descriptions: the initial ``persistentStoreDescriptions``; by default one store, `NAME.sqlite` in
    ///     ``defaultDirectoryURL``.
    ///   - observer: receives what the stores and contexts do.
    /// - Throws: ``GranaryError`` if the model cannot be read, or the classes do not fit it.
    public convenience init(
        _ type: (some GeneratedModel).Type, descriptions: [PersistentStoreDescription] = [],
        transformers: AttributeTransformers = AttributeTransformers(),
        observer: (any PersistentContainerObserver)? = nil
    ) throws(GranaryError) {
        let (model, classes) = (try type.model(), type.classes)
        guard !descriptions.isEmpty else {
            try self.init(
                name: type.name, model: model, classes: classes, transformers: transformers, observer: observer)
            return
        }
        try self.init(
            name: type.name, model: model, descriptions: descriptions, classes: classes, transformers: transformers,
            observer: observer)
    }
}
