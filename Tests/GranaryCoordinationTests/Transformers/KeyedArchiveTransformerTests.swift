import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryPropertyLists
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Property lists of Transformable attributes") struct KeyedArchiveTransformerTests {
    let transformer = AttributeTransformer.secureUnarchiveFromData

    @Test("Foundation's archives are read, ours are read by it and by us", arguments: 0..<12)
    func twins(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<10 {
            let sample = TransformedSample.random(using: &generator)
            let expected = transformedText(sample.swift)

            let theirs = try NSKeyedArchiver.archivedData(
                withRootObject: sample.foundation, requiringSecureCoding: false)
            #expect(transformedText(try transformer.decode(theirs)) == expected)

            let ours = try transformer.encode(sample.swift)
            #expect(transformedText(try transformer.decode(ours)) == expected)
            let unarchiver = try NSKeyedUnarchiver(forReadingFrom: ours)
            unarchiver.requiresSecureCoding = false
            let object = try #require(unarchiver.decodeObject(forKey: "root"))
            #expect(NSArray(array: [object]).isEqual(NSArray(array: [sample.foundation])), "\(expected)")
        }
    }

    /// Built a value at a time: one literal of all of them is too much for the type checker.
    static let documented: [(any Sendable, String)] = {
        var cases: [(any Sendable, String)] = []
        cases.append(("t", "text [116]"))
        cases.append(("$null", "text [36, 110, 117, 108, 108]"))
        cases.append((true, "true"))
        cases.append((false, "false"))
        cases.append((Int8(-3), "integer -3"))
        cases.append((UInt16(7), "integer 7"))
        cases.append((Int.min, "integer \(Int64.min)"))
        cases.append((UInt64.max, "unsigned \(UInt64.max)"))
        cases.append((Float(1.5), "real \(1.5.bitPattern)"))
        cases.append((Double.infinity, "real \(Double.infinity.bitPattern)"))
        cases.append((Decimal(sign: .minus, exponent: -3, significand: 12_345), "decimal -12.345"))
        cases.append((ArchivedNull(), "null"))
        cases.append((["a", nil] as [String?], "[text [97], null]"))
        cases.append(([Int](), "[]"))
        cases.append((Set([7]), "[integer 7]"))
        cases.append((["k": [true]], "{text [107]: [true]}"))
        cases.append(([5: "x"], "{5: text [120]}"))
        cases.append((["$null": 1], "{text [36, 110, 117, 108, 108]: integer 1}"))
        cases.append((URL(filePath: "/tmp/a b"), "url file:///tmp/a%20b -"))
        if let base = URL(string: "http://a.example/"), let url = URL(string: "b?c", relativeTo: base) {
            cases.append((url, "url b?c http://a.example/"))
        }
        let mixed: [any Sendable] = [1, "a", [2.5], ["n": ArchivedNull()]]
        cases.append(
            (mixed, "[integer 1, text [97], [real \(2.5.bitPattern)], {text [110]: null}]"))
        return cases
    }()

    @Test("Values come back in the types that the documentation names", arguments: documented)
    func values(value: any Sendable, text: String) throws {
        let decoded = try transformer.decode(transformer.encode(value))
        #expect(transformedText(decoded) == text)
        // What was read can be written again, to the same bytes; but a set has become an array.
        guard !(value is Set<Int>) else { return }
        #expect(try transformer.encode(decoded) == transformer.encode(value))
    }

    @Test("Equal sets and dictionaries give equal bytes")
    func equalBytes() throws {
        let numbers = Array(0..<200)
        var grown = Set<String>(minimumCapacity: 5000)
        for number in numbers.reversed() { grown.insert("\(number)") }
        #expect(try transformer.encode(Set(numbers.map { "\($0)" })) == transformer.encode(grown))
        var entries = [Int: Int](minimumCapacity: 5000)
        for number in numbers.reversed() { entries[number] = -number }
        let same = Dictionary(uniqueKeysWithValues: numbers.map { ($0, -$0) })
        #expect(try transformer.encode(same) == transformer.encode(entries))
    }

    @Test("The classes are Apple's, and the mutable ones are read", arguments: ["", "Mutable"])
    func classes(prefix: String) throws {
        var builder = KeyedArchiveBuilder()
        func names(_ name: String) -> [String] { ["NS\(prefix)\(name)", "NS\(name)", "NSObject"] }
        let text = builder.add(
            classNames: names("String"), fields: [.init("NS.string", builder.add(.string("t")))])
        let data = builder.add(classNames: names("Data"), fields: [.init("NS.data", .data([1]))])
        let set = builder.add(classNames: names("Set"), fields: [.init("NS.objects", .array([text]))])
        let ordered = builder.add(classNames: names("OrderedSet"), fields: [.init("NS.object.0", text)])
        let dictionary = builder.add(
            classNames: names("Dictionary"),
            fields: [.init("NS.keys", .array([text])), .init("NS.objects", .array([data]))])
        let list = builder.add(
            classNames: names("Array"),
            fields: [.init("NS.objects", .array([text, set, ordered, dictionary, .uid(0)]))])
        let bytes = builder.bytes(root: list)
        let expected = "[text [116], [text [116]], [text [116]], {text [116]: data [1]}, null]"
        #expect(transformedText(try transformer.decode(Data(bytes))) == expected)
        // The same archive in XML.
        let xml = try PropertyList.write(PropertyList.read(bytes, source: "x"), as: .xml)
        #expect(transformedText(try transformer.decode(Data(xml))) == expected)
    }

    @Test("What is written is laid out as NSKeyedArchiver does")
    func layout() throws {
        let value: [any Sendable] = [
            ["k": Set(["m"])], Date(timeIntervalSinceReferenceDate: 1), UUID(), ArchivedNull(),
        ]
        let list = try PropertyList.read(Array(transformer.encode(value)), source: "ours")
        #expect(list["$archiver"]?.string == "NSKeyedArchiver" && list["$version"]?.integer == 100_000)
        #expect(list["$top"]?["root"] == .uid(1) && list["$objects"]?.array?.first == .string("$null"))
        let classes = (list["$objects"]?.array ?? []).compactMap { $0["$classname"]?.string }
        #expect(Set(classes) == ["NSArray", "NSDictionary", "NSSet", "NSDate", "NSUUID", "NSNull"])
    }

    @Test(
        "Values of a real store are read, and classes of the app's own are named",
        .enabled(if: SharedFiles.arePresent, "../shared is not there"),
        arguments: [
            ("Model1.sqlite", "SELECT ZFILEURL FROM ZBOOK", nil),
            ("SampleModel2_V2.sqlite", "SELECT ZFRONTCOVER FROM ZBOOK", "CoreDataPlus_Tests.Cover"),
        ] as [(String, String, String?)])
    func realStores(file: String, sql: String, foreignClass: String?) throws {
        let folder = try TemporaryFolder()
        let copy = folder.url.appending(path: file)
        try FileManager.default.copyItem(
            at: SharedFiles.url("coredata/stores/alemar11__CoreDataPlus/\(file)"), to: copy)
        let connection = try Connection(path: copy.path, mode: .readWrite)
        let statement = try connection.prepare(sql)
        var texts: [String] = []
        var count = 0
        while try statement.step() {
            count += 1
            let bytes = Data(try statement.blob(at: 0))
            if let foreignClass {
                let error = #expect(throws: GranaryError.self) { try transformer.decode(bytes) }
                #expect(error?.message.contains("\"\(foreignClass)\"") == true)
            } else {
                texts.append(try #require(try transformer.decode(bytes) as? String))
            }
        }
        #expect(count > 0)
        if foreignClass == nil {
            #expect(texts == ["The Trial.file", "Cosmos.file", "Metamorphosis.file", "Extinction.file"])
        }
    }
}
