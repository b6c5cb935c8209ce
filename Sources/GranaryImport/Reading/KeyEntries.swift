/// The entries of ``NaturalKeyIndex`` without the keys, in segments that are not copied when the list grows.
struct KeyEntries {
    struct Flags: OptionSet {
        let rawValue: UInt64
        /// The record was rejected.
        static let rejected = Flags(rawValue: 1)
        /// The object has another key by now.
        static let gone = Flags(rawValue: 2)
        /// A record has set the key for an existing object.
        static let changed = Flags(rawValue: 4)
        /// Other objects have the key and equal content.
        static let repeats = Flags(rawValue: 8)
        /// Other objects have the key and different content.
        static let differs = Flags(rawValue: 16)
        /// A lookup has created the object.
        static let made = Flags(rawValue: 32)
        /// The object was nested in a rejected record, so that another object can take the key.
        static let yields = Flags(rawValue: 64)
    }

    /// The object that has a key.
    struct Object {
        var key: Int64
        /// From the lowest bit: 7 bits for the flags, 20 for the entity, 37 for the start.
        fileprivate var word: UInt64

        fileprivate init(key: Int64, word: UInt64) {
            self.key = key
            self.word = word
        }

        init(key: Int64, entity: Int32, start: Int) {
            self.key = key
            word = UInt64(start) << 27 | (UInt64(truncatingIfNeeded: entity) & 0xF_FFFF) << 7
        }

        var entity: Int32 { Int32(truncatingIfNeeded: word >> 7 & 0xF_FFFF) }

        /// The start of the key's bytes in ``KeyBytes``.
        var start: Int { Int(word >> 27) }

        func has(_ flag: Flags) -> Bool { word & flag.rawValue != 0 }

        mutating func set(_ flag: Flags) { word |= flag.rawValue }
    }

    /// The record that names an object; zero for none.
    struct Place: Equatable {
        let record: UInt32
        let line: UInt32
        let file: Int32

        init(record: Int, line: Int, file: Int32) {
            self.record = UInt32(clamping: record)
            self.line = UInt32(clamping: line)
            self.file = file
        }

        /// Returns the place that many records and lines later.
        func advanced(records: Int, lines: Int) -> Place {
            Place(record: Int(record) + records, line: Int(line) + lines, file: file)
        }
    }

    private struct Segment {
        /// The objects without their primary keys.
        private var words: [UInt64] = []
        /// All primary keys, or only the first while the others follow without gaps.
        private var keys: [Int64] = []
        private var hasRegularKeys = true
        /// All places, or only the first two (one if all are equal) while the rest can be calculated from them.
        var places: [Place] = []
        /// Whether the places can be calculated.
        var isRegular = true
        /// Empty while all are 0.
        var contents: [Int] = []

        var count: Int { words.count }

        subscript(index: Int) -> Object {
            get {
                Object(key: hasRegularKeys ? keys[0] &+ Int64(index) : keys[index], word: words[index])
            }
            set {
                words[index] = newValue.word
                guard newValue.key != self[index].key else { return }
                listKeys()
                keys[index] = newValue.key
            }
        }

        mutating func append(_ object: Object) {
            if hasRegularKeys, !keys.isEmpty {
                if object.key != keys[0] &+ Int64(words.count) { listKeys() }
            }
            if !hasRegularKeys || keys.isEmpty { keys.append(object.key) }
            words.append(object.word)
        }

        /// Stores each primary key from now on.
        private mutating func listKeys() {
            guard hasRegularKeys, let first = keys.first else { return }
            keys = words.indices.map { first &+ Int64($0) }
            hasRegularKeys = false
        }

        /// The place of an object, calculated from the first two places.
        func regular(_ index: Int) -> Place {
            guard index > 0, places.count > 1, places[0].record > 0 else { return places[0] }
            return places[0].advanced(records: index, lines: index * (Int(places[1].line) - Int(places[0].line)))
        }

        func place(_ index: Int) -> Place { isRegular ? regular(index) : places[index] }

        mutating func append(_ place: Place) {
            if !isRegular || places.isEmpty {
                places.append(place)
            } else if count == 1, place.file == places[0].file, place.line > places[0].line,
                places[0].record > 0, place.record == places[0].record &+ 1
            {
                places.append(place)
            } else if regular(count) != place {
                list()
                places.append(place)
            }
        }

        /// Stores each place from now on.
        mutating func list() {
            guard isRegular else { return }
            places = words.indices.map(regular)
            isRegular = false
        }
    }

    private static let segmentBits = 12
    private var segments: [Segment] = []
    private(set) var count = 0

    subscript(index: Int) -> Object {
        get { segments[index >> Self.segmentBits][Self.offset(index)] }
        set { segments[index >> Self.segmentBits][Self.offset(index)] = newValue }
    }

    func place(_ index: Int) -> Place { segments[index >> Self.segmentBits].place(Self.offset(index)) }

    func content(_ index: Int) -> Int {
        let contents = segments[index >> Self.segmentBits].contents
        return contents.isEmpty ? 0 : contents[Self.offset(index)]
    }

    mutating func setPlace(_ place: Place, of index: Int) {
        guard self.place(index) != place else { return }
        segments[index >> Self.segmentBits].list()
        segments[index >> Self.segmentBits].places[Self.offset(index)] = place
    }

    mutating func setContent(_ content: Int, of index: Int) {
        guard self.content(index) != content else { return }
        let segment = index >> Self.segmentBits
        if segments[segment].contents.isEmpty {
            segments[segment].contents = Array(repeating: 0, count: segments[segment].count)
        }
        segments[segment].contents[Self.offset(index)] = content
    }

    mutating func append(_ object: Object, _ place: Place, content: Int) {
        let segment = count >> Self.segmentBits
        if segment == segments.count { segments.append(Segment()) }
        segments[segment].append(place)
        segments[segment].append(object)
        if !segments[segment].contents.isEmpty { segments[segment].contents.append(0) }
        count += 1
        if content != 0 { setContent(content, of: count - 1) }
    }

    private static func offset(_ index: Int) -> Int { index & (1 << segmentBits - 1) }
}
