import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryModel
import GranaryPredicates
import GranaryRecords
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing
@testable import GranaryExport
@testable import GranaryImport
@testable import SeedingTestSupport

/// Values of SwiftData's forms in each format.
@Suite struct SwiftDataImportTests {
    private static let columns = ["name", "glass", "profile.mood", "profile.origin", "spec", "tags"]

    private static func exported(_ store: any StoreBackend) throws -> (csv: String, json: String) {
        var options = ExportOptions()
        options.columns = columns
        return (try ExportSamples.csv(store, options), try ExportSamples.json(store, options))
    }

    private static let csv = """
        name,glass,profile.mood,profile.origin,spec,tags
        A,Coupe,7,old,bramble,"[""Lemon"",{""b"":2.50,""a"":""x\\/y""}]"
        B,,,,,AAEC
        C,Martini,0,new,alaska,{}

        """
    private static let json = """
        [
        {"name":"A","glass":"Coupe","profile.mood":7,"profile.origin":"old","spec":"bramble","tags":["Lemon",{"b":2.50,"a":"x\\/y"}]},
        {"name":"B","glass":null,"profile.mood":null,"profile.origin":null,"spec":null,"tags":"AAEC"},
        {"name":"C","glass":"Martini","profile.mood":0,"profile.origin":"new","spec":"alaska","tags":{}}
        ]

        """

    @Test(arguments: [false, true])
    func `CSV and JSON have one value for an enumeration, and JSON in place`(_ isSQLite: Bool) throws {
        let (file, folder) = try TestImport.sqlite(SwiftDataModel.model())
        defer { withExtendedLifetime(folder) {} }
        let store: any StoreBackend = isSQLite ? file : try ExportSamples.store(SwiftDataModel.model())
        let run = try TestImport.csv(Self.csv, "Cocktail", into: store)
        #expect(run.report.created == 3, "\(run.messages)")
        let (csv, json) = try Self.exported(store)
        #expect(csv == Self.csv)
        #expect(json == Self.json)
        let again = try TestImport.json(Self.json, "Cocktail", SwiftDataModel.model())
        #expect(again.report.created == 3, "\(again.messages)")
        #expect(try Self.exported(again.store).csv == Self.csv)
    }

