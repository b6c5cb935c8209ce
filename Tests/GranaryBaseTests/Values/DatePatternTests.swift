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
        ("d.M.yyyy", "3.7.2026", "2026-07-03T00:00:00Z"), ("d.M.yyyy", "13.07.2026", "2026-07-13T00:00:00Z"),
        ("M/d/yy", "7/3/69", "2069-07-03T00:00:00Z"), ("M/d/yy", "7/3/70", "1970-07-03T00:00:00Z"),
        ("d MMM yyyy", "3 jul 2026", "2026-07-03T00:00:00Z"), ("d MMM yyyy", "3 Sept. 2026", "2026-09-03T00:00:00Z"),
        ("d MMM. yyyy", "3 Sep. 2026", "2026-09-03T00:00:00Z"),
        ("MMMM d, yyyy", "July 3, 2026", "2026-07-03T00:00:00Z"),
        ("EEE, d MMM yyyy", "Fri, 3 Jul 2026", "2026-07-03T00:00:00Z"),
        ("EEEE d.M.yyyy", "Monday 1.1.2001", "2001-01-01T00:00:00Z"),
        ("d.M.yyyy h:mm a", "3.7.2026 12:05 AM", "2026-07-03T00:05:00Z"),
        ("d.M.yyyy h:mm a", "3.7.2026 12:05 p.m.", "2026-07-03T12:05:00Z"),
        ("d.M.yyyy h a", "3.7.2026 11 pm", "2026-07-03T23:00:00Z"),
        ("d.M.yyyy H:m:s", "3.7.2026 4:5:6", "2026-07-03T04:05:06Z"),
        ("yyyy-MM-dd HH:mmX", "2026-07-03 14:00+02", "2026-07-03T12:00:00Z"),
        ("yyyy-MM-dd HH:mmXX", "2026-07-03 14:00-0530", "2026-07-03T19:30:00Z"),
        ("yyyy-MM-dd HH:mmZZZZZ", "2026-07-03 14:00Z", "2026-07-03T14:00:00Z"),
        ("yyyy-MM-dd HH:mm VV", "2026-07-03 14:00 Europe/Berlin", "2026-07-03T12:00:00Z"),
        ("yyyy-MM-dd HH:mm (VV)", "2026-01-03 14:00 (UTC)", "2026-01-03T14:00:00Z"),
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
        ("d.M.yyyy", "3.13.2026"), ("d.M.yyyy", ".7.2026"), ("d.M.yyyy", "003.7.2026"), ("d.M.yy", "3.7.2026"),
        ("d MMM yyyy", "3 July 2026"), ("d MMM yyyy", "3 Foo 2026"), ("EEE d.M.yyyy", "Thu 3.7.2026"),
        ("d.M.yyyy h:mm a", "3.7.2026 13:05 PM"), ("d.M.yyyy h:mm a", "3.7.2026 0:05 AM"),
        ("d.M.yyyy h:mm a", "3.7.2026 1:05"), ("yyyy-MM-dd HH:mm VV", "2026-07-03 14:00 Nowhere/Town"),
        ("yyyy-MM-dd HH:mm VV", "2026-07-03 14:00 PST"), ("yyyy-MM-dd HH:mm VV", "2026-07-03 14:00 "),
        ("yyyy-MM-dd HH:mm XXX", "2026-07-29 14:30 +0200"), ("dd.MM.yyyy", "-1.01.2001"), ("dd.MM.yyyy", "01.01.-001"),
    ])
    func refuses(pattern: String, text: String) {
        #expect(throws: ValueTextError.self) { try parse(text, pattern) }
    }

    @Test(arguments: [
        "", "yyyy", "yyyy-MM", "y-MM-dd", "dMyyyy", "yyyy-MM-dd hh:mm", "yyyy-MM-dd HH:mm a", "yyyy-MM-dd hmm a",
        "MMMMM d yyyy",
        "MMM MM d yyyy", "yy yyyy-MM-dd", "yyyy-MM-dd HH", "yyyy-MM-dd mm",
        "yyyy-MM-dd HH:ss",
        "yyyy-MM-dd HH:mm.SSS", "yyyy-MM-dd yyyy", "yyyy-MM-ddTHH:mm", "yyyy-MM-dd 'x", "EEEEE yyyy-MM-dd",
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

    @Test(arguments: [
        ("de", "d. MMMM yyyy", "3. März 2026", "2026-03-03"), ("de", "d. MMM yyyy", "3. Dez. 2026", "2026-12-03"),
        ("fr", "d MMM yyyy", "3 févr. 2026", "2026-02-03"), ("fr", "d MMM yyyy", "3 FÉVR 2026", "2026-02-03"),
        ("es", "d 'de' MMMM 'de' yyyy", "3 de julio de 2026", "2026-07-03"),
        ("ja", "yyyy年M月d日", "2026年7月3日", "2026-07-03"),
        ("ru", "d MMMM yyyy", "3 июля 2026", "2026-07-03"),
    ])
    func readsNamesOfALocale(_ locale: String, _ pattern: String, _ text: String, _ day: String) throws {
        var reader = DateTextReader(
            [.pattern(try DatePattern(pattern, locale: Locale(identifier: locale)))], timeZone: .gmt)
        let value = try withBytes(text) { try reader.parse($0) }
        #expect(printed { _ = DateText.append(value, to: &$0) } == day + "T00:00:00Z")
    }

    @Test(arguments: [
        ("1785328200", false, "2026-07-29T12:30:00Z"), ("0", false, "1970-01-01T00:00:00Z"),
        ("-1.5", false, "1969-12-31T23:59:58.5Z"), ("1785328200.125", false, "2026-07-29T12:30:00.125Z"),
        ("1785328200125", true, "2026-07-29T12:30:00.125Z"), ("978307200100", true, "2001-01-01T00:00:00.1Z"),
        ("978307200000.1", true, "2001-01-01T00:00:00.0001Z"), ("1e9", false, "2001-09-09T01:46:40Z"),
    ])
    func readsUnixTime(_ text: String, _ isMilliseconds: Bool, _ instant: String) throws {
        var reader = DateTextReader([.unix(milliseconds: isMilliseconds)])
        let value = try withBytes(text) { try reader.parse($0) }
        #expect(printed { _ = DateText.append(value, to: &$0) } == instant)
    }

    @Test(arguments: ["1785328200000", "9e30", "-9e99", "x", "", "1e-30", "123456789012345678901234567890"])
    func refusesUnixTime(_ text: String) {
        var reader = DateTextReader([.unix(milliseconds: false)])
        #expect(throws: ValueTextError.self) { try withBytes(text) { try reader.parse($0) } }
    }

    @Test func severalFormatsMustAgree() throws {
        let forms = try ["dd/MM/yyyy", "MM/dd/yyyy", "yyyy-MM-dd"].map {
            DateTextReader.Form.pattern(try DatePattern($0))
        }
        var reader = DateTextReader(forms, timeZone: .gmt)
        for (text, instant) in [
            ("13/07/2026", "2026-07-13T00:00:00Z"), ("07/13/2026", "2026-07-13T00:00:00Z"),
            ("05/05/2026", "2026-05-05T00:00:00Z"), ("2026-07-13", "2026-07-13T00:00:00Z"),
        ] {
            let value = try withBytes(text) { try reader.parse($0) }
            #expect(printed { _ = DateText.append(value, to: &$0) } == instant)
        }
        #expect(refusal("03/04/2026") { bytes throws(ValueTextError) in try reader.parse(bytes) } == .ambiguous)
        #expect(refusal("31/31/2026") { bytes throws(ValueTextError) in try reader.parse(bytes) } == .syntax)
    }
}
