import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryPropertyLists
import StoreTestSupport
import TestSupport
import Testing

@Suite("Refused values of Transformable attributes") struct HostileTransformedValueTests {
    let transformer = AttributeTransformer.secureUnarchiveFromData

    struct Foreign: Sendable {}

    /// An archive with these objects behind `$null`, the first of them the root.
    static func archive(
        _ objects: [PropertyListValue], top: [PropertyListEntry] = [PropertyListEntry("root", .uid(1))]
    ) -> PropertyListValue {
        .dictionary([
            .init("$archiver", .string("NSKeyedArchiver")), .init("$version", .integer(100_000)),
            .init("$top", .dictionary(top)), .init("$objects", .array([.string("$null")] + objects)),
        ])
    }

    static func type(_ name: String) -> PropertyListValue {
        .dictionary([.init("$classname", .string(name)), .init("$classes", .array([.string(name)]))])
    }

    /// An object whose class is the second of the archive.
    static func object(_ fields: [PropertyListEntry]) -> PropertyListValue {
        .dictionary(fields + [.init("$class", .uid(2))])
    }

    static func members(_ numbers: [UInt64]) -> PropertyListEntry {
        .init("NS.objects", .array(numbers.map(PropertyListValue.uid)))
    }

    static func keys(_ numbers: [UInt64]) -> PropertyListEntry {
        .init("NS.keys", .array(numbers.map(PropertyListValue.uid)))
    }

    static let refused: [(String, PropertyListValue)] = [
        ("not a keyed archive", .dictionary([])),
        ("has no object \"root\"", archive([.string("a")], top: [])),
        ("only 2 objects", archive([.string("a")], top: [PropertyListEntry("root", .uid(9))])),
        ("only 3 objects", archive([object([members([99])]), type("NSArray")])),
        ("contains itself", archive([object([members([1])]), type("NSArray")])),
        ("contains itself", archive([object([members([3])]), type("NSSet"), object([members([1])])])),
        ("contains itself", archive([object([keys([3]), members([1])]), type("NSDictionary"), .string("k")])),
        ("\"UIColor\"", archive([object([.init("UIRed", .real(1))]), type("UIColor")])),
        (
            "\"Own\\nClass\"",
            archive([
                object([members([3])]), type("NSArray"), .dictionary([.init("$class", .uid(4))]), type("Own\nClass"),
            ])
        ),
        // The class is named, not the circle in it.
        ("\"NSParagraphStyle\"", archive([object([.init("self", .uid(1))]), type("NSParagraphStyle")])),
        (
            "neither a string nor an integer",
            archive([object([keys([3]), members([3])]), type("NSDictionary"), .real(1.5)])
        ),
        (
            "neither a string nor an integer",
            archive([object([keys([1]), members([3])]), type("NSDictionary"), .real(1.5)])
        ),
        (
            "both strings and integers",
            archive([object([keys([3, 4]), members([3, 4])]), type("NSDictionary"), .string("k"), .integer(1)])
        ),
        (
            "a duplicate key",
            archive([
                object([keys([3, 4]), members([3, 4])]), type("NSDictionary"), .string("\u{E9}"), .string("e\u{301}"),
            ])
        ),
        ("2 keys and 1 values", archive([object([keys([3, 3]), members([3])]), type("NSDictionary"), .string("k")])),
        ("is not a URL", archive([object([.init("NS.relative", .uid(3))]), type("NSURL"), .string("http://a b")])),
        ("a date", archive([object([.init("NS.time", .real(.infinity))]), type("NSDate")])),
    ]

    @Test("Broken and foreign archives are refused with what is wrong", arguments: refused)
    func decoding(message: String, list: PropertyListValue) throws {
        let bytes = Data(try PropertyList.write(list, as: .binary))
        let error = #expect(throws: GranaryError.self) { try transformer.decode(bytes) }
        #expect(error?.code == .refused && error?.diagnostics.first?.code == .plistSyntax)
        #expect(error?.message.contains(message) == true, "\(error?.message ?? "-")")
    }

    @Test(
        "What is no property list is refused", arguments: ["", "x", "bplist00", "<?xml version=\"1.0\"?>", "<plist>"])
    func noList(text: String) {
        #expect(throws: GranaryError.self) { try transformer.decode(Data(text.utf8)) }
    }

