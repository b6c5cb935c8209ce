import GranaryBase
import GranaryPropertyLists
import GranarySQLite
import StoreTestSupport
import Testing

/// The model in a store as lines, so that archives can be compared whatever the order of their objects.
///
/// The path of a line has names (`Book.pages`), not positions. A reference back to an entity or a property gives only
/// its name, so the walk ends.
struct ModelCacheWalk {
    /// The lines, such as `Book.pages NSRelationshipDescription.NSMaxCount`, and their values.
    private(set) var lines: [String: String] = [:]
    private let archive: KeyedArchive
    /// The largest number of lines, far more than any real model has.
    private static let lineLimit = 200_000

    init(path: String) throws {
        let connection = try Connection(path: path, mode: .readOnly)
        let statement = try connection.prepare("SELECT Z_CONTENT FROM Z_MODELCACHE")
        try #require(try statement.step(), "there is no model in \(path)")
        let content = try Deflate.decompress(Array(try statement.blob(at: 0)), limit: 1 << 26)
        archive = try KeyedArchive(content, source: path)
        guard let model = try archive.top() else { return }
        for (name, item) in try archive.fields(of: model) {
            guard name == "NSEntities" else {
                try walk(item, "", "NSManagedObjectModel.\(name)", depth: 0)
                continue
            }
            for entity in try dictionary(item) { try walkEntity(entity.item) }
        }
    }

    private mutating func walkEntity(_ entity: KeyedArchive.Item) throws {
        let name = try archive.string("NSEntityName", of: entity) ?? ""
        for (key, item) in try archive.fields(of: entity) {
            guard key == "NSProperties" else {
                try walk(item, name, "NSEntityDescription.\(key)", depth: 0)
                continue
            }
            for property in try dictionary(item) {
                var (object, className) = (property.item, try archive.className(of: property.item) ?? "")
                // Frameworks up to 641 have a placeholder for each inherited property.
                if className == "_NSPropertyDescriptionProxy",
                    let underlying = try archive.field("NSUnderlyingProperty", of: object)
                {
                    (object, className) = (underlying, try archive.className(of: underlying) ?? "")
                }
                for (key, item) in try archive.fields(of: object) {
                    try walk(item, "\(name).\(property.name)", "\(className).\(key)", depth: 0)
                }
            }
        }
    }

    /// The entries of a dictionary or of a dictionary with known keys.
    private func dictionary(_ item: KeyedArchive.Item) throws -> [(name: String, item: KeyedArchive.Item)] {
        if let mapping = try archive.field("searchMapping", of: item) {
            let keys = try archive.items("keys", of: mapping) ?? []
            let values = try archive.items("values", of: item) ?? []
            return try zip(keys, values).map { (try text($0), $1) }
        }
        guard case .dictionary(let entries) = try archive.value(item) else { return [] }
        return try entries.map { (try text($0.key), $0.value) }
    }

    private func text(_ item: KeyedArchive.Item) throws -> String {
        guard case .string(let text) = try archive.value(item) else { return "?" }
        return text
    }

    /// Adds the lines of a value. More than 64 levels occur only in a cycle.
    private mutating func walk(_ item: KeyedArchive.Item, _ path: String, _ key: String, depth: Int) throws {
        let isBounded = depth < 64 && lines.count < Self.lineLimit
        try #require(isBounded, "\(path) \(key) does not end")
        func line(_ value: String) { lines["\(path) \(key)"] = value }
        if try archive.isNil(item) { return line("nil") }
        switch try archive.value(item) {
        case .array(let items), .orderedSet(let items):
            line("\(items.count) items")
            let sorted = key.hasSuffix(".NSFetchIndexDescriptions") ? try byName(items) : items
            for (place, item) in sorted.enumerated() { try walk(item, path, "\(key)[\(place)]", depth: depth + 1) }
        case .set(let items):
            // Sets have no order. Sets in models contain names, numbers and entities.
            line(try items.map { try label($0) }.sorted().joined(separator: ", "))
        case .dictionary:
            line("dictionary")
            for entry in try dictionary(item) { try walk(entry.item, path, "\(key)[\(entry.name)]", depth: depth + 1) }
        case .object(let className): try walkObject(item, className, path, key, depth: depth)
        // Older compilers archive YES and NO as 1 and 0.
        case .boolean(let value): line("integer(\(value ? 1 : 0))")
        case let value: line("\(value)")
        }
    }

    /// The indexes of an entity. Their order is not relevant.
    private func byName(_ indexes: [KeyedArchive.Item]) throws -> [KeyedArchive.Item] {
        try indexes.map { (try archive.string("NSIndexName", of: $0) ?? "", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    private mutating func walkObject(
        _ item: KeyedArchive.Item, _ className: String, _ path: String, _ key: String, depth: Int
    ) throws {
        let text = try label(item)
        lines["\(path) \(key)"] = text
        guard text == className else { return }
        for (name, field) in try archive.fields(of: item) {
            // A reference back to the parent.
            if name == "NSFetchIndexDescription" || name == "NSManagedObjectModel" { continue }
            try walk(field, path, "\(key).\(className).\(name)", depth: depth + 1)
        }
    }

    /// The name of an entity or a property, a text, or the class of another object.
    private func label(_ item: KeyedArchive.Item) throws -> String {
        if try archive.isNil(item) { return "nil" }
        guard case .object(let className) = try archive.value(item) else { return "\(try archive.value(item))" }
        switch className {
        case "NSEntityDescription": return "entity \(try archive.string("NSEntityName", of: item) ?? "")"
        case "NSAttributeDescription", "NSRelationshipDescription", "NSFetchedPropertyDescription",
            "NSDerivedAttributeDescription", "NSExpressionDescription", "_NSPropertyDescriptionProxy":
            // A composite's elements belong to no entity.
            guard try archive.field("NSEntity", of: item) != nil else { return className }
            return "property \(try archive.string("NSPropertyName", of: item) ?? "")"
        case "NSManagedObjectModel": return "model"
        default: return className
        }
    }

    /// The differences between two archives, without the names of entities and properties:
    /// `NSAttributeDescription.NSFlagsKey: only ours`.
    func summary(against other: ModelCacheWalk) -> [String] {
        var found: Set<String> = []
        for path in Set(lines.keys).union(other.lines.keys) where lines[path] != other.lines[path] {
            let key = path.split(separator: " ", omittingEmptySubsequences: false).dropFirst().joined(separator: " ")
            let way =
                lines[path] == nil ? "only Core Data's" : other.lines[path] == nil ? "only ours" : "another value"
            found.insert("\(Self.withoutPlaces(key)): \(way)")
        }
        return found.sorted()
    }

    /// A line for each difference, for a failure.
    func details(against other: ModelCacheWalk) -> [String] {
        Set(lines.keys).union(other.lines.keys).sorted().filter { lines[$0] != other.lines[$0] }.map {
            "\($0): \(lines[$0] ?? "nothing") instead of \(other.lines[$0] ?? "nothing")"
        }
    }

    /// `a[3].b[x]` becomes `a[].b[]`.
    private static func withoutPlaces(_ key: String) -> String {
        var result = ""
        var isInside = false
        for character in key {
            if character == "]" { isInside = false }
            if !isInside { result.append(character) }
            if character == "[" { isInside = true }
        }
        return result
    }
}
