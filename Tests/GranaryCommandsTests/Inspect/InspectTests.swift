import Foundation
import GranaryBase
import GranaryModel
import GranarySQLite
import TestSupport
import Testing

/// `granary inspect`: files that were written in known ways are recognised, and the printed command or plan imports them.
@Suite("Inspecting data files") struct InspectTests {
    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Order",
            [
                .attribute("name", .string), .attribute("price", .double), .attribute("count", .integer32),
                .attribute("day", .date), .attribute("paid", .boolean), .attribute("code", .string),
            ])
    ])

    /// How a file is written.
    struct Way: CustomStringConvertible {
        var encoding = String.Encoding.utf8
        var hasMark = false
        var delimiter = ","
        var quote = "\""
        var lineEnd = "\n"
        var decimal = "."
        var group = ""
        var currency = ""
        var date = "yyyy-MM-dd"
        var words = ("true", "false")
        var null = ""
        var hasHeader = true
        var before: [String] = []
        var spaces = ""

        var description: String {
            "\(encoding) \(delimiter) \(quote) \(lineEnd.debugDescription) \(decimal)\(group) \(currency) \(date) \(words) \(null) "
                + "\(hasHeader) \(before) \(spaces)"
        }
    }

    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel(Self.model)
    }

    static let expected = #"""
        name,price,count,day,paid,code
        Müller,1234.5,1200,2024-02-01T00:00:00Z,true,A-1
        "Köln, Ring",-0.25,7,2023-12-31T00:00:00Z,false,B-2
        "O'Neill ""x""",98765.75,1000000,2024-02-29T00:00:00Z,true,C-3
        Ødegård,NULL,NULL,NULL,false,D-4

        """#

    @Test("Apostrophes of an export for spreadsheets are recognised where all fields have them")
    func guards() async throws {
        func command(_ rows: [String]) async throws -> String {
            _ = try run.folder.write((["name,count"] + rows).joined(separator: "\n") + "\n", to: "Order.csv")
            return await run.run("inspect", "@Order.csv", "--model", "@Model.json").output
        }
        let guarded = try await command(["'-10 % ab März,-5", "''quoted'',3", "'=1+1,7", "plain,1"])
        #expect(
            guarded.contains("--spreadsheet") && guarded.contains("3 fields, such as \"'-10 % ab März\""), "\(guarded)")
        // A formula without an apostrophe, and an apostrophe that is the text's own.
        for row in ["-10 % ab März,1", "'tis,1"] {
            let plain = try await command(["'-10 % ab März,-5", row])
            #expect(!plain.contains("--spreadsheet"), "\(plain)")
        }
        _ = try await command(["'-10 % ab März,-5", "plain,1"])
        let words = ["import", "@Order.csv", "--model", "@Model.json", "--store", "@G.sqlite", "--entity", "Order"]
        #expect(await run.run(words + ["--spreadsheet"]).code == 0)
        #expect(try run.rows("G.sqlite", "Order", "name,count") == ["-10 % ab März,-5", "plain,1"])
    }

    @Test("Nearly all words for true and false are proposed, and the other words are named")
    func nearlyBooleans() async throws {
        let rows = (1...30).map { "\($0),\($0 == 7 ? "vielleicht" : $0 % 2 == 0 ? "Ja" : "Nein")" }
        _ = try run.folder.write("name,paid\n" + rows.joined(separator: "\n") + "\n", to: "Order.csv")
        var output = await run.run("inspect", "@Order.csv", "--model", "@Model.json").output
        #expect(output.contains("Ja / Nein") && output.contains("--true Ja --false Nein"), "\(output)")
        #expect(output.contains("\"vielleicht\" in \"paid\" is no Boolean"), "\(output)")
        _ = try run.folder.write(#"[{"name": "a", "paid": true}, {"name": "b", "paid": false}]"#, to: "Order.json")
        output = await run.run("inspect", "@Order.json", "--model", "@Model.json", "--entity", "Order").output
        #expect(!output.contains("booleans:"), "\(output)")
    }

    @Test("Required relationships without a column are named, and objects in objects are related ones")
    func requiredRelationships() async throws {
        var model = Self.model
        var relationship = RelationshipDescription(name: "shop", destination: "Shop")
        relationship.isOptional = false
        model.entities[0].relationships.append(relationship)
        model.entities.append(EntityDescription("Shop", [.attribute("selfValue", .string)]))
        try FileManager.default.removeItem(atPath: run.path("Model.json"))
        try run.writeModel(model)
        _ = try run.folder.write(#"[{"name": "a", "more": {"x": 1}}]"#, to: "Order.json")
        var output = await run.run("inspect", "@Order.json", "--model", "@Model.json", "--entity", "Order").output
        #expect(output.contains("Order.shop is required and has no column"), "\(output)")
        _ = try run.folder.write(#"[{"name": "a", "more": {"shop": {"self": "x"}}}]"#, to: "Order.json")
        output = await run.run("inspect", "@Order.json", "--model", "@Model.json", "--entity", "Order").output
        #expect(output.contains("--map more.shop=shop") && !output.contains("is required"), "\(output)")
        // A property cannot have the name of a method of every object.
        _ = try run.folder.write("self\nx\n", to: "Shop.csv")
        output = await run.run("inspect", "@Shop.csv", "--model", "@Model.json", "--entity", "Shop").output
        #expect(output.contains("1 of 1 are properties of Shop") && !output.contains("--map"), "\(output)")
        let words = ["import", "@Shop.csv", "--model", "@Model.json", "--store", "@G.sqlite"]
        #expect(await run.run(words).code == 0)
        #expect(try run.rows("G.sqlite", "Shop", "selfValue") == ["x"])
    }

    @Test("Letters and digits that are a code are no number with a currency", arguments: ["R-100", "A", "No.", "#"])
    func codes(_ start: String) async throws {
        let rows = (1...60).map { "\(start)\($0),\($0)" }
        _ = try run.folder.write("number,n\n" + rows.joined(separator: "\n") + "\n", to: "invoices.csv")
        let result = await run.run("inspect", "@invoices.csv")
        #expect(result.code == 0 && !result.output.contains("--currency"), "\(result.output)")
    }

    @Test(
        "Currencies and units are recognised",
        arguments: [("€", "€"), ("EUR ", "EUR"), ("R$", "R$"), ("kr ", "kr")])
    func currencies(_ start: String, _ affix: String) async throws {
        _ = try run.folder.write("name,price\na,\(start)1.50\nb,\(start)2.25\n", to: "prices.csv")
        let result = await run.run("inspect", "@prices.csv")
        #expect(result.code == 0 && result.output.contains("--currency"), "\(result.output)")
        #expect(result.output.contains(affix), "\(result.output)")
    }

    @Test("Of a database, the tables and the commands that import them are printed")
    func database() async throws {
        let connection = try Connection(path: run.path("shop.db"), mode: .create)
        try connection.execute(
            "CREATE TABLE orders (name, \"a b\"); INSERT INTO orders VALUES (1, 2), (3, 4); CREATE TABLE empty (x); "
                + "CREATE VIEW broken AS SELECT * FROM gone")
        try connection.close()
        let result = await run.run("inspect", "@shop.db", "--model", "@Model.json", "--store", "@S.sqlite")
        #expect(result.code == 0, "\(result.messages)")
        #expect(result.output.contains("orders  (2 rows; name, a b)"), "\(result.output)")
        #expect(result.output.contains("broken  (rows that cannot be read; )"), "\(result.output)")
        #expect(result.output.contains("--table orders --model") && result.output.contains("--entity Order\n"))
        let plan = await run.run("inspect", "@shop.db", "--plan")
        #expect(plan.output.contains("table: \"orders\"") && plan.output.contains("# Put your model instead of MODEL."))
        let json = await run.run("inspect", "@shop.db", "--format", "json")
        #expect(json.output.contains("\"rows\" : 2") && json.output.contains("\"format\" : \"sqlite\""))
    }

    private static func text(_ way: Way) -> String {
        func number(_ text: String, currency: Bool) -> String {
            let parts = text.split(separator: ".").map(String.init)
            var digits = parts[0]
            var groups: [String] = []
            let sign = digits.hasPrefix("-") ? "-" : ""
            digits.removeAll { $0 == "-" }
            while digits.count > 3, !way.group.isEmpty {
                groups.insert(String(digits.suffix(3)), at: 0)
                digits.removeLast(3)
            }
            let whole = sign + ([digits] + groups).joined(separator: way.group)
            let value = whole + (parts.count > 1 ? way.decimal + parts[1] : "")
            return value + (currency ? way.currency : "")
        }
        func date(_ year: Int, _ month: Int, _ day: Int) -> String {
            let (m, d) = (month < 10 ? "0\(month)" : "\(month)", day < 10 ? "0\(day)" : "\(day)")
            return way.date.replacing("yyyy", with: "\(year)").replacing("MM", with: m).replacing("dd", with: d)
        }
        func field(_ text: String) -> String {
            guard text.contains(way.delimiter) || text.contains(way.quote) || !way.spaces.isEmpty && text.count > 6
            else {
                return text
            }
            return way.spaces + way.quote + text.replacing(way.quote, with: way.quote + way.quote) + way.quote
        }
        let (yes, no) = way.words
        var rows = [
            [
                "Müller", number("1234.5", currency: true), number("1200", currency: false), date(2024, 2, 1), yes,
                "A-1",
            ],
            ["Köln, Ring", number("-0.25", currency: true), "7", date(2023, 12, 31), no, "B-2"],
            [
                "O'Neill \"x\"", number("98765.75", currency: true), number("1000000", currency: false),
                date(2024, 2, 29), yes, "C-3",
            ],
            ["Ødegård", way.null, way.null, way.null, no, "D-4"],
        ]
        if way.hasHeader { rows.insert(["name", "price", "count", "day", "paid", "code"], at: 0) }
        let lines = way.before + rows.map { $0.map(field).joined(separator: way.delimiter) }
        return (way.hasMark ? "\u{FEFF}" : "") + lines.map { $0 + way.lineEnd }.joined()
    }

    /// Files in many of the combinations; each property of a file occurs with many of the others.
    static let ways: [Way] = {
        var random = SeededGenerator(seed: 5)
        var ways: [Way] = []
        let delimiters = [",", ";", "\t", "|"]
        for index in 0..<120 {
            var way = Way()
            way.delimiter = delimiters[index % 4]
            way.encoding = [.utf8, .windowsCP1252, .utf16, .macOSRoman, .utf8][index % 5]
            way.hasMark = way.encoding == .utf8 && Bool.random(using: &random)
            way.lineEnd = ["\n", "\r\n", "\r"][index % 3]
            way.quote = index % 7 == 6 ? "'" : "\""
            way.decimal = [".", ","][(index / 2) % 2]
            way.group = way.decimal == "," ? ["", ".", "\u{A0}"][index % 3] : ["", ",", "'"][index % 3]
            // A character that the encoding does not have.
            if way.encoding == .macOSRoman || way.encoding == .windowsCP1252, way.group == "\u{A0}" { way.group = " " }
            way.currency = ["", "", " €", " EUR"][(index / 3) % 4]
            way.date = ["yyyy-MM-dd", "dd.MM.yyyy", "MM/dd/yyyy", "dd/MM/yyyy", "yyyyMMdd"][(index / 5) % 5]
            way.words = [("true", "false"), ("ja", "nein"), ("Y", "N"), ("1", "0")][(index / 4) % 4]
            way.null = ["", "NULL", "N/A", "-", "\\N"][(index / 7) % 5]
            way.before = index % 11 == 10 ? ["Report of 2024", ""] : index % 13 == 12 ? ["sep=" + way.delimiter] : []
            way.hasHeader = index % 17 != 16
            way.spaces = index % 9 == 8 ? " " : ""
            ways.append(way)
        }
        return ways
    }()

    private static func macRoman(_ text: String) -> Data? {
        let bytes: [Character: UInt8] = ["ü": 0x9F, "ö": 0x9A, "Ø": 0xAF, "å": 0x8C, "€": 0xDB]
        var data = Data()
        for character in text {
            guard let byte = bytes[character] ?? character.asciiValue else { return nil }
            // CR LF is one character.
            if character == "\r\n" { data.append(0x0D) }
            data.append(byte)
        }
        return data
    }

    private func write(_ way: Way) throws {
        let text = Self.text(way)
        // Foundation on Linux writes another encoding for Mac OS Roman.
        var data = try #require(
            way.encoding == .macOSRoman ? Self.macRoman(text) : text.data(using: way.encoding), "\(way)")
        if way.encoding == .utf16, data.prefix(2) != Data([0xFF, 0xFE]), data.prefix(2) != Data([0xFE, 0xFF]) {
            data = Data([0xFF, 0xFE]) + data
        }
        try data.write(to: run.folder.url.appending(path: "in.csv"))
    }

    @Test("The printed command imports files of all combinations", arguments: ways.indices.filter { $0 % 5 == 0 })
    func combinations(_ index: Int) async throws {
        let way = Self.ways[index]
        try write(way)
        let result = await run.run(
            "inspect", "@in.csv", "--model", "@Model.json", "--entity", "Order", "--store", "@S.sqlite", "--format",
            "json")
        let report = try #require(
            try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any], "\(result.messages)")
        let command = try #require(report["command"] as? String, "\(way): \(result.output)")
        // Without a header, the names of the columns are a guess.
        #expect(result.code == (way.hasHeader ? 0 : 1), "\(way): \(result.output)")
        let words = Array(ImportHelpLongTests.words(command).dropFirst())
        let imported = await run.run(words)
        #expect(imported.code == 0, "\(way): \(command)\n\(imported.messages)")
        let stored = try run.csv("S.sqlite", nil, "name,price,count,day,paid,code", null: "NULL")
        #expect(stored == Self.expected, "\(way): \(command)")

        let plan = try #require(report["plan"] as? String)
        _ = try run.folder.write(plan.replacing("S.sqlite", with: "P.sqlite"), to: "plan.yaml")
        let seeded = await run.run("seed", "@plan.yaml")
        #expect(seeded.code == 0, "\(way): \(plan)\n\(seeded.messages)")
        #expect(try run.csv("P.sqlite", nil, "name,price,count,day,paid,code", null: "NULL") == Self.expected)
    }

    @Test(
        "Where the file cannot tell, both readings are printed",
        arguments: [
            ("day\n01/02/2024\n03/04/2024\n", ["--date-format dd/MM/yyyy", "--date-format MM/dd/yyyy"]),
            ("price\n\"1,234\"\n\"2,345\"\n", ["--decimal-separator ,", "--group-separator ,"]),
            ("price;code\n1.234;a\n2.345;b\n", ["--decimal-separator , --group-separator .", "without an option"]),
            ("paid\nup\ndown\nup\n", ["--true down --false up", "--true up --false down"]),
        ])
    func doubts(_ text: String, _ readings: [String]) async throws {
        _ = try run.folder.write(text, to: "in.csv")
        let words = ["inspect", "@in.csv", "--model", "@Model.json", "--entity", "Order"]
        let result = await run.run(words)
        #expect(result.code == 1, "\(result.output)")
        for reading in readings { #expect(result.output.contains(reading), "\(result.output)") }
        let plan = await run.run(words + ["--plan"])
        #expect(plan.code == 1 && plan.messages.contains("undecided"))
    }

    @Test("Columns that differ from each other need a plan")
    func plans() async throws {
        let text = "name;price;day;code\na;1,5;01/02/2024;NULL\nb;NULL;31/01/2024;x\n"
        _ = try run.folder.write(text, to: "in.csv")
        let result = await run.run("inspect", "@in.csv", "--model", "@Model.json", "--entity", "Order", "--plan")
        #expect(result.code == 0 && result.output.contains("column-options:"), "\(result.output)")
        #expect(result.output.contains("# numbers: 1234,5 (1 of 1 field in \"price\")"), "\(result.output)")
        _ = try run.folder.write(result.output, to: "plan.yaml")
        let seeded = await run.run("seed", "@plan.yaml")
        #expect(seeded.code == 0, "\(result.output)\n\(seeded.messages)")
        // The word stays a text where texts are.
        #expect(try run.csv("Seed.sqlite", nil, "price,code", null: "-") == "price,code\n1.5,NULL\n-,x\n")
    }

    @Test("Properties, unknown columns and required ones")
    func columns() async throws {
        _ = try run.folder.write("name,prise,extra\na,1,x\n", to: "Order.csv")
        let result = await run.run("inspect", "@Order.csv", "--model", "@Model.json")
        #expect(result.code == 0, "\(result.output)")
        #expect(result.output.contains("--map prise=price --ignore extra"), "\(result.output)")
        #expect(result.output.contains("1 of 3 are properties of Order"))
    }

    @Test("Wrong uses and unreadable files")
    func mistakes() async throws {
        _ = try run.folder.write("%PDF-1.4\n", to: "x.pdf")
        #expect(await run.run("inspect", "@x.pdf").code == 65)
        #expect(await run.run("inspect", "@none.csv").code == 66)
        #expect(mkfifo(run.path("pipe.csv"), 0o600) == 0)
        let pipe = await run.run("inspect", "@pipe.csv")
        #expect(pipe.code == 64 && pipe.messages.contains("save it as a file first"), "\(pipe.messages)")
        _ = try run.folder.write("a\n1\n", to: "x.csv")
        #expect(await run.run("inspect", "@x.csv", "--entity", "Order").code == 64)
        let unknown = await run.run("inspect", "@x.csv", "--model", "@Model.json", "--entity", "Ordr")
        #expect(unknown.code == 64 && unknown.messages.contains("Order"), "\(unknown.messages)")
        for text in ["", "\n", "a", "\"", ",,,\n", "\u{0}\u{0}", "{", "[", "a,b\n\"x\n"] {
            _ = try run.folder.write(text, to: "x.csv")
            let result = await run.run("inspect", "@x.csv")
            #expect([0, 1, 64, 65].contains(result.code), "\(text.debugDescription): \(result.messages)")
        }
    }
}

@Suite("Inspecting data files of more combinations") struct InspectLongTests {
    @Test(
        "The printed command imports files of all combinations",
        arguments: InspectTests.ways.indices.filter { $0 % 5 != 0 })
    func combinations(_ index: Int) async throws { try await InspectTests().combinations(index) }
}