    @Test("Deep nesting, and few bytes that stand for many values, meet a limit")
    func limits() throws { try checkLimits(depth: 1_000) }

    func checkLimits(depth: Int) throws {
        var chain: [PropertyListValue] = [Self.object([Self.members([3])]), Self.type("NSArray")]
        for index in 4..<depth { chain.append(Self.object([Self.members([UInt64(index)])])) }
        chain.append(.string("end"))
        var shared: [PropertyListValue] = [Self.object([Self.members([3, 3])]), Self.type("NSArray")]
        for index in 4..<64 { shared.append(Self.object([Self.members([UInt64(index), UInt64(index)])])) }
        shared.append(.string("end"))
        for objects in [chain, shared] {
            let bytes = Data(try PropertyList.write(Self.archive(objects), as: .binary))
            let error = #expect(throws: GranaryError.self) { try transformer.decode(bytes) }
            #expect(error?.diagnostics.first?.code == .limitExceeded)
        }
    }

    @Test("A nil root is null")
    func nilRoot() throws {
        let bytes = try PropertyList.write(
            Self.archive([], top: [PropertyListEntry("root", .uid(0))]), as: .binary)
        #expect(try transformer.decode(Data(bytes)) is ArchivedNull)
    }

    @Test("Cut and changed archives give a value or an error", arguments: 0..<6)
    func mutations(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let bytes = Array(try transformer.encode(TransformedSample.random(using: &generator).swift))
        for _ in 0..<200 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                changed[Int.random(in: 8..<changed.count, using: &generator)] = UInt8.random(
                    in: 0...255, using: &generator)
            }
            _ = try? transformer.decode(Data(changed))
            _ = try? transformer.decode(Data(bytes.prefix(Int.random(in: 0..<bytes.count, using: &generator))))
        }
    }

    static let unfit: [(any Sendable, Diagnostic.Code)] = {
        var cases: [(any Sendable, Diagnostic.Code)] = []
        cases.append((Foreign(), .valueSyntax))
        cases.append(([Foreign()], .valueSyntax))
        cases.append((["a": [1: Foreign()]], .valueSyntax))
        cases.append(([1.5: "x"], .valueSyntax))
        cases.append(([UInt64.max: "x"], .valueSyntax))
        cases.append(([ArchivedNull(): 1], .valueSyntax))
        cases.append((Date(timeIntervalSinceReferenceDate: .nan), .valueRange))
        cases.append(([Date(timeIntervalSinceReferenceDate: .infinity)], .valueRange))
        cases.append((Decimal.nan, .valueRange))
        cases.append((UInt128.max, .valueRange))
        cases.append((HostileTransformedValueTests.nested(129), .limitExceeded))
        return cases
    }()

    static func nested(_ depth: Int) -> any Sendable {
        var value: any Sendable = "end"
        for _ in 0..<depth { value = [value] }
        return value
    }

    // By their numbers: Foundation cannot describe every date, and would trap when the test is named.
    @Test("Values that no property list holds are refused", arguments: unfit.indices)
    func encoding(_ index: Int) {
        let (value, code) = Self.unfit[index]
        let error = #expect(throws: GranaryError.self) { try transformer.encode(value) }
        #expect(error?.code == .refused && error?.diagnostics.map(\.code) == [code])
    }

    /// Few bytes as an archive, since equal texts are written once.
    static let manyEqualTexts = [String](repeating: String(repeating: "x", count: 8000), count: 10_000)

    @Test("What is just deep enough goes there and back")
    func deepest() throws {
        let value = Self.nested(128)
        #expect(transformedText(try transformer.decode(transformer.encode(value))) == transformedText(value))
    }
}

@Suite struct HostileTransformedValueLongTests {
    @Test("Deep nesting, and few bytes that stand for many values, meet a limit")
    func limits() throws { try HostileTransformedValueTests().checkLimits(depth: 20_000) }

    @Test func manyEqualTextsAreRefused() {
        let error = #expect(throws: GranaryError.self) {
            try AttributeTransformer.secureUnarchiveFromData.encode(HostileTransformedValueTests.manyEqualTexts)
        }
        #expect(error?.code == .refused && error?.diagnostics.map(\.code) == [.limitExceeded])
    }
}
