import GranaryModel

/// The duplicates that are dropped, each with the object that stays in its place.
struct ObjectReplacements {
    /// An object of the older version.
    struct Object: Hashable {
        /// The concrete entity.
        let entity: Int
        let key: Int64
    }

    private let schema: Schema
    /// By root and key.
    private var kept: [Int: [Int64: Object]] = [:]
    /// The dropped objects by root.
    private(set) var dropped: [Int: KeySet] = [:]
    private(set) var count = 0

    init(_ schema: Schema) {
        self.schema = schema
    }

    var isEmpty: Bool { count == 0 }

    /// - Parameter other: an object that is kept so far.
    mutating func replace(_ object: Object, by other: Object) {
        let root = schema.entities[object.entity].root
        if dropped[root, default: KeySet()].insert(object.key) { count += 1 }
        kept[root, default: [:]][object.key] = other
    }

    /// Replaces the objects that were kept for a while by those that are kept in the end.
    mutating func complete() {
        for (root, objects) in kept {
            for key in objects.keys {
                var path: [Object] = []
                // An object is replaced only by one that is kept at that time, so that there is no cycle.
                while let next = replacement(path.last, root, key) { path.append(next) }
                guard let end = path.last, path.count > 1 else { continue }
                kept[root]?[key] = end
                for object in path.dropLast() { kept[schema.entities[object.entity].root]?[object.key] = end }
            }
        }
    }

    private func replacement(_ object: Object?, _ root: Int, _ key: Int64) -> Object? {
        guard let object else { return kept[root]?[key] }
        return kept[schema.entities[object.entity].root]?[object.key]
    }

    func isDropped(_ object: Object) -> Bool { isDropped(object.key, root: schema.entities[object.entity].root) }

    func isDropped(_ key: Int64, root: Int) -> Bool { dropped[root]?.contains(key) ?? false }

    /// The object itself, or the one that stays in its place.
    func object(for object: Object) -> Object {
        guard isDropped(object) else { return object }
        return kept[schema.entities[object.entity].root]?[object.key] ?? object
    }

    /// The object that stays in the place of a dropped one.
    func object(forKey key: Int64, root: Int) -> Object? { kept[root]?[key] }

    /// The objects that stay in the place of others, by root.
    func keptObjects() -> [Int: KeySet] {
        var found: [Int: KeySet] = [:]
        for object in kept.values.flatMap(\.values) {
            found[schema.entities[object.entity].root, default: KeySet()].insert(object.key)
        }
        return found
    }
}
