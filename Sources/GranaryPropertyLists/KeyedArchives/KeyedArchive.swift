package import GranaryBase

/// What an `NSKeyedArchiver` wrote, as the table it is: nothing is resolved until it is asked for.
///
/// An archive is a property list `{$archiver, $version, $top, $objects}` whose objects name each other by their place
/// in `$objects`, often in circles; so an object here is an ``Item``, and what it holds are items again. No class is
/// ever looked up: the standard ones are read by their known fields (``Value``), others stay
/// raw and are read by field name. Layout as seen in the archives of Apple's frameworks and in
/// swift-corelibs-foundation.
package struct KeyedArchive: Sendable {
    /// An object of the archive; equal items are one object. It belongs to the archive that gave it.
    package struct Item: Sendable, Hashable {
        /// Its number in the property list's own table.
        let object: Int
    }

    package let list: BinaryPropertyList
    /// The places that references count from.
    let objects: BinaryPropertyList.References
    private let topKeyReferences: BinaryPropertyList.References
    private let topValues: BinaryPropertyList.References

    /// Opens an archive, binary or XML.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` when it is no property list or no keyed archive.
    package init(
        _ bytes: [UInt8], source: String, limits: PropertyListLimits = .standard
    ) throws(GranaryError) {
        if PropertyListFormat.detect(bytes) == .binary {
            try self.init(BinaryPropertyList(bytes, source: source))
        } else {
            // XML archives are rare and small; as a binary list they are the same table.
            let tree = try PropertyList.read(bytes, source: source, limits: limits)
            try self.init(BinaryPropertyList(BinaryPropertyListWriter.write(tree), source: source))
        }
    }

    /// - Throws: ``GranaryError`` with `plist.syntax` when the list is no keyed archive.
    package init(_ list: BinaryPropertyList) throws(GranaryError) {
        guard case .dictionary(let keys, let values) = try list.node(list.root) else {
            throw list.error("this is no keyed archive: its root is no dictionary", at: list.root)
        }
        func member(_ name: String) throws(GranaryError) -> Int {
            guard let object = try list.object(named: name, keys: keys, values: values) else {
                throw list.error("this is no keyed archive: there is no \(name)", at: list.root)
            }
            return object
        }
        let archiver = try member("$archiver")
        guard try list.isString(archiver, "NSKeyedArchiver") else {
            throw list.error("this is no keyed archive: its $archiver is not NSKeyedArchiver", at: archiver)
        }
        let version = try member("$version")
        guard case .integer(100_000) = try list.node(version) else {
            throw list.error("a keyed archive of another version than 100000", at: version)
        }
        let table = try member("$objects")
        guard case .array(let objects) = try list.node(table) else {
            throw list.error("a keyed archive's $objects is no array", at: table)
        }
        let top = try member("$top")
        guard case .dictionary(let topKeys, let topValues) = try list.node(top) else {
            throw list.error("a keyed archive's $top is no dictionary", at: top)
        }
        self.list = list
        self.objects = objects
        self.topKeyReferences = topKeys
        self.topValues = topValues
    }

    /// The outermost object under a name; nil where there is none or it is nil.
    package func top(_ key: String = "root") throws(GranaryError) -> Item? {
        guard let object = try list.object(named: key, keys: topKeyReferences, values: topValues) else { return nil }
        return try present(object)
    }

    /// The names of the outermost objects.
    package func topKeys() throws(GranaryError) -> [String] {
        var names: [String] = []
        for index in 0..<topKeyReferences.count {
            let key = try list.reference(index, in: topKeyReferences)
            guard let name = try list.string(key) else { throw list.error("a dictionary's key is no string", at: key) }
            names.append(name)
        }
        return names
    }

    /// Whether an item is the archive's nil, `$null`.
    package func isNil(_ item: Item) throws(GranaryError) -> Bool {
        guard objects.count > 0 else { return false }
        return item.object == (try list.reference(0, in: objects))
    }

    /// What an object of the list stands for: itself, or what it refers to. Nil for the archive's nil.
    func present(_ object: Int) throws(GranaryError) -> Item? {
        let item = try item(object)
        return try isNil(item) ? nil : item
    }

    func item(_ object: Int) throws(GranaryError) -> Item {
        guard case .uid(let number) = try list.node(object) else { return Item(object: object) }
        guard number < UInt64(objects.count) else {
            throw list.error("a reference to object \(number) of \(objects.count)", at: object)
        }
        let target = try list.reference(Int(number), in: objects)
        if case .uid = try list.node(target) { throw list.error("a reference to a reference", at: object) }
        return Item(object: target)
    }

    /// A refusal at an item.
    package func error(_ message: String, at item: Item) -> GranaryError { list.error(message, at: item.object) }
}

extension BinaryPropertyList {
    /// The value under a key of a dictionary; of equal keys the last counts.
    func object(named name: String, keys: References, values: References) throws(GranaryError) -> Int? {
        for index in stride(from: keys.count - 1, through: 0, by: -1)
        where try isString(reference(index, in: keys), named: name) {
            return try reference(index, in: values)
        }
        return nil
    }
}
