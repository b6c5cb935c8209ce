/// Writes a tree in CoreFoundation's layout: objects numbered from the root down, keys before values, equal strings,
/// numbers, dates and data stored once, and offsets and references as short as possible.
///
/// It is used for small documents. ``BinaryPropertyListStreamWriter`` writes documents of any size, in another order.
/// The entries of dictionaries keep their order; callers that need reproducible bytes sort them.
package struct BinaryPropertyListWriter {
    private enum Object {
        case scalar(PropertyListValue)
        case container(marker: UInt8, count: Int, references: Range<Int>)
    }

    private var objects: [Object] = []
    private var references: [Int] = []
    private var numbers: [UniqueValue: Int] = [:]

    package static func write(_ value: PropertyListValue) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        writer.flatten(value)
        return writer.bytes()
    }

    /// Numbers all objects, depth first. `slot` is the index of the reference to set to the number.
    private mutating func flatten(_ root: PropertyListValue) {
        references = [0]
        var pending = [(value: root, slot: 0)]
        while let (value, slot) = pending.popLast() {
            let key = UniqueValue(value)
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

    private func bytes() -> [UInt8] {
        var output = BinaryPropertyList.magic
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        let referenceSize = BinaryObjectEncoder.size(UInt64(objects.count))
        for object in objects {
            offsets.append(output.count)
            switch object {
            case .scalar(let value): BinaryObjectEncoder.append(value, to: &output)
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
}
