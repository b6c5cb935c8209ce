/// Builds a keyed archive object by object. Objects may refer to each other in cycles.
///
/// Reserve a number for an object, use its reference in other objects, and set its fields when they are known. The
/// result has the format of `NSKeyedArchiver`: `{$version, $archiver, $top, $objects}`.
package struct KeyedArchiveBuilder {
    private var objects: [PropertyListValue] = [.string("$null")]
    private var classes: [[ByteText]: UInt64] = [:]
    private var plain: [UniqueValue: UInt64] = [:]
    private var singletons: [[ByteText]: UInt64] = [:]

    /// The reference to nil.
    package static let null = PropertyListValue.uid(0)

    package init() {}

    /// Reserves a number for an object that is set later.
    package mutating func reserve() -> UInt64 {
        objects.append(.string("$null"))
        return UInt64(objects.count - 1)
    }

    /// Sets a reserved object.
    ///
    /// - Parameters:
    ///   - classNames: its class and superclasses, the nearest first.
    ///   - fields: numbers, flags and data as values; other objects as ``PropertyListValue/uid(_:)`` references.
    package mutating func set(_ number: UInt64, classNames: [String], fields: [PropertyListEntry]) {
        guard let index = Int(exactly: number), objects.indices.contains(index), index > 0 else { return }
        let type = PropertyListEntry("$class", .uid(classNumber(classNames)))
        objects[index] = .dictionary(fields + [type])
    }

    /// Adds an object and returns a reference to it.
    package mutating func add(classNames: [String], fields: [PropertyListEntry]) -> PropertyListValue {
        let number = reserve()
        set(number, classNames: classNames, fields: fields)
        return .uid(number)
    }

    /// Adds the only object of a class, or returns a reference to it if it was added before.
    package mutating func addSingleton(classNames: [String], fields: [PropertyListEntry]) -> PropertyListValue {
        let key = classNames.map(ByteText.init)
        if let known = singletons[key] { return .uid(known) }
        let number = reserve()
        set(number, classNames: classNames, fields: fields)
        singletons[key] = number
        return .uid(number)
    }

    /// Adds text, a number, a flag or data. Equal values other than data are stored once.
    package mutating func add(_ value: PropertyListValue) -> PropertyListValue {
        let key: UniqueValue? = if case .data = value { nil } else { UniqueValue(value) }
        if let key, let known = plain[key] { return .uid(known) }
        objects.append(value)
        let number = UInt64(objects.count - 1)
        if let key { plain[key] = number }
        return .uid(number)
    }

    /// Returns the bytes of the archive.
    package func bytes(root: PropertyListValue, key: String = "root") -> [UInt8] {
        BinaryPropertyListWriter.write(
            .dictionary([
                PropertyListEntry("$version", .integer(100_000)),
                PropertyListEntry("$archiver", .string("NSKeyedArchiver")),
                PropertyListEntry("$top", .dictionary([PropertyListEntry(key, root)])),
                PropertyListEntry("$objects", .array(objects)),
            ]))
    }

    private mutating func classNumber(_ names: [String]) -> UInt64 {
        let key = names.map(ByteText.init)
        if let known = classes[key] { return known }
        objects.append(
            .dictionary([
                PropertyListEntry("$classname", .string(names.first ?? "NSObject")),
                PropertyListEntry("$classes", .array(names.map(PropertyListValue.string))),
            ]))
        let number = UInt64(objects.count - 1)
        classes[key] = number
        return number
    }
}
