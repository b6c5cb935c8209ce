import GranaryBase

/// Finds the places of possible records in the beginning of a document that is one object, in one pass over its parts.
struct WrappedRecordsFinder {
    /// A part of a document.
    enum Part {
        case beginObject
        case beginArray
        case name(String)
        case scalar
        /// The end of an object or an array.
        case end
    }

    /// An open object or array.
    private struct Level {
        let isObject: Bool
        /// In an object, the name of the current member.
        var name = ""
        /// The names of members, and how many values are objects.
        var names: [String] = []
        var valueCount = 0
        var objectCount = 0
        /// The names of the members of the first object that this object or array directly contains.
        var firstMembers: [String] = []
        var firstName: String?
        /// How many of ``firstMembers`` the second object has too.
        var sharedMembers = 0
    }

    /// The number of bytes at the beginning of a document that are examined.
    static let byteLimit = 64 << 10
    /// The number of parts that are examined.
    static let partLimit = 1 << 14
    private static let depthLimit = 8
    private static let nameLimit = 256

    /// The names of the members that lead to the examined object.
    private let base: [String]
    private var levels: [Level] = []
    /// The number of open values that are not examined, because they are too deep or inside an element of an array.
    private var skipped = 0
    private var found: [WrappedRecords] = []
    private(set) var isAtEnd = false

    init(base: [String] = []) { self.base = base }

    mutating func take(_ part: Part) {
        switch part {
        case .beginObject: open(isObject: true)
        case .beginArray: open(isObject: false)
        case .name(let name):
            guard skipped == 0, let last = levels.indices.last else { return }
            levels[last].name = name
            if levels[last].names.count < Self.nameLimit { levels[last].names.append(name) }
        case .scalar:
            guard skipped == 0, let last = levels.indices.last else { return }
            levels[last].valueCount += 1
        case .end:
            guard skipped == 0 else {
                skipped -= 1
                return
            }
            close()
            isAtEnd = levels.isEmpty
        }
    }

    private mutating func open(isObject: Bool) {
        guard skipped == 0 else { return skipped += 1 }
        guard let last = levels.indices.last else { return levels.append(Level(isObject: isObject)) }
        levels[last].valueCount += 1
        let isFirst = isObject && levels[last].objectCount == 0
        if isObject { levels[last].objectCount += 1 }
        if isFirst { levels[last].firstName = levels[last].name }
        // Of the elements of an array only the members of the first object are of interest.
        let isElement = !levels[last].isObject
        guard levels.count < Self.depthLimit, !isElement || isFirst,
            !levels.dropLast().contains(where: { !$0.isObject })
        else { return skipped += 1 }
        levels.append(Level(isObject: isObject))
    }

    private mutating func close() {
        guard let level = levels.popLast() else { return }
        if level.isObject, let last = levels.indices.last, levels[last].objectCount == 1 {
            levels[last].firstMembers = level.names
        } else if level.isObject, let last = levels.indices.last, levels[last].objectCount == 2 {
            levels[last].sharedMembers = Set(level.names).intersection(levels[last].firstMembers).count
        }
        add(level, path: levels)
    }

    private mutating func add(_ level: Level, path: [Level]) {
        let isEmptyArray = !level.isObject && level.valueCount == 0
        guard isEmptyArray || !level.firstMembers.isEmpty, path.allSatisfy(\.isObject) else { return }
        guard !level.isObject || level.objectCount == level.valueCount else { return }
        var place = WrappedRecords(
            base: base, path: path.map(\.name), isKeyed: level.isObject, members: level.firstMembers,
            firstName: level.isObject ? level.firstName : nil,
            isWeak: isEmptyArray || level.isObject && level.objectCount == 1)
        place.areAlike = level.isObject && level.sharedMembers * 2 > level.firstMembers.count
        found.append(place)
    }

    /// The places in the examined part of the document. Places at a lower depth come first, and weak ones last. An
    /// object or array that is not closed counts with the values found so far.
    var places: [WrappedRecords] {
        var copy = self
        while !copy.levels.isEmpty { copy.close() }
        return copy.found.enumerated().sorted {
            ($0.element.isWeak ? 1 : 0, $0.element.path.count, $0.offset)
                < ($1.element.isWeak ? 1 : 0, $1.element.path.count, $1.offset)
        }.map(\.element)
    }
}
