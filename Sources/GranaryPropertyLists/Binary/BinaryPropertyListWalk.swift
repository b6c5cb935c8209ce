import GranaryBase

/// Walks an object of a binary property list and its contents event by event, without recursion.
struct BinaryPropertyListWalk {
    /// A container that is being walked.
    private struct Level {
        var keys: BinaryPropertyList.References?
        var values: BinaryPropertyList.References
        var next = 0
    }

    private let list: BinaryPropertyList
    private let limits: PropertyListLimits
    /// The size of the events so far, counted as ``PropertyListLimits/treeSize``.
    private var size = 0
    private let sizeLimit: Int
    private var levels: [Level] = []
    /// The next object: the first one, or the value of the last key. If it is nil, the innermost container determines
    /// the next event.
    private var object: Int?

    init(_ list: BinaryPropertyList, object: Int, limits: PropertyListLimits) {
        self.list = list
        self.object = object
        self.limits = limits
        sizeLimit = max(limits.walkSize, list.bytes.count)
    }

    /// The next event with the position of its object; nil after the last.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` or `encoding.invalid` for an invalid object, with
    ///   `limit.exceeded` for an object that contains itself or too many objects.
    mutating func next() throws(GranaryError) -> PropertyListStep? {
        if let next = object {
            object = nil
            return try visit(next)
        }
        guard let last = levels.indices.last else { return nil }
        let level = levels[last]
        guard level.next < level.values.count else {
            levels.removeLast()
            let place = PropertyListPlace(byteOffset: level.values.start)
            return PropertyListStep(level.keys == nil ? .endArray : .endDictionary, place)
        }
        levels[last].next += 1
        let value = try list.reference(level.next, in: level.values)
        guard let keys = level.keys else { return try visit(value) }
        let key = try list.reference(level.next, in: keys)
        guard let text = try list.string(key) else { throw list.error("a dictionary's key is not a string", at: key) }
        size += 1 + text.utf8.count / 64
        object = value
        return PropertyListStep(.key(text), list.place(of: key))
    }

    private mutating func visit(_ object: Int) throws(GranaryError) -> PropertyListStep {
        let place = list.place(of: object)
        size += 1
        let event: PropertyListEvent
        switch try list.node(object) {
        case .null: throw list.error("a null, which is not a property list value", at: object)
        case .boolean(let value): event = .boolean(value)
        case .integer(let value): event = .integer(value)
        case .unsigned(let value): event = .unsigned(value)
        case .real(let value): event = .real(value)
        case .date(let value): event = .date(value)
        case .uid(let value): event = .uid(value)
        case .data(let range):
            try checkSize(range, place)
            event = .data(list.data(range))
        case .asciiString(let range):
            try checkSize(range, place)
            event = .string(try list.asciiText(range))
        case .utf16String(let range):
            try checkSize(range, place)
            event = .string(try list.utf16Text(range))
        case .array(let values):
            try open(Level(keys: nil, values: values), place)
            event = .beginArray
        case .dictionary(let keys, let values):
            try open(Level(keys: keys, values: values), place)
            event = .beginDictionary
        }
        guard size <= sizeLimit else {
            throw PropertyListError.limit(
                "the list has more than \(sizeLimit) references to objects, the limit", place, list.source)
        }
        return PropertyListStep(event, place)
    }

    private mutating func open(_ level: Level, _ place: PropertyListPlace) throws(GranaryError) {
        guard levels.count < limits.depth else { throw PropertyListError.depth(limits, place, list.source) }
        levels.append(level)
    }

    private mutating func checkSize(_ range: Range<Int>, _ place: PropertyListPlace) throws(GranaryError) {
        guard range.count <= limits.valueBytes else {
            throw PropertyListError.limit(
                "a value of more than \(limits.valueBytes) bytes, the limit", place, list.source)
        }
        size += range.count / 64
    }
}
