/// A hash index of objects by natural key: unique values, or the values that lookups use. Natural keys are compared by
/// the bytes of their stored form.
///
/// An entry takes about 23 bytes in addition to the key: 8 for the object, 11 to 16 for the hash, and the key's length.
/// Consecutive primary keys and the places of consecutive records take no memory; others take 8 and 12 bytes.
struct NaturalKeyIndex {
    struct Entry {
        /// The object's primary key.
        let key: Int64
        /// The index of the object's concrete entity.
        let entity: Int32
        /// The last record that names the object; 0 if no record does.
        let record: Int
        /// The physical line of the record.
        let line: Int
        let file: Int32
        /// Whether other objects have the same key.
        let sharing: Sharing
        /// Whether the record was rejected. Its key stays taken: no other record can use the key, and records that
        /// refer to the key are rejected.
        let isRejected: Bool
        /// Whether the object was nested in a rejected record. Records that refer to the key are rejected, but another
        /// object can take it.
        let yields: Bool
        /// Whether a record has set the key for an existing object.
        let isChange: Bool
        /// Whether a lookup has created the object while records were read.
        let isMade: Bool

        /// The place of the record; nil if no record names the object.
        var place: RecordLocation? { record == 0 ? nil : RecordLocation(file: file, line: line, record: record) }
    }

    /// The other objects with the same key.
    enum Sharing {
        case none
        /// Other objects have the key and equal attributes, so that the first object can stand for all.
        case equal
        /// Other objects have the key and different attributes, so that the key is ambiguous.
        case different
    }

    private var entries = KeyEntries()
    private var keys = KeyBytes()
    private var slots = HashSlots()
    /// Entries by object; nil until they are needed.
    private var byObject: [Int64: Int]?

    /// The number of keys, including those that no object has any more.
    var count: Int { entries.count }

    subscript(index: Int) -> Entry {
        let object = entries[index]
        let place = entries.place(index)
        return Entry(
            key: object.key, entity: object.entity, record: Int(place.record), line: Int(place.line), file: place.file,
            sharing: object.has(.differs) ? .different : object.has(.repeats) ? .equal : .none,
            isRejected: object.has(.rejected), yields: object.has(.yields), isChange: object.has(.changed),
            isMade: object.has(.made))
    }

    func find(_ key: [UInt8]) -> Entry? { findIndex(key).map { self[$0] } }

    /// Whether the index has an entry for the key, even if no object has the key any more.
    func isTaken(_ key: [UInt8]) -> Bool { index(of: key, hash: Self.hash(key)) != nil }

    /// The number of a key's entry.
    func findIndex(_ key: [UInt8]) -> Int? {
        guard let index = index(of: key, hash: Self.hash(key)), !entries[index].has(.gone) else { return nil }
        return index
    }

    /// Adds an object. If another object has the key, that object stays and is returned as `other`.
    ///
    /// - Parameters:
    ///   - content: a digest of the object's attributes, to distinguish equal objects from different ones with one key.
    ///   - marksSharing: whether to mark the key as shared if another object has it; false if the key must be unique,
    ///     because the new object is then rejected.
    mutating func insert(
        _ key: [UInt8], entity: Int32, object: Int64, content: Int = 0, record: Int = 0, line: Int = 0, file: Int32 = 0,
        marksSharing: Bool = true
    ) -> (index: Int, other: Entry?) {
        let hash = Self.hash(key)
        let place = KeyEntries.Place(record: record, line: line, file: file)
        if let index = index(of: key, hash: hash) {
            if entries[index].has(.gone) || entries[index].has(.yields) {
                // The object takes over the entry of one that has another key by now or was nested in a rejected record.
                entries[index] = KeyEntries.Object(key: object, entity: entity, start: entries[index].start)
                entries.setPlace(place, of: index)
                entries.setContent(content, of: index)
                byObject?[object] = index
                return (index, nil)
            }
            if marksSharing {
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

    /// Notes that a record has set the key for an existing object.
    mutating func noteChange(_ index: Int) { entries[index].set(.changed) }

    /// Notes that a lookup has created the object.
    mutating func noteMade(_ index: Int) { entries[index].set(.made) }

    /// The keys of stored objects and of records, which a hint can suggest.
    var keysForHints: some Sequence<ArraySlice<UInt8>> {
        (0..<count).lazy.filter { !entries[$0].has(.gone) && !entries[$0].has(.made) }.map { keyBytes(of: $0) }
    }

    /// The record that names the object.
    func claimant(_ index: Int) -> KeyEntries.Place { entries.place(index) }

    /// Sets the record that names the object.
    mutating func restore(_ index: Int, to place: KeyEntries.Place) { entries.setPlace(place, of: index) }

    /// Notes the record that names the object.
    mutating func claim(_ index: Int, record: Int, line: Int, file: Int32) {
        entries.setPlace(KeyEntries.Place(record: record, line: line, file: file), of: index)
    }

    /// Notes that the record of an entry was rejected. The entry loses its primary key, because another row gets that
    /// key.
    ///
    /// - Parameter yields: whether another object can take the natural key.
    mutating func reject(_ index: Int, yields: Bool = false) {
        if byObject?[entries[index].key] == index { byObject?[entries[index].key] = nil }
        entries[index].set(.rejected)
        if yields { entries[index].set(.yields) }
        entries[index].key = 0
    }

    /// Frees the natural key of a rejected record, so that another object can have it.
    mutating func free(_ index: Int) { entries[index].set(.gone) }

    /// The record that has replaced this natural key of an object by another one; nil for any other key.
    func releasing(_ key: [UInt8]) -> RecordLocation? {
        guard let index = index(of: key, hash: Self.hash(key)), entries[index].has(.gone) else { return nil }
        return self[index].place
    }

    /// Removes the natural key of an object, because a record sets another one.
    mutating func remove(object: Int64, at place: RecordLocation? = nil) {
        if byObject == nil {
            var places: [Int64: Int] = [:]
            for index in 0..<count where !entries[index].has(.gone) { places[entries[index].key] = index }
            byObject = places
        }
        guard let index = byObject?.removeValue(forKey: object) else { return }
        entries[index].set(.gone)
        if let place { claim(index, record: place.record, line: place.line, file: place.file) }
    }

    /// The primary keys of the entity's objects for which `isClaimed` is false, sorted. Objects with a shared key are
    /// omitted.
    func unclaimed(entity: Int, isClaimed: (Entry) -> Bool) -> [Int64] {
        var keys: [Int64] = []
        for index in 0..<count where !entries[index].has(.gone) && entries[index].entity == Int32(entity) {
            let entry = self[index]
            if entry.sharing == .none, !isClaimed(entry) { keys.append(entry.key) }
        }
        return keys.sorted()
    }

    /// The keys and entries of rejected records.
    var rejectedEntries: [(key: [UInt8], entry: Entry)] {
        (0..<count).filter { entries[$0].has(.rejected) && !entries[$0].has(.gone) }
            .map { (Array(keyBytes(of: $0)), self[$0]) }
    }

    /// The bytes of an entry's key.
    func keyBytes(of index: Int) -> ArraySlice<UInt8> { keys[entries[index].start] }

    private func index(of key: [UInt8], hash: UInt32) -> Int? {
        slots.find(hash) { keys.isEqual(key, to: entries[$0].start) }
    }

    /// Swift's seeded hash, so that input cannot be made to collide.
    private static func hash(_ key: [UInt8]) -> UInt32 {
        var hasher = Hasher()
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }
}
