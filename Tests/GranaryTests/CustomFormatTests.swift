import Foundation
import Granary
import TestSupport
import Testing

/// A format that Granary does not have, read and written by a user's own code: `key=value; key=value` lines.
private final class PairReader: RecordReader {
    let sourceName: String
    let columns = ["name", "number", "tags", "brewed", "image"]
    private var lines: ArraySlice<Substring>
    private var line = 0

    init(_ text: String, name: String) {
        sourceName = name
        lines = text.split(separator: "\n")[...]
    }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        guard let text = lines.popFirst() else { return .end }
        line += 1
        record.begin(number: line, line: line)
        for pair in text.split(separator: "; ") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let position = SourcePosition(file: sourceName, line: line, column: 1)
            guard parts.count == 2, let column = columns.firstIndex(of: parts[0]) else {
                return .malformed(
                    Diagnostic(Diagnostic.Code(rawValue: "pairs.syntax"), "\"\(pair)\" is not a pair", at: position))
            }
            switch parts[0] {
            case "number": try record.append(.value(.number(parts[1])), column: column, at: position)
            case "tags":
                try record.append(
                    .list(parts[1].split(separator: "+").map { .text(String($0)) }), column: column, at: position)
            case "brewed":
                let date = Date(timeIntervalSinceReferenceDate: Double(parts[1]) ?? 0)
                try record.append(.value(.date(date)), column: column, at: position)
            case "image": try record.append(.value(.binary(Data(parts[1].utf8))), column: column, at: position)
            default: try record.append(.value(.bareText(parts[1])), column: column, at: position)
            }
        }
        return .record
    }
}

/// Leaves out the records of another reader whose name is `skip`.
private final class SkippingReader: RecordReader {
    private let base: any RecordReader
    var sourceName: String { base.sourceName }
    var columns: [String] { base.columns }

    init(_ base: any RecordReader) { self.base = base }

    func readHeader() throws(GranaryError) { try base.readHeader() }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        while true {
            let outcome = try base.next(into: &record)
            guard case .record = outcome, record.field(column: 0) == .value(.bareText("skip")) else { return outcome }
        }
    }
}

/// Uses a column that it does not have.
private final class BrokenReader: RecordReader {
    let sourceName = "broken"
    let columns = ["name"]

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        record.begin(number: 1)
        try record.append(.value(.text("x")), column: 7)
        return .record
    }
}

private final class PairWriter: RecordWriter {
    private(set) var lines: [String] = []
    private var columns: [String] = []

    func beginTable(entity: String, columns: [String]) { self.columns = columns }

    func writeRow(_ fields: [RecordField?]) {
        lines.append(
            zip(columns, fields).compactMap { column, field in
                switch field {
                case .value(.text(let text)): "\(column)=\(text)"
                case .value(.integer(let number)): "\(column)=\(number)"
                case .value(.date(let date)): "\(column)=\(date.timeIntervalSinceReferenceDate)"
                case .value(.binary(let data)): "\(column)=\(String(decoding: data, as: UTF8.self))"
                case .list(let values): "\(column)=\(values.count) elements"
                default: nil
                }
            }.joined(separator: "; "))
    }

}

private struct PrinterIsOut: Error {}

private final class FailingWriter: RecordWriter {
    func beginTable(entity: String, columns: [String]) {}

    func writeRow(_ fields: [RecordField?]) throws { throw PrinterIsOut() }
}

@Suite struct CustomFormatTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Coffee",
            [
                .attribute("name", .string, .required), .attribute("number", .integer32),
                .attribute("brewed", .date), .attribute("image", .binary),
                .toMany("tags", "Tag", inverse: "coffees"),
            ]),
        EntityDescription(
            "Tag", [.attribute("name", .string, .required), .toMany("coffees", "Coffee", inverse: "tags")]),
    ])

    private func importer(_ text: String, run: ImportRunOptions = ImportRunOptions()) -> Importer {
        var options = ImportOptions()
        options.lookups = ["tags": .attribute("name")]
        options.onMissing = .create
        return Importer(
            entity: "Coffee", from: .records(name: "in.pairs") { PairReader(text, name: "in.pairs") }, options: options,
            run: run)
    }

    @Test func aReaderOutsideGranaryIsImportedAndAWriterExported() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let report = try await importer(
            "name=Java; number=7; tags=hot+black; brewed=0.5; image=xyz\nname=Sumatra\n"
        ).run(into: container)
        #expect(report.created == 2 && report.madeByLookup == 2)
        var options = ExportOptions()
        options.entities = ["Coffee"]
        options.columns = ["name", "number", "tags", "brewed", "image"]
        let collected = try await export(container, options)
        #expect(
            collected == [
                "name=Java; number=7; tags=2 elements; brewed=0.5; image=xyz", "name=Sumatra; tags=0 elements",
            ])
    }

    private func export(_ container: PersistentContainer, _ options: ExportOptions) async throws -> [String] {
        final class Lines: @unchecked Sendable { var value: [String] = [] }
        final class Relay: RecordWriter {
            private let inner = PairWriter()
            private let lines: Lines
            init(_ lines: Lines) { self.lines = lines }
            func beginTable(entity: String, columns: [String]) { inner.beginTable(entity: entity, columns: columns) }
            func writeRow(_ fields: [RecordField?]) { inner.writeRow(fields) }
            func finish() { lines.value = inner.lines }
        }
        let lines = Lines()
        try await Exporter(options: options).run(container, into: Relay(lines))
        return lines.value
    }

    @Test func rejectsOfAReaderOutsideGranaryAreJSONLines() async throws {
        let folder = try TemporaryFolder()
        var run = ImportRunOptions()
        run.mode = .keepGood
        run.rejectsPath = folder.url.appending(path: "bad").path
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let report = try await importer("name=Java\nnumber=x; tags=a+b; brewed=0\nwhat\nname=; number=1\n", run: run)
            .run(into: container)
        #expect(report.created == 1 && report.rejected == 3)
        #expect(report.diagnostics.map(\.position?.line) == [2, 2, 3, 4])
        let rejects = try String(contentsOf: folder.url.appending(path: "bad"), encoding: .utf8)
        #expect(
            rejects == """
                {"number":"x","tags":["a","b"],"brewed":"2001-01-01T00:00:00Z"}
                {"$record":"(this record could not be read)"}
                {"name":null,"number":1}

                """)
    }

    @Test func aReaderCanWrapOneOfGranarys() async throws {
        let source = ImportSource.text("name\nskip\nJava\n", format: .csv)
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let importer = Importer(
            entity: "Coffee",
            from: .records(name: "wrapped") { () throws(GranaryError) in SkippingReader(try source.makeReader()) })
        let report = try await importer.run(into: container)
        #expect(report.read == 1 && report.created == 1)
    }

    @Test func aBrokenReaderIsAnErrorAndNoTrap() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        let error = await #expect(throws: GranaryError.self) {
            try await Importer(entity: "Coffee", from: .records(name: "broken") { BrokenReader() }).run(into: container)
        }
        #expect(error?.code == .usage)
        #expect(error?.message == "broken: record 1 has a field in column 7, and the number of columns is 1")
    }

    @Test func anErrorOfAWriterEndsTheExport() async throws {
        let container = try PersistentContainer(model: Self.model, store: .inMemory)
        _ = try await importer("name=Java\n").run(into: container)
        let error = await #expect(throws: GranaryError.self) {
            try await Exporter().run(container, into: FailingWriter())
        }
        #expect(error?.underlying is PrinterIsOut)
    }
}
