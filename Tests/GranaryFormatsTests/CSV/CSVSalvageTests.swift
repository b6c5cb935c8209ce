import GranaryBase
import Testing

@testable import GranaryFormats

@Suite("CSV: reading on behind a quote that is not closed")
struct CSVSalvageTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        let judge: String?
        let transcript: [String]
        var options = CSVReader.Options()
        var testDescription: String { text.debugDescription }
    }

    static let cases: [Case] = [
        // Never closed.
        Case(
            text: "id,name,day\n1,Ann,2020-01-01\n2,\"Bob,2020-01-02\n3,Cid,2020-01-03\n", judge: "itd",
            transcript: [
                "2 1,Ann,2020-01-01",
                "t.csv:3:3: error: the quote that opens here is never closed; reading continues at line 4 [csv.syntax] 2,\"Bob,2020-01-02",
                "4 3,Cid,2020-01-03",
            ]),
        // Closed by the opening quote of a later row.
        Case(
            text: "id,name,day\n1,\"Ann,2020-01-01\n2,Bob,2020-01-02\n3,\"Cid\",2020-01-03\n4,Dan,2020-01-04\n",
            judge: "itd",
            transcript: [
                "t.csv:2:3: error: the quote that opens here is closed in line 4, with text after it; reading continues at line 3 [csv.syntax] 1,\"Ann,2020-01-01",
                "3 2,Bob,2020-01-02", "4 3,\"Cid\",2020-01-03", "5 4,Dan,2020-01-04",
            ]),
        // Lines that do not fit belong to the broken record.
        Case(
            text: "id,name,day\n1,\"Ann\nsays, hello,2020-01-01\n\n2,Bob,2020-01-02\n", judge: "itd",
            transcript: [
                "t.csv:2:3: error: the quote that opens here is never closed; reading continues at line 5 [csv.syntax] 1,\"Ann⏎says, hello,2020-01-01⏎",
                "5 2,Bob,2020-01-02",
            ]),
        // Lines that look like rows in a field that is well formed are its text.
        Case(
            text: "id,name,day\n1,\"Ann\n2,Bob,2020-01-02\n\",2020-01-01\n", judge: "itd",
            transcript: ["2 1,\"Ann⏎2,Bob,2020-01-02⏎\",2020-01-01"]),
        // A line with one rejected field is an invalid record; a line with two is no record.
        Case(
            text: "id,age,name,day\n1,5,\"Ann,2020-01-01\n2,x,Bob,2020-01-02\n3,6,Cid,2020-01-03\n", judge: "iitd",
            transcript: [
                "t.csv:2:5: error: the quote that opens here is never closed; reading continues at line 3 [csv.syntax] 1,5,\"Ann,2020-01-01",
                "3 2,x,Bob,2020-01-02", "4 3,6,Cid,2020-01-03",
            ]),
        Case(
            text: "id,age,name,day\n1,5,\"Ann,2020-01-01\nx,x,Bob,2020-01-02\n3,6,Cid,2020-01-03\n", judge: "iitd",
            transcript: [
                "t.csv:2:5: error: the quote that opens here is never closed; reading continues at line 4 [csv.syntax] 1,5,\"Ann,2020-01-01⏎x,x,Bob,2020-01-02",
                "4 3,6,Cid,2020-01-03",
            ]),
        // Without types the number of fields counts, if there are several.
        Case(
            text: "id,name\r\n1,\"Ann\r\n2,Bob\r\n3,Cid\r\n", judge: nil,
            transcript: [
                "t.csv:2:3: error: the quote that opens here is never closed; reading continues at line 3 [csv.syntax] 1,\"Ann",
                "3 2,Bob", "4 3,Cid",
            ]),
        Case(
            text: "id,name\r1,\"Ann\r2,Bob", judge: "tt",
            transcript: [
                "t.csv:2:3: error: the quote that opens here is never closed; reading continues at line 3 [csv.syntax] 1,\"Ann",
                "3 2,Bob",
            ]),
        Case(
            text: "a\n\"x\ny\r\n", judge: "t",
            transcript: [
                "t.csv:2:1: error: the quote that opens here is never closed; the field extends to the end of the file [csv.syntax] \"x⏎y"
            ]),
        Case(
            text: "a\n\"x\ny\n5\n", judge: "I",
            transcript: [
                "t.csv:2:1: error: the quote that opens here is never closed; reading continues at line 4 [csv.syntax] \"x⏎y",
                "4 5",
            ]),
        Case(
            text: "a,b\n1,\"x", judge: "tt",
            transcript: ["t.csv:2:3: error: the quote that opens here is never closed [csv.syntax] 1,\"x"]),
        Case(
            text: "1,\"Ann\n2,Bob\n3,Cid\n", judge: nil,
            transcript: [
                "t.csv:1:3: error: the quote that opens here is never closed; reading continues at line 2 [csv.syntax] 1,\"Ann",
                "2 2,Bob", "3 3,Cid",
            ], options: .headerless()),
        // The row that fits goes over several lines itself.
        Case(
            text: "id,name,day\n1,\"Ann,2020-01-01\n2,\"Bob\nJr\",2020-01-02\n3,Cid,2020-01-03\n", judge: "itd",
            transcript: [
                "t.csv:2:3: error: the quote that opens here is closed in line 3, with text after it; reading continues at line 3 [csv.syntax] 1,\"Ann,2020-01-01",
                "3 2,\"Bob⏎Jr\",2020-01-02", "5 3,Cid,2020-01-03",
            ]),
        // Comments are no rows.
        Case(
            text: "id,name\n1,\"Ann\n#a,b\n2,Bob\n", judge: nil,
            transcript: [
                "t.csv:2:3: error: the quote that opens here is never closed; reading continues at line 4 [csv.syntax] 1,\"Ann⏎#a,b",
                "4 2,Bob",
            ], options: .init().with { $0.comment = UInt8(ascii: "#") }),
        // Broken behind a field that was closed.
        Case(
            text: "id,name,day\n1,\"Ann\n2,Bob,2020-01-02\nx\",\"q\"q\n3,Cid,2020-01-03\n", judge: "itd",
            transcript: [
                "t.csv:2:3: error: the quote that opens here is closed in line 4, and the record is malformed after it; reading continues at line 3 [csv.syntax] 1,\"Ann",
                "3 2,Bob,2020-01-02",
                "t.csv:4:2: error: a quote inside an unquoted field; quote the whole field and double the quote (RFC 4180, section 2.5) [csv.syntax] x\",\"q\"q",
                "5 3,Cid,2020-01-03",
            ]),
        // No line up to the break fits: reading goes on behind its line.
        Case(
            text: "id,name\n1,\"Ann\n2,\"Bob\n3,Cid\n", judge: "it",
            transcript: [
                "t.csv:2:3: error: the quote that opens here is closed in line 3, with text after it; reading continues at line 4 [csv.syntax] 1,\"Ann⏎2,\"Bob",
                "4 3,Cid",
            ]),
        Case(
            text: "id,name,day\n1,\"Ann\nJr\",\"2020\" \n3,Cid,2020-01-03\n", judge: "itd",
            transcript: [
                "t.csv:3:11: error: text after the closing quote; double a quote that belongs to the field (RFC 4180, section 2.7) [csv.syntax] 1,\"Ann⏎Jr\",\"2020\" ",
                "4 3,Cid,2020-01-03",
            ]),
        // A broken header is refused as ever.
        Case(
            text: "id,\"name\n1,Ann\n", judge: nil,
            transcript: [
                "t.csv:1:4: error: the quote that opens here is never closed; the field extends to the end of the file [csv.syntax]"
            ]),
    ]

    @Test(arguments: cases, [1, 2, 3, 7, 64, 1 << 18])
    func readsOn(_ example: Case, chunkBytes: Int) throws {
        let found = try Reading.transcript(
            example.text, judge: example.judge, example.options, chunkBytes: chunkBytes)
        #expect(found == example.transcript)
    }

    @Test func readsOnBehindALimit() throws {
        let rows = (3...400).map { "\($0),Bob" }
        let text = "id,name\n1,\"Ann\n" + rows.joined(separator: "\n") + "\n"
        let options = CSVReader.Options().with { $0.maximumFieldBytes = 64 }
        let found = try Reading.transcript(text, judge: nil, options, chunkBytes: 100)
        #expect(
            found.first
                == "t.csv:2:3: error: the quote that opens here is not closed within 64 bytes, the limit; reading continues at line 3 [csv.syntax] 1,\"Ann"
        )
        #expect(Array(found.dropFirst()) == (3...400).map { "\($0) \($0),Bob" })
    }

    @Test func namesTheFieldOfTheQuote() throws {
        let text = "id,name,note\n1,\"Ann,x\n2,Bob,y\n3,\"Cid\",z\n"
        let reader = try CSVReader(ByteSource(bytes: Array(text.utf8), name: "t.csv"))
        var record = Record()
        guard case .malformed(let diagnostic) = try reader.next(into: &record) else {
            return #expect(Bool(false), "no diagnostic")
        }
        #expect(diagnostic.field == "name")
        #expect(diagnostic.position?.record == 1)
        #expect(diagnostic.position?.byteOffset == 15)
        #expect(record.fields.isEmpty && record.bytes.isEmpty)
    }

    /// Files in which many lines open a quote, or one does and all others read well both ways.
    @Test(arguments: [
        // Each line's quote closes the one before it.
        ("", "x,\"", "\"\"\n", 1), ("", "1,2\nx,\"", "\"\"\n", 1),
        // Quotes are in step both ways up to the end.
        ("1,\"z\n", "", "x,\",\"\n", 1),
    ])
    func workIsBounded(opening: String, front: String, back: String, megabytes: Int) throws {
        let unit = Array(front.utf8) + [UInt8](repeating: 0x79, count: 4000) + Array(back.utf8)
        var text = Array(("a,b\n" + opening).utf8)
        while text.count < megabytes << 20 { text += unit }
        let options = CSVReader.Options().with { $0.maximumFields = 1 << 20 }
        let reader = try CSVReader(ByteSource(bytes: text, name: "t.csv"), options: options)
        var record = Record()
        loop: while true {
            if case .end = try reader.next(into: &record) { break loop }
        }
        #expect(reader.tokenizer.rereadBytes > 0)
        #expect(reader.tokenizer.rereadBytes < 3 * text.count)
    }

    /// Past the limit of what is read again a broken record is read as if there were no salvage.
    @Test func saysWhenItHasReadTooMuchAgain() throws {
        let text = "id,name\n1,\"Ann\n2,Bob\n"
        let reader = try CSVReader(ByteSource(bytes: Array(text.utf8), name: "t.csv"))
        reader.tokenizer.rereadBytes = 1 << 40
        var record = Record()
        guard case .malformed(let diagnostic) = try reader.next(into: &record) else {
            return #expect(Bool(false), "no diagnostic")
        }
        #expect(
            diagnostic.message
                == "the quote that opens here is never closed; the field extends to the end of the file; the search for a line that fits is disabled, because too much of the file was read twice already"
        )
        #expect(record.raw == Array("1,\"Ann\n2,Bob".utf8))
        guard case .end = try reader.next(into: &record) else { return #expect(Bool(false), "not the end") }
    }
}

/// As ``CSVSalvageTests``, with files of many megabytes.
struct CSVSalvageLongTests {
    @Test(arguments: [
        ("", "x,\"", "\"\"\n", 3), ("", "1,2\nx,\"", "\"\"\n", 3), ("1,\"z\n", "", "x,\",\"\n", 3),
        // No other quote ends the field before its limit.
        ("1,\"z\n", "x,", "\n", 20),
    ])
    func workIsBounded(opening: String, front: String, back: String, megabytes: Int) throws {
        try CSVSalvageTests().workIsBounded(opening: opening, front: front, back: back, megabytes: megabytes)
    }
}
