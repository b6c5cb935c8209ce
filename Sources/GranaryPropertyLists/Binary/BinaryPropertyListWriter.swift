/// Writes a tree as CoreFoundation writes it: objects numbered from the root down, keys before values, equal
/// strings, numbers, dates and data once, offsets and references as short as they can be.
///
/// For small documents; ``BinaryPropertyListStreamWriter`` writes those of any size, in another order.
/// Dictionaries keep the order they come in; who wants the same bytes each time sorts their keys.
package struct BinaryPropertyListWriter {
    private enum Object {
        case scalar(PropertyListValue)
        case container(marker: UInt8, count: Int, references: Range<Int>)
    }

    private enum UniqueKey: Hashable {
        case string(ByteText), integer(Int64), unsigned(UInt64), real(UInt64), date(UInt64), data([UInt8]), boolean(
            Bool)
    }

    private var objects: [Object] = []
    private var references: [Int] = []
    private var numbers: [UniqueKey: Int] = [:]

    package static func write(_ value: PropertyListValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        writer.flatten(value)
        return writer.bytes()
    }

    /// Numbers all objects, depth first. `slot` is the place among the references that waits for the number.
    private mutating func flatten(_ root: PropertyListValue) {
        references = [0]
        var pending = [(value: root, slot: 0)]
        while let (value, slot) = pending.popLast() {
            let key = Self.uniqueKey(value)
            if let key, let number = numbers[key] {
                references[slot] = number
                continue
            }
            if let key { numbers[key] = objects.count }
            references[slot] = objects.count
            let first = references.count
            switch value {
            case .array(let values):
                references.append(contentsOf: repeatElement(0, count: values.count))
                objects.append(.container(marker: 0xA0, count: values.count, references: first..<references.count))
                for (index, value) in values.enumerated().reversed() { pending.append((value, first + index)) }
            case .dictionary(let entries):
                references.append(contentsOf: repeatElement(0, count: 2 * entries.count))
                objects.append(.container(marker: 0xD0, count: entries.count, references: first..<references.count))
                for (index, entry) in entries.enumerated().reversed() {
                    pending.append((entry.value, first + entries.count + index))
                }
                for (index, entry) in entries.enumerated().reversed() {
                    pending.append((.string(entry.key), first + index))
                }
            default: objects.append(.scalar(value))
            }
        }
    }

    private static func uniqueKey(_ value: PropertyListValue) -> UniqueKey? {
        switch value {
        case .string(let text): .string(ByteText(text: text))
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .real(let value): .real(value.bitPattern)
        case .date(let value): .date(value.bitPattern)
        case .data(let bytes): .data(bytes)
        case .boolean(let value): .boolean(value)
        case .uid, .array, .dictionary: nil
        }
    }

    private func bytes() -> [UInt8] {
        var output = BinaryPropertyList.magic
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        let referenceSize = BinaryObjectEncoder.size(UInt64(objects.count))
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .scalar(let value): Self.append(value, to: &output)
            case .container(let marker, let count, let range):
                BinaryObjectEncoder.appendMarker(marker, count: count, to: &output)
                for number in references[range] {
                    BinaryObjectEncoder.append(UInt64(number), size: referenceSize, to: &output)
                }
            }
        }
        let tableStart = UInt64(output.count)
        let offsetSize = BinaryObjectEncoder.size(tableStart)
        for offset in offsets { BinaryObjectEncoder.append(UInt64(offset), size: offsetSize, to: &output) }
        BinaryObjectEncoder.appendTrailer(
            offsetSize: offsetSize, referenceSize: referenceSize, objectCount: objects.count, root: 0,
            tableStart: tableStart, to: &output)
        return output
    }

    private static func append(_ value: PropertyListValue, to output: inout [UInt8]) {
        switch value {
        case .string(let text): BinaryObjectEncoder.appendString(text, to: &output)
        case .integer(let value): BinaryObjectEncoder.appendInteger(value, to: &output)
        case .unsigned(let value): BinaryObjectEncoder.appendUnsigned(value, to: &output)
        case .real(let value): BinaryObjectEncoder.appendReal(value, to: &output)
        case .date(let value): BinaryObjectEncoder.appendDate(value, to: &output)
        case .data(let bytes): BinaryObjectEncoder.appendData(bytes, to: &output)
        case .boolean(let value): BinaryObjectEncoder.appendBoolean(value, to: &output)
        case .uid(let value): BinaryObjectEncoder.appendUID(value, to: &output)
        case .array, .dictionary: break
        }
    }
}
