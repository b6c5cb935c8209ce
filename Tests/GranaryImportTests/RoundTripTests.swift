import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranaryModelFiles
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// A store that is exported and imported again is the same store, for every attribute type in every format.
@Suite struct RoundTripTests {
    enum Format: String, CaseIterable, Sendable {
        case csv, tsv, json, ndjson, xml, binary

        func write(_ store: any StoreBackend, _ entity: String, to path: String) throws {
            var options = ExportOptions()
            options.entities = [entity]
            options.identifiers = .always
            let exporter = Exporter(options: options)
            let output = try ByteOutput.file(path, replacing: false)
            switch self {
            case .csv: _ = try exporter.run(store, into: CSVWriter(output))
            case .tsv: _ = try exporter.run(store, into: CSVWriter(output, options: .tsv))
            case .json, .ndjson:
                var writing = JSONWriter.Options()
                writing.shape = self == .json ? .array : .lines
                _ = try exporter.run(store, into: JSONWriter(output, options: writing))
            case .xml, .binary:
                var writing = PropertyListWriter.Options()
                writing.encoding = self == .xml ? .xml : .binary
                _ = try exporter.run(store, into: PropertyListWriter(output, options: writing))
            }
        }

        func reader(_ path: String) throws -> any RecordReader {
            let source = try ByteSource(path: path)
            switch self {
            case .csv: return try CSVReader(source)
            case .tsv: return try CSVReader(source, options: .tsv)
            case .json: return JSONReader(source)
            case .ndjson:
                var options = JSONReader.Options()
                options.lines = true
                return JSONReader(source, options: options)
            case .xml, .binary: return PropertyListReader(source)
            }
        }
    }

