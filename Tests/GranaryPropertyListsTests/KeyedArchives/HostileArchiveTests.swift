import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryPropertyLists

@Suite struct HostileArchiveTests {
    /// An archive with these objects behind `$null`, the first of them the root.
    static func archive(_ objects: [PropertyListValue], top: PropertyListValue = .uid(1)) -> PropertyListValue {
        .dictionary([
            .init("$archiver", .string("NSKeyedArchiver")), .init("$version", .integer(100_000)),
            .init("$top", .dictionary([.init("root", top)])), .init("$objects", .array([.string("$null")] + objects)),
        ])
    }

    static func type(_ name: String) -> PropertyListValue {
        .dictionary([.init("$classname", .string(name)), .init("$classes", .array([.string(name)]))])
    }

    static func object(_ fields: [PropertyListEntry]) -> PropertyListValue {
        .dictionary(fields + [.init("$class", .uid(2))])
    }

    static let broken: [(String, PropertyListValue)] = [
        ("a root past the objects", archive([.string("a")], top: .uid(9))),
        ("a root of 2^64 - 1", archive([.string("a")], top: .uid(.max))),
        ("an object without a class", archive([.dictionary([])])),
        ("a class that is a string", archive([object([]), .string("NSArray")])),
        ("a class that is past the objects", archive([object([])])),
        ("a class that is no reference", archive([.dictionary([.init("$class", type("NSArray"))])])),
        ("a class without a name", archive([object([]), .dictionary([])])),
        ("a class whose name is a number", archive([object([]), .dictionary([.init("$classname", .integer(1))])])),
        (
            "keys without objects",
            archive([object([.init("NS.keys", .array([.uid(3)]))]), type("NSDictionary"), .string("k")])
        ),
        (
            "objects without keys",
            archive([object([.init("NS.objects", .array([.uid(3)]))]), type("NSDictionary"), .string("k")])
        ),
        ("objects that are no array", archive([object([.init("NS.objects", .string("x"))]), type("NSArray")])),
        ("keys that are no array", archive([object([.init("NS.keys", .integer(1))]), type("NSDictionary")])),
        ("a member past the objects", archive([object([.init("NS.objects", .array([.uid(99)]))]), type("NSArray")])),
        ("a collection with a gap", archive([object([.init("NS.object.1", .uid(0))]), type("NSOrderedSet")])),
        ("a collection with a wild member", archive([object([.init("NS.object.x", .uid(0))]), type("NSOrderedSet")])),
        ("a UUID of 3 bytes", archive([object([.init("NS.uuidbytes", .data([1, 2, 3]))]), type("NSUUID")])),
        ("a date without time", archive([object([]), type("NSDate")])),
        ("a date at no time", archive([object([.init("NS.time", .real(.nan))]), type("NSDate")])),
        ("a date that is text", archive([object([.init("NS.time", .string("now"))]), type("NSDate")])),
        ("data without bytes", archive([object([]), type("NSMutableData")])),
        ("data that is itself", archive([object([.init("NS.data", .uid(1))]), type("NSMutableData")])),
        ("text that is itself", archive([object([.init("NS.string", .uid(1))]), type("NSMutableString")])),
        ("text that is no UTF-8", archive([object([.init("NS.bytes", .data([0xFF]))]), type("NSString")])),
        ("a URL that is itself", archive([object([.init("NS.relative", .uid(1))]), type("NSURL")])),
        (
            "a URL whose base is itself",
            archive([object([.init("NS.relative", .uid(3)), .init("NS.base", .uid(1))]), type("NSURL"), .string("a")])
        ),
        ("a decimal without digits", archive([object([.init("NS.length", .integer(1))]), type("NSDecimalNumber")])),
        (
            "a decimal of 200 digits",
            archive([
                object([
                    .init("NS.length", .integer(200)), .init("NS.exponent", .integer(0)),
                    .init("NS.mantissa", .data([1, 2])),
                ]),
                type("NSDecimalNumber"),
            ])
        ),
        (
            "a decimal of more digits than can be counted",
            archive([
                object([
                    .init("NS.length", .integer(1 << 62)), .init("NS.exponent", .integer(0)),
                    .init("NS.mantissa", .data([1, 2])),
                ]),
                type("NSDecimalNumber"),
            ])
        ),
        ("a reference to a reference", archive([.uid(1)])),
    ]

