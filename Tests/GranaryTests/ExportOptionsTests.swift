import Foundation
import Granary
import TestSupport
import Testing

/// The options of an export: columns, references and the form of values.
@Suite("Export options") struct ExportOptionsTests {
    private let folder: TemporaryFolder
    private let container: PersistentContainer

    init() async throws {
        folder = try TemporaryFolder()
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Ward", [.attribute("name", .string), .toMany("beds", "Bed", inverse: "ward")], unique: [["name"]]),
            EntityDescription(
                "Bed",
                [
                    .attribute("number", .integer16), .attribute("made", .date), .attribute("plate", .binary),
                    .attribute("note", .string), .toOne("ward", "Ward", inverse: "beds"),
                ]),
        ])
        container = try PersistentContainer(model: model, store: .inMemory)
        try await container.perform { context in
            let ward = try context.insert(into: "Ward")
            try ward.setValue("red", forKey: "name")
            for number in 1...3 {
                let bed = try context.insert(into: "Bed")
                try bed.setValue(.integer(Int64(number)), forKey: "number")
                try bed.setValue(.date(Date(timeIntervalSinceReferenceDate: 0)), forKey: "made")
                try bed.setValue(.binary(Data([0, 255])), forKey: "plate")
                try bed.setObject(ward, forKey: "ward")
            }
            try context.save()
        }
    }

    private func export(
        _ columns: String..., entity: String = "Bed", format: DataFormat = .csv,
        _ change: (inout ExportOptions) -> Void
    ) async throws -> String {
        var options = ExportOptions()
        options.entities = [entity]
        options.columns = columns
        change(&options)
        let url = folder.url.appending(path: "out")
        let destination: ExportDestination = .file(url, format: format, replacing: true)
        let report: ExportReport = try await Exporter(options: options).run(container, to: destination)
        let table: ExportReport.Table = try #require(report.tables.first)
        #expect(table.entity == entity && table.objects == report.objects && report.warnings.isEmpty)
        return try String(contentsOf: url, encoding: .utf8)
    }

    @Test("References by key or by id, with identifiers where they are needed")
    func references() async throws {
        let styles: [(ExportOptions.ReferenceStyle?, String)] = [(nil, "red"), (.key, "red"), (.id, "Ward/p1")]
        for (style, text) in styles {
            let table = try await export("number", "ward") { $0.reference = style }
            #expect(table == "number,ward\n1,\(text)\n2,\(text)\n3,\(text)\n")
        }
        let identifiers: [(ExportOptions.Identifiers?, Bool)] = [(nil, true), (.always, true), (.whereNeeded, false)]
        for (identifier, expected) in identifiers {
            let table = try await export(entity: "Ward", format: .json) { $0.identifiers = identifier }
            #expect(table.contains("\"$id\"") == expected, "\(table)")
        }
    }

    @Test("A predicate, an order and a limit select objects; columns can be key paths")
    func selection() async throws {
        let chosen = try await export("number", "ward.name") {
            $0.predicate = .compare(.keyPath("number"), .greater, .constant(.integer(1)))
            $0.sortDescriptors = [ObjectSortDescriptor("number", ascending: false)]
            $0.limit = 1
            $0.offset = 1
        }
        #expect(chosen == "number,ward.name\n2,red\n")
        #expect(
            try await export("name", "beds.@count", entity: "Ward") { $0.limit = nil } == "name,beds.@count\nred,3\n")
    }

    @Test("The forms of dates, binary data and NULL")
    func values() async throws {
        let dates: [(DateStyle, String)] = [(.iso8601, "2001-01-01T00:00:00Z"), (.seconds, "0.0")]
        for (style, text) in dates {
            let table = try await export("made") { $0.dates = style }
            #expect(table == "made\n\(text)\n\(text)\n\(text)\n")
        }
        for (style, text) in [(BinaryStyle.base64, "AP8="), (.hex, "00ff")] {
            let table = try await export("plate") { $0.binary = style }
            #expect(table.lowercased() == "plate\n\(text)\n\(text)\n\(text)\n".lowercased())
        }
        let table = try await export("number", "note") {
            $0.nullText = "NULL"
            $0.batchSize = 1
        }
        #expect(table == "number,note\n1,NULL\n2,NULL\n3,NULL\n")
    }

    @Test("Property lists in both encodings are read again")
    func propertyLists() async throws {
        let xml = try await export("number", format: .plist) { $0.propertyListEncoding = .xml }
        #expect(xml.hasPrefix("<?xml"))
        var options = ExportOptions()
        options.propertyListEncoding = PropertyListEncoding.binary
        let url = folder.url.appending(path: "all.plist")
        try await Exporter(options: options).run(container, to: .file(url))
        let data = try Data(contentsOf: url)
        #expect(data.prefix(8) == Data("bplist00".utf8))
        let copy = try PersistentContainer(model: container.schema.model, store: .inMemory)
        let report = try await Importer(entity: nil, from: .file(url)).run(into: copy)
        #expect(report.created == 4)
    }

    @Test("CSV of several entities cannot go to standard output")
    func standardOutput() async throws {
        let error = await #expect(throws: GranaryError.self) {
            try await Exporter().run(container, to: .standardOutput(.csv))
        }
        #expect(error?.code == .usage)
    }

    @Test("A constant table with several values in a term")
    func terms() async throws {
        let text = try await export(format: .terms) {
            $0.terms = ExportOptions.Terms("number", "made", delimiter: "%")
            $0.terms?.fieldDelimiter = "="
            #expect($0.terms?.attributes == ["number", "made"] && $0.terms?.delimiter == "%")
            $0.dates = .seconds
        }
        #expect(text == "1=0.0%2=0.0%3=0.0\n")
    }
}
