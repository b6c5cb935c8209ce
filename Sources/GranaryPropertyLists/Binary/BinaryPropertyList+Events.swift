package import GranaryBase

extension BinaryPropertyList {
    /// A container that is being walked.
    private struct Level {
        var keys: References?
        var values: References
        var next = 0
    }

    /// Walks an object and its contents, without recursion.
    ///
    /// - Parameter object: the object; nil for the root.
    /// - Throws: ``GranaryError`` with `plist.syntax` or `encoding.invalid` for an invalid object, with
    ///   `limit.exceeded` for an object that contains itself or too many objects, and the errors of `handle`.
    package func forEachEvent(
        from object: Int? = nil, limits: PropertyListLimits = .standard, _ handle: PropertyListHandler
    ) throws(GranaryError) {
        var levels: [Level] = []
        var size = 0
        let sizeLimit = max(limits.walkSize, bytes.count)
        try visit(object ?? root, &levels, &size, limits, handle)
        while var level = levels.popLast() {
            guard level.next < level.values.count else {
                let place = PropertyListPlace(byteOffset: level.values.start)
                try handle(level.keys == nil ? .endArray : .endDictionary, place)
                continue
            }
            if let keys = level.keys {
                let key = try reference(level.next, in: keys)
                guard let text = try string(key) else { throw error("a dictionary's key is not a string", at: key) }
                size += 1 + text.utf8.count / 64
                try handle(.key(text), place(of: key))
            }
            let value = try reference(level.next, in: level.values)
            level.next += 1
            levels.append(level)
            try visit(value, &levels, &size, limits, handle)
            guard size <= sizeLimit else {
                throw PropertyListError.limit(
                    "the list has more than \(sizeLimit) references to objects, the limit", place(of: value), source)
            }
        }
    }

    private func visit(
        _ object: Int, _ levels: inout [Level], _ size: inout Int, _ limits: PropertyListLimits,
        _ handle: PropertyListHandler
    ) throws(GranaryError) {
        let place = place(of: object)
        size += 1
        switch try node(object) {
        case .null: throw error("a null, which is not a property list value", at: object)
        case .boolean(let value): try handle(.boolean(value), place)
        case .integer(let value): try handle(.integer(value), place)
        case .unsigned(let value): try handle(.unsigned(value), place)
        case .real(let value): try handle(.real(value), place)
        case .date(let value): try handle(.date(value), place)
        case .uid(let value): try handle(.uid(value), place)
        case .data(let range):
            try checkSize(range, limits, place, &size)
            try handle(.data(data(range)), place)
        case .asciiString(let range):
            try checkSize(range, limits, place, &size)
            try handle(.string(try asciiText(range)), place)
        case .utf16String(let range):
            try checkSize(range, limits, place, &size)
            try handle(.string(try utf16Text(range)), place)
        case .array(let values):
            guard levels.count < limits.depth else { throw PropertyListError.depth(limits, place, source) }
            levels.append(Level(keys: nil, values: values))
            try handle(.beginArray, place)
        case .dictionary(let keys, let values):
            guard levels.count < limits.depth else { throw PropertyListError.depth(limits, place, source) }
            levels.append(Level(keys: keys, values: values))
            try handle(.beginDictionary, place)
        }
    }

    private func checkSize(
        _ range: Range<Int>, _ limits: PropertyListLimits, _ place: PropertyListPlace, _ size: inout Int
    ) throws(GranaryError) {
        guard range.count <= limits.valueBytes else {
            throw PropertyListError.limit("a value of more than \(limits.valueBytes) bytes, the limit", place, source)
        }
        size += range.count / 64
    }

    /// Returns an object and its contents as a tree.
    ///
    /// - Throws: as ``forEachEvent(from:limits:_:)``.
    package func tree(
        from object: Int? = nil, limits: PropertyListLimits = .standard
    ) throws(GranaryError) -> PropertyListValue {
        var builder = PropertyListTreeBuilder(source: source, limits: limits, readsReferences: false)
        try forEachEvent(from: object, limits: limits) { (event, place) throws(GranaryError) in
            try builder.take(event, place)
        }
        guard let value = builder.value else { throw error("the list is incomplete", at: root) }
        return value
    }
}
