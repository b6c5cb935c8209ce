import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import GranaryRecords
@testable import SeedingTestSupport

/// The descriptions beside exported files.
struct SidecarTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.url.path + "/" + name }

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("day", .date), .attribute("data", .binary), .attribute("text", .string),
                .toOne("owner", "Owner", inverse: nil), .toMany("others", "Thing", inverse: nil),
            ]), EntityDescription("Owner", [.attribute("name", .string)], unique: [["name"]]),
    ])

    private func store() throws -> InMemoryStore {
        let store = try ExportSamples.store(Self.model)
        try ExportSamples.insert("Owner", 1, ["name": "Ann"], into: store)
        try ExportSamples.insert(
            "Thing", 1,
            [
                "day": .date(Date(timeIntervalSinceReferenceDate: 0.1)), "data": .binary(Data([0xFB, 0xEF])),
                "text": "",
            ],
            to: ["owner": ("Owner", 1)], into: store)
        try ExportSamples.insert("Thing", 2, ["text": "NULL"], into: store)
        try ExportSamples.link("Thing", 1, "others", to: [("Thing", 2)], in: store)
        return store
    }

    private func export(_ format: DataFormat, _ change: (inout ExportOptions) -> Void = { _ in }) throws {
        var options = ExportOptions()
        change(&options)
        _ = try Exporter(options: options).run(store(), to: .path(path("out/"), format: format, replacing: true))
    }

    /// What stands where a sidecar must be, and what the message says about it.
    static let brokenTexts = [
        ("", "is empty"), ("\n ", "is truncated"), ("{", "is truncated"), ("{\n  \"granarySi", "is truncated"),
        ("{\n  \"granarySi\n", "is truncated"),
        ("{\"granarySidecar\": 1, \"files\": {", "is not valid JSON, or is truncated"),
        ("{\"granarySidecar\": 1, \"files\": []}", "at \"files\""),
        ("{\"granarySidecar\": \"1\", \"files\": {}}", "at"),
        ("{\"granarySidecar\": 1}", "has no member \"files\""),
        ("{\"granarySidecar\": 1, \"files\": {\"Thing.csv\": [{\"entity\": 7, \"columns\": []}]}}", "entity"),
    ]

    @Test("A broken sidecar is an error that says what to do", arguments: brokenTexts, [true, false])
    func broken(_ item: (text: String, reason: String), isOwn: Bool) throws {
        try export(.csv)
        let name = isOwn ? "out/Thing.csv.granary.json" : "out/granary.json"
        _ = try folder.write(item.text, to: name)
        let error = #expect(throws: GranaryError.self) { try ImportSidecar.find(besides: path("out/Thing.csv")) }
        #expect(error?.code == .refused && error?.diagnostics.first?.position?.file == path(name))
        let message = error?.diagnostics.first?.message ?? ""
        #expect(message.contains(item.reason) && message.contains("remove it"), "\(message)")
    }

    /// A file `granary.json` can be another one; a file with the name of one source's sidecar cannot.
    @Test(arguments: ["[]", "null", "7", "\"text\"", "{}", "[{\"name\": \"Ann\"}]"])
    func otherFiles(_ text: String) throws {
        try export(.csv)
        _ = try folder.write(text, to: "out/granary.json")
        #expect(try ImportSidecar.find(besides: path("out/Thing.csv")) == nil)
        _ = try folder.write(text, to: "out/Thing.csv.granary.json")
        let error = #expect(throws: GranaryError.self) { try ImportSidecar.find(besides: path("out/Thing.csv")) }
        #expect(error?.diagnostics.first?.message.contains("has the name of a sidecar but is not one") == true)
    }

    @Test("A file that replaces another one does not keep a sidecar that describes it wrongly")
    func staleSidecars() throws {
        let store = try ExportSamples.store(Self.model)
        try ExportSamples.insert("Thing", 1, ["text": "'tis"], into: store)
        let file = path("t.csv")
        var options = ExportOptions()
        options.entities = ["Thing"]
        options.columns = ["text"]
        options.isForSpreadsheets = true
        _ = try Exporter(options: options).run(store, to: .path(file, format: nil, replacing: false))
        options.isForSpreadsheets = false
        _ = try Exporter(options: options).run(store, to: .path(file, format: nil, replacing: true))
        let again = try ExportSamples.store(Self.model)
        let source = ImportSource.file(path: file, options: SourceOptions())
        _ = try Importer(entity: "Thing", from: source).run(into: again)
        #expect(try ExportSamples.json(again, options) == ExportSamples.json(store, options))
    }

    private func imported(
        _ format: DataFormat, model: ManagedObjectModel = model, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> TestImport {
        var options = ImportOptions()
        change(&options)
        let sources = ["Owner", "Thing"].map {
            ImportSource.file(path: path("out/\($0).\(format.rawValue)"), options: SourceOptions())
        }
        let again = try ExportSamples.store(model)
        let job = ImportJob(entity: nil, sources: sources, options: options)
        return TestImport(store: again, report: try Importer(jobs: [job]).run(into: again))
    }

    @Test func content() throws {
        try export(.csv) { $0.entities = ["Owner"] }
        let hash = try #require(Self.model.resolved().versionHashes["Owner"]?.base64EncodedString())
        let checksum = try Self.model.resolved().checksum
        #expect(
            try String(contentsOfFile: path("out/granary.json"), encoding: .utf8) == """
                {
                  "granarySidecar": 1,
                  "format": "csv",
                  "model": "\(checksum)",
                  "order": "primary key",
                  "null": "",
                  "dates": "iso8601",
                  "binary": "base64",
                  "nonFinite": "error",
                  "files": {
                    "Owner.csv": [
                      {
                        "entity": "Owner",
                        "hash": "\(hash)",
                        "columns": [
                          {"name": "name", "type": "String"}
                        ]
                      }
                    ]
                  }
                }

                """)
    }

    /// Exports that need options without their sidecar.
    @Test(arguments: [DataFormat.csv, .tsv, .json, .ndjson, .plist])
    func noOptionsAreNeeded(_ format: DataFormat) throws {
        try export(format) {
            $0.reference = .id
            guard format != .plist else { return }
            $0.dates = .seconds
            $0.binary = .hex
            if format.isDelimited { $0.nullText = "-" }
        }
        let run = try imported(format)
        #expect(run.problems == [] && run.report.created == 3, "\(run.messages)")
        #expect(try run.document == TestImport(store: store(), report: run.report).document)
    }

    @Test func givenOptionsWin() throws {
        try export(.csv) { $0.dates = .seconds }
        let explicit = try imported(.csv) { $0.dateFormats = [.unix] }
        #expect(explicit.report.created == 3)
        #expect(try explicit.csv("Thing", columns: ["$id", "day"]).contains("1970"))
        // A default that was given explicitly wins too.
        let standard = try imported(.csv) { $0.given = .dateFormats }
        #expect(standard.report.diagnostics.map(\.code) == [.valueSyntax], "\(standard.messages)")
    }

    @Test(arguments: [
        (
            EntityDescription("Thing", [.attribute("day", .string), .attribute("data", .binary)]),
            "the column is Date, and the attribute is String"
        ),
        (EntityDescription("Thing", [.attribute("day", .date)]), "Thing has no property \"data\""),
        (EntityDescription("Other", []), "the model has no entity \"Thing\""),
    ])
    func aSidecarThatDoesNotFitTheModel(_ thing: EntityDescription, _ reason: String) throws {
        try export(.csv) { $0.columns = ["day", "data", "name"] }
        let owner = EntityDescription("Owner", [.attribute("name", .string)], unique: [["name"]])
        let other = ManagedObjectModel(entities: [thing, owner])
        let error = #expect(throws: GranaryError.self) { try imported(.csv, model: other) }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.contains { $0.message.contains(reason) && $0.code == .storeMismatch } == true)
        // Without the sidecar, the rows themselves are checked.
        try FileManager.default.removeItem(atPath: path("out/granary.json"))
        #expect(throws: Never.self) { try imported(.csv, model: other) }
    }

    @Test func aChangedModelThatFits() throws {
        try export(.csv)
        var model = Self.model
        let index = try #require(model.entities.firstIndex { $0.name == "Thing" })
        model.entities[index].attributes.append(AttributeDescription(name: "more", type: .integer16))
        model.entities[index].attributes[model.entities[index].attributes.count - 1].isOptional = true
        #expect(try imported(.csv, model: model).report.created == 3)
    }

    @Test(arguments: [
        (#"{"granarySidecar": 2, "files": {}}"#, "version 2"), (#"{"granarySidecar": 1, "files": "#, "not valid"),
        (#"{"granarySidecar": 1, "files": {}, "dates": "x"}"#, "dates"),
        (#"{"granarySidecar": 1, "files": {}, "blobs": "../x"}"#, "beside the data"),
        (#"{"granarySidecar": 1, "files": {}, "blobs": "a/b"}"#, "beside the data"),
        (#"{"granarySidecar": "1", "files": {}}"#, "another kind of value than expected at \"granarySidecar\""),
    ])
    func broken(_ text: String, _ message: String) throws {
        try export(.csv)
        _ = try folder.write(text, to: "out/granary.json")
        let error = #expect(throws: GranaryError.self) { try imported(.csv) }
        #expect(error?.code == .refused && error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    /// Another file of the name is not a sidecar.
    @Test func otherFiles() throws {
        try export(.csv)
        for text in ["{}", "[1]", #"{"name": "granarySidecar"}"#] {
            _ = try folder.write(text, to: "out/granary.json")
            #expect(try imported(.csv).report.created == 3)
            #expect(!ImportSidecar.isSidecar(path("out/granary.json")))
        }
    }

    @Test func spreadsheets() throws {
        let store = try ExportSamples.store(Self.model)
        let texts = [
            "=1+1", "+1", "-1", "@a", "\tx", "\rx", "\nx", "'x", "''", "x=1", "", "NULL", "-", "'=1", " =1", "a,'b",
        ]
        for (index, text) in texts.enumerated() {
            try ExportSamples.insert("Thing", Int64(index + 1), ["text": .string(text)], into: store)
        }
        try ExportSamples.insert("Thing", 100, ["data": .binary(Data([0xFB, 0xEF, 0xBE]))], into: store)
        try ExportSamples.insert(
            "Thing", 101, ["day": .date(Date(timeIntervalSinceReferenceDate: -5))], into: store)
        let thing = ExportSamples.options("Thing")
        for format in [DataFormat.csv, .tsv] {
            var options = ExportOptions()
            options.entities = ["Thing"]
            options.isForSpreadsheets = true
            options.dates = .seconds
            let file = path("sheet.\(format.rawValue)")
            _ = try Exporter(options: options).run(store, to: .path(file, format: nil, replacing: true))
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(text.contains("'=1+1") && text.contains("'++++") && text.contains("-5.0") && !text.contains("'-5"))
            let again = try ExportSamples.store(Self.model)
            let source = ImportSource.file(path: file, options: SourceOptions())
            let report = try Importer(entity: "Thing", from: source).run(into: again)
            #expect(report.created == texts.count + 2, "\(report.diagnostics.map(\.message))")
            #expect(try ExportSamples.json(again, thing) == ExportSamples.json(store, thing))
            // Without the sidecar, the option reads the file.
            try FileManager.default.removeItem(atPath: file + ".granary.json")
            var reading = SourceOptions()
            reading.isForSpreadsheets = true
            let third = try ExportSamples.store(Self.model)
            let unmarked = ImportSource.file(path: file, options: reading)
            var seconds = ImportOptions()
            seconds.dateFormats = [.seconds]
            _ = try Importer(entity: "Thing", from: unmarked, options: seconds).run(into: third)
            #expect(try ExportSamples.json(third, thing) == ExportSamples.json(store, thing))
        }
    }

    @Test func spreadsheetsAreDelimitedText() throws {
        var options = ExportOptions()
        options.isForSpreadsheets = true
        for format in [DataFormat.json, .ndjson, .plist] {
            let error = #expect(throws: GranaryError.self) {
                try Exporter(options: options).run(store(), to: .path(path("x/"), format: format, replacing: false))
            }
            #expect(error?.code == .usage)
        }
        options.nullText = "-"
        options.entities = ["Owner"]
        let null = #expect(throws: GranaryError.self) {
            try Exporter(options: options).run(store(), to: .path(path("x.csv"), format: nil, replacing: false))
        }
        #expect(null?.code == .usage)
    }
}
