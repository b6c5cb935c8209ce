import Foundation
import GranaryBase
import GranaryFormats
import TestSupport
import Testing

@Suite struct JSONReaderTests {
    static let chunkSizes = [1, 2, 3, 7, 1 << 16]

    static func read(_ text: String, _ change: (inout JSONReader.Options) -> Void = { _ in }) -> RecordText {
        read(Array(text.utf8), change)
    }

    /// Reads with every chunk size; all must give the same.
    static func read(_ bytes: [UInt8], _ change: (inout JSONReader.Options) -> Void = { _ in }) -> RecordText {
        var results: [RecordText] = []
        for size in chunkSizes {
            var options = JSONReader.Options()
            change(&options)
            options.chunkSize = size
            results.append(RecordText(reading: JSONReader(ByteSource(bytes: bytes, name: "x"), options: options)))
        }
        for result in results { #expect(result == results[0]) }
        return results[0]
    }

    @Test func `An array of objects gives a record each`() {
        let result = Self.read(
            """
            [
              {"id": 1, "name": "Zoë \\"Z\\"", "big": 12345678901234567890.10, "ok": true},
              {"name": null, "id": -0, "tags": ["a", 2, false, null], "none": []},
              {}
            ]

            """)
        #expect(
            result.outcomes == [
                #"1@2:3+4 {id=number:1,name=quoted:Zoë "Z",big=number:12345678901234567890.10,ok=boolean:true}"#,
                "2@3:3+83 {name=null:,id=number:-0,tags=-quoted:a,tags=-number:2,tags=-boolean:false,tags=-null:,none=emptyList:}",
                "3@4:3+154 {}",
            ])
        #expect(result.columns == ["id", "name", "big", "ok", "tags", "none"])
        #expect(result.entities.isEmpty)
    }

    @Test(arguments: ["[]", " [ ] ", "\u{FEFF}[]\n"])
    func `An empty array has no records`(_ text: String) {
        #expect(Self.read(text).outcomes.isEmpty)
    }

    @Test func `A document names its entities and carries its model`() throws {
        let text = """
            {"entities": {
            "A": [{"x": 1},
             {"y": "2"}], "B": [], "C":[{"x":3}]
            }, "model": {"a" : [1, {"b": null}]} }
            """
        let result = Self.read(text)
        #expect(
            result.outcomes == ["1@2:7+21 A{x=number:1}", "2@3:2+32 A{y=quoted:2}", "3@3:29+59 C{x=number:3}"])
        #expect(result.entities == ["A", "B", "C"])
        #expect(result.columns == ["x", "y"])

