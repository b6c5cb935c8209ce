import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryPropertyLists

/// Lists made to break a reader. Each has to be refused, and each by its own rule.
@Suite struct HostileBinaryListTests {
    static let broken: [(String, HandmadeList)] = [
        ("a reference to no object", .init(objects: [[0xA1, 0x05]])),
        ("a key that is no string", .init(objects: [[0xD1, 0x01, 0x01], [0x10, 0x01]])),
        ("an array count of 2^63", .init(objects: [[0xAF, 0x13, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]])),
        ("a negative count", .init(objects: [[0x5F, 0x13, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]])),
        (
            "a dictionary count that overflows when doubled",
            .init(objects: [[0xDF, 0x13, 0x40, 0, 0, 0, 0, 0, 0, 0]], referenceSize: 8)
        ),
        ("a count of 16 bytes", .init(objects: [[0x5F, 0x14] + Array(repeating: 0, count: 16)])),
        ("a count that is a string", .init(objects: [[0x5F, 0x51, 0x41]])),
        ("a count cut off", .init(objects: [[0x5F]])),
        ("a count cut off behind its marker", .init(objects: [[0x5F, 0x13, 0x00]])),
        ("text past the objects", .init(objects: [[0x5A, 0x41]])),
        ("UTF-16 past the objects", .init(objects: [[0x62, 0x00, 0x41, 0x00]])),
        ("an integer cut off", .init(objects: [[0x13, 0x00]])),
        ("an integer of 32 bytes", .init(objects: [[0x15] + Array(repeating: 0, count: 32)])),
        ("an integer beyond 64 bits", .init(objects: [[0x14, 1] + Array(repeating: 0, count: 15)])),
        ("a real of 2 bytes", .init(objects: [[0x21, 0, 0]])),
        ("a date that is no number", .init(objects: [[0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]])),
        ("an infinite date", .init(objects: [[0x33, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]])),
        ("an unknown marker", .init(objects: [[0x77]])),
        ("a fill byte for a value", .init(objects: [[0x0F]])),
        ("a null", .init(objects: [[0x00]])),
        ("a UID of 16 bytes", .init(objects: [[0x8F] + Array(repeating: 0, count: 16)])),
        ("a root past the objects", .init(objects: [[0x08]], root: 1)),
        ("a root of 2^64 - 1", .init(objects: [[0x08]], root: .max)),
        ("no objects", .init(objects: [[0x08]], count: 0)),
        ("more objects than the table has", .init(objects: [[0x08]], count: 2)),
        ("2^62 objects: times 4 that overflows", .init(objects: [[0x08]], count: 1 << 62)),
        ("2^64 - 1 objects", .init(objects: [[0x08]], count: .max)),
        ("a table at 2^64 - 1", .init(objects: [[0x08]], tableStart: .max)),
        ("a table at 0", .init(objects: [[0x08]], tableStart: 0)),
        ("a table inside the magic bytes", .init(objects: [[0x08]], tableStart: 8)),
        ("an offset past the objects", .init(objects: [[0x08]], offsets: [9])),
        ("an offset inside the magic bytes", .init(objects: [[0x08]], offsets: [7])),
        ("an offset of 2^32 - 1", .init(objects: [[0x08]], offsets: [0xFFFF_FFFF])),
        ("offsets of 0 bytes", .init(objects: [[0x08]], offsetSize: 0)),
        ("offsets of 9 bytes", .init(objects: [[0x08]], offsetSize: 9)),
        ("references of 0 bytes", .init(objects: [[0x08]], referenceSize: 0)),
        ("references of 9 bytes", .init(objects: [[0x08]], referenceSize: 9)),
        ("references too short for the objects", .init(objects: Array(repeating: [0x08], count: 300))),
    ]

    @Test("broken lists are refused", arguments: broken)
    func refused(name: String, list: HandmadeList) {
        #expect(readCode(list.bytes) == "plist.syntax", "\(name)")
    }

    @Test(
        "a list that holds itself meets the depth limit",
        arguments: [
            HandmadeList(objects: [[0xA1, 0x00]]),
            HandmadeList(objects: [[0xD1, 0x01, 0x00], [0x51, 0x61]]),
            HandmadeList(objects: [[0xA1, 0x01], [0xA1, 0x00]]),
        ])
    func holdsItself(list: HandmadeList) throws {
        let error = #expect(throws: GranaryError.self) { try PropertyList.read(list.bytes, source: "x.plist") }
        #expect(error?.diagnostics.first?.code == .limitExceeded)
        #expect(error?.message.contains("512") == true)
    }

