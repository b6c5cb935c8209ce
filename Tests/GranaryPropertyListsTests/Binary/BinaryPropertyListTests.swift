import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryPropertyLists

@Suite struct BinaryPropertyListTests {
    @Test("Foundation's lists are read as they are", arguments: 0..<60)
    func twinWrites(seed: Int) throws {
        var random = RandomTree(seed: UInt64(seed))
        let tree = random.value()
        let data = try PropertyListSerialization.data(fromPropertyList: tree.foundation, format: .binary, options: 0)
        #expect(try PropertyList.read(Array(data), source: "twin").sorted == tree.sorted)
    }

    @Test("Foundation reads our lists, from either writer", arguments: 100..<115)
    func twinReads(seed: Int) throws {
        var random = RandomTree(seed: UInt64(seed))
        let tree = random.value()
        for bytes in [try PropertyList.write(tree, as: .binary), try streamed(tree)] {
            let object = try PropertyListSerialization.propertyList(from: Data(bytes), options: [], format: nil)
            #expect(foundationEqual(object, tree.foundation))
            #expect(try PropertyList.read(bytes, source: "ours") == tree)
        }
    }

    @Test("the plain writer's bytes are Foundation's where its order of keys allows")
    func sameBytes() throws {
        // No value comes twice: on Linux Foundation keeps some equal values once and others not.
        var strings = (0..<400).map { "text \($0) é" }[...]
        func fresh() -> PropertyListValue { .string(strings.removeFirst()) }
        let tree = PropertyListValue.array([
            fresh(), .integer(0), .integer(255), .integer(256), .integer(65_536), .integer(-1), .integer(.max),
            .integer(.min), .integer(1 << 32), .unsigned(.max), .real(1.5), .boolean(true), .boolean(false),
            .date(1.25), .data([]), .data(Array(repeating: 1, count: 300)), .string(""),
            .string("plain"), .array([]), .array([fresh(), .array([fresh(), fresh()]), fresh()]),
            .dictionary([PropertyListEntry("one", .array([fresh()]))]), .array((0..<300).map { _ in fresh() }),
        ])
        let twin = try PropertyListSerialization.data(fromPropertyList: tree.foundation, format: .binary, options: 0)
        #expect(try PropertyList.write(tree, as: .binary) == Array(twin))
    }

    @Test(
        "values at their limits",
        arguments: [
            PropertyListValue.integer(.min), .integer(.max), .integer(-1), .unsigned(UInt64(Int64.max) + 1),
            .unsigned(.max),
            .real(.nan), .real(-0.0), .real(.infinity), .real(.leastNonzeroMagnitude), .date(-0.0), .date(1e300),
            .string("\0"), .string("e\u{301}"), .string("\u{FFFE}"), .uid(0), .uid(255), .uid(70_000), .uid(.max),
            .dictionary([.init("a", .boolean(true)), .init("a", .boolean(false))]),
            .dictionary([.init("\u{E9}", .integer(1)), .init("e\u{301}", .integer(2))]),
        ])
    func limits(value: PropertyListValue) throws {
        #expect(try PropertyList.read(PropertyList.write(value, as: .binary), source: "ours") == value)
        #expect(try PropertyList.read(streamed(value), source: "ours") == value)
    }

    @Test("a number keeps apart what only looks equal")
    func uniquing() throws {
        let tree = PropertyListValue.array([.integer(1), .real(1), .boolean(true), .real(0), .real(-0.0)])
        #expect(try PropertyList.read(PropertyList.write(tree, as: .binary), source: "ours") == tree)
    }

    @Test(
        "half a surrogate pair is refused, not repaired",
        arguments: [
            [0xD8, 0x3D], [0xDE, 0x00], [0xDE, 0x00, 0xD8, 0x3D],
        ] as [[UInt8]])
    func surrogates(units: [UInt8]) {
        let list = HandmadeList(objects: [[0x60 | UInt8(units.count / 2)] + units])
        #expect(readCode(list.bytes) == "encoding.invalid")
    }

    @Test("an ASCII string above 127 is refused")
    func notASCII() { #expect(readCode(HandmadeList(objects: [[0x51, 0x80]]).bytes) == "encoding.invalid") }

    @Test("what the handler throws ends the walk")
    func handlerThrows() throws {
        let bytes = try PropertyList.write(.array([.integer(1), .integer(2)]), as: .binary)
        var count = 0
        #expect(throws: GranaryError.self) {
            try BinaryPropertyList(bytes, source: "x").forEachEvent { (_, _) throws(GranaryError) in
                count += 1
                if count == 2 { throw GranaryError(.interrupted, "stop") }
            }
        }
        #expect(count == 2)
    }
}

/// The tree through the stream writer, the buffer emptied after each event.
func streamed(_ tree: PropertyListValue) throws -> [UInt8] {
    var output: [UInt8] = []
    var piece: [UInt8] = []
    var writer = BinaryPropertyListStreamWriter()
    try tree.forEachEvent { (event) throws(GranaryError) in
        try writer.write(event, into: &piece)
        output += piece
        piece.removeAll()
    }
    try writer.finish(into: &piece) { (piece) throws(GranaryError) in
        output += piece
        piece.removeAll()
    }
    return output
}

@Suite struct BinaryPropertyListLongTests {
    @Test("Foundation reads our lists, from either writer", arguments: 115..<160)
    func twinReads(seed: Int) throws { try BinaryPropertyListTests().twinReads(seed: seed) }
}
