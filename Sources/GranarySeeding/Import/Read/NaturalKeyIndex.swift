import GranaryBase
import GranaryModel
import GranaryPersistence

/// Finds objects by a natural key: the values that must be unique, or that look-ups ask for. One hash index, so that a
/// look-up costs the same however many rows there are. Natural keys compare by the bytes of their stored form.
struct NaturalKeyIndex {
    struct Entry {
        /// The object's primary key, and its concrete entity, as an index.
        var key: Int64
        var entity: Int32
        var file: Int32
        private var shortRecord: UInt32
        private var shortLine: UInt32
        fileprivate let start: Int
        /// A digest of the object's attributes, to tell equal twins from different objects of one key.
        fileprivate var content: Int
        fileprivate let count: UInt32
        /// What other objects have the same key values.
        var twins = Twins.none
        /// Whether the record was refused. Its key is taken all the same: nobody may get it instead, and who refers to it
        /// cannot be right.
        var isRejected = false
        /// Whether the object has another key now.
        fileprivate var isGone = false
        /// Whether a record has given the key to an object that was there before.
        var isChange = false

        /// The record that brought it or was the last to speak of it; 0 for an object that only the store has.
        var record: Int {
            get { Int(shortRecord) }
            set { shortRecord = UInt32(clamping: newValue) }
        }

        /// The physical line of the record.
        var line: Int {
            get { Int(shortLine) }
            set { shortLine = UInt32(clamping: newValue) }
        }

        fileprivate init(
            entity: Int32, key: Int64, record: Int, line: Int, file: Int32, start: Int, count: Int, content: Int
        ) {
            self.entity = entity
            self.key = key
            shortRecord = UInt32(clamping: record)
            shortLine = UInt32(clamping: line)
            self.file = file
            self.start = start
            self.count = UInt32(clamping: count)
            self.content = content
        }

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

    private(set) var entries: [Entry] = []
    /// Entries by object, made when it is asked for.
    private var byObject: [Int64: Int]?
    private var bytes: [UInt8] = []
    /// In the lower half an index into `entries` plus one, in the upper half the hash; 0 is free. Most keys that are not
    /// there are told by their slots alone. The size is a power of two, at most two thirds full.
    private var slots: [UInt64] = Array(repeating: 0, count: 64)

    func find(_ key: [UInt8]) -> Entry? { findIndex(key).map { entries[$0] } }

    /// Whether the index has an entry for the key, even if no object has the key any more.
    func isTaken(_ key: [UInt8]) -> Bool { index(at: slot(of: key, hash: Self.hash(key))) != nil }

    /// The place of a key's entry in ``entries``.
    func findIndex(_ key: [UInt8]) -> Int? {
        guard let index = index(at: slot(of: key, hash: Self.hash(key))), !entries[index].isGone else { return nil }
        return index
    }

    /// Adds an object and gives back the one that has the key already, if any; that one stays.
    ///
    /// - Parameter marksTwins: whether the key is ambiguous from then on; not where the other object is refused for it.
    mutating func insert(
        _ key: [UInt8], entity: Int32, object: Int64, content: Int = 0, record: Int = 0, line: Int = 0, file: Int32 = 0,
        marksTwins: Bool = true
    ) -> (index: Int, twin: Entry?) {
        let hash = Self.hash(key)
        let place = slot(of: key, hash: hash)
        let entry = Entry(
            entity: entity, key: object, record: record, line: line, file: file, start: bytes.count, count: key.count,
            content: content)
        if let index = index(at: place) {
            if entries[index].isGone {
                replace(index, by: entry)
                return (index, nil)
            }
            guard marksTwins else { return (index, entries[index]) }
            let isEqual = entries[index].content == content && entries[index].twins != .different
            entries[index].twins = isEqual ? .equal : .different
            return (index, entries[index])
        }
        entries.append(entry)
        byObject?[object] = entries.count - 1
        bytes.append(contentsOf: key)
        slots[place] = UInt64(hash) << 32 | UInt64(truncatingIfNeeded: entries.count)
        if entries.count * 3 > slots.count * 2 { grow() }
        return (entries.count - 1, nil)
    }

