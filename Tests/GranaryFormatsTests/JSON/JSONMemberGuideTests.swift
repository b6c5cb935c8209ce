import GranaryBase
import GranaryFormats
import Testing

/// Objects and lists that are values of their own.
@Suite struct JSONMemberGuideTests {
    /// Records and what stands in `p` hold such values in `v`; what stands in `o` holds them in `w`.
    private final class Guide: MemberGuide {
        func kind(ofRecordsOf entity: String?) -> Int32 { entity == "Other" ? -1 : 0 }

        func content(of member: String, kind: Int32) -> MemberContent {
            switch (kind, member) {
            case (0, "v"), (1, "w"): .json
            case (0, "o"): .objects(kind: 1)
            case (1, "p"): .objects(kind: 0)
            default: .objects(kind: -1)
            }
        }
    }

    private static func read(
        _ text: String, _ change: (inout JSONReader.Options) -> Void = { _ in }
    ) -> RecordText {
        var options = JSONReader.Options()
        change(&options)
        let reader = JSONReader(ByteSource(bytes: Array(text.utf8), name: "x"), options: options)
        reader.guide = Guide()
        return RecordText(reading: reader)
    }

    @Test(
        arguments: [
            (#"{"v":{"a":[1, {"b":2}]},"z":1}"#, #"{v=json:{"a":[1, {"b":2}]},z=number:1}"#),
            (#"{"v":[],"w":[]}"#, "{v=json:[],w=emptyList:}"),
            (#"{"v":[[{"v":1}],"\u0041"]}"#, #"{v=json:[[{"v":1}],"\u0041"]}"#),
            (#"{"v":{"k":1,"k":2}}"#, #"{v=json:{"k":1,"k":2}}"#),
            (#"{"v":5}"#, "{v=number:5}"), (#"{"v":null}"#, "{v=null:}"), (#"{"v":"x"}"#, "{v=quoted:x}"),
            (#"{"o":{"w":[1],"v":[1],"p":{"v":{}}}}"#, "{o={w=json:[1],v=-number:1,p={v=json:{}}}}"),
            (#"{"o":[{"w":{}},{"w":[ ]}],"v":[2]}"#, "{o=-{w=json:{}},o=-{w=json:[ ]},v=json:[2]}"),
            (#"{"x":[{"v":[1]}]}"#, "{x=-{v=-number:1}}"),
        ] as [(String, String)])
    func `Members that hold values of their own are one field`(_ object: String, _ expected: String) {
        #expect(Self.read("[\(object)]").outcomes == ["1@1:2+1 " + expected])
        #expect(Self.read(object) { $0.lines = true }.outcomes == ["1@1:1+0 " + expected])
        for size in [1, 3, 7] {
            #expect(Self.read("[\(object)]") { $0.chunkSize = size }.outcomes == ["1@1:2+1 " + expected])
        }
    }

    @Test func `Names inside are no columns, and the entity decides`() {
        let text = Self.read(#"{"entities":{"E":[{"v":{"a":1}}],"Other":[{"v":[1]}],"F":[{"v":[2]}]}}"#)
        #expect(text.columns == ["v"])
        let expected = [#" E{v=json:{"a":1}}"#, " Other{v=-number:1}", " F{v=json:[2]}"]
        #expect(text.outcomes.map { String($0.drop { $0 != " " }) } == expected)
    }

    @Test func `What is wrong inside costs the record`() throws {
        let text = Self.read(#"[{"v":{"a":"\ud800"}},{"v":[1]}]"#)
        #expect(text.outcomes.count == 2)
        #expect(text.outcomes.first == "malformed \(Diagnostic.Code.encodingInvalid.rawValue)@1:13+12")
        let long = Self.read(#"[{"v":[1,2,3]},{"v":[1]}]"#) { $0.maximumFieldBytes = 4 }
        #expect(long.outcomes.first == "malformed \(Diagnostic.Code.limitExceeded.rawValue)@1:7+6")
        #expect(long.outcomes.last == "2@1:16+15 {v=json:[1]}")
        let deep = Self.read(#"[{"v":[[[]]]}]"#) { $0.maximumDepth = 4 }
        #expect(deep.outcomes == ["refused \(Diagnostic.Code.limitExceeded.rawValue)@1:9+8"])
        #expect(Self.read(#"[{"v":[1,}]"#).outcomes.count == 1)
    }
}
