/// Puts a keyed archive together, object by object; objects may refer to each other in circles.
///
/// Reserve a place for an object, use its reference wherever it is held, and set its fields when they are known. What
/// comes out is what `NSKeyedArchiver` writes: `{$version, $archiver, $top, $objects}`.
package struct KeyedArchiveBuilder {
    private enum UniqueKey: Hashable {
        case string(ByteText), integer(Int64), unsigned(UInt64), real(UInt64), boolean(Bool)
    }

    private var objects: [PropertyListValue] = [.string("$null")]
    private var classes: [[ByteText]: UInt64] = [:]
    private var plain: [UniqueKey: UInt64] = [:]
    private var singletons: [[ByteText]: UInt64] = [:]

    /// The reference to nil.
    package static let null = PropertyListValue.uid(0)

    package init() {}

    /// A place for an object that comes later.
    package mutating func reserve() -> UInt64 {
        objects.append(.string("$null"))
        return UInt64(objects.count - 1)
    }

    /// Sets a reserved object.
    ///
    /// - Parameters:
    ///   - classNames: its class and those it comes from, the nearest first.
    ///   - fields: numbers, flags and data as they are, everything else as ``PropertyListValue/uid(_:)`` references.
    package mutating func set(_ number: UInt64, classNames: [String], fields: [PropertyListEntry]) {
        guard let index = Int(exactly: number), objects.indices.contains(index), index > 0 else { return }
        let type = PropertyListEntry("$class", .uid(classNumber(classNames)))
        objects[index] = .dictionary(fields + [type])
    }

    /// Adds an object at once.
    package mutating func add(classNames: [String], fields: [PropertyListEntry]) -> PropertyListValue {
        let number = reserve()
        set(number, classNames: classNames, fields: fields)
        return .uid(number)
    }

    /// Adds the one object of its class, or refers to it where it is there already.
    package mutating func addSingleton(classNames: [String], fields: [PropertyListEntry]) -> PropertyListValue {
        let key = classNames.map(ByteText.init)
        if let known = singletons[key] { return .uid(known) }
        let number = reserve()
        set(number, classNames: classNames, fields: fields)
        singletons[key] = number
        return .uid(number)
    }

    /// Adds text, a number, a flag or data; equal ones but data are kept once.
    package mutating func add(_ value: PropertyListValue) -> PropertyListValue {
        let key: UniqueKey? =
            switch value {
            case .string(let text): .string(ByteText(text: text))
            case .integer(let value): .integer(value)
            case .unsigned(let value): .unsigned(value)
            case .real(let value): .real(value.bitPattern)
            case .boolean(let value): .boolean(value)
            default: nil
            }
        if let key, let known = plain[key] { return .uid(known) }
        objects.append(value)
        let number = UInt64(objects.count - 1)
        if let key { plain[key] = number }
        return .uid(number)
    }

    /// The archive's bytes.
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