    /// An object takes over the entry of one that has left it; the key's bytes stay.
    private mutating func replace(_ index: Int, by entry: Entry) {
        let old = entries[index]
        entries[index] = Entry(
            entity: entry.entity, key: entry.key, record: entry.record, line: entry.line, file: entry.file,
            start: old.start, count: Int(old.count), content: entry.content)
        byObject?[entry.key] = index
    }

    /// Notes that a record has given the key to an object that was there before.
    mutating func noteChange(_ index: Int) { entries[index].isChange = true }

    /// Notes which record speaks of the object.
    mutating func claim(_ index: Int, record: Int, line: Int, file: Int32) {
        entries[index].record = record
        entries[index].line = line
        entries[index].file = file
    }

    /// The record of an entry was refused. Its primary key goes to another row.
    mutating func reject(_ index: Int) {
        if byObject?[entries[index].key] == index { byObject?[entries[index].key] = nil }
        entries[index].isRejected = true
        entries[index].key = 0
    }

    /// Frees the key of a refused record.
    mutating func free(_ index: Int) { entries[index].isGone = true }

    /// The record that has given an object another natural key than this one, which nobody has now; nil for any other key.
    func releasing(_ key: [UInt8]) -> RecordPlace? {
        guard let index = index(at: slot(of: key, hash: Self.hash(key))), entries[index].isGone else { return nil }
        return entries[index].place
    }

    /// Forgets the natural key that an object has had: a record gives it another one.
    mutating func remove(object: Int64, at place: RecordPlace? = nil) {
        if byObject == nil {
            var places: [Int64: Int] = [:]
            for index in entries.indices where !entries[index].isGone { places[entries[index].key] = index }
            byObject = places
        }
        guard let index = byObject?.removeValue(forKey: object) else { return }
        entries[index].isGone = true
        if let place { claim(index, record: place.record, line: place.line, file: place.file) }
    }

    /// The objects that only the store has: no record of these files speaks of them.
    func unclaimed(entity: Int, isClaimed: (Entry) -> Bool) -> [Int64] {
        entries.filter { !$0.isGone && Int($0.entity) == entity && $0.twins == .none && !isClaimed($0) }.map(\.key)
            .sorted()
    }

    /// The entries of refused records, with their keys.
    var rejectedEntries: [(key: [UInt8], entry: Entry)] {
        entries.filter { $0.isRejected && !$0.isGone }.map { (Array(keyBytes(of: $0)), $0) }
    }

    /// The bytes of an entry's key.
    func keyBytes(of entry: Entry) -> ArraySlice<UInt8> { bytes[entry.start..<entry.start + Int(entry.count)] }

    /// Swift's own seeded hash: keys made to collide do not.
    private static func hash(_ key: [UInt8]) -> UInt32 {
        var hasher = Hasher()
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt32(truncatingIfNeeded: hasher.finalize())
    }

    /// The index of the entry in a slot; nil if the slot is free.
    private func index(at slot: Int) -> Int? {
        let index = Int(slots[slot] & 0xFFFF_FFFF)
        return index == 0 ? nil : index - 1
    }

    private func slot(of key: [UInt8], hash: UInt32) -> Int {
        let mask = slots.count - 1
        var place = Int(hash) & mask
        while slots[place] != 0 {
            if UInt32(truncatingIfNeeded: slots[place] >> 32) == hash, let index = index(at: place),
                isKey(key, of: entries[index])
            {
                break
            }
            place = (place + 1) & mask
        }
        return place
    }

