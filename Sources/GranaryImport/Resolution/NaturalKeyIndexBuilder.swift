/// Rebuilds an index of natural keys. If two records set one unique key for two objects, the earlier record keeps it. A
/// stored object that no record changes keeps its key.
struct NaturalKeyIndexBuilder {
    private struct Claim {
        let place: RecordLocation
        let key: [UInt8]
        let entity: Int32
        let object: Int64
        let digest: Int
    }

    /// A unique key that a record sets for an object and that another object has.
    struct Conflict {
        let place: RecordLocation
        let entity: Int
        let object: Int64
        let other: NaturalKeyIndex.Entry
    }

    private(set) var index = NaturalKeyIndex()
    private let isUnique: Bool
    private let report: (Conflict) -> Void
    /// Keys that records set for stored objects; sorted by record once the first new row is added.
    private var changed: [Claim] = []
    private var isSorted = false
    private var next = 0

    /// - Parameter report: called with each conflict.
    init(isUnique: Bool, report: @escaping (Conflict) -> Void = { _ in }) {
        self.isUnique = isUnique
        self.report = report
    }

    /// Adds the key of an object.
    ///
    /// - Parameters:
    ///   - place: the record that sets the key; nil for a stored object whose key no record sets.
    ///   - isNew: whether the record creates the object. New objects come last, in the order of the records.
    mutating func add(
        _ key: [UInt8], entity: Int32, object: Int64, digest: Int, at place: RecordLocation?, isNew: Bool
    ) {
        guard let place else {
            _ = index.insert(key, entity: entity, object: object, content: digest, marksSharing: !isUnique)
            return
        }
        let claim = Claim(place: place, key: key, entity: entity, object: object, digest: digest)
        guard isNew else {
            changed.append(claim)
            return
        }
        insertChanged(before: RecordID(place))
        insert(claim)
    }

    /// Adds the remaining keys of stored objects, after all objects are added.
    mutating func finish() { insertChanged(before: nil) }

    /// Adds the unique key of a rejected record. No other record can take it.
    mutating func addRejectedUnique(_ key: [UInt8], _ entity: Int32, at place: RecordLocation) {
        changed.append(Claim(place: place, key: key, entity: entity, object: 0, digest: 0))
    }

    /// Adds the key of a rejected record, which must not be the key of another object.
    mutating func addRejected(_ key: [UInt8], _ entry: NaturalKeyIndex.Entry) {
        let (place, _) = index.insert(
            key, entity: entry.entity, object: entry.key, record: entry.record, line: entry.line, file: entry.file)
        index.reject(place)
    }

    private mutating func insertChanged(before record: RecordID?) {
        if !isSorted {
            changed.sort { RecordID($0.place) < RecordID($1.place) }
            isSorted = true
        }
        while next < changed.count, record.map({ RecordID(changed[next].place) < $0 }) ?? true {
            insert(changed[next])
            next += 1
        }
    }

    private mutating func insert(_ claim: Claim) {
        let (place, other) = index.insert(
            claim.key, entity: claim.entity, object: claim.object, content: claim.digest, record: claim.place.record,
            line: claim.place.line, file: claim.place.file, marksSharing: !isUnique)
        guard claim.object != 0 else {
            if other == nil { index.reject(place) }
            return
        }
        guard isUnique, let other else { return }
        report(Conflict(place: claim.place, entity: Int(claim.entity), object: claim.object, other: other))
    }
}
