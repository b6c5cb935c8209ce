import Foundation
import GranaryFormats
import GranaryModel
import TestSupport
import Testing

/// The line after an export that names the options of an import without the sidecar.
struct ImportLineTests {
    private static let start = "without the sidecar, import it with: "
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Stay",
            [
                .attribute("active", .boolean), .attribute("data", .binary), .attribute("day", .date),
                .attribute("note", .string), .attribute("number", .integer64, .required), .attribute("price", .decimal),
                .toMany("rates", "Rate", inverse: "stays"),
            ], unique: [["number"]]),
        EntityDescription(
            "Rate", [.attribute("name", .string, .required), .toMany("stays", "Stay", inverse: "rates")],
            unique: [["name"]]),
    ])
    private static let stays = #"""
        number,active,data,day,note,price,rates
        1,true,/w8A,2024-02-28T23:00:00Z,Müller; Söhne,12.50,"low;""a;b"""
        2,false,3q2+7w==,2024-07-01T12:30:00Z,"=1+1 ""x""",-3,"'t Hof;""x""""y"";it's"
        3,,,,,,
        4,true,3q0=,2024-07-01T22:00:00.25Z,"a,b 'c'",0.1,low
        5,true,3q2+7w==,2001-01-01T00:00:00Z,"",7,"""it's; 'x'"""

        """#

    private static let german = ["--for", "excel-de", "--time-zone", "Europe/Berlin"]

    static let tableCases: [(words: [String], line: String?)] = [
        (["--null", "NULL"], "--null NULL"), (["--null", "-"], "--null=-"), (["--null", "not known"], nil),
        (["--null", ""], ""), (["--dates", "seconds"], "--date-format core-data"),
        (["--binary", "hex"], "--binary hex"),
        (["--dates", "iso8601", "--binary", "base64"], ""), (["--spreadsheet"], "--spreadsheet"),
        (["--quote", "'"], #"--quote ''\'''"#), (["--quote", "|", "--delimiter", "tab"], nil),
        (["--delimiter", ";"], "--delimiter ';'"), (["--encoding", "utf-16le", "--bom"], nil),
        (["--decimal-separator", ","], nil), (["--date-format", "unix-ms"], nil),
        (["--time-zone", "Europe/Berlin"], nil), (["--true", "ja", "--false", "nein"], nil),
        (["--date-format", "d. MMMM yyyy HH:mm:ss.SSS", "--locale", "de", "--time-zone", "Europe/Berlin"], nil),
        (german, nil), (german + ["--null", "NULL", "--binary", "hex"], nil), (german + ["--quote", "'"], nil),
        (["--null", "NULL", "--dates", "seconds", "--binary", "hex", "--spreadsheet", "--delimiter", "|"], nil),
    ]

    @Test(
        "An import with exactly these options gives an equal store",
        arguments: Self.tableCases.prefix(6), ["csv"])
    func tables(_ one: (words: [String], line: String?), format: String) async throws {
        try await check(one.words, one.line, format)
    }

    static let documentCases: [(words: [String], line: String?)] = [
        (["--dates", "seconds"], "--date-format core-data"), (["--binary", "hex"], "--binary hex"), ([], ""),
        (["--encoding", "utf-16", "--bom"], nil),
        (["--date-format", "dd.MM.yyyy HH:mm:ss.SSS", "--time-zone", "Europe/Berlin", "--binary", "hex"], nil),
    ]

    @Test(
        "So it is for documents",
        arguments: Self.documentCases.prefix(1), ["json", "plist"])
    func documents(_ one: (words: [String], line: String?), format: String) async throws {
        if format == "plist", !one.words.isEmpty { return }
        try await check(one.words, one.line, format)
    }

    /// - Parameter line: the options that are expected; nil for any, and empty for no line.
    func check(_ words: [String], _ line: String?, _ format: String) async throws {
        let run = try CommandRun()
        try run.writeModel(Self.model)
        let made = try await run.importing(Self.stays, as: "Stay.csv", entity: "Stay", ["--on-missing", "create"])
        #expect(made.code == 0, "\(made.messages)")
        let result = await run.run(
            [
                "export", "--store", "@S.sqlite", "--entity", "Stay", "--output", "@out." + format, "--columns",
                "number,active,data,day,note,price,rates",
            ] + words)
        #expect(result.code == 0, "\(result.messages)")
        let found = result.lines.last { $0.hasPrefix(Self.start) }.map { String($0.dropFirst(Self.start.count)) } ?? ""
        // The name of the file does not tell the entity.
        if let line {
            #expect(found == (line.isEmpty ? "" : "--entity Stay " + line))
        } else {
            #expect(found.hasPrefix("--entity Stay "))
        }
        // Without its name beside it, the sidecar is not found.
        try FileManager.default.moveItem(atPath: run.path("out." + format), toPath: run.path("mail." + format))
        let alone = await run.run(
            [
                "import", "@mail." + format, "--model", "@Model.json", "--store", "@Alone.sqlite", "--on-missing",
                "create",
            ] + (found.isEmpty ? ["--entity", "Stay"] : try ShellWords.split(found)))
        #expect(alone.code == 0, "\(words) \(format): \(alone.messages)")
        let difference = await run.run("store", "diff", "@S.sqlite", "@Alone.sqlite")
        #expect(difference.code == 0, "\(words) \(format): \(difference.output)")
    }

    @Test("The entity is named unless the name of the file tells it, and UTC has its own name") func entity()
        async throws
    {
        let run = try CommandRun()
        try run.writeStore()
        let words = [
            "export", "--store", "@Seed.sqlite", "--for", "excel-de", "--time-zone", "UTC", "--entity", "Patient",
        ]
        let other = await run.run(words + ["--output", "@Leute.csv"])
        #expect(other.messages.contains("with: --entity Patient --delimiter"), "\(other.messages)")
        #expect(other.messages.contains("--time-zone UTC"), "\(other.messages)")
        let same = await run.run(words + ["--output", "@Patient.csv"])
        #expect(same.messages.contains("with: --delimiter"), "\(same.messages)")
    }

    @Test("No option replaces the sidecar of values in files") func files() async throws {
        let run = try CommandRun()
        try run.writeModel(
            ManagedObjectModel(entities: [EntityDescription("Book", [.attribute("cover", .binary, .externalStorage)])]))
        #expect(try await run.importing("cover\n3q2+7w==\n", as: "Book.csv", entity: "Book").code == 0)
        let result = await run.run(
            "export", "--store", "@S.sqlite", "--output", "@out.csv", "--blobs", "files", "--null", "NULL")
        #expect(result.code == 0 && !result.messages.contains(Self.start), "\(result.messages)")
        #expect(result.lines.contains("an import needs the sidecar, which says which values are in files"))
    }
}

/// All options and formats: each case is two imports, an export and a comparison.
struct ImportLineLongTests {
    @Test(
        "An import with exactly these options gives an equal store", arguments: ImportLineTests.tableCases,
        ["csv", "tsv"])
    func tables(_ one: (words: [String], line: String?), format: String) async throws {
        // TSV has its own delimiter.
        if format == "tsv", one.words.contains("--delimiter") || one.words.contains("--for") { return }
        try await ImportLineTests().check(one.words, one.line, format)
    }

    @Test("So it is for documents", arguments: ImportLineTests.documentCases, ["json", "ndjson", "plist"])
    func documents(_ one: (words: [String], line: String?), format: String) async throws {
        if format == "plist", !one.words.isEmpty { return }
        try await ImportLineTests().check(one.words, one.line, format)
    }
}
