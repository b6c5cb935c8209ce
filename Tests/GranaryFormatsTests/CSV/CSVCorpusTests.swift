import Foundation
import GranaryBase
import TestSupport
import Testing

@testable import GranaryFormats

@Suite("CSV: public test suites", .enabled(if: SharedFiles.arePresent, "../shared is not there"))
struct CSVCorpusTests {
    /// One field of `location_coordinates` is `37°36'37.8"N`: a bare quote. (Its JSON has another phone number, too.)
    @Test func readsTheCSVSpectrum() throws {
        let files = try SharedFiles.files(below: "corpora/csv-spectrum/csvs")
        #expect(files.count == 12)
        for file in files {
            let name = file.deletingPathExtension().lastPathComponent
            let reading = Reading.of(try CSVReader(ByteSource(url: file)))
            if name == "location_coordinates" {
                guard case .malformed("csv.syntax", 2, 24, _, 1, _) = reading.outcomes.first else {
                    Issue.record("\(reading.outcomes)")
                    continue
                }
                continue
            }
            let json = try SharedFiles.url("corpora/csv-spectrum/json/\(name).json")
            let expected = try JSONDecoder().decode([[String: String]].self, from: Data(contentsOf: json))
            let found = reading.records.map { record in
                Dictionary(uniqueKeysWithValues: zip(reading.columns, record.map(bare)))
            }
            // The JSON of `newlines_crlf` has a CR LF; the CSV file itself has lost its CRs.
            #expect(found == expected.map { $0.mapValues { $0.replacing("\r\n", with: "\n") } }, "\(name)")
            #expect(reading.outcomes.count == expected.count)
        }
    }

    /// What Granary does on purpose otherwise: comments are passed over, not read as records, and in a file of one
    /// column a blank line is a record with one NULL field, not nothing.
    private static func isOtherwise(_ id: String) -> Bool {
        id.hasPrefix("comments-read-") || id.hasPrefix("skip-empty-lines-")
    }

    @Test func readsTheFastCSVChecks() throws {
        var counts = (exact: 0, refused: 0, otherwise: 0)
        for file in try SharedFiles.files(below: "corpora/fastcsv-spec/tests") {
            for check in FastCSVCheck.checks(in: try String(contentsOf: file, encoding: .utf8)) {
                var options = CSVReader.Options.headerless()
                if check.settings["commentMode"] == "READ" || check.settings["commentMode"] == "SKIP" {
                    options.comment = UInt8(ascii: "#")
                }
                for lineEnd in ["\n", "\r\n", "\r"] {
                    let reading = try Reading.csv(check.input.replacing("⏎", with: lineEnd), options)
                    let expected = check.records.map { $0.map { $0.replacing("⏎", with: lineEnd) } }
                    let found = reading.records.map { $0.map(bare) }
                    let isWhole = reading.outcomes.count == found.count
                    if Self.isOtherwise(check.id) {
                        // Nothing is lost or made up: blank records are added, comments are missing.
                        let hash = check.id.hasPrefix("comments-read-")
                        let data = hash ? check.dataRecords.map { [$0] } : expected
                        #expect(
                            isWhole && found.filter { $0 != [""] || hash } == data.filter { $0 != [""] || hash },
                            "\(check.id)")
                        if lineEnd == "\n" { counts.otherwise += 1 }
                    } else if isWhole {
                        #expect(found == expected, "\(check.id)")
                        if lineEnd == "\n" { counts.exact += 1 }
                    } else {
                        // Records of one and of two fields, in a check about something else.
                        let isAllowed = check.settings["exceptionAllowed"] == "true" || check.id == "comments-none-1"
                        #expect(isAllowed, "\(check.id): \(reading.outcomes)")
                        if lineEnd == "\n" { counts.refused += 1 }
                    }
                }
            }
        }
        #expect(counts == (39, 11, 10))
    }

    /// Takes the marks off that show a quoted field.
    private func bare(_ field: String) -> String {
        field.hasPrefix("<") && field.hasSuffix(">") ? String(field.dropFirst().dropLast()) : field
    }
}

/// One check of the FastCSV suite, out of the little YAML that its files are made of.
struct FastCSVCheck {
    let id: String
    let settings: [String: String]
    var input = ""
    var records: [[String]] = []

    /// The lines that are no comments.
    var dataRecords: [String] {
        input.split(separator: "⏎").map(String.init).filter { !$0.hasPrefix("#") }
    }

    static func checks(in yaml: String) -> [FastCSVCheck] {
        var settings: [String: String] = [:]
        var checks: [FastCSVCheck] = []
        var isInSettings = false
        for line in yaml.split(separator: "\n") {
            let text = line.drop { $0 == " " }
            if line.first != " " { isInSettings = text.hasPrefix("settings:") }
            if isInSettings, line.first == " ", let colon = text.firstIndex(of: ":") {
                settings[String(text[..<colon])] = text[text.index(after: colon)...].trimmingCharacters(
                    in: .whitespaces)
            } else if text.hasPrefix("- id: ") {
                checks.append(FastCSVCheck(id: String(text.dropFirst(6)), settings: settings))
            } else if text.hasPrefix("input: "), !checks.isEmpty {
                checks[checks.count - 1].input = strings(in: text.dropFirst(7)).first ?? ""
            } else if text.hasPrefix("- ["), !checks.isEmpty {
                checks[checks.count - 1].records.append(strings(in: text))
            }
        }
        return checks
    }

    /// The quoted scalars of a line, their visible control characters made real.
    private static func strings(in text: Substring) -> [String] {
        var result: [String] = []
        var current: String?
        var mark: Character = "'"
        for character in text {
            if current == nil {
                guard character == "'" || character == "\"" else { continue }
                current = ""
                mark = character
            } else if character == mark {
                result.append(current ?? "")
                current = nil
            } else {
                current?.append(
                    character == "␤" ? "\r\n" : character == "␍" ? "\r" : character == "␊" ? "\n" : character)
            }
        }
        return result
    }
}