    @Test("broken objects are refused", arguments: broken)
    func refused(name: String, list: PropertyListValue) throws {
        let error = #expect(throws: GranaryError.self, "\(name)") {
            let archive = try KeyedArchive(PropertyList.write(list, as: .binary), source: "x")
            _ = try archive.top().map { item in try archive.tree(item) }
        }
        #expect(error?.diagnostics.first?.code == .plistSyntax, "\(name)")
    }

    @Test(
        "what is no archive is refused",
        arguments: [
            .string("a"), .array([]), .dictionary([]),
            .dictionary([.init("$archiver", .string("Other")), .init("$version", .integer(100_000))]),
            .dictionary([.init("$archiver", .string("NSKeyedArchiver")), .init("$version", .integer(1))]),
            .dictionary([
                .init("$archiver", .string("NSKeyedArchiver")), .init("$version", .integer(100_000)),
                .init("$objects", .integer(1)),
                .init("$top", .dictionary([])),
            ]),
            .dictionary([
                .init("$archiver", .string("NSKeyedArchiver")), .init("$version", .integer(100_000)),
                .init("$objects", .array([])),
                .init("$top", .array([])),
            ]),
        ] as [PropertyListValue])
    func noArchive(list: PropertyListValue) throws {
        let bytes = try PropertyList.write(list, as: .binary)
        #expect(throws: GranaryError.self) { try KeyedArchive(bytes, source: "x") }
    }

    @Test("circles and chains meet the depth limit of trees")
    func deep() throws { try Self.checkChain(length: 20_000) }

    static func checkChain(length: Int) throws {
        let circle = Self.archive([Self.object([.init("NS.objects", .array([.uid(1)]))]), Self.type("NSArray")])
        var chain: [PropertyListValue] = [Self.object([.init("NS.objects", .array([.uid(3)]))]), Self.type("NSArray")]
        for index in 4..<length { chain.append(Self.object([.init("NS.objects", .array([.uid(UInt64(index))]))])) }
        chain.append(Self.object([.init("NS.objects", .array([]))]))
        for list in [circle, Self.archive(chain)] {
            let archive = try KeyedArchive(PropertyList.write(list, as: .binary), source: "x")
            let error = #expect(throws: GranaryError.self) { try archive.tree(#require(try archive.top())) }
            #expect(error?.diagnostics.first?.code == .limitExceeded)
        }
    }

    @Test("objects that are shared too often meet the size limit")
    func shared() throws {
        var objects: [PropertyListValue] = [
            Self.object([.init("NS.objects", .array([.uid(3), .uid(3)]))]), Self.type("NSArray"),
        ]
        for index in 4..<60 {
            objects.append(Self.object([.init("NS.objects", .array([.uid(UInt64(index)), .uid(UInt64(index))]))]))
        }
        objects.append(.string("end"))
        let archive = try KeyedArchive(PropertyList.write(Self.archive(objects), as: .binary), source: "x")
        var limits = PropertyListLimits()
        limits.treeSize = 10_000
        let error = #expect(throws: GranaryError.self) { try archive.tree(#require(try archive.top()), limits: limits) }
        #expect(error?.diagnostics.first?.code == .limitExceeded)
    }

    @Test("cut and changed archives give a tree or an error", arguments: 0..<6)
    func mutations(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let bytes = KeyedArchiveWriter.write(KeyedArchiveTests.plain)
        var limits = PropertyListLimits()
        limits.treeSize = 100_000
        for _ in 0..<200 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                changed[Int.random(in: 8..<changed.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            guard let archive = try? KeyedArchive(changed, source: "fuzz") else { continue }
            _ = try? archive.top().map { item in try archive.tree(item, limits: limits) }
        }
    }
}

@Suite struct HostileArchiveLongTests {
    @Test("circles and chains meet the depth limit of trees")
    func deep() throws { try HostileArchiveTests.checkChain(length: 100_000) }
}