    /// A Codable struct is an object in JSON, as Swift encodes it.
    @Test func `An object of JSON is a composite`() throws {
        let nested = Self.json.replacing(
            #""profile.mood":7,"profile.origin":"old""#, with: #""profile":{"mood":7,"origin":"old"}"#
        ).replacing(#""profile.mood":null,"profile.origin":null"#, with: #""profile":null"#)
        #expect(nested != Self.json)
        let run = try TestImport.json(nested, "Cocktail", SwiftDataModel.model())
        #expect(run.report.created == 3, "\(run.messages)")
        #expect(try Self.exported(run.store).csv == Self.csv)
        let unknown = nested.replacing(#""origin":"old""#, with: #""origin":"old","x":1"#)
        let refused = try TestImport.json(unknown, "Cocktail", SwiftDataModel.model())
        #expect(
            refused.messages.contains { $0.contains("no property for the column \"profile.x\"") }, "\(refused.messages)"
        )
    }

    @Test func `The columns of the store are Core Data's`() throws {
        let (store, folder) = try TestImport.sqlite(SwiftDataModel.model())
        defer { withExtendedLifetime(folder) {} }
        let (twin, second) = try TestImport.sqlite(SwiftDataModel.model(version: ""))
        defer { withExtendedLifetime(second) {} }
        // Only SwiftData's stores have the tables of the history from the start.
        func tables(_ store: SQLiteStore) throws -> [String] {
            try store.connection.schema().compactMap(\.sql).filter { !$0.contains("TRANSACTION") }
        }
        #expect(try tables(store) == tables(twin))
        _ = try TestImport.csv(Self.csv, "Cocktail", into: store)
        let sql =
            "SELECT ZNAME || ':' || IFNULL(ZALASKA, '') || IFNULL(ZBRAMBLE, '') || ':' || IFNULL(ZOLD, '') || "
            + "IFNULL(ZNEW, '') || ':' || IFNULL(ZGLASS, '') || IFNULL(ZMOOD, '') || HEX(ZTAGS) FROM ZCOCKTAIL"
        var rows: [String] = []
        try store.connection.withStatement(sql) { statement in
            while try statement.step() { rows.append(try statement.string(at: 0) ?? "") }
        }
        let tags = Array(#"["Lemon",{"b":2.50,"a":"x\/y"}]"#.utf8).map { String(format: "%02X", $0) }.joined()
        #expect(rows == ["A:bramble:old:Coupe7\(tags)", "B:::000102", "C:alaska:new:Martini07B7D"])
    }

    @Test(arguments: [
        ("name,spec\nA,bramle\n", "1: \"bramle\" is not one of \"bramble\", \"alaska\", \"fogCutter\""),
        ("name,glass\nA,Coup\n", "1: \"Coup\" is not one of \"Coupe\", \"Tiki Mug\", \"Martini\""),
        ("name,profile.origin\nA,older\n", "1: \"older\" is not one of \"old\", \"new\""),
        (
            "name,tags\nA,\"[1,]\"\n",
            "1: \"[1,]\" is not a Binary: it begins as JSON, but a comma before ']' is not JSON; remove it"
        ),
        (
            "name,tags\nA,\"{\"\"a\"\":1,\"\"a\"\":2}\"\n",
            "1: not a Binary: the name \"a\" occurs twice in one object"
        ),
    ])
    func `A wrong value is reported with the permitted ones`(_ text: String, _ message: String) throws {
        let run = try TestImport.csv(text, "Cocktail", SwiftDataModel.model(), run: TestImport.keepGood)
        #expect(run.report.diagnostics.map { "\($0.position?.record ?? 0): \($0.message)" } == [message])
        #expect(run.report.created == 0)
    }

    @Test func `A mistake in JSON has its place`() throws {
        let text = "[\n{\"name\":\"A\",\"tags\":[1,{\"a\":1, \"a\":2}]}\n]"
        let run = try TestImport.json(text, "Cocktail", SwiftDataModel.model())
        #expect(run.problems == ["2:31 value.syntax tags"], "\(run.messages)")
    }

    /// Exports of earlier versions, and of Core Data, name the element.
    @Test func `A column can have the name of the element`() throws {
        let run = try TestImport.csv(
            "name,glass.glass,profile.mood.mood,profile.origin\nA,Coupe,7,old\n", "Cocktail", SwiftDataModel.model())
        #expect(run.report.created == 1, "\(run.messages)")
        #expect(try run.csv("Cocktail", columns: ["glass", "profile.mood"]) == "glass,profile.mood\nCoupe,7\n")
        let twice = try TestImport.csv("name,glass.glass,glass\nA,Coupe,Coupe\n", "Cocktail", SwiftDataModel.model())
        #expect(twice.problems == ["1:18 header.duplicate glass"], "\(twice.messages)")
    }

    @Test func `An update changes the case, and other columns stay`() throws {
        let (store, folder) = try TestImport.sqlite(SwiftDataModel.model())
        defer { withExtendedLifetime(folder) {} }
        _ = try TestImport.csv(Self.csv, "Cocktail", into: store)
        let run = try TestImport.csv("name,spec\nA,fogCutter\nC,\n", "Cocktail", into: store) {
            ($0.key, $0.onConflict) = (["name"], .update)
        }
        #expect(run.report.updated == 2, "\(run.messages)")
        var options = ExportOptions()
        options.columns = ["name", "spec", "glass"]
        #expect(
            try ExportSamples.csv(store, options) == "name,spec,glass\nA,fogCutter,Coupe\nB,,\nC,,Martini\n")
        try store.connection.withStatement("SELECT COUNT(ZBRAMBLE) + COUNT(ZALASKA) FROM ZCOCKTAIL") { statement in
            let isFound = try statement.step()
            #expect(isFound && statement.integer(at: 0) == 0)
        }
    }

    @Test func `In a model of Core Data nothing is JSON, and an enumeration has a column for each element`() throws {
        let model = SwiftDataModel.model(version: "")
        let run = try TestImport.csv("name,spec.bramble,tags\nA,x,AAEC\n", "Cocktail", model)
        #expect(run.report.created == 1, "\(run.messages)")
        let json = try TestImport.csv("name,tags\nA,[]\n", "Cocktail", model)
        #expect(json.problems == ["2:3 value.syntax tags"], "\(json.messages)")
    }

    @Test func `A property list can contain the text or the structure`() throws {
        let list = """
            <plist version="1.0"><array><dict><key>name</key><string>A</string><key>tags</key><array><string>Lemon</string>\
            <integer>1</integer></array></dict><dict><key>name</key><string>B</string><key>tags</key><string>["x"]</string>\
            </dict></array></plist>
            """
        let reader = PropertyListReader(ByteSource(bytes: Array(list.utf8), name: "in.plist"))
        let run = try TestImport.of([reader], "Cocktail", try ExportSamples.store(SwiftDataModel.model()))
        #expect(run.report.created == 2, "\(run.messages)")
        #expect(try run.csv("Cocktail", columns: ["tags"]) == "tags\n\"[\"\"Lemon\"\",1]\"\n\"[\"\"x\"\"]\"\n")
    }

    /// An archive contains the text that an export as a property list has.
    @Test(arguments: [PropertyListEncoding.xml, .binary])
    func `An archive store keeps the values`(_ encoding: PropertyListEncoding) throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "Store.plist").path
        let schema = try SwiftDataModel.model().resolved()
        let store = try ArchiveStore.openOrCreate(path: path, schema: schema, encoding: encoding)
        let run = try TestImport.csv(Self.csv, "Cocktail", into: store)
        #expect(run.report.created == 3, "\(run.messages)")
        let again = try ArchiveStore.openOrCreate(path: path, schema: schema)
        #expect(try Self.exported(again).csv == Self.csv)
        guard encoding == .xml else { return }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        #expect(text.contains(#"<string>["Lemon",{"b":2.50,"a":"x\/y"}]</string>"#))
        // Bytes are accepted too.
        let bytes = Data(#"["Lemon",{"b":2.50,"a":"x\/y"}]"#.utf8).base64EncodedString()
        try text.replacing(#"<string>["Lemon",{"b":2.50,"a":"x\/y"}]</string>"#, with: "<data>\(bytes)</data>")
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(try Self.exported(ArchiveStore.openOrCreate(path: path, schema: schema)).csv == Self.csv)
        try text.replacing(#"["Lemon",{"b""#, with: #"["Lemon", {"b""#)
            .write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: GranaryError.self) { try ArchiveStore.openOrCreate(path: path, schema: schema) }
    }
}