    /// Every stored type, with a default and without, and a composite.
    private static let model: ManagedObjectModel = {
        let types: [(String, AttributeType)] = [
            ("i16", .integer16), ("i32", .integer32), ("i64", .integer64), ("decimal", .decimal), ("double", .double),
            ("float", .float), ("string", .string), ("boolean", .boolean), ("date", .date), ("binary", .binary),
            ("uuid", .uuid), ("uri", .uri), ("transformable", .transformable),
        ]
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Values",
                types.map { .attribute($0.0, $0.1) } + [
                    .attribute("named", .string, .defaultValue("x")),
                    .attribute("place", .composite, .composite("Place")),
                ])
        ])
        model.composites = [
            CompositeDescription(
                name: "Place",
                elements: [
                    AttributeDescription(name: "x", type: .double), AttributeDescription(name: "label", type: .string),
                ])
        ]
        return model
    }()

    /// Values at the ends of their types, and NULL.
    private static func values(_ name: String, _ type: AttributeType, xml: Bool) throws -> [AttributeValue?] {
        func decimal(_ text: String) throws -> AttributeValue { .decimal(try #require(Decimal(string: text))) }
        switch type {
        case .integer16: return [nil, 0, .integer(-32_768), 32_767]
        case .integer32: return [nil, 0, .integer(-2_147_483_648), 2_147_483_647]
        case .integer64: return [nil, 0, .integer(.min), .integer(.max), 9_007_199_254_740_993]
        case .decimal:
            return [nil, try decimal("0"), try decimal("0.1"), try decimal("-123456789012345"), try decimal("1e-20")]
        case .double:
            return [nil, .double(0.1), .double(-1e300), .double(.leastNonzeroMagnitude), .double(5), .double(1 / 3)]
        case .float: return [nil, .float(0.1), .float(.greatestFiniteMagnitude), .float(.leastNonzeroMagnitude)]
        case .string:
            let texts = [
                "", " ", "a", "\"", ",", ";", "\n", "\r\n", "\r", "\t", "é", "e\u{301}", "😀", "NULL", "<&>]]>",
            ]
            return [nil] + texts.map { .string($0) } + (xml ? [] : ["\u{1}\u{7F}"])
        case .boolean: return [nil, true, false]
        case .date:
            return [nil, 0, 0.5, -63_113_904_000, 252_423_993_599, 801_000_000.123456].map {
                $0.map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            }
        case .binary, .transformable:
            return [nil, .binary(Data()), .binary(Data([0])), .binary(Data((0...255).map { UInt8($0) }))]
        case .uuid: return [nil, .uuid(try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")))]
        case .uri: return [nil, .uri(try #require(URL(string: "https://example.org/%20?q=a;b&c=%22#d")))]
        default: return [nil]
        }
    }

    @Test(arguments: Format.allCases)
    func `Every value of every type comes back`(_ format: Format) throws {
        let (store, folder) = try TestImport.sqlite(Self.model)
        defer { withExtendedLifetime(folder) {} }
        let entity = try #require(store.schema.entity(named: "Values"))
        let columns = try entity.attributes.map { ($0, try Self.values($0.name, $0.type, xml: format == .xml)) }
        for row in 0..<20 {
            var values: [String: AttributeValue] = [:]
            for (attribute, all) in columns {
                if let value = all[row % all.count] { values[attribute.name] = value }
            }
            try ExportSamples.insert("Values", Int64(row * 3 + 1), values, into: store)
        }
        let path = folder.url.appending(path: "out").path
        try format.write(store, "Values", to: path)
        let (again, second) = try TestImport.sqlite(Self.model)
        defer { withExtendedLifetime(second) {} }
        let run = try TestImport.of([try format.reader(path)], "Values", again)
        #expect(run.report.created == 20, "\(run.problems)")
        var options = ExportOptions()
        options.reference = .id
        #expect(
            try ExportSamples.json(again, options, shape: .document).utf8
                .elementsEqual(ExportSamples.json(store, options, shape: .document).utf8))
    }

    @Test(arguments: [JSONWriter.Shape.document])
    func `Relationships of every kind come back`(_ shape: JSONWriter.Shape) throws {
        let store = try ExportSamples.companyStore()
        let text = try ExportSamples.json(store, shape: shape)
        let again = try TestImport.json(text, nil, ExportSamples.company)
        #expect(again.report.created == 7, "\(again.messages)")
        #expect(try ExportSamples.json(again.store, shape: shape) == text)
        let ids = try TestImport.of([], nil, store)
        let byID = try ids.document
        let third = try TestImport.json(byID, nil, ExportSamples.company) {
            for name in ["department", "head", "tags", "friends", "staff", "persons"] { $0.lookups[name] = .identifier }
        }
        #expect(third.report.created == 7, "\(third.messages)")
        #expect(try third.document == byID)
    }

    /// The stores of public apps whose model is at hand: path and model, as their list names them.
    static let realStores: [(String, String)] = {
        guard let list = try? SharedFiles.url("coredata/stores/MANIFEST.tsv"),
            let text = try? String(contentsOf: list, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").dropFirst().compactMap { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count >= 10, !fields[9].isEmpty else { return nil }
            let folder = fields[0].replacing("/", with: "__")
            return ("coredata/stores/\(folder)/\(fields[3])", "coredata/models/\(fields[9])")
        }
    }()

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"), arguments: realStores.prefix(3))
    func `A real store comes back with every object, value and link`(_ path: String, _ modelPath: String) throws {
        let folder = try TemporaryFolder()
        let source = try SharedFiles.url(path)
        let copy = folder.url.appending(path: "real.sqlite").path
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
            try FileManager.default.copyItem(atPath: source.path + suffix, toPath: copy + suffix)
        }
        let model = try ManagedObjectModel(contentsOf: SharedFiles.url(modelPath))
        let schema = try model.resolved()
        var options = ExportOptions()
        options.reference = .id
        let text = try ExportSamples.json(
            try SQLiteStore.open(path: copy, schema: schema, readOnly: true), options, shape: .document)
        var reading = ImportOptions()
        for relationship in schema.entities.flatMap(\.relationships) {
            reading.lookups[relationship.name] = .identifier
        }
        let new = try SQLiteStore.create(path: folder.url.appending(path: "new.sqlite").path, schema: schema)
        let run = try TestImport.of([TestImport.reader(json: text)], nil, new, reading)
        #expect(!run.report.isRefused, "\(run.messages.prefix(5))")
        #expect(try ExportSamples.json(new, options, shape: .document).utf8.elementsEqual(text.utf8))
    }
}
