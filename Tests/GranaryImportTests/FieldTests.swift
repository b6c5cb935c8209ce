import Foundation
import GranaryBase
import GranaryFormats
import GranaryModel
import Testing
@testable import GranaryImport
@testable import SeedingTestSupport

/// One field of each type: what it may say, and what becomes of it.
@Suite struct FieldTests {
    private static func model(_ type: AttributeType) -> ManagedObjectModel {
        ManagedObjectModel(entities: [EntityDescription("Thing", [.attribute("value", type)])])
    }

    /// The stored value as CSV writes it, or the problem's code.
    private static func outcome(
        _ type: AttributeType, _ field: String, _ change: (inout ImportOptions) -> Void = { _ in }
    ) throws -> String {
        let run = try TestImport.csv("value\n\(field)\n", "Thing", model(type), change)
        if run.report.isRefused { return run.report.diagnostics.map(\.code.rawValue).joined(separator: " ") }
        let lines = try run.csv("Thing", columns: ["value"]).dropLast().split(
            separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        return String(lines[1])
    }

    @Test(arguments: [
        (AttributeType.integer16, "32767", "32767"), (.integer16, "-32768", "-32768"),
        (.integer16, "32768", "value.range"), (.integer32, "2147483648", "value.range"),
        (.integer32, "+7", "7"), (.integer64, "9223372036854775807", "9223372036854775807"),
        (.integer64, "9223372036854775808", "value.range"), (.integer64, "1.0", "value.syntax"),
        (.integer64, "007", "value.syntax"), (.integer64, " 7", "value.syntax"), (.integer64, "1e3", "value.syntax"),
        (.integer64, "\"7\"", "7"), (.integer64, "٣", "value.syntax"), (.integer64, "\"\"", "value.syntax"),
        (.decimal, "0.10", "0.1"), (.decimal, "12345678901234567890", "12345678901234567890"),
        (.decimal, "0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
        (.decimal, "1,5", "csv.ragged"), (.decimal, "\"1,5\"", "value.syntax"), (.decimal, "NaN", "value.syntax"),
        (.double, "0.1", "0.1"), (.double, "1e-7", "1e-07"), (.double, "inf", "value.syntax"),
        (.double, "1e999", "value.range"), (.float, "16777217", "16777216.0"), (.float, "1e39", "value.range"),
        (.boolean, "true", "true"), (.boolean, "YES", "true"), (.boolean, "0", "false"), (.boolean, "no", "false"),
        (.boolean, "on", "value.syntax"), (.boolean, "2", "value.syntax"),
        (.string, " kept ", " kept "), (.string, "\"\"", "\"\""), (.string, "e\u{301}", "e\u{301}"),
        (.date, "2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
        (.date, "2026-11-21T10:00:00.25+01:00", "2026-11-21T09:00:00.25Z"),
        (.date, "2026-11-21", "value.syntax"), (.date, "2026-11-21T10:00:00", "value.syntax"),
        (.date, "2026-02-30T10:00:00Z", "value.syntax"), (.date, "0", "value.syntax"),
        (.binary, "AP8=", "AP8="), (.binary, "AP8", "value.syntax"), (.binary, "A P8=", "value.syntax"),
        (.binary, "\"\"", "\"\""), (.transformable, "AQ==", "AQ=="),
        (.uuid, "e621e1f8-c36c-495a-93fc-0c247a3e6e5f", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"),
        (.uuid, "E621E1F8", "value.syntax"), (.uri, "https://example.org/a?b=c#d", "https://example.org/a?b=c#d"),
        (.uri, "a b", "value.syntax"), (.uri, "\"\"", "value.syntax"),
    ])
    func `A field is its type's value or a problem, never a guess`(
        _ type: AttributeType, _ field: String, _ expected: String
    ) throws {
        #expect(try Self.outcome(type, field) == expected)
    }

    @Test(arguments: [
        (AttributeType.double, "1.234,5", "1234.5"), (.decimal, "-1.234.567,89", "-1234567.89"),
        (.integer32, "12.345", "12345"), (.double, "1234.5", "value.syntax"), (.double, "1,234", "1.234"),
        (.integer32, "1.23", "value.syntax"),
    ])
    func `Separators of numbers are an option`(_ type: AttributeType, _ field: String, _ expected: String) throws {
        let found = try Self.outcome(type, field.contains(",") ? "\"\(field)\"" : field) {
            $0.decimalSeparator = ","
            $0.groupSeparator = "."
        }
        #expect(found == expected)
    }

    @Test(arguments: [
        ("2026-03-29T01:59:59", "2026-03-29T00:59:59Z"), ("2026-03-29T02:30:00", "value.syntax"),  // skipped hour
        ("2026-10-25T02:30:00", "value.ambiguous"), ("2026-10-25T03:00:00", "2026-10-25T02:00:00Z"),  // an hour twice
        ("2026-11-21", "2026-11-20T23:00:00Z"), ("2026-11-21T10:00:00Z", "2026-11-21T10:00:00Z"),
    ])
    func `Dates without a zone need one that has the hour once`(_ field: String, _ expected: String) throws {
        let found = try Self.outcome(.date, field) { $0.timeZone = TimeZone(identifier: "Europe/Berlin") }
        #expect(found == expected)
    }

    @Test(arguments: [
        (ImportOptions.DateFormat.seconds, "86400.5", "2001-01-02T00:00:00.5Z"),
        (.seconds, "2026-11-21T10:00:00Z", "value.syntax"),
        (.pattern("dd.MM.yyyy HH:mm Z"), "21.11.2026 10:00 +0100", "2026-11-21T09:00:00Z"),
        (.pattern("dd.MM.yyyy HH:mm Z"), "31.11.2026 10:00 +0100", "value.syntax"),
        (.pattern("dd.MM.yyyy"), "21.11.2026", "value.syntax"),
    ])
    func `The form of dates is an option`(
        _ format: ImportOptions.DateFormat, _ field: String, _ expected: String
    ) throws {
        #expect(try Self.outcome(.date, field) { $0.dateFormats = [format] } == expected)
    }

    @Test(arguments: [
        (AttributeType.integer32, "1", "1"), (.integer32, "\"1\"", "1"), (.integer32, "1.0", "value.syntax"),
        (.integer32, "true", "value.syntax"), (.integer32, "[1]", "value.syntax"), (.integer32, "[]", "value.syntax"),
        (.integer32, "{}", "value.syntax"), (.string, "1", "value.syntax"), (.string, "true", "value.syntax"),
        (.string, "\"\"", "\"\""), (.boolean, "true", "true"), (.boolean, "1", "true"), (.boolean, "\"yes\"", "true"),
        (.decimal, "0.10", "0.1"), (.decimal, "\"0.1\"", "0.1"), (.date, "1", "value.syntax"),
    ])
    func `JSON's own kinds are not taken for others`(
        _ type: AttributeType, _ value: String, _ expected: String
    ) throws {
        let run = try TestImport.json("[{\"value\": \(value)}]", "Thing", Self.model(type))
        if run.report.isRefused {
            #expect(run.report.diagnostics.map(\.code.rawValue) == [expected])
        } else {
            #expect(try run.csv("Thing", columns: ["value"]) == "value\n\(expected)\n")
        }
    }

    @Test(arguments: [("0aFF", "Cv8="), ("0", "value.syntax"), ("AP8=", "value.syntax"), ("\"\"", "\"\"")])
    func `Binary data may be written in hex`(_ field: String, _ expected: String) throws {
        #expect(try Self.outcome(.binary, field) { $0.binaryFormat = .hex } == expected)
    }

    @Test func `A decimal that a double column rounds needs leave`() throws {
        let (store, folder) = try TestImport.sqlite(Self.model(.decimal))
        defer { withExtendedLifetime(folder) {} }
        let text = "value\n0.1\n12345678901234567890.5\n"
        let refused = try TestImport.csv(text, "Thing", into: store)
        #expect(refused.problems == ["3:1 value.precision value"])
        let taken = try TestImport.csv(text, "Thing", into: store) { $0.allowsRounding = true }
        #expect(taken.report.created == 2)
        #expect(try taken.csv("Thing", columns: ["value"]) == "value\n0.1\n12345678901234567000\n")
    }
}
