import Foundation
import GranaryBase
import GranaryFormats
import TestSupport
import Testing

/// Objects inside records, and lists inside lists.
@Suite struct JSONNestedTests {
    @Test(
        arguments: [
            (#"{"o":{"a":1,"b":"x"}}"#, "{o={a=number:1,b=quoted:x}}"),
            (#"{"o":{}, "p":{"q":{"r":{}}}}"#, "{o={},p={q={r={}}}}"),
            (#"{"o":[{"a":1},{"a":2}, {}],"z":1}"#, "{o=-{a=number:1},o=-{a=number:2},o=-{},z=number:1}"),
            (
                #"{"o":[{"a":[]},1,null,"x",{"a":[{"b":true}]}]}"#,
                "{o=-{a=emptyList:},o=-number:1,o=-null:,o=-quoted:x,o=-{a=-{b=boolean:true}}}"
            ),
            (#"{"o":{"a":[1, 2],"b":[ ],"c":null}}"#, "{o={a=-number:1,a=-number:2,b=emptyList:,c=null:}}"),
            (#"{"k":[["a",1],[ "b" , 2 ]]}"#, #"{k=-array:["a",1],k=-array:["b",2]}"#),
            (
                #"{"k":[[],[[ ],[1.50,-0,true , null,"\u0041\n\/"]],3]}"#,
                #"{k=-array:[],k=-array:[[],[1.50,-0,true,null,"A\n/"]],k=-number:3}"#
            ),
            (#"{"o":{"k":[["a",9223372036854775808]]}}"#, #"{o={k=-array:["a",9223372036854775808]}}"#),
            (#"{"$id":"T/p1","o":{"$id":"U/p2"}}"#, "{$id=quoted:T/p1,o={$id=quoted:U/p2}}"),
            // The same name in several objects is no duplicate.
            (#"{"a":1,"o":{"a":{"a":2},"b":3},"b":4}"#, "{a=number:1,o={a={a=number:2},b=number:3},b=number:4}"),
        ] as [(String, String)])
    func `Objects inside a record have fields of their own`(_ object: String, _ expected: String) {
        #expect(JSONReaderTests.read("[\(object)]").outcomes == ["1@1:2+1 " + expected])
        #expect(JSONReaderTests.read(object).outcomes == ["1@1:1+0 " + expected])
        #expect(JSONReaderTests.read(object) { $0.lines = true }.outcomes == ["1@1:1+0 " + expected])
        #expect(
            JSONReaderTests.read("{\"entities\":{\"E\":[\(object)]}}").outcomes == ["1@1:19+18 E" + expected])
    }

    @Test func `The flat form has parents first and the fields of an object together`() throws {
        let text = #"[{"n":1,"o":{"x":"a","p":[{"y":2},3,{}],"q":{}},"z":[[1, "b"],[]]}]"#
        let reader = JSONReader(ByteSource(bytes: Array(text.utf8), name: "x"))
        var record = Record()
        guard case .record = try reader.next(into: &record) else {
            Issue.record("no record")
            return
        }
        #expect(reader.columns == ["n", "o", "x", "p", "y", "q", "z"])
        #expect(record.fields.map(\.kind) == [.number, .object, .array, .array])
        #expect(record.fields.map(\.column) == [0, 1, 6, 6])
        #expect(record.fields[1].start == 0 && record.fields[1].end == 0)
        #expect(record.nested.map(\.parent) == [-1, 0, 0, 0])
        #expect(record.nested.map(\.column) == [1, 3, 3, 5])
        #expect(record.nested.map(\.isElement) == [false, true, true, false])
        #expect(record.nested.map(\.rawStart) == [11, 25, 35, 43])
        #expect(record.nested.map(\.fieldsStart) == [1, 0, 1, 1])
        #expect(record.nested.map(\.fieldsEnd) == [6, 1, 1, 1])
        #expect(record.nestedFields.map(\.column) == [4, 2, 3, 3, 3, 5])
        #expect(record.nestedFields.map(\.kind) == [.number, .quoted, .object, .number, .object, .object])
        #expect(record.nestedFields.map(\.start).suffix(4) == [1, 3, 2, 3])
        var cursor = Record.Cursor()
        #expect(record.position(of: record.nested[1], file: "x", &cursor).column == 27)

        guard case .end = try reader.next(into: &record) else {
            Issue.record("no end")
            return
        }
        record.removeAll()
        #expect(record.nested.isEmpty && record.nestedFields.isEmpty)
    }

    @Test(arguments: [
        (#"{"a":1,"o":{"a":2},"a":3}"#, "header.duplicate@1:21+20", 3),
        (#"{"o":{"a":1,"a":2}}"#, "header.duplicate@1:14+13", 8),
        (#"{"o":{"a":{"a":{"a":1}},"a":2}}"#, "header.duplicate@1:26+25", 8),
        (#"{"o":[{"b":1},{"a":1,"b":2,"\u0061":3}]}"#, "header.duplicate@1:29+28", 17),
    ])
    func `A member twice in one object is told with both places`(
        _ object: String, _ place: String, _ first: Int
    ) throws {
        #expect(JSONReaderTests.read("[\(object)]").outcomes == ["malformed " + place])
        let reader = JSONReader(ByteSource(bytes: Array("[\(object)]".utf8), name: "x"))
        var record = Record()
        guard case .malformed(let diagnostic) = try reader.next(into: &record) else {
            Issue.record("not malformed")
            return
        }
        #expect(diagnostic.field == "a")
        #expect(diagnostic.related.map(\.column) == [first])
        #expect(record.raw == Array(object.utf8))
        #expect(record.fields.isEmpty && record.nested.isEmpty && record.nestedFields.isEmpty)
    }

    @Test(arguments: [
        (#"{"o":{"a":"\ud834"},"b":{"c":1}}"#, "encoding.invalid@1:13+12"),
        (#"{"o":{"\udfff":{"a":1}}}"#, "encoding.invalid@1:9+8"),
        (#"{"k":[[1,{"a":{}}]]}"#, "value.syntax@1:11+10"),
        (#"{"k":[["x\u0000"]]}"#, "encoding.invalid@1:11+10"),
    ])
    func `What is wrong inside costs its record only`(_ object: String, _ place: String) {
        let end = 2 + object.utf8.count
        #expect(
            JSONReaderTests.read("[\(object),{\"b\":{}}]").outcomes
                == ["malformed " + place, "2@1:\(end + 1)+\(end) {b={}}"])
    }

    @Test(arguments: [
        (#"[{"a":{"b":1]"#, "1:13+12"), (#"[{"a":{"b":1}"#, "1:14+13"), (#"[{"a":{"b":[1}]"#, "1:14+13"),
        (#"[{"a":{"b":1,}}]"#, "1:14+13"), (#"[{"a":{b:1}}]"#, "1:8+7"), (#"[{"a":{"b" 1}}]"#, "1:12+11"),
        (#"[{"a":[{"b":1},]}]"#, "1:16+15"), (#"[{"a":[[1,]]}]"#, "1:11+10"), (#"[{"a":[[1}]}]"#, "1:10+9"),
        (#"[{"a":[["#, "1:9+8"), (#"[{"a":{"b":tru}}]"#, "1:12+11"), (#"[{"a":{,}}]"#, "1:8+7"),
        (#"[{"a":[[,]]}]"#, "1:9+8"), (#"[{"a":{"b":{"c":[{"#, "1:19+18"),
    ])
    func `Broken syntax inside ends the reading at its place`(_ text: String, _ place: String) {
        #expect(JSONReaderTests.read(text).outcomes == ["refused json.syntax@" + place])
    }

    @Test func `In JSON Lines broken syntax inside costs its line only`() {
        #expect(
            JSONReaderTests.read("{\"a\":{\"b\":1]\n{\"c\":{\"b\":2}}\n{\"a\":[[1}\n") { $0.lines = true }.outcomes
                == ["malformed json.syntax@1:12+11", "2@2:1+13 {c={b=number:2}}", "malformed json.syntax@3:9+35"])
    }

    @Test func `Limits hold inside`() {
        let deep = { (text: String) in JSONReaderTests.read(text) { $0.maximumDepth = 4 }.outcomes }
        #expect(deep(#"[{"a":{"b":{}}}]"#) == ["1@1:2+1 {a={b={}}}"])
        #expect(deep(#"[{"a":{"b":{"c":{}}}}]"#) == ["refused limit.exceeded@1:17+16"])
        #expect(deep(#"[{"a":{"b":[[1]]}}]"#) == ["refused limit.exceeded@1:13+12"])
        #expect(deep(#"{"a":{"b":[[1]]}}"#) == ["1@1:1+0 {a={b=-array:[1]}}"])
        #expect(
            JSONReaderTests.read(#"[{"o":{"a":1,"b":2,"c":3}},{}]"#) { $0.maximumFields = 3 }.outcomes
                == ["malformed limit.exceeded@1:24+23", "2@1:28+27 {}"])
        // The first problem is told, in the record as in objects inside it.
        let text = #"[{"k":["\ud834",1,2]},{"o":{"k":["\ud834",1,2]}}]"#
        #expect(
            JSONReaderTests.read(text) { $0.maximumFields = 2 }.outcomes
                == ["malformed encoding.invalid@1:9+8", "malformed encoding.invalid@1:35+34"])
        #expect(
            JSONReaderTests.read(#"[{"o":{"a":1,"b":2}}]"#) { $0.maximumColumns = 2 }.outcomes
                == ["refused limit.exceeded@1:14+13"])
        for opening in ["{\"a\":", "[{\"a\":", "[{\"a\":[{\"a\":"] {
            let text = Array("[{\"a\":".utf8) + Array(String(repeating: opening, count: 20_000).utf8)
            let reader = JSONReader(ByteSource(bytes: text, name: "x"))
            #expect(RecordText(reading: reader).outcomes.first?.hasPrefix("refused limit.exceeded") == true)
        }
    }

    @Test(arguments: [1, 3, 64, 1 << 16])
    func `The raw bytes of every record are the source's`(_ chunkSize: Int) throws {
        let records = [
            #"{"a" : {"b":[ {"c":1.0} ]}}"#, "7", #"{"a":1, "a":{}}"#, "{\r\n\"o\":{\"x\":\"\\ud800\"}}", "[{},[ ]]",
            #"{"k":[[{}]]}"#, "{ }",
        ]
        let sources = [
            " [ " + records.joined(separator: " ,\n") + " ] ",
            "{\"entities\": {\"E\": [" + records.joined(separator: ",") + "], \"F\":[ ]}}",
        ]
        for text in sources {
            #expect(try Self.raws(text, lines: false, chunkSize) == records)
        }
        let lines = records.filter { !$0.utf8.contains(10) } + ["{\"a\":", "{} {}", "no"]
        #expect(try Self.raws(" " + lines.joined(separator: " \r\n\n"), lines: true, chunkSize) == lines)
    }

    private static func raws(_ text: String, lines: Bool, _ chunkSize: Int) throws -> [String] {
        var options = JSONReader.Options()
        options.lines = lines
        options.chunkSize = chunkSize
        let reader = JSONReader(ByteSource(bytes: Array(text.utf8), name: "x"), options: options)
        var raws: [String] = []
        var record = Record()
        while true {
            if case .end = try reader.next(into: &record) { return raws }
            raws.append(String(decoding: record.raw, as: UTF8.self))
        }
    }

    @Test func `A large record among small ones is read whole`() throws {
        let count = 30_000
        let large = "{\"o\":[" + Array(repeating: #"{"a":1,"k":[[2,"x"]]}"#, count: count).joined(separator: ",") + "]}"
        var options = JSONReader.Options()
        options.chunkSize = 1 << 12
        let reader = JSONReader(
            ByteSource(bytes: Array("[{\"a\":0},\(large),{\"a\":1}]".utf8), name: "x"), options: options)
        var record = Record()
        var counts: [Int] = []
        while case .record = try reader.next(into: &record) {
            counts.append(record.nested.count)
            if record.number == 2 {
                #expect(record.raw == Array(large.utf8))
                #expect(record.fields.count == count && record.nestedFields.count == 2 * count)
            }
        }
        #expect(counts == [0, count, 0])
    }

    @Test(arguments: 0..<40)
    func `Made-up records are rebuilt from the flat form`(_ seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var values: [NestedValue] = []
        for _ in 0..<10 { values.append(NestedValue.randomObject(depth: 5, isPlain: false, &generator)) }
        var random: SeededGenerator? = generator
        var none: SeededGenerator?
        let texts = values.map { $0.json(&random) }
        let expected = values.map { $0.json(&none) }
        for chunkSize in [1, 7, 1 << 16] {
            var options = JSONReader.Options()
            options.chunkSize = chunkSize
            let source = ByteSource(bytes: Array(("[" + texts.joined(separator: ",") + "]").utf8), name: "x")
            let reader = JSONReader(source, options: options)
            var record = Record()
            for (text, shortest) in zip(texts, expected) {
                guard case .record = try reader.next(into: &record) else {
                    Issue.record("no record: \(text)")
                    return
                }
                let rebuilt = record.json(reader.columns)
                #expect(String(decoding: rebuilt, as: UTF8.self) == shortest)
                #expect(try Self.sorted(rebuilt) == Self.sorted(Array(text.utf8)))
                for object in record.nested { #expect(record.raw[Int(object.rawStart)] == UInt8(ascii: "{")) }
            }
            guard case .end = try reader.next(into: &record) else {
                Issue.record("no end")
                return
            }
        }
    }

    /// The text as Foundation understands it.
    private static func sorted(_ text: [UInt8]) throws -> Data {
        try JSONSerialization.data(
            withJSONObject: JSONSerialization.jsonObject(with: Data(text)), options: [.sortedKeys])
    }
}
