import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import TestSupport
import Testing

/// Numbers that an old store contains and that its attributes cannot have: they are exported with a warning, and an
/// import with `--as-is` restores them exactly.
@Suite struct IrregularExportTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Thing",
            [
                .attribute("small", .integer16), .attribute("middle", .integer32), .attribute("large", .integer64),
                .attribute("flag", .boolean), .attribute("rough", .float), .attribute("price", .decimal),
                .attribute("name", .string),
            ])
    ])

    private let run: CommandRun

    init() throws { run = try CommandRun() }

    /// Writes `Model.json` and `Seed.sqlite` with three objects.
    private func writeStore() throws {
        try run.writeModel(Self.model)
        let schema = try Self.model.resolved()
        let store = try SQLiteStore.create(path: run.path("Seed.sqlite"), schema: schema)
        var batch = RowBatch()
        let slots = schema.entities[0].slotCount
        for key in 1...3 { batch.appendRow(entity: 0, key: Int64(key), version: 1, slotCount: slots) }
        try store.transaction { writer in
            try writer.reserveKeys(root: 0, through: 3)
            try writer.insert(batch)
        }
        try store.publish()
    }

    private func export(_ path: String, _ more: [String] = []) async -> CommandRun.Result {
        await run.run(
            ["export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--columns", "$id,\(Self.columns)"]
                + ["--output", "@" + path] + more)
    }

    private static let columns = "small,middle,large,flag,rough,price,name"

    typealias Value = (column: String, value: String, message: String)

    static let values: [Value] = [
        ("small", "70000", "70000 does not fit an Integer 16"),
        ("small", "-9223372036854775808", "-9223372036854775808 does not fit an Integer 16"),
        ("middle", "2147483648", "2147483648 does not fit an Integer 32"),
        ("small", "1.5", "the number 1.5 is not an Integer 16"),
        ("large", "1e19", "the number 1e+19 is not an Integer 64"),
        ("flag", "2", "2 is not a Boolean (0 or 1)"), ("flag", "-1", "-1 is not a Boolean (0 or 1)"),
        ("flag", "0.5", "the number 0.5 is not a Boolean"), ("rough", "1e300", "1e+300 does not fit a Float"),
        ("price", "1e200", "1e+200 is not a Decimal"),
    ]

    static let files = ["a.csv", "a.tsv", "a.json", "a.ndjson", "a.plist"]

    /// One value of each of two attributes in a text format.
    @Test func `Numbers are exported as they are stored and restored exactly`() async throws {
        try await check([Self.values[0], Self.values[5]], "a.csv")
    }

    /// Exports and restores a store with values of different attributes.
    func check(_ values: [Value], _ file: String) async throws {
        try writeStore()
        for (index, value) in values.enumerated() {
            try run.execute(
                "UPDATE ZTHING SET Z\(value.column.uppercased()) = \(value.value) WHERE Z_PK = \(index + 2)")
        }
        let out = await export(file, ["--entity", "Thing"])
        #expect(out.code == 0, "\(out.messages)")
        for (index, value) in values.enumerated() {
            let warning = "warning: Thing.\(value.column): Thing/p\(index + 2): \(value.message)"
            #expect(out.lines.contains { $0.contains(warning) }, "\(warning): \(out.messages)")
        }
        #expect(out.lines.count { $0.contains("warning: ") } == values.count, "\(out.messages)")
        let again = await run.run(
            "import", "@" + file, "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "Thing", "--as-is")
        #expect(again.code == 0, "\(again.messages)")
        #expect(again.lines.count { $0.contains("warning: ") && $0.contains("[value.range]") } == values.count)
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite", "--model", "@Model.json")
        #expect(diff.code == 0, "\(diff.output)\(diff.messages)")
        let strict = await run.run(
            "import", "@" + file, "--model", "@Model.json", "--store", "@Strict.sqlite", "--entity", "Thing")
        #expect(strict.code == 65 && !run.exists("Strict.sqlite"), "\(strict.messages)")
    }

    @Test func `One warning counts the values of a property`() async throws {
        try writeStore()
        try run.execute("UPDATE ZTHING SET ZSMALL = 40000 + Z_PK, ZFLAG = Z_PK")
        let out = await export("a.json")
        #expect(out.code == 0)
        let warnings = out.lines.filter { $0.contains("warning: ") }
        #expect(warnings.count == 2, "\(out.messages)")
        #expect(
            warnings.first?.contains("Thing/p1: 40001 does not fit an Integer 16; it and 2 more such values") ?? false)
        #expect(
            warnings.last?.contains("Thing/p2: 2 is not a Boolean (0 or 1); it and 1 more such value were") ?? false)
    }

    @Test(
        arguments: [
            ("small = 'x'", "text is not an Integer 16", nil),
            ("small = 9e999", "not a finite number", "--non-finite text"),
            ("name = X'80'", "the text is not valid UTF-8 from its byte 0 on", nil),
            ("price = 'x'", "is not a Decimal", nil),
        ] as [(String, String, String?)])
    func `What no format can represent is refused`(_ change: String, _ message: String, _ help: String?) async throws {
        try writeStore()
        try run.execute("UPDATE ZTHING SET Z\(change.prefix { $0 != " " }.uppercased()) \(change.drop { $0 != " " })")
        let out = await export("a.json")
        #expect(out.code == 65 && out.messages.contains(message), "\(out.messages)")
        if let help { #expect(out.messages.contains("help: " + help), "\(out.messages)") }
        #expect(!run.exists("a.json"))
    }

    /// A store keeps the text of a URI, whatever it is.
    @Test(arguments: zip(["a.csv"], ["no uri %%"]))
    func `A text that is no URI is restored`(_ file: String, _ text: String) async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Link", [.attribute("target", .uri), .attribute("name", .string)])
        ])
        try run.writeModel(model)
        let store = try SQLiteStore.create(path: run.path("Seed.sqlite"), schema: try model.resolved())
        var batch = RowBatch()
        batch.appendRow(entity: 0, key: 1, version: 1, slotCount: store.schema.entities[0].slotCount)
        try store.transaction { writer in
            try writer.reserveKeys(root: 0, through: 1)
            try writer.insert(batch)
        }
        try store.publish()
        try run.execute("UPDATE ZLINK SET ZTARGET = '\(text)'")
        let out = await run.run(
            "export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--entity", "Link", "--output", "@" + file)
        #expect(out.code == 0, "\(out.messages)")
        let again = await run.run(
            "import", "@" + file, "--model", "@Model.json", "--store", "@New.sqlite", "--entity", "Link", "--as-is")
        #expect(again.code == 0 && again.messages.contains("warning: Link.target"), "\(again.messages)")
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite", "--model", "@Model.json")
        #expect(diff.code == 0, "\(diff.output)\(diff.messages)")
    }

    @Test func `A date beyond ISO 8601 is exported as seconds`() async throws {
        let model = ManagedObjectModel(entities: [EntityDescription("Event", [.attribute("day", .date)])])
        try run.writeModel(model)
        let store = try SQLiteStore.create(path: run.path("Seed.sqlite"), schema: try model.resolved())
        var batch = RowBatch()
        batch.appendRow(entity: 0, key: 1, version: 1, slotCount: store.schema.entities[0].slotCount)
        batch.set(.date(1e15 + 0.5), row: 0, slot: store.schema.entities[0].attributes[0].slot)
        try store.transaction { writer in
            try writer.reserveKeys(root: 0, through: 1)
            try writer.insert(batch)
        }
        try store.publish()
        let words = ["export", "--store", "@Seed.sqlite", "--model", "@Model.json", "--output", "@a.json"]
        let refused = await run.run(words)
        #expect(refused.code == 65 && refused.messages.contains("help: --dates seconds"), "\(refused.messages)")
        let out = await run.run(words + ["--dates", "seconds"])
        #expect(out.code == 0, "\(out.messages)")
        let again = await run.run(
            "import", "@a.json", "--model", "@Model.json", "--store", "@New.sqlite", "--as-is", "--date-format",
            "seconds")
        #expect(again.code == 0, "\(again.messages)")
        let diff = await run.run("store", "diff", "@Seed.sqlite", "@New.sqlite", "--model", "@Model.json")
        #expect(diff.code == 0, "\(diff.output)\(diff.messages)")
    }
}

@Suite struct IrregularExportLongTests {
    /// Each value in two of the formats, which change from value to value.
    @Test(
        arguments: [0, 1].flatMap { round in
            IrregularExportTests.values.indices.map { index in
                (index, IrregularExportTests.files[(index + round * 2) % IrregularExportTests.files.count])
            }
        })
    func `A number is exported as it is stored and restored exactly`(_ index: Int, _ file: String) async throws {
        try await IrregularExportTests().check([IrregularExportTests.values[index]], file)
    }

    @Test(arguments: ["a.csv", "a.json", "a.plist"], ["no uri %%", "http://a b/", ""])
    func `A text that is no URI is restored`(_ file: String, _ text: String) async throws {
        try await IrregularExportTests().`A text that is no URI is restored`(file, text)
    }
}
