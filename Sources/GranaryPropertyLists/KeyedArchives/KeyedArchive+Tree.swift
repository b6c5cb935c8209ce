package import GranaryBase

extension KeyedArchive {
    private enum Kind {
        case array, set, orderedSet, dictionary
        case object(classNames: [String], names: [String])
    }

    /// A container whose members are being resolved. In a dictionary, keys and values alternate.
    private struct Level {
        let kind: Kind
        let members: [Item]
        var results: [KeyedArchiveTree] = []
    }

    /// Returns an item and its contents as a tree.
    ///
    /// - Throws: ``GranaryError`` with `limit.exceeded` for an item that contains itself, or is too deep or too large
    ///   for a tree; with `plist.syntax` as ``value(_:)``.
    package func tree(
        _ item: Item, limits: PropertyListLimits = .standard
    ) throws(GranaryError) -> KeyedArchiveTree {
        var levels: [Level] = []
        var size = 0
        var next = item
        while true {
            var finished = try open(next, &levels, &size, limits)
            // Adds a finished value to its container, which may then be finished too.
            while let value = finished {
                guard var level = levels.popLast() else { return value }
                level.results.append(value)
                finished = nil
                if level.results.count == level.members.count {
                    finished = Self.close(level)
                } else {
                    next = level.members[level.results.count]
                    levels.append(level)
                }
            }
            if let level = levels.last, level.results.count < level.members.count {
                next = level.members[level.results.count]
            }
        }
    }

    /// - Returns: the value; nil for a container with members, which is pushed to `levels`.
    private func open(
        _ item: Item, _ levels: inout [Level], _ size: inout Int, _ limits: PropertyListLimits
    ) throws(GranaryError) -> KeyedArchiveTree? {
        let place = list.place(of: item.object)
        func charge(_ amount: Int) throws(GranaryError) {
            size += 1 + amount
            guard size <= limits.treeSize else {
                throw PropertyListError.limit(
                    "the object has more than \(limits.treeSize) values, the limit for a tree in memory", place,
                    list.source)
            }
        }
        // The fields of a large object are searched for each reference to it.
        if case .dictionary(let keys, _) = try list.node(item.object), keys.count > 16 { try charge(keys.count) }
        let level: Level
        switch try value(item) {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .decimal(let value): return .decimal(value)
        case .date(let value): return .date(value)
        case .uuid(let value): return .uuid(value)
        case .string(let value):
            try charge(value.utf8.count / 64)
            return .string(value)
        case .data(let value):
            try charge(value.count / 64)
            return .data(value)
        case .url(let relative, let base):
            try charge(relative.utf8.count / 64)
            return .url(relative: relative, base: try baseText(base))
        case .array(let items): level = Level(kind: .array, members: items)
        case .set(let items): level = Level(kind: .set, members: items)
        case .orderedSet(let items): level = Level(kind: .orderedSet, members: items)
        case .dictionary(let entries):
            level = Level(kind: .dictionary, members: entries.flatMap { [$0.key, $0.value] })
        case .object:
            let fields = try fields(of: item)
            let names = fields.map(\.name)
            let classNames = try classNames(of: item)
            // A name that several objects share is copied for each of them.
            try charge((names + classNames).reduce(0) { $0 + $1.utf8.count / 64 })
            level = Level(
                kind: .object(classNames: classNames, names: names),
                members: fields.map(\.item))
        }
        try charge(level.members.count)
        if level.members.isEmpty { return Self.close(level) }
        guard levels.count < limits.depth else { throw PropertyListError.depth(limits, place, list.source) }
        levels.append(level)
        return nil
    }

    private func baseText(_ base: Item?) throws(GranaryError) -> String? {
        guard let base else { return nil }
        guard case .url(let text, nil) = try value(base) else {
            throw error("a URL's base is not an absolute URL", at: base)
        }
        return text
    }

    private static func close(_ level: Level) -> KeyedArchiveTree {
        switch level.kind {
        case .array: return .array(level.results)
        case .set: return .set(level.results)
        case .orderedSet: return .orderedSet(level.results)
        case .dictionary:
            var entries: [KeyedArchiveTree.Entry] = []
            for index in stride(from: 0, to: level.results.count - 1, by: 2) {
                entries.append(.init(level.results[index], level.results[index + 1]))
            }
            return .dictionary(entries)
        case .object(let classNames, let names):
            return .object(classNames: classNames, fields: zip(names, level.results).map { .init($0, $1) })
        }
    }
}
