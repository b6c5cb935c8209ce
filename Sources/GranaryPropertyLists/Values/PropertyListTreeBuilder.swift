package import GranaryBase

/// Builds a tree from the events of a reader.
package struct PropertyListTreeBuilder {
    private enum Level {
        case array([PropertyListValue])
        case dictionary([PropertyListEntry], key: String?)
    }

    private let limits: PropertyListLimits
    private let source: String
    /// Whether a dictionary `{CF$UID: n}` is a reference of a keyed archive, as in XML.
    private let readsReferences: Bool
    private var levels: [Level] = []
    private var size = 0
    private var root: PropertyListValue?

    package init(source: String, limits: PropertyListLimits, readsReferences: Bool) {
        self.source = source
        self.limits = limits
        self.readsReferences = readsReferences
    }

    /// The tree; nil before the last event.
    package var value: PropertyListValue? { levels.isEmpty ? root : nil }

    /// - Throws: ``GranaryError`` with `limit.exceeded` if the tree is too deep or too large.
    package mutating func take(_ event: PropertyListEvent, _ place: PropertyListPlace) throws(GranaryError) {
        size += 1 + event.weight
        guard size <= limits.treeSize else {
            throw PropertyListError.limit(
                "the list has more than \(limits.treeSize) values, the limit for a list in memory", place, source)
        }
        switch event {
        case .beginArray: try push(.array([]), place)
        case .beginDictionary: try push(.dictionary([], key: nil), place)
        case .key(let key): setKey(key)
        case .endArray, .endDictionary: pop()
        default: if let value = event.scalar { add(value) }
        }
    }

    private mutating func push(_ level: Level, _ place: PropertyListPlace) throws(GranaryError) {
        guard levels.count < limits.depth else { throw PropertyListError.depth(limits, place, source) }
        levels.append(level)
    }

    private mutating func pop() {
        switch levels.popLast() {
        case .array(let values): add(.array(values))
        case .dictionary(let entries, _):
            if readsReferences, entries.count == 1, let entry = entries.first, entry.key == "CF$UID",
                case .integer(let number) = entry.value, let uid = UInt64(exactly: number)
            {
                add(.uid(uid))
            } else {
                add(.dictionary(entries))
            }
        case nil: break
        }
    }

    // The level is removed and added again, so that its array is uniquely referenced and grows in place.
    private mutating func setKey(_ key: String) {
        guard case .dictionary(let entries, _)? = levels.popLast() else { return }
        levels.append(.dictionary(entries, key: key))
    }

    private mutating func add(_ value: PropertyListValue) {
        switch levels.popLast() {
        case .array(var values):
            values.append(value)
            levels.append(.array(values))
        case .dictionary(var entries, let key):
            entries.append(PropertyListEntry(key ?? "", value))
            levels.append(.dictionary(entries, key: nil))
        case nil: root = value
        }
    }
}

extension PropertyListEvent {
    /// The size of a value's bytes: one for each 64.
    var weight: Int {
        switch self {
        case .key(let text), .string(let text): text.utf8.count / 64
        case .data(let bytes): bytes.count / 64
        default: 0
        }
    }
}
