import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles
import GranarySwiftData

/// The places of entities and properties in the sources of a model, for changes of frozen versions.
struct FrozenPlaces {
    private struct Version {
        /// The places by name: `Trip` and `Trip.name`.
        var positions: [String: SourcePosition] = [:]
        var position: SourcePosition?
    }

    private let path: String
    private var versions: [String: Version] = [:]

    init(_ path: String) { self.path = path }

    /// The place of a property, else of its entity, else of the version; nil for a model without places.
    mutating func position(of change: SchemaLockChange) -> SourcePosition? {
        let version = versions[change.version] ?? read(change.version)
        versions[change.version] = version
        guard let entity = change.entity else { return version.position }
        let property = change.property.flatMap { version.positions["\(entity).\($0)"] }
        return property ?? version.positions[entity] ?? version.position
    }

    private func read(_ name: String) -> Version {
        guard SwiftSourcePath.isSwift(path) else {
            let folder = path.hasSuffix("/") ? String(path.dropLast()) : path
            let files = ["\(folder)/\(name).xcdatamodel/contents", "\(folder)/contents"]
            return Version(
                positions: files.lazy.map(ModelXMLPlaces.positions).first { !$0.isEmpty } ?? [:])
        }
        var options = SwiftDataOptions.current
        guard let sources = try? SwiftDataSources(paths: [SwiftSourcePath(path).path]) else { return Version() }
        let schema = sources.schemas(options).first { $0.name == name }
        if schema != nil { options.schema = name }
        return Version(positions: (try? sources.model(options).positions) ?? [:], position: schema?.position)
    }
}
