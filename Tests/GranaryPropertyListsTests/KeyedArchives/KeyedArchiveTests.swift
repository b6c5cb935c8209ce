import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryPropertyLists

@Suite struct KeyedArchiveTests {
    static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

    /// What `NSKeyedArchiver` takes on Linux without crashing, except that it mistakes `true` for 1.
    static var plain: KeyedArchiveTree {
        .array([
            .string("text é"), .string(""), .integer(-7), .integer(.max), .unsigned(.max), .real(1.5), .date(12.25),
            .data([1, 2, 3]), .data([]), .uuid(uuid), .null, .url(relative: "http://a.example/b", base: nil),
            .array([]), .set([.string("only")]), .array([.array([.string("deep"), .string("text é")])]),
            .dictionary([.init(.string("key"), .array([.integer(-7)]))]), .dictionary([]),
        ])
    }

    @Test("Foundation's archives are read")
    func twinWrites() throws {
        let data = try NSKeyedArchiver.archivedData(withRootObject: Self.plain.foundation, requiringSecureCoding: false)
        let archive = try KeyedArchive(Array(data), source: "twin")
        #expect(try archive.topKeys() == ["root"])
        #expect(try archive.tree(#require(try archive.top())).description == Self.plain.description)
    }

    @Test("Foundation reads our archives")
    func twinReads() throws {
        let bytes = KeyedArchiveWriter.write(Self.plain)
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: Data(bytes))
        unarchiver.requiresSecureCoding = false
        let object = try #require(unarchiver.decodeObject(forKey: "root"))
        #expect(foundationEqual(object, Self.plain.foundation))
    }

    @Test(
        "our archives are read as they were written",
        arguments: [
            plain, .null, .string("root"), .boolean(true), .array([.boolean(true), .integer(1), .real(1)]),
            .orderedSet((0..<12).map { .integer(Int64($0)) }), .url(relative: "b?c", base: "http://a.example/"),
            .object(
                classNames: ["Own", "NSObject"],
                fields: [.init("a", .integer(1)), .init("b", .object(classNames: ["X"], fields: []))]),
            .array([
                decimal(false, 125, -2), decimal(true, 1, -3),
                decimal(false, 99_999_999_999_999_999_999_999_999_999_999_999_999, 0),
                decimal(false, 0, 0), decimal(false, 1, 127), decimal(true, 1, -128), decimal(false, 65_536, 0),
            ]),
        ] as [KeyedArchiveTree])
    func roundTrip(tree: KeyedArchiveTree) throws {
        let archive = try KeyedArchive(KeyedArchiveWriter.write(tree), source: "ours")
        #expect(try archive.tree(#require(try archive.top())).description == tree.description)
    }

    static func decimal(_ isNegative: Bool, _ mantissa: UInt128, _ exponent: Int) -> KeyedArchiveTree {
        ExactDecimal(isNegative: isNegative, mantissa: mantissa, exponent: exponent).map(KeyedArchiveTree.decimal)
            ?? .null
    }

    @Test("an XML archive is the same table")
    func xml() throws {
        let list = try PropertyList.read(KeyedArchiveWriter.write(Self.plain), source: "ours")
        let archive = try KeyedArchive(PropertyList.write(list, as: .xml), source: "ours.xml")
        #expect(try archive.tree(#require(try archive.top())).description == Self.plain.description)
    }

    @Test("fields are read by name and kind")
    func fields() throws {
        var builder = KeyedArchiveBuilder()
        let mutable = builder.add(
            classNames: ["NSMutableString", "NSString", "NSObject"],
            fields: [.init("NS.string", builder.add(.string("m")))])
        let root = builder.reserve()
        let list = builder.add(
            classNames: ["NSMutableArray", "NSArray", "NSObject"],
            fields: [.init("NS.objects", .array([.uid(root), mutable]))])
        let bytes = builder.add(
            classNames: ["NSMutableData", "NSData", "NSObject"], fields: [.init("NS.data", .data([9]))])
        builder.set(
            root, classNames: ["Thing", "NSObject"],
            fields: [
                .init("text", mutable), .init("flag", .boolean(true)), .init("number", .integer(7)),
                .init("real", .real(0.5)),
                .init("list", list), .init("nothing", KeyedArchiveBuilder.null), .init("bytes", bytes),
                .init("self", .uid(root)),
            ])
        let archive = try KeyedArchive(builder.bytes(root: .uid(root)), source: "ours")
        let item = try #require(try archive.top())
        #expect(try archive.className(of: item) == "Thing")
        #expect(try archive.classNames(of: item) == ["Thing", "NSObject"])
        #expect(try archive.string("text", of: item) == "m")
        #expect(try archive.boolean("flag", of: item))
        #expect(try !archive.boolean("no such", of: item))
        #expect(try archive.integer("number", of: item) == 7)
        #expect(try archive.real("number", of: item) == 7)
        #expect(try archive.real("real", of: item) == 0.5)
        #expect(try archive.data("bytes", of: item) == [9])
        #expect(try archive.items("list", of: item)?.first == item)
        #expect(try archive.field("self", of: item) == item)
        #expect(try archive.field("nothing", of: item) == nil)
        #expect(try archive.fields(of: item).map(\.name).contains("nothing"))
        #expect(throws: GranaryError.self) { try archive.integer("text", of: item) }
        #expect(throws: GranaryError.self) { try archive.string("number", of: item) }
        #expect(throws: GranaryError.self) { try archive.items("flag", of: item) }
        // It holds itself: as a table no harm, as a tree refused.
        let error = #expect(throws: GranaryError.self) { try archive.tree(item) }
        #expect(error?.diagnostics.first?.code == .limitExceeded)
    }
}

extension KeyedArchiveTree: CustomStringConvertible {
    /// Enough to compare two trees by.
    public var description: String {
        switch self {
        case .null: "null"
        case .string(let value): "\"\(value)\""
        case .boolean(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .unsigned(let value): "\(value)u"
        case .real(let value): "real \(value)"
        case .decimal(let value): "\(value)"
        case .date(let value): "date \(value)"
        case .data(let value): "data \(value)"
        case .uuid(let value): "\(value)"
        case .url(let relative, let base): "url \(relative) \(base ?? "-")"
        case .array(let values): "\(values)"
        case .set(let values): "set \(values)"
        case .orderedSet(let values): "ordered \(values)"
        case .dictionary(let entries): "{\(entries.map { "\($0.key): \($0.value)" })}"
        case .object(let names, let fields): "\(names) {\(fields.map { "\($0.name): \($0.value)" })}"
        }
    }

    var foundation: Any {
        switch self {
        case .null: NSNull()
        case .string(let value): NSString(string: value)
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .decimal: NSNull()
        case .date(let value): NSDate(timeIntervalSinceReferenceDate: value)
        case .data(let value): NSData(data: Data(value))
        case .uuid(let value): value as NSUUID
        case .url(let relative, _): NSURL(string: relative) ?? NSURL(fileURLWithPath: "/")
        case .array(let values): NSArray(array: values.map(\.foundation))
        case .set(let values): NSSet(array: values.map(\.foundation))
        case .orderedSet(let values): NSOrderedSet(array: values.map(\.foundation))
        case .dictionary(let entries):
            NSDictionary(
                objects: entries.map(\.value.foundation), forKeys: entries.compactMap { $0.key.foundation as? NSString }
            )
        case .object: NSNull()
        }
    }
}
