import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// Finds objects by a natural key: the values that must be unique, or that look-ups ask for. One hash index, so that a
/// look-up costs the same however many rows there are. Natural keys compare by the bytes of their stored form.
///
/// A key takes about 30 bytes and its own: 16 for the object, 11 to 16 for the hash, its length. Records in sequence take none.
struct NaturalKeyIndex {
    struct Entry {
        /// The object's primary key, and its concrete entity, as an index.
        let key: Int64
        let entity: Int32
        /// The record that brought it or was the last to speak of it; 0 for an object that only the store has.
        let record: Int
        /// The physical line of the record.
        let line: Int
        let file: Int32
        /// What other objects have the same key values.
        let twins: Twins
        /// Whether the record was refused. Its key is taken all the same: nobody may get it instead, and who refers to it
        /// cannot be right.
        let isRejected: Bool
        /// Whether a record has given the key to an object that was there before.
        let isChange: Bool

        /// Where the record stands; nil for an object that only the store has.
        var place: RecordPlace? {
            record == 0 ? nil : RecordPlace(file: file, line: line, column: 1, byteOffset: -1, record: record)
        }
    }

    /// Whether a key means one object.
    enum Twins {
        case none
        /// Others have the key, and every attribute the same: whichever is meant, the first is as right.
        case equal
        /// Others have the key and differ: nobody can say which is meant.
        case different
    }

    private var entries = KeyEntries()
    private var keys = KeyBytes()
    private var slots = HashSlots()
    /// Entries by object, made when it is asked for.
    private var byObject: [Int64: Int]?

    /// The number of keys, those that no object has any more included.
    var count: Int { entries.count }

    subscript(index: Int) -> Entry {
        let object = entries[index]
        let place = entries.place(index)
        return Entry(
            key: object.key, entity: object.entity, record: Int(place.record), line: Int(place.line), file: place.file,
            twins: object.has(.differs) ? .different : object.has(.repeats) ? .equal : .none,
            isRejected: object.has(.rejected), isChange: object.has(.changed))
    }

    func find(_ key: [UInt8]) -> Entry? { findIndex(key).map { self[$0] } }

    /// Whether the index has an entry for the key, even if no object has the key any more.
    func isTaken(_ key: [UInt8]) -> Bool { index(of: key, hash: Self.hash(key)) != nil }

    /// The number of a key's entry.
    func findIndex(_ key: [UInt8]) -> Int? {
        guard let index = index(of: key, hash: Self.hash(key)), !entries[index].has(.gone) else { return nil }
        return index
    }

    /// Adds an object and gives back the one that has the key already, if any; that one stays.
    ///
    /// - Parameters:
    ///   - content: a digest of the object's attributes, to tell equal twins from different objects of one key.
    ///   - marksTwins: whether the key is ambiguous from then on; not where the other object is refused for it.
    mutating func insert(
        _ key: [UInt8], entity: Int32, object: Int64, content: Int = 0, record: Int = 0, line: Int = 0, file: Int32 = 0,
        marksTwins: Bool = true
    ) -> (index: Int, twin: Entry?) {
        let hash = Self.hash(key)
        let place = KeyEntries.Place(record: record, line: line, file: file)
        if let index = index(of: key, hash: hash) {
            if entries[index].has(.gone) {
                // The object takes over the entry of one that has left it.
                entries[index] = KeyEntries.Object(key: object, entity: entity, start: entries[index].start)
                entries.setPlace(place, of: index)
                entries.setContent(content, of: index)
                byObject?[object] = index
                return (index, nil)
            }
            if marksTwins {
                let isEqual = entries.content(index) == content && !entries[index].has(.differs)
                entries[index].set(isEqual ? .repeats : .differs)
            }
            return (index, self[index])
        }
        return (add(key, hash, entity, object, content, place), nil)
    }

    /// Adds an object if the index has no entry for the key. An entry counts even if its object has another key by now.
    ///
    /// - Returns: the number of the new entry; nil if the key has an entry already.
    mutating func insertNew(_ key: [UInt8], entity: Int32, object: Int64, at place: KeyEntries.Place) -> Int? {
        let hash = Self.hash(key)
        guard index(of: key, hash: hash) == nil else { return nil }
        return add(key, hash, entity, object, 0, place)
    }

    private mutating func add(
        _ key: [UInt8], _ hash: UInt32, _ entity: Int32, _ object: Int64, _ content: Int, _ place: KeyEntries.Place
    ) -> Int {
        let index = entries.count
        entries.append(KeyEntries.Object(key: object, entity: entity, start: keys.append(key)), place, content: content)
        slots.insert(index, hash: hash)
        byObject?[object] = index
        return index
    }

    /// Notes that a record has given the key to an object that was there before.
    mutating func noteChange(_ index: Int) { entries[index].set(.changed) }

    /// Notes which record speaks of the object.
    mutating func claim(_ index: Int, record: Int, line: Int, file: Int32) {
        entries.setPlace(KeyEntries.Place(record: record, line: line, file: file), of: index)
    }

    /// The record of an entry was refused. Its primary key goes to another row.
    mutating func reject(_ index: Int) {
        if byObject?[entries[index].key] == index { byObject?[entries[index].key] = nil }
        entries[index].set(.rejected)
        entries[index].key = 0
    }

    /// Frees the key of a refused record.
    mutating func free(_ index: Int) { entries[index].set(.gone) }

    /// The record that has given an object another natural key than this one, which nobody has now; nil for any other key.
    func releasing(_ key: [UInt8]) -> RecordPlace? {
        guard let index = index(of: key, hash: Self.hash(key)), entries[index].has(.gone) else { return nil }
        return self[index].place
    }

    /// Forgets the natural key that an object has had: a record gives it another one.
    mutating func remove(object: Int64, at place: RecordPlace? = nil) {
        if byObject == nil {
            var places: [Int64: Int] = [:]
            for index in 0..<count where !entries[index].has(.gone) { places[entries[index].key] = index }
            byObject = places
        }
        guard let index = byObject?.removeValue(forKey: object) else { return }
        entries[index].set(.gone)
        if let place { claim(index, record: place.record, line: place.line, file: place.file) }
    }

    /// The objects that only the store has: no record of these files speaks of them.
    func unclaimed(entity: Int, isClaimed: (Entry) -> Bool) -> [Int64] {
        var keys: [Int64] = []
        for index in 0..<count where !entries[index].has(.gone) && entries[index].entity == Int32(entity) {
            let entry = self[index]
            if entry.twins == .none, !isClaimed(entry) { keys.append(entry.key) }
        }
        return keys.sorted()
    }

    /// The entries of refused records, with their keys.
    var rejectedEntries: [(key: [UInt8], entry: Entry)] {
        (0..<count).filter { entries[$0].has(.rejected) && !entries[$0].has(.gone) }
            .map { (Array(keyBytes(of: $0)), self[$0]) }
    }

    /// The bytes of an entry's key.
    func keyBytes(of index: Int) -> ArraySlice<UInt8> { keys[entries[index].start] }

    private func index(of key: [UInt8], hash: UInt32) -> Int? {
        slots.find(hash) { keys.isEqual(key, to: entries[$0].start) }
    }

    /// Swift's own seeded hash: keys made to collide do not.
    private static func hash(_ key: [UInt8]) -> UInt32 {
        var hasher = Hasher()
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}