        let reader = JSONReader(ByteSource(bytes: Array(text.utf8), name: "x"))
        _ = RecordText(reading: reader)
        #expect(reader.model == Array(#"{"a" : [1, {"b": null}]}"#.utf8))
    }

    @Test func `The model may come first`() {
        let text = #"{"model":{"v":1},"entities":{"A":[{"x":1}]}}"#
        let reader = JSONReader(ByteSource(bytes: Array(text.utf8), name: "x"))
        #expect(RecordText(reading: reader).outcomes == ["1@1:35+34 A{x=number:1}"])
        #expect(reader.model == Array(#"{"v":1}"#.utf8))
    }

    @Test(arguments: [
        (#"{"a":1}"#, "1@1:1+0 {a=number:1}"),
        ("{}", "1@1:1+0 {}"),
        (#"{"model":"T","year":1908}"#, "1@1:1+0 {model=quoted:T,year=number:1908}"),
        (#"{"entities":["a"]}"#, "1@1:1+0 {entities=-quoted:a}"),
        (#"{"a":1,"entities":{"A":[]}}"#, "1@1:1+0 {a=number:1,entities={A=emptyList:}}"),
    ])
    func `A single object is one record`(_ text: String, _ record: String) {
        #expect(Self.read(text).outcomes == [record])
    }

    @Test(arguments: [
        ("", "json.syntax@1:1+0"),
        (" \n", "json.syntax@2:1+2"),
        ("12", "json.syntax@1:1+0"),
        ("[", "json.syntax@1:2+1"),
        ("[{}", "json.syntax@1:4+3"),
        ("[{},]", "json.syntax@1:5+4"),
        ("[{} {}]", "json.syntax@1:5+4"),
        ("[]]", "json.syntax@1:3+2"),
        ("{}{}", "json.syntax@1:3+2"),
        ("[{\"a\":1", "json.syntax@1:8+7"),
        ("[\n{\"a\"\n:x}]", "json.syntax@3:2+8"),
        (#"{"entities":{"A":[],"A":[]}}"#, "header.duplicate@1:21+20"),
        (#"{"entities":{},"entities":{}}"#, "header.duplicate@1:16+15"),
        (#"{"entities":{},"other":1}"#, "header.unknown@1:16+15"),
        (#"{"entities":{"A":{}}}"#, "json.syntax@1:18+17"),
        (#"{"model":{}}"#, "json.syntax@1:13+12"),
        (#"{"model":{"a":}}"#, "json.syntax@1:15+14"),
    ])
    func `Broken syntax ends the reading at its place`(_ text: String, _ refusal: String) {
        #expect(Self.read(text).outcomes.last == "refused " + refusal)
    }

    @Test(arguments: [
        ("7", "json.syntax@1:8+7"),
        ("[{}]", "json.syntax@1:8+7"),
        (#"{"a":[1,[{}]]}"#, "value.syntax@1:17+16"),
        (#"{"a":1,"b":2,"a":3}"#, "header.duplicate@1:21+20"),
        (#"{"a":1,"\u0061":3}"#, "header.duplicate@1:15+14"),
        (#"{"a":"x\u0000y"}"#, "encoding.invalid@1:15+14"),
        (#"{"a":"\ud834"}"#, "encoding.invalid@1:14+13"),
        (#"{"\udfff":1}"#, "encoding.invalid@1:10+9"),
    ])
    func `What is wrong inside one record costs that record only`(_ object: String, _ place: String) {
        let end = 7 + object.utf8.count
        #expect(
            Self.read("[{   },\(object),{}]").outcomes
                == ["1@1:2+1 {}", "malformed \(place)", "3@1:\(end + 2)+\(end + 1) {}"])
    }

    @Test func `The first place of a member written twice is told`() throws {
        let reader = JSONReader(ByteSource(bytes: Array("[{\"a\":1,\n \"a\":2}]".utf8), name: "x"))
        var record = Record()
        guard case .malformed(let diagnostic) = try reader.next(into: &record) else {
            Issue.record("not malformed")
            return
        }
        #expect(
            diagnostic.description == #"x:2:2: error: the member "a" occurs twice in one object [header.duplicate]"#)
        #expect(diagnostic.field == "a")
        #expect(diagnostic.related.map(\.column) == [3])
        #expect(record.raw == Array("{\"a\":1,\n \"a\":2}".utf8))
    }

    @Test func `Latin-1 bytes spoil their record only`() {
        let bytes = Array("[{\"a\":\"caf".utf8) + [0xE9] + Array("\"},{\"a\":\"b\"}]".utf8)
        #expect(Self.read(bytes).outcomes == ["malformed encoding.invalid@1:11+10", "2@1:15+14 {a=quoted:b}"])
    }

    @Test func `U+0000 is taken where it is allowed`() {
        #expect(
            Self.read(#"[{"a":"x\u0000y"}]"#) { $0.allowsNUL = true }.outcomes == ["1@1:2+1 {a=quoted:x\0y}"])
    }

    @Test func `JSON Lines gives a record a line, and a broken line costs itself only`() {
        let text = "{\"a\":1}\r\n\n  \t\n {\"a\":2} \n{\"a\":\n[3]\n{\"b\":4} {}\nnot\n{\"a\":{}}\n{\"b\":5}"
        #expect(
            Self.read(text) { $0.lines = true }.outcomes == [
                "1@1:1+0 {a=number:1}",
                "2@4:2+15 {a=number:2}",
                "malformed json.syntax@5:6+29",
                "malformed json.syntax@6:1+30",
                "malformed json.syntax@7:9+42",
                "malformed json.syntax@8:1+45",
                "7@9:1+49 {a={}}",
                "8@10:1+58 {b=number:5}",
            ])
    }

    @Test func `JSON Lines may be empty`() {
        #expect(Self.read("") { $0.lines = true }.outcomes.isEmpty)
        #expect(Self.read("\n\n") { $0.lines = true }.outcomes.isEmpty)
    }

    @Test func `A field knows where its text stands`() throws {
        let text = "[\n{\"a\":1,\n  \"b\": [true, \"x\"]}]"
        let reader = JSONReader(ByteSource(bytes: Array(text.utf8), name: "x"))
        var record = Record()
        guard case .record = try reader.next(into: &record) else {
            Issue.record("no record")
            return
        }
        let places = record.fields.map { record.position(of: $0, file: "x") }
        #expect(places.map(\.line) == [2, 3, 3])
        #expect(places.map(\.column) == [6, 9, 15])
        #expect(places.map(\.byteOffset) == [7, 18, 24])
        #expect(record.raw == Array("{\"a\":1,\n  \"b\": [true, \"x\"]}".utf8))
    }

    // MARK: Hostile input

    @Test func `A document cut anywhere gives records or an error`() {
        let text = Array(
            #"{"model":{"a":[]},"entities":{"A":[{"a":"é\ud83d\ude00","b":[1,2.5e3]},{"a":null}],"B":[]}}"#.utf8)
        for length in 0..<text.count {
            let result = Self.read(Array(text[..<length]))
            #expect(result.outcomes.last?.hasPrefix("refused") == true, "\(length)")
        }
        #expect(Self.read(text).outcomes.count == 2)
    }

    @Test(arguments: ["", "[", "[{\"a\":", "{\"a\":", "{\"model\":{\"a\":"])
    func `Deep nesting is refused by its limit`(_ prefix: String) {
        let text = Array((prefix + String(repeating: "[", count: 100_000)).utf8)
        let reader = JSONReader(ByteSource(bytes: text, name: "x"))
        #expect(RecordText(reading: reader).outcomes.first?.hasPrefix("refused limit.exceeded") == true)
    }

    @Test func `A record beyond its limit is refused, a line beyond it is skipped`() {
        let long = String(repeating: "x", count: 5000)
        let record = "{\"a\":\"\(long)\"}"
        #expect(
            Self.read("[{},\(record)]") { $0.maximumRecordBytes = 1000 }.outcomes
                == ["1@1:2+1 {}", "refused limit.exceeded@1:5+4"])
        #expect(
            Self.read("{}\n\(record)\n{}") {
                $0.lines = true
                $0.maximumRecordBytes = 1000
            }.outcomes == ["1@1:1+0 {}", "malformed limit.exceeded@2:1+3", "3@3:1+5012 {}"])
        #expect(
            Self.read("[\(record),{}]") { $0.maximumFieldBytes = 1000 }.outcomes
                == ["malformed limit.exceeded@1:7+6", "2@1:5011+5010 {}"])
    }

    @Test func `Too many values or columns are refused by their limit`() {
        #expect(
            Self.read("[{\"a\":[1,2,3]},{}]") { $0.maximumFields = 2 }.outcomes.first
                == "malformed limit.exceeded@1:12+11")
        #expect(
            Self.read("[{\"a\":1,\"b\":2,\"c\":3}]") { $0.maximumColumns = 2 }.outcomes == [
                "refused limit.exceeded@1:15+14"
            ])
    }

    @Test func `Tens of thousands of columns in one object are read`() throws {
        let count = 60_000
        let text = "[{" + (0..<count).map { "\"c\($0)\":0" }.joined(separator: ",") + "}]"
        let reader = JSONReader(ByteSource(bytes: Array(text.utf8), name: "x"))
        var record = Record()
        guard case .record = try reader.next(into: &record) else {
            Issue.record("no record")
            return
        }
        #expect(record.fields.count == count)
        #expect(reader.columns.last == "c59999")
    }

    @Test func `A string without end is an error`() {
        let text = Array("[{\"a\":\"".utf8) + [UInt8](repeating: 0x78, count: 4 << 20)
        let reader = JSONReader(ByteSource(bytes: text, name: "x"))
        #expect(RecordText(reading: reader).outcomes == ["refused json.syntax@1:7+6"])
    }

    @Test func `Missing files and folders are unreadable`() throws {
        let folder = try TemporaryFolder()
        for url in [folder.url, folder.url.appending(path: "none.json")] {
            let error = #expect(throws: GranaryError.self) { _ = try JSONReader(ByteSource(url: url)) }
            #expect(error?.code == .unreadable)
        }
    }

    @Test(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
    func `No file of JSONTestSuite harms the reader`() throws {
        for file in try SharedFiles.files(below: "corpora/jsontestsuite") {
            let bytes = [UInt8](try Data(contentsOf: file))
            let whole = RecordText(reading: JSONReader(ByteSource(bytes: bytes, name: "x")))
            if file.lastPathComponent.hasPrefix("n_") {
                #expect(whole.outcomes.contains { $0.first?.isNumber != true }, "\(file.lastPathComponent)")
            }
            var options = JSONReader.Options()
            options.lines = true
            _ = RecordText(reading: JSONReader(ByteSource(bytes: bytes, name: "x"), options: options))
        }
    }
}