    private func isKey(_ key: [UInt8], of entry: Entry) -> Bool {
        guard Int(entry.count) == key.count else { return false }
        return keyBytes(of: entry).elementsEqual(key)
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: 0, count: old.count * 2)
        let mask = slots.count - 1
        for slot in old where slot != 0 {
            var place = Int(slot >> 32) & mask
            while slots[place] != 0 { place = (place + 1) & mask }
            slots[place] = slot
        }
    }
}

/// The bytes that stand for a row's key values: each cell's kind, length and content, so that no two keys share them.
enum NaturalKeyBytes {
    /// Appends one value; false where it is NULL, which never equals anything.
    static func append(_ cell: StoredCell, of batch: borrowing RowBatch, to key: inout [UInt8]) -> Bool {
        switch cell {
        case .null: return false
        case .integer(let value): append(0, UInt64(bitPattern: value), to: &key)
        case .real(let value): append(1, value.bitPattern, to: &key)
        case .text(let start, let count), .decimal(let start, let count), .blob(let start, let count),
            .file(let start, let count):
            append(2, UInt64(count), to: &key)
            batch.lend(start, count) { key.append(contentsOf: $0) }
        case .reference(let reference, _): append(3, UInt64(bitPattern: reference), to: &key)
        }
        return true
    }

    /// Appends text as ``append(_:of:to:)`` appends a text cell.
    static func append(text: UnsafeBufferPointer<UInt8>, to key: inout [UInt8]) {
        append(2, UInt64(text.count), to: &key)
        key.append(contentsOf: text)
    }

    private static func append(_ tag: UInt8, _ word: UInt64, to key: inout [UInt8]) {
        key.append(tag)
        withUnsafeBytes(of: word.littleEndian) { key.append(contentsOf: $0) }
    }

    /// The text of a key of one text, for suggestions; nil for other keys.
    static func text(_ key: ArraySlice<UInt8>) -> String? {
        guard key.count >= 9, key.first == 2 else { return nil }
        let word = key.dropFirst().prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard word == UInt64(key.count - 9) else { return nil }
        return String(validating: key.dropFirst(9), as: UTF8.self)
    }
}

extension NaturalKeyBytes {
    /// The key for messages: texts in quotes, numbers as they are, several values in brackets.
    static func display(_ key: ArraySlice<UInt8>) -> String {
        var rest = key
        var parts: [String] = []
        while rest.count >= 9, let tag = rest.first {
            let word = rest.dropFirst().prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(9)
            switch tag {
            case 0, 3: parts.append("\(Int64(bitPattern: word))")
            case 1: parts.append("\(Double(bitPattern: word))")
            default:
                let count = Int(clamping: word)
                let bytes = rest.prefix(count)
                rest = rest.dropFirst(count)
                let text = String(validating: bytes, as: UTF8.self).map { "\"\(Diagnostic.shortened($0))\"" }
                parts.append(text ?? "\(count) bytes")
            }
        }
        return parts.count == 1 ? parts[0] : "[" + parts.joined(separator: ", ") + "]"
    }

    /// The values of a key as cells; texts and bytes alike as texts, which the batch takes over.
    static func cells(_ key: [UInt8], into batch: inout RowBatch) -> [StoredCell] {
        var rest = key[...]
        var cells: [StoredCell] = []
        while rest.count >= 9, let tag = rest.first {
            let word = rest.dropFirst().prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            rest = rest.dropFirst(9)
            switch tag {
            case 0: cells.append(.integer(Int64(bitPattern: word)))
            case 1: cells.append(.real(Double(bitPattern: word)))
            case 3: cells.append(.null)
            default:
                let bytes = rest.prefix(Int(clamping: word))
                rest = rest.dropFirst(bytes.count)
                let start = UInt32(truncatingIfNeeded: batch.bytes.count)
                batch.bytes.append(contentsOf: bytes)
                cells.append(.text(start: start, count: UInt32(truncatingIfNeeded: bytes.count)))
            }
        }
        return cells
    }
}
