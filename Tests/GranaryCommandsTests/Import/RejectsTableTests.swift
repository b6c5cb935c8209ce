import Foundation
import TestSupport
import Testing

/// `--rejects-format csv` and `--diagnostics csv`: problems for a colleague with a spreadsheet.
@Suite struct RejectsTableTests {
    private let bench: ImportBench

    init() throws { bench = try ImportBench() }

    private let table = ["--mode", "keep-good", "--rejects", "@bad.csv", "--rejects-format", "csv"]
    private static let names = "$file,$line,$column,$property,$rule,$message,$record,"

    /// The rows without the source and the message.
    private func rows(_ name: String = "bad.csv") throws -> [String] {
        try bench.runs.text(name).split(separator: "\n").dropFirst().map { line in
            let parts = Self.fields(String(line))
            return (parts[1...4] + parts[6...]).joined(separator: ",")
        }
    }

    private static func fields(_ line: String) -> [String] {
        var fields = [""]
        var isQuoted = false
        for character in line {
            switch character {
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }

    @Test("Reasons are beside the fields, and the corrected table completes the import") func corrected() async throws {
        let text = "key,name\n2,Cut\nx,\n-1,Heat\n3,Cut\n4,Burn,more\n5,\"B\"\"ite\"\n"
        let result = try await bench.run(text, "Injury", table)
        #expect(
            result.code == 1 && result.ledger == ImportBench.ledger(6, created: 2, rejected: 4), "\(result.messages)")
        let bad = try bench.runs.text("bad.csv")
        #expect(bad.hasPrefix(Self.names + "key,name\n"), "\(bad)")
        #expect(
            try rows() == [
                "3,1; 3,key; name,value.syntax; value.missing,,x,", "4,1,key,value.tooSmall,,-1,Heat",
                "5,3,name,unique.duplicate,,3,Cut", "6,3,name,csv.ragged,4,Burn,more,,",
            ])
        #expect(bad.contains("\"\"x\"\" is not an Integer 16"))
        #expect(try bench.bytes("bad.csv").starts(with: [0xEF, 0xBB, 0xBF]))
        // What the colleague sends back: corrected fields, the other columns as they were.
        let corrected = bad.replacing(",x,\n", with: ",6,Cold\n").replacing(",-1,Heat", with: ",1,Heat")
            .replacing(",3,Cut\n", with: ",3,Cut 2\n").replacing("\"4,Burn,more\",,\n", with: ",4,Burn 2\n")
        _ = try bench.runs.folder.write(corrected, to: "bad.csv")
        let rest = await bench.run(["@bad.csv", "--entity", "Injury"])
        #expect(rest.code == 0 && rest.ledger == ImportBench.ledger(4, created: 4), "\(rest.messages)")
        #expect(
            try bench.injuries == [
                "0,Burn", "1,Fracture", "2,Cut", "5,\"B\"\"ite\"", "6,Cold", "1,Heat", "3,Cut 2", "4,Burn 2",
            ])
    }

    @Test("A table of rejects that is rejected again has its reasons once") func again() async throws {
        _ = try await bench.run("key,name\nx,Cold\n", "Injury", table)
        let words = ["@bad.csv", "--entity", "Injury", "--mode", "keep-good", "--rejects-format", "csv"]
        let second = await bench.run(words + ["--rejects", "@bad2.csv"])
        #expect(second.code == 1, "\(second.messages)")
        #expect(try bench.runs.text("bad2.csv").hasPrefix(Self.names + "key,name\n"))
        #expect(try rows("bad2.csv") == ["2,\(try column("x"))" + ",key,value.syntax,,x,Cold"])
    }

    /// The column of a field in the first table.
    private func column(_ field: String) throws -> Int {
        let line = try #require(try bench.runs.text("bad.csv").split(separator: "\n").last)
        let start = try #require(line.range(of: "," + field + ",", options: .backwards)).lowerBound
        return line.utf8.distance(from: line.startIndex, to: start) + 2
    }

    @Test("The separators and the encoding are those of the source") func dialect() async throws {
        let data = Data("key;name\nx;'M".utf8) + Data([0xFC]) + Data("ll;er'\n".utf8)
        try data.write(to: URL(filePath: bench.runs.path("in.csv")))
        let words = ["--entity", "Injury", "--delimiter", ";", "--quote", "'", "--encoding", "windows-1252"]
        let result = await bench.run(["@in.csv"] + words + table)
        #expect(result.code == 1, "\(result.messages)")
        let bad = try Data(contentsOf: URL(filePath: bench.runs.path("bad.csv")))
        let lines = try #require(String(data: bad, encoding: .windowsCP1252)).split(separator: "\n")
        #expect(lines[0] == "$file;$line;$column;$property;$rule;$message;$record;key;name")
        #expect(lines[1].hasSuffix(";;x;'Müll;er'"), "\(lines)")
    }

    @Test("Records of JSON become rows, a list one field") func json() async throws {
        let text = "[{\"key\": \"x\", \"name\": \"Cut\"}, {\"key\": 2, \"name\": null}, {\"key\": 3, \"name\": \"ok\"}]"
        _ = try bench.runs.folder.write(text, to: "in.json")
        let result = await bench.run(["@in.json", "--entity", "Injury"] + table)
        #expect(result.code == 1, "\(result.messages)")
        let rows = try rows()
        #expect(rows.count == 2 && rows[0].hasSuffix("key,value.syntax,,x,Cut"), "\(rows)")
        #expect(rows[1].hasSuffix("name,value.missing,,2,"), "\(rows)")
    }

    @Test("The format needs a rejects file") func wrongUse() async throws {
        let result = try await bench.run("key,name\n", "Injury", ["--mode", "keep-good", "--rejects-format", "csv"])
        #expect(result.code == 64 && result.messages.contains("--rejects-format needs --rejects FILE"))
    }

    @Test("Diagnostics as a table") func diagnostics() async throws {
        let result = try await bench.run("key,name\nx,Cut\n=1,Heat\n", "Injury", ["--diagnostics", "csv"])
        let file = bench.runs.path("in.csv")
        let lines = result.output.split(separator: "\n")
        #expect(result.code == 65 && lines.count == 3, "\(result.output)\(result.messages)")
        #expect(lines[0] == "file,line,column,record,severity,entity,property,field,rule,value,message,help")
        #expect(lines[1].hasPrefix("\(file),2,1,1,error,Injury,key,key,value.syntax,x,"), "\(lines[1])")
        #expect(lines[2].contains(",value.syntax,'=1,"), "\(lines[2])")
        #expect(!result.messages.contains("error: Injury.key"))
    }
}
