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
}
