import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles
import GranarySwiftData

/// The places of entities and properties in the sources of a model, for changes of frozen versions.
struct FrozenPlaces {
    private let path: String

    init(_ path: String) { self.path = path }

    /// The place of a property, else of its entity, else of the version; nil for a model without places.
    func position(of change: SchemaLockChange) -> SourcePosition? {
        guard SwiftSourcePath.isSwift(path) else { return nil }
        let source = SwiftSourcePath(path)
        var options = SwiftDataOptions.current
        guard let sources = try? SwiftDataSources(paths: [source.path]) else { return nil }
        let schemas = sources.schemas(options)
        let schema = schemas.first { $0.name == change.version }
        if schema != nil { options.schema = change.version }
        guard let entity = change.entity, let places = try? sources.model(options).positions else {
            return schema?.position
        }
        let property = change.property.flatMap { places["\(entity).\($0)"] }
        return property ?? places[entity] ?? schema?.position
    }
}
