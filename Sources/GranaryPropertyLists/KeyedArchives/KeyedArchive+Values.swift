package import Foundation
package import GranaryBase

extension KeyedArchive {
    /// An object of a standard class. Its members are not resolved.
    package enum Value: Sendable {
        /// The archive's nil, or an `NSNull`.
        case null
        case string(String)
        case boolean(Bool)
        case integer(Int64)
        case unsigned(UInt64)
        case real(Double)
        case decimal(ExactDecimal)
        /// Seconds since 2001-01-01 00:00:00 UTC.
        case date(Double)
        case data([UInt8])
        case uuid(UUID)
        case url(relative: String, base: Item?)
        case array([Item])
        case set([Item])
        case orderedSet([Item])
        case dictionary([(key: Item, value: Item)])
        /// An object of another class. ``KeyedArchive/fields(of:)`` gives its fields.
        case object(className: String)
    }

    /// Reads an item.
    ///
    /// - Throws: ``GranaryError`` with `plist.syntax` if the fields do not match the class.
    package func value(_ item: Item) throws(GranaryError) -> Value {
        if try isNil(item) { return .null }
        switch try list.node(item.object) {
        case .null: return .null
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(value)
        case .data(let range): return .data(list.data(range))
        case .asciiString, .utf16String: return .string(try list.string(item.object) ?? "")
        case .uid: throw error("a reference instead of a value", at: item)
        case .array(let references): return .array(try items(references))
        case .dictionary: break
        }
        guard let name = try className(of: item) else { throw error("an object without a class", at: item) }
        return try value(of: item, className: name)
    }

    private func value(of item: Item, className: String) throws(GranaryError) -> Value {
        switch className {
        case "NSNull": return .null
        case "NSString", "NSMutableString": return .string(try text(item))
        case "NSArray", "NSMutableArray": return .array(try elements(item))
        case "NSSet", "NSMutableSet": return .set(try elements(item))
        case "NSOrderedSet", "NSMutableOrderedSet": return .orderedSet(try elements(item))
        case "NSDictionary", "NSMutableDictionary": return .dictionary(try pairs(item))
        case "NSDate":
            guard let seconds = try real("NS.time", of: item), seconds.isFinite else {
                throw error("a date without its time", at: item)
            }
            return .date(seconds)
        case "NSData", "NSMutableData":
            for name in ["NS.data", "NS.bytes"] {
                if let bytes = try plainData(name, of: item) { return .data(bytes) }
            }
            throw error("data without its bytes", at: item)
        case "NSUUID":
            guard let bytes = try plainData("NS.uuidbytes", of: item), let value = Self.uuid(bytes) else {
                throw error("a UUID without its 16 bytes", at: item)
            }
            return .uuid(value)
        case "NSURL":
            guard let relative = try field("NS.relative", of: item), let text = try list.string(relative.object) else {
                throw error("a URL without its text", at: item)
            }
            return .url(relative: text, base: try field("NS.base", of: item))
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": return .decimal(try decimal(item))
        default: return .object(className: className)
        }
    }

    private func text(_ item: Item) throws(GranaryError) -> String {
        if let field = try field("NS.string", of: item), let text = try list.string(field.object) { return text }
        if let bytes = try plainData("NS.bytes", of: item), let text = String(validating: bytes, as: UTF8.self) {
            return text
        }
        throw error("a string without its text", at: item)
    }

    /// The data of a field that is data in the list itself. Resolving objects here could follow a cycle.
    private func plainData(_ name: String, of item: Item) throws(GranaryError) -> [UInt8]? {
        guard let field = try field(name, of: item), case .data(let range) = try list.node(field.object) else {
            return nil
        }
        return list.data(range)
    }

    private static func uuid(_ bytes: [UInt8]) -> UUID? {
        guard bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { raw in
            // There are 16 bytes, the size of a `uuid_t`.
            UUID(uuid: raw.loadUnaligned(as: uuid_t.self))
        }
    }

    /// `NSDecimalNumber`'s coding: up to eight 16-bit digits, the lowest first, in the byte order that
    /// `NS.mantissa.bo` names (1 little-endian, 2 big-endian, as `CFByteOrder`).
    private func decimal(_ item: Item) throws(GranaryError) -> ExactDecimal {
        let wrong = error("an invalid decimal number", at: item)
        guard let bytes = try plainData("NS.mantissa", of: item), bytes.count >= 2, bytes.count <= 16,
            let length = try integer("NS.length", of: item), 0...Int64(bytes.count / 2) ~= length,
            let exponent = try integer("NS.exponent", of: item), -128...127 ~= exponent
        else { throw wrong }
        let isNegative = try boolean("NS.negative", of: item)
        // NaN is coded as no digits with a sign.
        if length == 0, isNegative { throw error("a decimal number that is not a number", at: item) }
        let order = try integer("NS.mantissa.bo", of: item)
        let lowFirst = order != 2
        var mantissa: UInt128 = 0
        for index in stride(from: 2 * (Int(length) - 1), through: 0, by: -2) {
            let digit = UInt16(bytes[lowFirst ? index + 1 : index]) << 8 | UInt16(bytes[lowFirst ? index : index + 1])
            mantissa = mantissa << 16 | UInt128(digit)
        }
        guard let value = ExactDecimal(isNegative: isNegative, mantissa: mantissa, exponent: Int(exponent)) else {
            throw wrong
        }
        return value
    }

    private func items(_ references: BinaryPropertyList.References) throws(GranaryError) -> [Item] {
        var result: [Item] = []
        result.reserveCapacity(references.count)
        for index in 0..<references.count { result.append(try item(list.reference(index, in: references))) }
        return result
    }

    /// The members of a collection: the array `NS.objects`, or the fields `NS.object.0`, `NS.object.1` and so on.
    private func elements(_ item: Item) throws(GranaryError) -> [Item] {
        if let objects = try field("NS.objects", of: item) {
            guard case .array(let references) = try list.node(objects.object) else {
                throw error("NS.objects is not an array", at: item)
            }
            return try items(references)
        }
        return try numberedFields("NS.object.", of: item)
    }

    private func pairs(_ item: Item) throws(GranaryError) -> [(key: Item, value: Item)] {
        let keys: [Item]
        if let field = try field("NS.keys", of: item) {
            guard case .array(let references) = try list.node(field.object) else {
                throw error("NS.keys is not an array", at: item)
            }
            keys = try items(references)
        } else {
            keys = try numberedFields("NS.key.", of: item)
        }
        let values = try elements(item)
        guard keys.count == values.count else {
            throw error("a dictionary with \(keys.count) keys and \(values.count) values", at: item)
        }
        return zip(keys, values).map { (key: $0, value: $1) }
    }

    private func numberedFields(_ prefix: String, of item: Item) throws(GranaryError) -> [Item] {
        var numbered: [(number: Int, item: Item)] = []
        for (name, field) in try fields(of: item) where name.hasPrefix(prefix) {
            guard let number = Int(name.dropFirst(prefix.count)) else {
                throw error("a field \(prefix) without a number", at: item)
            }
            numbered.append((number, field))
        }
        numbered.sort { $0.number < $1.number }
        for (index, entry) in numbered.enumerated() where entry.number != index {
            throw error("a collection without its member \(index)", at: item)
        }
        return numbered.map(\.item)
    }
}
