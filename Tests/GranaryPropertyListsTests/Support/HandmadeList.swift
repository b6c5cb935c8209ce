import GranaryBase

@testable import GranaryPropertyLists

/// Binary property lists put together byte by byte, right or wrong.
struct HandmadeList {
    var objects: [[UInt8]] = []
    var root: UInt64 = 0
    var referenceSize = 1
    var offsetSize = 4
    var count: UInt64?
    var tableStart: UInt64?
    var offsets: [UInt64]?

    var bytes: [UInt8] {
        var output = Array("bplist00".utf8)
        var found: [UInt64] = []
        for object in objects {
            found.append(UInt64(output.count))
            output += object
        }
        let table = UInt64(output.count)
        for offset in offsets ?? found { BinaryObjectEncoder.append(offset, size: offsetSize, to: &output) }
        output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        BinaryObjectEncoder.append(count ?? UInt64(objects.count), size: 8, to: &output)
        BinaryObjectEncoder.append(root, size: 8, to: &output)
        BinaryObjectEncoder.append(tableStart ?? table, size: 8, to: &output)
        return output
    }
}

/// What reading came to, for tables of cases.
func readCode(_ bytes: [UInt8]) -> String {
    do {
        _ = try PropertyList.read(bytes, source: "test.plist")
        return "read"
    } catch {
        return error.diagnostics.first?.code.rawValue ?? "no diagnostic"
    }
}

/// The events of a list with the lines and columns of an XML one.
func events(_ bytes: [UInt8]) throws -> [PropertyListEvent] {
    var result: [PropertyListEvent] = []
    try PropertyList.forEachEvent(of: .init(bytes: bytes, name: "test.plist")) { event, _ in result.append(event) }
    return result
}
