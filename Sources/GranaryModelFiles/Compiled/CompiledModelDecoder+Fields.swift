import GranaryBase
import GranaryPropertyLists

/// Fields by name, each counted as work. An absent flag is false; other absent fields are nil or empty.
extension CompiledModelDecoder {
    mutating func unpack(_ item: KeyedArchive.Item, _ what: String) throws(GranaryError) -> CompiledObject {
        let classNames = try archive.classNames(of: item)
        guard !classNames.isEmpty else { throw refusal("\(what) is not an object") }
        let all = try archive.fields(of: item)
        try charge(1 + all.count + classNames.reduce(0) { $0 + 1 + $1.utf8.count / 64 })
        var fields: [String: KeyedArchive.Item] = [:]
        fields.reserveCapacity(all.count)
        for (name, field) in all {
            let isNil = try archive.isNil(field)
            fields[name] = isNil ? nil : field
        }
        return CompiledObject(item: item, classNames: classNames, fields: fields)
    }

    mutating func contents(_ item: KeyedArchive.Item) throws(GranaryError) -> KeyedArchive.Value {
        if let text = knownTexts[item] {
            try charge(1 + text.utf8.count / 64)
            return .string(text)
        }
        let value = try archive.value(item)
        switch value {
        case .string(let text):
            try charge(1 + text.utf8.count / 64)
            knownTexts[item] = text
        // Each use copies the data.
        case .data(let bytes): try charge(1 + bytes.count / 8)
        case .url(let text, _): try charge(1 + text.utf8.count / 64)
        case .array(let items), .set(let items), .orderedSet(let items): try charge(1 + items.count)
        case .dictionary(let entries): try charge(1 + 2 * entries.count)
        default: try charge(1)
        }
        return value
    }

    mutating func text(_ key: String, of object: CompiledObject) throws(GranaryError) -> String? {
        guard let item = object.fields[key] else { return nil }
        switch try contents(item) {
        case .string(let text): return text
        case .null: return nil
        default: throw refusal("\(key) is not text")
        }
    }

    mutating func flag(_ key: String, of object: CompiledObject) throws(GranaryError) -> Bool {
        guard let item = object.fields[key] else { return false }
        switch try contents(item) {
        case .boolean(let value): return value
        case .integer(let value) where value == 0 || value == 1: return value == 1
        case .null: return false
        default: throw refusal("\(key) is not a boolean")
        }
    }

    mutating func integer(_ key: String, of object: CompiledObject) throws(GranaryError) -> Int? {
        guard let item = object.fields[key] else { return nil }
        switch try contents(item) {
        case .integer(let number):
            guard let value = Int(exactly: number) else { throw refusal("\(key) is too large") }
            return value
        case .null: return nil
        default: throw refusal("\(key) is not an integer")
        }
    }

    mutating func items(_ key: String, of object: CompiledObject) throws(GranaryError) -> [KeyedArchive.Item] {
        guard let item = object.fields[key] else { return [] }
        return try list(item, key)
    }

    mutating func texts(_ key: String, of object: CompiledObject) throws(GranaryError) -> [String] {
        guard let item = object.fields[key] else { return [] }
        return try texts(item, key)
    }

    /// A list of lists of texts, such as uniqueness constraints.
    mutating func groups(_ key: String, of object: CompiledObject) throws(GranaryError) -> [[String]] {
        var result: [[String]] = []
        for item in try items(key, of: object) { result.append(try texts(item, key)) }
        return result
    }

    /// The entries of a dictionary whose keys are text.
    mutating func entries(
        _ key: String, of object: CompiledObject
    ) throws(GranaryError) -> [(name: String, item: KeyedArchive.Item)] {
        guard let item = object.fields[key] else { return [] }
        switch try contents(item) {
        case .dictionary(let entries):
            var result: [(name: String, item: KeyedArchive.Item)] = []
            for entry in entries {
                guard case .string(let name) = try contents(entry.key) else {
                    throw refusal("\(key) is not keyed by text")
                }
                result.append((name, entry.value))
            }
            return result
        case .null: return []
        default: throw refusal("\(key) is not a dictionary")
        }
    }

    private mutating func list(
        _ item: KeyedArchive.Item, _ key: String
    ) throws(GranaryError) -> [KeyedArchive.Item] {
        switch try contents(item) {
        case .array(let items), .set(let items), .orderedSet(let items): return items
        case .null: return []
        default: throw refusal("\(key) is not a collection")
        }
    }

    private mutating func texts(_ item: KeyedArchive.Item, _ key: String) throws(GranaryError) -> [String] {
        var result: [String] = []
        for member in try list(item, key) {
            guard case .string(let text) = try contents(member) else {
                throw refusal("\(key) contains a value that is not text")
            }
            result.append(text)
        }
        return result
    }
}
