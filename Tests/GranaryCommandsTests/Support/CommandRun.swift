import Foundation
import GranaryBase
import GranaryCommands
import GranaryModel
import GranaryPredicates
import GranaryModelFiles
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranarySQLite
import TestSupport
import Testing

/// Runs commands in this process, in a folder of the test's own.
struct CommandRun {
    struct Result {
        let code: Int32
        let output: String
        let messages: String

        /// What was written to standard error, by line.
        var lines: [String] { messages.split(separator: "\n").map(String.init) }

        /// The last line, which an import always has.
        var ledger: String { lines.last ?? "" }
    }

    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A slash at the end of the name stays.
    func path(_ name: String) -> String {
        let path = folder.url.appending(path: name).path
        return name.hasSuffix("/") && !path.hasSuffix("/") ? path + "/" : path
    }

    func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
    }

    /// Words that begin with `@` are names in the folder.
    func run(_ words: String...) async -> Result { await run(words) }

    func run(_ words: [String]) async -> Result { capturing(words) }

    private func capturing(_ words: [String]) -> Result {
        let arguments = words.map { $0.hasPrefix("@") ? path(String($0.dropFirst())) : $0 }
        let capture = CommandOutput.Capture()
        let code = CommandOutput.$current.withValue(capture.output) { GranaryMain.run(arguments) }
        return Result(code: code, output: capture.standardOutput, messages: capture.standardError)
    }

    /// Writes a text to a file and imports it into `S.sqlite`, with the model of ``writeModel(_:to:)``.
    func importing(_ text: String, as file: String, entity: String, _ options: [String] = []) async throws -> Result {
        _ = try folder.write(text, to: file)
        return await run(
            ["import", "@" + file, "--model", "@Model.json", "--store", "@S.sqlite", "--entity", entity] + options)
    }

    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Injury",
            [
                .attribute("key", .integer16, .required, .minimum(0)),
                .attribute("name", .string, .required, .length(1...20)),
                .toMany("patients", "Patient", inverse: "injury"),
            ], unique: [["name"]]),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string, .required), .attribute("age", .integer16, .maximum(130)),
                .toOne("injury", "Injury", inverse: "patients"),
            ]),
    ])

    /// Writes `Model.json`.
    func writeModel(_ model: ManagedObjectModel = Self.model, to name: String = "Model.json") throws {
        try model.write(to: folder.url.appending(path: name))
    }

    /// Writes `Model.json` and `Seed.sqlite` with two injuries and two patients.
    func writeStore() throws {
        try writeModel()
        let schema = try Self.model.resolved()
        let store = try SQLiteStore.create(path: path("Seed.sqlite"), schema: schema)
        let (injury, patient) = (schema.entities[0], schema.entities[1])
        var batch = RowBatch()
        for (key, name) in [(1, "Burn"), (2, "Fracture")] {
            let row = batch.appendRow(entity: 0, key: Int64(key), version: 1, slotCount: injury.slotCount)
            set(.integer(Int64(key - 1)), "key", injury, row, &batch)
            set(.string(name), "name", injury, row, &batch)
        }
        for (key, name) in [(1, "Ann"), (2, "Bob")] {
            let row = batch.appendRow(entity: 1, key: Int64(key), version: 1, slotCount: patient.slotCount)
            set(.string(name), "name", patient, row, &batch)
            if key == 1, let slot = patient.relationship(named: "injury")?.slot {
                batch[row, slot] = .reference(key: 2, entity: 0)
                set(.integer(44), "age", patient, row, &batch)
            }
        }
        try store.transaction { writer in
            for entity in schema.entities { try writer.reserveKeys(root: entity.index, through: 2) }
            try writer.insert(batch)
        }
        try store.publish()
    }

    private func set(
        _ value: AttributeValue, _ name: String, _ entity: Schema.Entity, _ row: Int, _ batch: inout RowBatch
    ) {
        guard let attribute = entity.attribute(named: name) else { return }
        value.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
    }

    /// Gives the store the model that Core Data would have put into it; nil for none.
    func writeCache(_ model: ManagedObjectModel?, in name: String = "Seed.sqlite") throws {
        try execute("DELETE FROM Z_MODELCACHE", in: name)
        guard let model else { return }
        let hex = try ModelCache.write(model).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        try execute("INSERT INTO Z_MODELCACHE VALUES (X'\(hex)')", in: name)
    }

    /// Changes the store behind Granary's back.
    func execute(_ sql: String, in name: String = "Seed.sqlite") throws {
        let connection = try Connection(path: path(name), mode: .readWrite)
        try connection.execute(sql)
        try connection.close()
    }
}
