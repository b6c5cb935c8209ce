import Foundation
import GranaryBase

/// Writes a tree as a keyed archive that `NSKeyedUnarchiver` can read.
package enum KeyedArchiveWriter {
    /// A container whose members are being added.
    private struct Level {
        let number: UInt64
        let tree: KeyedArchiveTree
        let members: [KeyedArchiveTree]
        var references: [PropertyListValue] = []
    }

    package static func write(_ tree: KeyedArchiveTree) -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let root = addTree(tree, to: &builder)
        return builder.bytes(root: root)
    }

    /// Adds a value with everything that it contains, and returns the reference to it.
    package static func addTree(_ tree: KeyedArchiveTree, to builder: inout KeyedArchiveBuilder) -> PropertyListValue {
        var levels: [Level] = []
        var root: PropertyListValue?
        var next = tree
        while root == nil {
            let reference: PropertyListValue
            if let members = members(of: next) {
                let number = builder.reserve()
                levels.append(Level(number: number, tree: next, members: members))
                reference = .uid(number)
            } else {
                reference = add(next, &builder)
                if levels.isEmpty { root = reference } else { levels[levels.count - 1].references.append(reference) }
            }
            while let level = levels.last {
                if level.references.count < level.members.count {
                    next = level.members[level.references.count]
                    break
                }
                levels.removeLast()
                close(level, &builder)
                if levels.isEmpty {
                    root = .uid(level.number)
                } else {
                    levels[levels.count - 1].references.append(.uid(level.number))
                }
            }
        }
        return root ?? KeyedArchiveBuilder.null
    }

    /// The members of a container, in a dictionary the keys before the values; nil for other values.
    private static func members(of tree: KeyedArchiveTree) -> [KeyedArchiveTree]? {
        switch tree {
        case .array(let values), .set(let values), .orderedSet(let values): values
        case .dictionary(let entries): entries.map(\.key) + entries.map(\.value)
        case .object(_, let fields): fields.map(\.value)
        default: nil
        }
    }

    private static func close(_ level: Level, _ builder: inout KeyedArchiveBuilder) {
        let references = level.references
        switch level.tree {
        case .array: set(["NSArray", "NSObject"], [PropertyListEntry("NS.objects", .array(references))])
        case .set: set(["NSSet", "NSObject"], [PropertyListEntry("NS.objects", .array(references))])
        case .orderedSet:
            // Foundation writes ordered sets as individual fields.
            set(
                ["NSOrderedSet", "NSObject"],
                references.enumerated().map { PropertyListEntry("NS.object.\($0.offset)", $0.element) })
        case .dictionary(let entries):
            set(
                ["NSDictionary", "NSObject"],
                [
                    PropertyListEntry("NS.keys", .array(Array(references.prefix(entries.count)))),
                    PropertyListEntry("NS.objects", .array(Array(references.dropFirst(entries.count)))),
                ])
        case .object(let classNames, let fields):
            set(classNames, zip(fields, references).map { PropertyListEntry($0.name, $1) })
        default: break
        }
        func set(_ classNames: [String], _ fields: [PropertyListEntry]) {
            builder.set(level.number, classNames: classNames, fields: fields)
        }
    }

    /// Adds a value that contains no others, such as text, a number or a date. A container becomes an `NSNull`.
    package static func add(_ tree: KeyedArchiveTree, _ builder: inout KeyedArchiveBuilder) -> PropertyListValue {
        switch tree {
        case .string("$null"):
            // As plain text it would become the archive's nil, because equal texts are stored once.
            return builder.add(
                classNames: ["NSString", "NSObject"],
                fields: [PropertyListEntry("NS.bytes", .data(Array("$null".utf8)))])
        case .string(let value): return builder.add(.string(value))
        case .boolean(let value): return builder.add(.boolean(value))
        case .integer(let value): return builder.add(.integer(value))
        case .unsigned(let value): return builder.add(.unsigned(value))
        case .real(let value): return builder.add(.real(value))
        case .data(let bytes): return builder.add(.data(bytes))
        case .date(let seconds):
            return builder.add(
                classNames: ["NSDate", "NSObject"], fields: [PropertyListEntry("NS.time", .real(seconds))])
        case .uuid(let value):
            let bytes = withUnsafeBytes(of: value.uuid) { Array($0) }
            return builder.add(
                classNames: ["NSUUID", "NSObject"], fields: [PropertyListEntry("NS.uuidbytes", .data(bytes))])
        case .url(let relative, let base):
            let baseReference = base.map { url($0, KeyedArchiveBuilder.null, &builder) }
            return url(relative, baseReference ?? KeyedArchiveBuilder.null, &builder)
        case .decimal(let value): return decimal(value, &builder)
        case .null, .array, .set, .orderedSet, .dictionary, .object:
            return builder.add(classNames: ["NSNull", "NSObject"], fields: [])
        }
    }

    private static func url(
        _ text: String, _ base: PropertyListValue, _ builder: inout KeyedArchiveBuilder
    ) -> PropertyListValue {
        let relative = builder.add(.string(text))
        return builder.add(
            classNames: ["NSURL", "NSObject"],
            fields: [PropertyListEntry("NS.base", base), PropertyListEntry("NS.relative", relative)])
    }

    /// Adds a decimal in the coding of `NSDecimalNumber`: a mantissa of 16 bytes, as 16-bit digits with the lowest
    /// first.
    private static func decimal(_ value: ExactDecimal, _ builder: inout KeyedArchiveBuilder) -> PropertyListValue {
        let bytes = withUnsafeBytes(of: value.mantissa.littleEndian) { Array($0) }
        let length = (128 - value.mantissa.leadingZeroBitCount + 15) / 16
        return builder.add(
            classNames: ["NSDecimalNumberPlaceholder", "NSDecimalNumber", "NSNumber", "NSValue", "NSObject"],
            fields: [
                PropertyListEntry("NS.exponent", .integer(Int64(value.exponent))),
                PropertyListEntry("NS.length", .integer(Int64(length))),
                PropertyListEntry("NS.negative", .boolean(value.isNegative)),
                PropertyListEntry("NS.compact", .boolean(true)),
                PropertyListEntry("NS.mantissa.bo", .integer(1)),
                PropertyListEntry("NS.mantissa", .data(bytes)),
            ])
    }
}
