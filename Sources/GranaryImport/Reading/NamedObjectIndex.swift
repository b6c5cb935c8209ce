import GranaryModel

/// The objects of an import with an `$id`, so that an object that is written again is the same object.
struct NamedObjectIndex {
    /// How references name an object.
    struct Target {
        let identifier: [UInt8]
        /// The value of its key; the identifier if it has none.
        let key: [UInt8]
    }

    /// Digests of values. A reference can be an `$id` or a key, and an object that is written in its place has both. So
    /// there is a digest for each, and one of them must be equal.
    struct Digests: Equatable {
        private let byIdentifier: [UInt8]
        private let byKey: [UInt8]

        /// - Parameter targets: by the slots of relationships.
        init(_ values: [UInt8], _ targets: [Int: [Target]]) {
            func digest(_ name: (Target) -> [UInt8]) -> [UInt8] {
                var digest = ContentDigest()
                digest.update(values)
                for (slot, targets) in targets.sorted(by: { $0.key < $1.key }) {
                    digest.update(Array("[\(slot),\(targets.count)]".utf8))
                    for target in targets {
                        let name = name(target)
                        digest.update(Array("\(name.count)=".utf8) + name)
                    }
                }
                return digest.bytes
            }
            byIdentifier = digest(\.identifier)
            byKey = digest(\.key)
        }

        static func == (left: Self, right: Self) -> Bool {
            left.byIdentifier == right.byIdentifier || left.byKey == right.byKey
        }
    }

    /// What an object contains.
    struct Contents {
        /// The digests of the attributes, and of the relationships that an export always writes.
        let values: Digests
        /// The digests of the lists that an export may leave out, because their objects have the same links; by slot.
        let lists: [Int: Digests]
        /// The contents of an object that was written twice; nil if they contradict each other.
        func merged(with later: Contents) -> Contents? {
            guard values == later.values else { return nil }
            for (slot, list) in later.lists { if let known = lists[slot], known != list { return nil } }
            return Contents(values: values, lists: lists.merging(later.lists) { known, _ in known })
        }
    }

    struct NamedObject {
        let id: RowID
        let entity: Int
        var contents: Contents
        let isRecord: Bool
        let place: RecordLocation
    }

    /// Whether contents are kept. Most documents do not repeat objects, so they are kept only if that is known, or if
    /// the sources cannot be read again.
    let isKept: Bool
    /// Whether an object was nested in a record.
    var hasNested = false
    /// The identifier and contents of the current object until it becomes a row.
    var open: (identifier: [UInt8], contents: Contents)?
    private var known: [[UInt8]: NamedObject] = [:]
    /// The objects of the current record. They are added to `known` only if the record is accepted.
    private var pending: [[UInt8]: NamedObject] = [:]

    init(isKept: Bool) { self.isKept = isKept }

    mutating func beginRecord() {
        open = nil
        if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
    }

    func find(_ identifier: [UInt8]) -> NamedObject? { pending[identifier] ?? known[identifier] }

    /// Replaces the contents of a known object.
    mutating func update(_ identifier: [UInt8], _ object: NamedObject, with contents: Contents) {
        var object = object
        object.contents = contents
        pending[identifier] = object
    }

    /// Notes that the current object became a row.
    mutating func close(_ object: ImportReader.ImportedObject, isRecord: Bool, at place: RecordLocation) {
        guard let open else { return }
        self.open = nil
        guard object.disposition == .insert || object.disposition == .merge else { return }
        pending[open.identifier] = NamedObject(
            id: object.id, entity: object.entity.index, contents: open.contents, isRecord: isRecord, place: place)
    }

    mutating func acceptRecord() { if !pending.isEmpty { known.merge(pending) { $1 } } }
}
