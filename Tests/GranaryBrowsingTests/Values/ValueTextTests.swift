import Foundation
import Testing

@testable import GranaryBrowsing

/// Dates, sizes, cut texts and images.
struct ValueTextTests {
    @Test(
        "Dates in zones",
        arguments: [
            ("UTC", 0.0, "2001-01-01 00:00:00 +00:00"), ("Europe/Berlin", 794_185_200, "2026-03-03 00:00:00 +01:00"),
            ("Europe/Berlin", 804_549_600.5, "2026-07-01 00:00:00.5 +02:00"),
            ("America/St_Johns", 0, "2000-12-31 20:30:00 -03:30"), ("Asia/Kathmandu", 0, "2001-01-01 05:45:00 +05:45"),
            ("UTC", -63_113_904_000, "0001-01-01 00:00:00 +00:00"), ("UTC", 1e300, "1e+300"),
            ("UTC", -1e12, "-1000000000000.0"),
        ])
    func dates(_ zone: String, _ seconds: Double, _ text: String) throws {
        #expect(try #require(ReaderZone(chosen: zone)).text(seconds) == text)
    }

    @Test func unknownZones() {
        for name in ["", "Nowhere", "Mars/Olympus", "../etc/passwd", "CET5"] {
            #expect(ReaderZone(chosen: name) == nil)
        }
    }

    @Test(
        "Sizes",
        arguments: [
            (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (16_000_000, "16.0 MB"),
            (999_999, "1.0 MB"), (Int.max, "9223372036.9 GB"),
        ])
    func sizes(_ bytes: Int, _ text: String) { #expect(SizeText.text(bytes) == text) }

    @Test(
        "Texts are cut between scalars",
        arguments: [
            ("abc", 3, "abc", false), ("abcd", 3, "abc", true), ("äöü€", 3, "äöü", true), ("😀😀", 1, "😀", true),
            ("", 0, "", false),
            ("e\u{301}\u{301}\u{301}", 2, "e\u{301}", true),
        ])
    func cuts(_ text: String, _ limit: Int, _ expected: String, _ isCut: Bool) {
        let cut = CutText(Array(text.utf8), limit: limit)
        #expect(cut.text.unicodeScalars.elementsEqual(expected.unicodeScalars) && cut.isCut == isCut)
    }

    @Test func longTextsAreNotReadWhole() {
        let long = [UInt8](repeating: UInt8(ascii: "x"), count: 16 << 20)
        let clock = ContinuousClock().measure { #expect(CutText(long, limit: 80).isCut) }
        #expect(clock < .milliseconds(100))
    }

    @Test func imagesAreRecognisedByTheirFirstBytes() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        #expect(ImageKind(png) == .png)
        #expect(ImageKind(png.dropLast()) == nil)
        #expect(ImageKind([0xFF, 0xD8, 0xFF, 0xE0]) == .jpeg)
        #expect(ImageKind(Array("GIF89a".utf8)) == .gif && ImageKind(Array("GIF88a".utf8)) == nil)
        #expect(ImageKind(Array("RIFF1234WEBPVP8".utf8)) == .webp && ImageKind(Array("RIFF1234WAVE".utf8)) == nil)
        for text in ["", "<svg xmlns=\"http://www.w3.org/2000/svg\">", "<?xml", "<html>", "%PDF-1.7", "BM"] {
            #expect(ImageKind(Array(text.utf8)) == nil)
        }
    }
}
