package import GranaryBase

/// Access to fields by name. A missing field and a nil field are the same, because archivers omit nil fields.
extension KeyedArchive {
    /// The class of an archived object; nil for values without a class: text, numbers, data.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` if the class is not in the form that an archiver writes.
    package func className(of item: Item) throws(GranaryError) -> String? {
        guard let type = try typeObject(of: item) else { return nil }
        guard let name = try member("$classname", of: type), let text = try list.string(name) else {
            throw list.error("a class without a $classname", at: type)
        }
        return text
    }

    /// The class and its superclasses, the nearest first.
    package func classNames(of item: Item) throws(GranaryError) -> [String] {
        guard let type = try typeObject(of: item) else { return [] }
        guard let classes = try member("$classes", of: type), case .array(let names) = try list.node(classes) else {
            return try className(of: item).map { [$0] } ?? []
        }
        var result: [String] = []
        for index in 0..<names.count {
            let object = try list.reference(index, in: names)
            guard let name = try list.string(object) else {
                throw list.error("a class name is not a string", at: object)
            }
            result.append(name)
        }
        return result
    }

    /// The value of a field; nil if the object has no such field or it is nil.
    package func field(_ name: String, of item: Item) throws(GranaryError) -> Item? {
        guard let object = try member(name, of: item.object) else { return nil }
        return try present(object)
    }

    /// All fields in the order of the file, including nil fields, without the class.
    package func fields(of item: Item) throws(GranaryError) -> [(name: String, item: Item)] {
        guard case .dictionary(let keys, let values) = try list.node(item.object) else { return [] }
        var result: [(name: String, item: Item)] = []
        for index in 0..<keys.count {
            let key = try list.reference(index, in: keys)
            guard let name = try list.string(key) else { throw list.error("a field's name is not a string", at: key) }
            if name == "$class" { continue }
            result.append((name, try self.item(list.reference(index, in: values))))
        }
        return result
    }

    /// The text of a field; also that of an `NSMutableString`.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` if the field has a value of another type. The other accessors
    ///   throw the same.
    package func string(_ name: String, of item: Item) throws(GranaryError) -> String? {
        guard let field = try field(name, of: item) else { return nil }
        guard case .string(let value) = try value(field) else { throw wrongKind(name, "text", field) }
        return value
    }

    /// The value of a flag; false if it is missing, because archivers omit false flags.
    package func boolean(_ name: String, of item: Item) throws(GranaryError) -> Bool {
        guard let field = try field(name, of: item) else { return false }
        switch try list.node(field.object) {
        case .boolean(let value): return value
        case .integer(let value) where value == 0 || value == 1: return value == 1
        default: throw wrongKind(name, "a boolean", field)
        }
    }

    package func integer(_ name: String, of item: Item) throws(GranaryError) -> Int64? {
        guard let field = try field(name, of: item) else { return nil }
        guard case .integer(let value) = try list.node(field.object) else { throw wrongKind(name, "an integer", field) }
        return value
    }

    /// The value of a number, integer or real.
    package func real(_ name: String, of item: Item) throws(GranaryError) -> Double? {
        guard let field = try field(name, of: item) else { return nil }
        switch try list.node(field.object) {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        default: throw wrongKind(name, "a number", field)
        }
    }

    package func data(_ name: String, of item: Item) throws(GranaryError) -> [UInt8]? {
        guard let field = try field(name, of: item) else { return nil }
        guard case .data(let value) = try value(field) else { throw wrongKind(name, "data", field) }
        return value
    }

    /// The members of an array, a set or an ordered set.
    package func items(_ name: String, of item: Item) throws(GranaryError) -> [Item]? {
        guard let field = try field(name, of: item) else { return nil }
        switch try value(field) {
        case .array(let items), .set(let items), .orderedSet(let items): return items
        default: throw wrongKind(name, "a collection", field)
        }
    }

    /// The entries of a dictionary with text keys.
    package func entries(_ name: String, of item: Item) throws(GranaryError) -> [(key: String, item: Item)]? {
        guard let field = try field(name, of: item) else { return nil }
        guard case .dictionary(let entries) = try value(field) else { throw wrongKind(name, "a dictionary", field) }
        var result: [(key: String, item: Item)] = []
        for entry in entries {
            guard case .string(let key) = try value(entry.key) else {
                throw wrongKind(name, "a dictionary with text keys", field)
            }
            result.append((key, entry.value))
        }
        return result
    }

    /// The object number of the value under a key of a dictionary object; nil if there is none.
    func member(_ name: String, of object: Int) throws(GranaryError) -> Int? {
        guard case .dictionary(let keys, let values) = try list.node(object) else { return nil }
        return try list.object(named: name, keys: keys, values: values)
    }

    private func typeObject(of item: Item) throws(GranaryError) -> Int? {
        guard case .dictionary = try list.node(item.object) else { return nil }
        guard let reference = try member("$class", of: item.object), case .uid = try list.node(reference) else {
            throw error("an object without a class", at: item)
        }
        let type = try self.item(reference).object
        guard case .dictionary = try list.node(type) else {
            throw list.error("a class that is not a dictionary", at: type)
        }
        return type
    }

    private func wrongKind(_ name: String, _ what: String, _ item: Item) -> GranaryError {
        error("\(name) is not \(what)", at: item)
    }
}
