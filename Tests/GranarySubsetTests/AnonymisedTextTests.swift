import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryGeneration
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranarySubset
@testable import SeedingTestSupport

/// The shapes of replaced texts.
@Suite struct AnonymisedTextTests {
    private static func scrambled(_ text: String, seed: UInt64 = 1, isURI: Bool = false) -> String {
        var table = Alphabets()
        var shaped = ShapedText(Array(text.unicodeScalars), isURI: isURI, &table)
        shaped.scramble(SequenceCipher(seed: seed, name: "test"), table)
        return shaped.text
    }

    /// The kinds of a text's characters.
    private static func shape(_ text: String) -> String {
        String(
            text.unicodeScalars.map { scalar -> Character in
                switch scalar.properties.generalCategory {
                case .uppercaseLetter: "A"
                case .lowercaseLetter: "a"
                case .otherLetter: "o"
                case .decimalNumber: "0"
                default: Character(scalar)
                }
            })
    }

    @Test(
        "Letters and digits are replaced by others of their kind, and everything else stays",
        arguments: [
            "AB-123", "+1 (555) 010-9942", "ann.miller@example.com", "Ann Müller-Lüdenscheidt", "王小明 7号",
            "Привет, мир!",
            "κόσμος", "x", "0", "550e8400-e29b-41d4-a716-446655440000",
            String(repeating: "Long text number 12345. ", count: 40),
        ])
    func shapes(_ text: String) {
        let other = Self.scrambled(text)
        #expect(other.utf8.count == text.utf8.count && other.utf16.count == text.utf16.count, "\(other)")
        if text.utf8.count != 36 { #expect(Self.shape(other) == Self.shape(text), "\(other)") }
        #expect(Self.scrambled(text) == other)
        if text.utf8.count > 3 {
            #expect(other != text && Self.scrambled(text, seed: 2) != other)
        }
    }

    @Test("UUIDs stay UUIDs, and URIs stay URIs")
    func special() {
        let uuid = Self.scrambled("550e8400-e29b-41d4-a716-446655440000")
        #expect(uuid.contains(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/), "\(uuid)")
        let link = Self.scrambled("https://example.org/caf%C3%A9?id=12")
        #expect(link.hasPrefix("https://") && link.contains(/%C3%A[0-9A-F]\?/), "\(link)")
        #expect(Self.scrambled("urn:isbn:123", isURI: true).hasPrefix("urn:"))
        #expect(Self.scrambled("— … !") == "— … !")
    }

    @Test(
        "Percent escapes of letters and digits are replaced by others, and stay valid; those of other characters stay",
        arguments: [
            ("https://x/%E7%8E%8B%E5%B0%8F%E6%98%8E", "^https://[a-z]/%E7%8.%8.%E5%B.%8.%E6%9.%8.$"),
            ("https://x/%e7%8e%8b%f0%9f%98%80", "^https://[a-z]/%e7%8.%8.%f0%9.%9.%8.$"),
            (
                "https://x/%41%6E%6e%70%5A%37%20%2F",
                "^https://[a-z]/%4[1-9A-F]%6[1-9A-F]%6[1-9a-f]%7[0-9A]%5[0-9A]%3[0-9]%20%2F$"
            ),
            ("https://x/%C3%aB%4a%c3%bB", "^https://[a-z]/%C3%a[0-9A-F]%4[1-9a-f]%c3%b[0-9A-F]$"),
            ("https://x/%4", "^https://[a-z]/%[0-9]$"), ("https://x/%nn", "^https://[a-z]/%[a-z]{2}$"),
        ])
    func escapes(_ text: String, _ pattern: String) throws {
        let other = Self.scrambled(text)
        #expect(other.contains(try Regex(pattern)), "\(other)")
        if text.utf8.count > 20 {
            let path = try #require(other.split(separator: "/").last.map(String.init))
            let before = try #require(text.split(separator: "/").last.map(String.init))
            #expect(path.removingPercentEncoding != nil && path != before, "\(other)")
        }
    }

    @Test("The replacement is a bijection of all texts of a shape")
    func bijection() {
        var seen: Set<String> = []
        for number in 0..<1000 {
            let text = String("\(1000 + number)".dropFirst())
            seen.insert(Self.scrambled(text))
        }
        #expect(seen.count == 1000)
        let letters = "abcdefghijklmnopqrstuvwxyz"
        let pairs = Set(letters.flatMap { first in letters.map { Self.scrambled("\(first)\($0)") } })
        #expect(pairs.count == 26 * 26)
    }

    @Test("Long sequences are encrypted in segments, and differ as a whole if one number differs")
    func segments() {
        let cipher = SequenceCipher(seed: 5, name: "test")
        func encrypted(_ change: Int?) -> [UInt64] {
            var digits = (0..<60).map { SequenceCipher.Digit(number: $0 == change ? 4 : 3, limit: 26) }
            cipher.encrypt(&digits, shape: [0x73])
            return digits.map(\.number)
        }
        let base = encrypted(nil)
        #expect(base.allSatisfy { $0 < 26 })
        for change in [0, 30, 59] {
            let same = zip(base, encrypted(change)).filter { $0 == $1 }.count
            #expect(same < 20, "\(change): \(same)")
        }
    }

    /// Computed by a program of another language from the description of the bijection.
    @Test("The replacement of a text of several segments stays the same")
    func known() {
        let text = "Long text number 12345, and more than one segment of letters: AB-1234567890."
        #expect(
            Self.scrambled(text) == "Quxx gjfh dtjubh 04717, baz kstw gyay pkr louzfkw bi eqdxgkm: HT-3303214240.")
    }

