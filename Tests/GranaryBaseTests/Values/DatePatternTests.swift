import Foundation
import GranaryBase
import Testing

@Suite struct DatePatternTests {
    private func parse(_ text: String, _ pattern: String) throws -> String {
        var reader = DateTextReader(.pattern(try DatePattern(pattern)), timeZone: .gmt)
        let value = try withBytes(text) { try reader.parse($0) }
        return printed { _ = DateText.append(value, to: &$0) }
    }

    @Test(arguments: [
        ("dd.MM.yyyy", "29.07.2026", "2026-07-29T00:00:00Z"),
        ("dd.MM.yyyy HH:mm", "29.07.2026 14:30", "2026-07-29T14:30:00Z"),
        ("yyyyMMdd'T'HHmmss", "20260729T143000", "2026-07-29T14:30:00Z"),
        ("yyyy-MM-dd HH:mm:ss.SSS", "2026-07-29 14:30:00.125", "2026-07-29T14:30:00.125Z"),
        ("MM/dd/yyyy HH:mm:ss Z", "07/29/2026 14:30:00 +0200", "2026-07-29T12:30:00Z"),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2026-07-29T14:30:00-05:30", "2026-07-29T20:00:00Z"),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2026-07-29T14:30:00Z", "2026-07-29T14:30:00Z"),
        ("dd'. Tag ''26' MM yyyy''", "29. Tag '26 07 2026'", "2026-07-29T00:00:00Z"),
        ("yyyy年MM月dd日", "2026年07月29日", "2026-07-29T00:00:00Z"),
        ("dd.MM.yyyy HH:mm:ss,SSSSSSSSS", "01.01.2001 00:00:00,100000000", "2001-01-01T00:00:00.1Z"),
        ("ssmmHHyyyyMMdd", "00301420260729", "2026-07-29T14:30:00Z"),
    ])
    func reads(pattern: String, text: String, instant: String) throws {
        #expect(try parse(text, pattern) == instant)
    }

    @Test(arguments: [
        ("dd.MM.yyyy", "29.7.2026"), ("dd.MM.yyyy", "29.07.26"), ("dd.MM.yyyy", "29.07.2026 "),
        ("dd.MM.yyyy", " 29.07.2026"),
        ("dd.MM.yyyy", "29/07/2026"), ("dd.MM.yyyy", "31.06.2026"), ("dd.MM.yyyy", "29.13.2026"), ("dd.MM.yyyy", ""),
        ("dd.MM.yyyy HH:mm", "29.07.2026 24:00"), ("dd.MM.yyyy HH:mm", "29.07.2026"),
        ("yyyy-MM-dd HH:mm:ss.SSS", "2026-07-29 14:30:00.1"),
        ("yyyy-MM-dd HH:mm:ss.SSS", "2026-07-29 14:30:00.1a5"), ("yyyy-MM-dd HH:mm Z", "2026-07-29 14:30 Z"),
        ("yyyy-MM-dd HH:mm Z", "2026-07-29 14:30 +02:0"), ("yyyy-MM-dd HH:mm XXX", "2026-07-29 14:30 +02000"),
        ("yyyy-MM-dd HH:mm XXX", "2026-07-29 14:30 +0200"), ("dd.MM.yyyy", "-1.01.2001"), ("dd.MM.yyyy", "01.01.-001"),
    ])
    func refuses(pattern: String, text: String) {
        #expect(throws: ValueTextError.self) { try parse(text, pattern) }
    }

    @Test(arguments: [
        "", "yyyy", "yyyy-MM", "yy-MM-dd", "yyyy-M-d", "yyyy-MM-dd hh:mm", "yyyy-MM-dd HH", "yyyy-MM-dd mm",
        "yyyy-MM-dd HH:ss",
        "yyyy-MM-dd HH:mm.SSS", "yyyy-MM-dd yyyy", "yyyy-MM-ddTHH:mm", "yyyy-MM-dd 'x", "EEE yyyy-MM-dd",
        "yyyy-MM-dd Z",
        "yyyy-MM-dd HH:mm ZXXX", "yyyy-MM-dd HH:mm:ss SSSSSSSSSS", "yyyy-MM-dd HH:mm z", "yyyy-MM-dd HH:mm:ss.SS.SSS",
    ])
    func refusesPatterns(pattern: String) {
        #expect(throws: ValueTextError.self) { try DatePattern(pattern) }
    }

    @Test(arguments: [
        ("dd.MM.yyyy", "29.07.2026", false), ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-07-29T14:30:15.250+02:00", true),
        ("MM/dd/yyyy HH:mm Z", "07/29/2026 14:30 +0200", true), ("yyyy年MM月dd日", "2026年07月29日", false),
    ])
    func showsAnExample(pattern: String, example: String, hasZone: Bool) throws {
        let form = try DatePattern(pattern)
        #expect(form.example == example)
        #expect(form.hasZone == hasZone)
        #expect(throws: Never.self) { try parse(example, pattern) }
    }
}
