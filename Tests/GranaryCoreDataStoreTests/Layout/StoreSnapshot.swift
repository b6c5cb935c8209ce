import Foundation
import GranaryPropertyLists
import GranarySQLite
import StoreTestSupport

/// The compared parts of a store: everything except its rows.
struct StoreSnapshot {
    /// The SQL of every table, index and trigger, by `type name`.
    var objects: [String: String] = [:]
    /// The keys of ``objects`` in the order of their creation.
    var order: [String] = []
    var pragmas: [String: String] = [:]
    /// `Z_ENT|Z_NAME|Z_SUPER`
    var entities: [String] = []
    /// Core Data's keys in the metadata with their values, except the framework's version and the hashes.
    var metadata: [String: PropertyListValue] = [:]
    /// The app's keys in the metadata.
    var userKeys: [String] = []
    /// The version hash of each entity.
    var hashes: [String: PropertyListValue] = [:]
    var frameworkVersion = 0

    init(path: String) throws {
        let connection = try Connection(path: path, mode: .readOnly)
        for object in try connection.schema() {
            guard let sql = object.sql else { continue }
            objects["\(object.type) \(object.name)"] = sql
            order.append("\(object.type) \(object.name)")
        }
        for name in ["page_size", "auto_vacuum", "encoding", "user_version", "application_id"] {
            pragmas[name] = try connection.text(pragma: name)
        }
        let rows = try connection.prepare("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT")
        while try rows.step() {
            entities.append("\(rows.integer(at: 0))|\(try rows.string(at: 1) ?? "")|\(rows.integer(at: 2))")
        }
        let list = try connection.prepare("SELECT Z_PLIST FROM Z_METADATA")
        guard try list.step() else { return }
        let entries = try PropertyList.read(Array(try list.blob(at: 0)), source: path).dictionary ?? []
        for entry in entries {
            guard entry.key.hasPrefix("NS") || entry.key.hasPrefix("_NS") else {
                userKeys.append(entry.key)
                continue
            }
            switch entry.key {
            case "NSPersistenceFrameworkVersion": frameworkVersion = Int(entry.value.integer ?? 0)
            case "NSStoreModelVersionHashes":
                for hash in entry.value.dictionary ?? [] { hashes[hash.key] = hash.value }
            default: metadata[entry.key] = entry.value
            }
        }
    }

    /// The differences, one line each.
    func differences(from other: StoreSnapshot) -> [String] {
        var found: [String] = []
        func compare<Value: Equatable>(_ what: String, _ left: [String: Value], _ right: [String: Value]) {
            for key in Set(left.keys).union(right.keys).sorted() where left[key] != right[key] {
                let texts = [left[key], right[key]].map { $0.map { "\($0)" } ?? "nothing" }
                found.append("\(what) \(key): \(texts[0]) instead of \(texts[1])")
            }
        }
        compare("object", objects, other.objects)
        compare("pragma", pragmas, other.pragmas)
        compare("metadata", metadata, other.metadata)
        compare("version hash", hashes, other.hashes)
        if entities != other.entities { found.append("entities: \(entities) instead of \(other.entities)") }
        return found
    }
}
