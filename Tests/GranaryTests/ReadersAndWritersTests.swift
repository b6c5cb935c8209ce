import Foundation
import Granary
import Testing

/// Reads entities, each with the same columns, from arrays of typed values.
private final class ArrayReader: RecordReader {
    let sourceName = "arrays"
    let entities: [String]
    let columns: [String]
    private var records: ArraySlice<(entity: Int, fields: [RecordValue])>
    private var count = 0
    private(set) var hasHeader = false

    init(entities: [String], columns: [String], records: [(entity: Int, fields: [RecordValue])]) {
        self.entities = entities
        self.columns = columns
        self.records = records[...]
    }

    func readHeader() throws(GranaryError) { hasHeader = true }

    func headerPosition(ofColumn index: Int?) -> SourcePosition? {
        SourcePosition(file: sourceName, line: 1, column: (index ?? 0) + 1)
    }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        guard hasHeader, let next = records.popFirst() else { return .end }
        count += 1
        record.begin(number: count, line: count + 1)
        record.entityIndex = entities.isEmpty ? nil : next.entity
        for (column, value) in next.fields.enumerated() { try record.append(.value(value), column: column) }
        return .record
    }
}

/// Keeps the calls that it receives.
private final class CallWriter: RecordWriter {
    nonisolated(unsafe) static var calls: [String] = []
    nonisolated(unsafe) static var rows: [[RecordField?]] = []

    func beginTable(entity: String, columns: [String]) { Self.calls.append("begin \(entity) \(columns.count)") }

    func writeRow(_ fields: [RecordField?]) {
        Self.calls.append("row")
        Self.rows.append(fields)
    }

    func endTable() { Self.calls.append("end") }

    func finish() { Self.calls.append("finish") }
}

/// Readers and writers outside Granary: several entities, and values of every type.
@Suite("Readers and writers", .serialized) struct ReadersAndWritersTests {
    private static let columns = ["flag", "whole", "single", "exact", "amount", "id", "link", "text"]
    private let model = ManagedObjectModel(
        entities: ["A", "B"].map { name in
            EntityDescription(
                name,
                [
                    .attribute("flag", .boolean), .attribute("whole", .integer64), .attribute("single", .float),
                    .attribute("exact", .double), .attribute("amount", .decimal), .attribute("id", .uuid),
                    .attribute("link", .uri), .attribute("text", .string),
                ])
        })

    @Test("A source of several entities is imported, and exported with the same values")
    func values() async throws {
        CallWriter.calls = []
        CallWriter.rows = []
        let id = UUID()
        let tenth = try #require(ExactDecimal(isNegative: false, mantissa: 1, exponent: -1))
        let values: [RecordValue] = [
            .boolean(true), .integer(-7), .float(0.5), .double(0.1), .decimal(tenth), .uuid(id),
            .uri("https://example.org"), .null,
        ]
        let container = try PersistentContainer(model: model, store: .inMemory)
        let source = ImportSource.records(name: "arrays") {
            ArrayReader(
                entities: ["A", "B"], columns: Self.columns, records: [(0, values), (1, [.boolean(false)])])
        }
        let report = try await Importer(entity: nil, from: source).run(into: container)
        #expect(report.created == 2)

        var options = ExportOptions()
        options.columns = Self.columns
        let exporter = Exporter(options: options)
        #expect(exporter.options.columns == Self.columns)
        try await exporter.run(container, into: CallWriter())
        #expect(CallWriter.calls == ["begin A 8", "row", "end", "begin B 8", "row", "end", "finish"])
        let row = try #require(CallWriter.rows.first)
        #expect(Array(row.prefix(7)) == values.prefix(7).map { .value($0) })
        #expect(row.last == .some(nil) || row.last == .some(.value(.null)))
        #expect(CallWriter.rows.last?.first == .some(.value(.boolean(false))))
    }

    @Test("A diagnostic about a column has the position of its name")
    func headerPositions() async throws {
        let container = try PersistentContainer(model: model, store: .inMemory)
        let source = ImportSource.records(name: "arrays") {
            ArrayReader(entities: [], columns: ["flag", "shoe"], records: [(0, [.boolean(true), .integer(39)])])
        }
        let error = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "A", from: source).run(into: container)
        }
        let diagnostic = try #require(error?.diagnostics.first)
        #expect(diagnostic.code == .headerUnknown && diagnostic.field == "shoe")
        #expect(diagnostic.position?.line == 1 && diagnostic.position?.column == 2)
    }

    @Test("A record keeps its fields by column")
    func records() throws {
        var record = Record()
        record.begin(number: 3)
        #expect(record.entityIndex == nil && record.field(column: 0) == nil)
        record.entityIndex = 1
        try record.append(.list([.text("a"), .null]), column: 0)
        try record.append(.value(.boolean(true)), column: 2)
        #expect(record.entityIndex == 1 && record.field(column: 0) == .list([.text("a"), .null]))
        #expect(record.field(column: 2) == .value(.boolean(true)))
        let error = #expect(throws: GranaryError.self) { try record.append(.value(.null), column: -1) }
        #expect(error?.code == .usage)
    }
}
