import Testing

@testable import GranaryFormats

@Suite("CSV: where a row with too few or too many fields broke")
struct CSVRaggedTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let judge: String
        let row: String
        let place: String
        let hint: String
        var testDescription: String { "\(judge): \(row)" }
    }

    private static let tooFew = "add the missing \",\""
    private static let tooMany = "quote a field that holds the delimiter"

    static let cases: [Case] = [
        // A delimiter is missing.
        Case(
            judge: "it", row: "0YY-5315", place: "2:1",
            hint: "field 1 \"0YY-5315\" does not fit its column; with a delimiter after \"0\" the row would fit"),
        Case(
            judge: "itt", row: "0YY-5315,Ann", place: "2:1",
            hint: "field 1 \"0YY-5315\" does not fit its column; with a delimiter after \"0\" the row would fit"),
        Case(
            judge: "tid", row: "Ann,72020-01-01", place: "2:5",
            hint: "field 2 \"72020-01-01\" does not fit its column; with a delimiter after \"7\" the row would fit"),
        Case(
            judge: "tit", row: "abc5,xyz", place: "2:1",
            hint: "with a delimiter after \"abc\" in field 1 the row would fit"),
        Case(
            judge: "it", row: "5é", place: "2:1",
            hint: "field 1 \"5é\" does not fit its column; with a delimiter after \"5\" the row would fit"),
        // Several places would do, or none; the first field that does not fit is named.
        Case(
            judge: "iit", row: "12345,Ann", place: "2:7",
            hint: "field 2 \"Ann\" does not fit its column: " + tooFew),
        Case(
            judge: "iti", row: "x", place: "2:1", hint: "field 1 \"x\" does not fit its column: " + tooFew),
        Case(
            judge: "it", row: "\"0YY\"", place: "2:1", hint: "field 1 \"0YY\" does not fit its column: " + tooFew),
        // All fields fit as far as they go: nothing is known.
        Case(judge: "tt", row: "1", place: "2:2", hint: tooFew),
        Case(judge: "itt", row: "1,x", place: "2:4", hint: tooFew),
        // A delimiter is not quoted.
        Case(
            judge: "iti", row: "1,Smith, John,5", place: "2:3",
            hint: "fields 2 and 3 joined (\"Smith, John\") would fit: quote them"),
        Case(
            judge: "ti", row: "Smith,John,5", place: "2:1",
            hint: "fields 1 and 2 joined (\"Smith,John\") would fit: quote them"),
        Case(judge: "itti", row: "1,Ann,Smith, John,5", place: "2:19", hint: tooMany),
        Case(judge: "ti", row: "\"Smith\",John,5", place: "2:14", hint: tooMany),
        Case(judge: "ti", row: "Smith,John,x,5", place: "2:12", hint: tooMany),
        // An empty field too many.
        Case(judge: "it", row: "1,Ann,", place: "2:7", hint: "without the empty field 3 the row would fit"),
        Case(judge: "iti", row: "1,,Ann,5", place: "2:3", hint: "without the empty field 2 the row would fit"),
    ]

    @Test(arguments: cases)
    func tells(_ example: Case) throws {
        let width = example.judge.count
        let header = (0..<width).map { "c\($0)" }.joined(separator: ",")
        let count = example.row.split(separator: ",", omittingEmptySubsequences: false).count
        let found = try Reading.transcript("\(header)\n\(example.row)\n", judge: example.judge)
        let counts =
            count < width
            ? "\(count) of \(width) columns" : "\(count) field\(count == 1 ? "" : "s"), the header has \(width)"
        #expect(
            found == [
                "t.csv:\(example.place): error: the record has \(counts); \(example.hint) [csv.ragged] \(example.row)"
            ])
    }

    @Test func looksOnlyAtRowsOfSomeSize() throws {
        let long = String(repeating: "x", count: 10_001)
        let found = try Reading.transcript("a,b\n\(long)\n", judge: "it")
        #expect(found.first?.hasPrefix("t.csv:2:10002: error: the record has 1 of 2 columns; add the missing") == true)
        // Longer texts are named, not taken apart.
        let text = "1" + String(repeating: "x", count: 250)
        let named = try Reading.transcript("a,b\n\(text)\n", judge: "it")
        #expect(named.first?.contains("does not fit its column: add the missing") == true)
    }
}
