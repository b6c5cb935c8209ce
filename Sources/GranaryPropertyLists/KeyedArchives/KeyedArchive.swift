package import GranaryBase

/// An archive of `NSKeyedArchiver` as a table of objects, which are resolved on demand.
///
/// An archive is a property list `{$archiver, $version, $top, $objects}` whose objects refer to each other by their
/// index in `$objects`, often in cycles. An object is therefore an ``Item``, and its members are items too. No class is
/// looked up or instantiated: standard classes are read by their known fields (``Value``), other classes by field name.
/// The layout is that of the archives of Apple's frameworks and of swift-corelibs-foundation.
package struct KeyedArchive: Sendable {
    /// An object of the archive. Equal items are the same object. An item is valid only for the archive that returned
    /// it.
    package struct Item: Sendable, Hashable {
        /// The number of the object in the property list.
        let object: Int
    }

    package let list: BinaryPropertyList
    /// The array `$objects`, which references index.
    let objects: BinaryPropertyList.References
    private let topKeyReferences: BinaryPropertyList.References
    private let topValues: BinaryPropertyList.References

    /// Opens an archive, binary or XML.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` if it is not a property list or not a keyed archive.
    package init(
        _ bytes: [UInt8], source: String, limits: PropertyListLimits = .standard
    ) throws(GranaryError) {
        if PropertyListFormat.detect(bytes) == .binary {
            try self.init(BinaryPropertyList(bytes, source: source))
        } else {
            // XML archives are rare and small, so they are converted to a binary list.
            let tree = try PropertyList.read(bytes, source: source, limits: limits)
            try self.init(BinaryPropertyList(BinaryPropertyListWriter.write(tree), source: source))
        }
    }

    /// - Throws: ``GranaryError`` with `plist.syntax` if the list is not a keyed archive.
    package init(_ list: BinaryPropertyList) throws(GranaryError) {
        guard case .dictionary(let keys, let values) = try list.node(list.root) else {
            throw list.error("not a keyed archive: its root is not a dictionary", at: list.root)
        }
        func member(_ name: String) throws(GranaryError) -> Int {
            guard let object = try list.object(named: name, keys: keys, values: values) else {
                throw list.error("not a keyed archive: there is no \(name)", at: list.root)
            }
            return object
        }
        let archiver = try member("$archiver")
        guard try list.isString(archiver, named: "NSKeyedArchiver") else {
            throw list.error("not a keyed archive: its $archiver is not NSKeyedArchiver", at: archiver)
        }
        let version = try member("$version")
        guard case .integer(100_000) = try list.node(version) else {
            throw list.error("the version of the keyed archive is not 100000", at: version)
        }
        let table = try member("$objects")
        guard case .array(let objects) = try list.node(table) else {
            throw list.error("the keyed archive's $objects is not an array", at: table)
        }
        let top = try member("$top")
        guard case .dictionary(let topKeys, let topValues) = try list.node(top) else {
            throw list.error("the keyed archive's $top is not a dictionary", at: top)
        }
        self.list = list
        self.objects = objects
        self.topKeyReferences = topKeys
        self.topValues = topValues
    }

    /// The top-level object with a name; nil if there is none or it is nil.
    package func top(_ key: String = "root") throws(GranaryError) -> Item? {
        guard let object = try list.object(named: key, keys: topKeyReferences, values: topValues) else { return nil }
        return try present(object)
    }

    /// The names of the top-level objects.
    package func topKeys() throws(GranaryError) -> [String] {
        var names: [String] = []
        for index in 0..<topKeyReferences.count {
            let key = try list.reference(index, in: topKeyReferences)
            guard let name = try list.string(key) else {
                throw list.error("a dictionary's key is not a string", at: key)
            }
            names.append(name)
        }
        return names
    }

    /// Whether an item is the archive's nil, `$null`.
    package func isNil(_ item: Item) throws(GranaryError) -> Bool {
        guard objects.count > 0 else { return false }
        return item.object == (try list.reference(0, in: objects))
    }

    /// Resolves an object of the list: the object itself, or the object that it refers to. Nil for the archive's nil.
    func present(_ object: Int) throws(GranaryError) -> Item? {
        let item = try item(object)
        return try isNil(item) ? nil : item
    }

    func item(_ object: Int) throws(GranaryError) -> Item {
        guard case .uid(let number) = try list.node(object) else { return Item(object: object) }
        guard number < UInt64(objects.count) else {
            throw list.error("a reference to object \(number), but there are only \(objects.count) objects", at: object)
        }
        let target = try list.reference(Int(number), in: objects)
        if case .uid = try list.node(target) { throw list.error("a reference to a reference", at: object) }
        return Item(object: target)
    }

    /// Returns an error at the position of an item.
    package func error(_ message: String, at item: Item) -> GranaryError { list.error(message, at: item.object) }
}

extension BinaryPropertyList {
    /// The object number of the value under a key of a dictionary; the last one if the key occurs several times.
    func object(named name: String, keys: References, values: References) throws(GranaryError) -> Int? {
        for index in stride(from: keys.count - 1, through: 0, by: -1)
        where try isString(reference(index, in: keys), named: name) {
            return try reference(index, in: values)
        }
        return nil
    }
}