    @Test("a chain of 100,000 arrays is a table; as events and as a tree it is refused")
    func deepChain() throws {
        var list = HandmadeList(referenceSize: 4)
        for index in 1..<100_000 {
            var object: [UInt8] = [0xA1]
            BinaryObjectEncoder.append(UInt64(index), size: 4, to: &object)
            list.objects.append(object)
        }
        list.objects.append([0x08])
        let bytes = list.bytes
        let table = try BinaryPropertyList(bytes, source: "deep.plist")
        #expect(table.objectCount == 100_000)
        guard case .boolean(false) = try table.node(99_999) else {
            return #expect(Bool(false), "the last is a boolean")
        }
        #expect(readCode(bytes) == "limit.exceeded")
    }

    @Test("the depth limit is exact", arguments: [PropertyListFormat.binary, .xml])
    func depthLimit(format: PropertyListFormat) throws {
        var limits = PropertyListLimits()
        limits.depth = 5
        for (depth, isRead) in [(5, true), (6, false)] {
            var tree = PropertyListValue.array([])
            for level in 1..<depth { tree = level % 2 == 0 ? .array([tree]) : .dictionary([.init("k", tree)]) }
            let bytes = try PropertyList.write(tree, as: format)
            if isRead {
                #expect(try PropertyList.read(bytes, source: "x", limits: limits) == tree)
            } else {
                #expect(throws: GranaryError.self) { try PropertyList.read(bytes, source: "x", limits: limits) }
            }
        }
    }

    @Test("a few bytes that stand for 2^100 values meet the size limit")
    func billionLaughs() throws {
        var limits = PropertyListLimits()
        limits.walkSize = 10_000
        limits.treeSize = 1_000
        var list = HandmadeList()
        for index in 1...100 { list.objects.append([0xA2, UInt8(index), UInt8(index)]) }
        list.objects.append([0x08])
        let table = try BinaryPropertyList(list.bytes, source: "dag.plist")
        var count = 0
        let walk = #expect(throws: GranaryError.self) { try table.forEachEvent(limits: limits) { _, _ in count += 1 } }
        #expect(walk?.message.contains("10000") == true)
        #expect(count <= 30_000)
        limits.walkSize = .max
        let tree = #expect(throws: GranaryError.self) { try table.tree(limits: limits) }
        #expect(tree?.message.contains("in memory") == true)
    }

    @Test("a long text that is referred to often counts by its bytes")
    func sharedText() throws {
        var limits = PropertyListLimits()
        limits.walkSize = 5_000
        limits.treeSize = 5_000
        // 100 references to 6,400 bytes: 10,000 units of 64.
        let list = HandmadeList(objects: [
            [0xAF, 0x10, 100] + Array(repeating: 1, count: 100),
            [0x4F, 0x11, 0x19, 0x00] + Array(repeating: 0, count: 6_400),
        ])
        #expect(throws: GranaryError.self) {
            try BinaryPropertyList(list.bytes, source: "x").forEachEvent(limits: limits) { (_, _) in }
        }.map { #expect($0.diagnostics.first?.code == .limitExceeded) }
    }

    @Test("cut and changed lists give a value or an error", arguments: 0..<8)
    func mutations(seed: Int) throws {
        var random = RandomTree(seed: UInt64(seed))
        let bytes = try PropertyList.write(.array([random.value(), random.value(), random.value()]), as: .binary)
        var limits = PropertyListLimits()
        limits.walkSize = 100_000
        limits.treeSize = 100_000
        for _ in 0..<150 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random.generator) {
                let index = Int.random(in: 8..<changed.count, using: &random.generator)
                changed[index] = UInt8.random(in: 0...255, using: &random.generator)
            }
            if Bool.random(using: &random.generator) {
                changed = Array(changed.prefix(Int.random(in: 0...changed.count, using: &random.generator)))
            }
            _ = try? PropertyList.read(changed, source: "fuzz", limits: limits)
        }
    }
}
