/// A type that a property-list value can be converted to when a cast fails, such as `[Int]` for integers that were read
/// as `Int64`, or a set for an array.
protocol TransformedConvertible {
    static func converted(from value: Any) -> Self?
}

/// Converts values to a requested type. The recursion depth depends on the type, not on the data.
package enum TransformedConversion {
    /// - Returns: nil if the value has another type or cannot be converted exactly.
    package static func convert<Target>(_ value: Any, to _: Target.Type) -> Target? {
        if let target = value as? Target { return target }
        guard let type = Target.self as? any TransformedConvertible.Type else { return nil }
        return open(type, value)
    }

    private static func open<Concrete: TransformedConvertible, Target>(
        _ type: Concrete.Type, _ value: Any
    ) -> Target? {
        guard let result = Concrete.converted(from: value) else { return nil }
        return result as? Target
    }
}

extension Array: TransformedConvertible {
    static func converted(from value: Any) -> [Element]? {
        guard let members = value as? [Any] else { return nil }
        var result: [Element] = []
        for member in members {
            guard let element = TransformedConversion.convert(member, to: Element.self) else { return nil }
            result.append(element)
        }
        return result
    }
}

extension Set: TransformedConvertible {
    static func converted(from value: Any) -> Set<Element>? {
        [Element].converted(from: value).map { Set($0) }
    }
}

extension Dictionary: TransformedConvertible {
    static func converted(from value: Any) -> [Key: Value]? {
        guard let entries = value as? [AnyHashable: Any] else { return nil }
        var result: [Key: Value] = [:]
        for (entryKey, entryValue) in entries {
            guard let key = TransformedConversion.convert(entryKey.base, to: Key.self),
                let value = TransformedConversion.convert(entryValue, to: Value.self)
            else { return nil }
            result.updateValue(value, forKey: key)
        }
        return result
    }
}

extension Optional: TransformedConvertible {
    static func converted(from value: Any) -> Wrapped?? {
        if value is ArchivedNull { return .some(nil) }
        guard let wrapped = TransformedConversion.convert(value, to: Wrapped.self) else { return nil }
        return .some(.some(wrapped))
    }
}

extension TransformedConvertible where Self: FixedWidthInteger {
    static func converted(from value: Any) -> Self? {
        switch value {
        case let value as Int64: Self(exactly: value)
        case let value as UInt64: Self(exactly: value)
        default: nil
        }
    }
}

extension Int: TransformedConvertible {}
extension Int8: TransformedConvertible {}
extension Int16: TransformedConvertible {}
extension Int32: TransformedConvertible {}
extension UInt: TransformedConvertible {}
extension UInt8: TransformedConvertible {}
extension UInt16: TransformedConvertible {}
extension UInt32: TransformedConvertible {}
extension UInt64: TransformedConvertible {}

extension Double: TransformedConvertible {
    static func converted(from value: Any) -> Double? {
        switch value {
        case let value as Int64: Double(exactly: value)
        case let value as UInt64: Double(exactly: value)
        default: nil
        }
    }
}

extension Float: TransformedConvertible {
    static func converted(from value: Any) -> Float? {
        switch value {
        case let value as Double: Float(exactly: value)
        case let value as Int64: Float(exactly: value)
        case let value as UInt64: Float(exactly: value)
        default: nil
        }
    }
}
