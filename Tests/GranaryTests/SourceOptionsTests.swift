import Foundation
import Granary
import Testing

/// The options that say how the bytes of a source become records.
@Suite("Source options") struct SourceOptionsTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Item", [.attribute("name", .string), .attribute("brand", .string), .attribute("number", .integer32)])
    ])

    /// Imports into an empty store and returns the rows as `name|brand|number`.
    private func rows(
        of source: ImportSource, blankLines: Int = 0, options: ImportOptions = ImportOptions()
    ) async throws -> [String] {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let report = try await Importer(entity: "Item", from: source, options: options).run(into: container)
        #expect(report.skippedBlankLines == blankLines)
        return try await container.perform { context in
            try context.fetchAll("Item").map { item in
                let number = try item.integer(forKey: "number").map { "\($0)" }
                return [try item.string(forKey: "name"), try item.string(forKey: "brand"), number]
                    .map { $0 ?? "-" }.joined(separator: "|")
            }
        }
    }

    private static let texts: [(text: String, rows: [String], change: @Sendable (inout SourceOptions) -> Void)] = [
        ("name;brand\nA;x\n", ["A|x|-"], { $0.delimiter = ";" }),
        ("name,brand\n'A,B',x\n", ["A,B|x|-"], { $0.quote = UInt8(ascii: "'") }),
        ("# a remark\nname,brand\n# another\nA,x\n", ["A|x|-"], { $0.comment = UInt8(ascii: "#") }),
        ("Items of 2026\nname,brand\nA,x\n", ["A|x|-"], { $0.skipRows = 1 }),
        (
            "A,x\nB,y\n", ["A|x|-", "B|y|-"],
            {
                $0.hasHeader = false
                $0.columns = ["name", "brand"]
            }
        ),
        ("name\nA\u{0}B\n", ["A\u{0}B|-|-"], { $0.allowsNUL = true }),
        ("name\n\nA\n", ["-|-|-", "A|-|-"], { $0.blankLines = BlankLines.null }),
        ("name\tbrand\nA\tx\n", ["A|x|-"], { $0.format = DataFormat.tsv }),
        ("{\"name\": \"A\"}\n{\"number\": 7}\n", ["A|-|-", "-|-|7"], { $0.format = .ndjson }),
    ]

    @Test("Each option of a text", arguments: texts.indices)
    func options(index: Int) async throws {
        let (text, rows, change) = Self.texts[index]
        var options = SourceOptions()
        options.format = .csv
        change(&options)
        let source = ImportSource.bytes(Data(text.utf8), name: "in", options: options)
        #expect(try await self.rows(of: source) == rows)
    }

    @Test("Blank lines of a file with one column are skipped and counted")
    func skippedBlankLines() async throws {
        #expect(SourceOptions().blankLines == .skip)
        #expect(try await rows(of: .text("name\n\nA\n\n", format: .csv), blankLines: 2) == ["A|-|-"])
    }

    @Test("A constant table with several values in a term, numbered from 1")
    func terms() async throws {
        var options = SourceOptions()
        options.delimiter = "%"
        options.fieldDelimiter = "="
        options.attributes = ["name", "brand"]
        options.ordinal = "number"
        options.ordinalStart = 1
        #expect(try await rows(of: .terms("A=x%B=y", options: options)) == ["A|x|1", "B|y|2"])
    }

    @Test("The format follows from the name of a file")
    func formats() {
        #expect(DataFormat(fileName: "a.tsv") == .tsv && DataFormat(fileName: "a.ndjson") == .ndjson)
        #expect(DataFormat(fileName: "towns.GeoJSON") == .json && DataFormat(fileName: "a.topojson.gz") == .json)
        #expect(DataFormat(fileName: "a.csv.gz") == .csv && DataFormat(fileName: "a.xlsx") == nil)
        #expect(DataFormat.allCases.filter(\.holdsSeveralEntities) == [.json, .plist])
        #expect(ImportSource.standardInput(options: SourceOptions()).name == "<stdin>")
    }
}