    @Test(
        "Words are replaced by words with the same capitals",
        arguments: [
            ("Ann Miller", "^[A-Z][a-z]+ [A-Z][a-z]+$"),
            ("a quiet night, then 2 storms", "^[a-z] [a-z]+ [a-z]+, [a-z]+ [0-9] [a-z]+$"),
            ("J. Smith", "^[A-Z]\\. [A-Z][a-z]+$"),
            ("Ann.Miller@corp.test", "^[A-Z][a-z]+\\.[A-Z][a-z]+@example\\.(com|org|net)$"),
        ])
    func words(_ text: String, _ pattern: String) throws {
        var table = Alphabets()
        let words = WordReplacement(.name, seed: 3, name: "test")
        let scalars = Array(text.unicodeScalars)
        let other = try #require(words.replacement(of: scalars, &table))
        let regex = try Regex(pattern)
        #expect(TextScalars.text(other).contains(regex), "\(TextScalars.text(other))")
        #expect(other != scalars && words.replacement(of: scalars, &table) == other)
    }

    @Test("Codes have no words", arguments: ["AB-123", "", "42", "NASA", "王小明", "https://example.org/Ann"])
    func codes(_ text: String) {
        var table = Alphabets()
        let words = WordReplacement(.word, seed: 3, name: "test")
        #expect(words.replacement(of: Array(text.unicodeScalars), &table) == nil)
    }
}

@Suite struct AnonymisedTextLongTests {
    /// With quadratic time, the second text would take minutes.
    @Test("Long texts take linear time", arguments: [260_000, 2_000_000])
    func longText(_ count: Int) throws {
        let text = String(repeating: "Bytes of a long text, ", count: count / 22)
        let model = ManagedObjectModel(entities: [EntityDescription("Note", [.attribute("text", .string)])])
        let store = try ExportSamples.store(model)
        try ExportSamples.insert("Note", 1, ["text": .string(text)], into: store)
        let sample = try SubsetSample(of: store, [.init("Note")]) { $0.anonymisedAttributes = ["Note.text"] }
        let batch = try sample.store.read(root: 0, keys: [1])
        let other = try batch.value(row: 0, of: sample.store.schema.entities[0].attributes[0])
        guard case .string(let replaced)? = other else { throw GranaryError(.refused, "no text") }
        #expect(replaced != text && replaced.utf8.count > text.utf8.count / 2)
    }
}
