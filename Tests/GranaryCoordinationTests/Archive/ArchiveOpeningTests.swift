import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryFormats
import GranaryInspection
import GranaryModel
import GranaryRecords
import StoreTestSupport
import TestSupport
import Testing

@Suite("Damaged, foreign and hostile archives") struct ArchiveOpeningTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let old: String
        /// The index of the occurrence to replace, from 0, in the order of the file.
        let place: Int
        let new: String
        let code: Diagnostic.Code
        let message: String

        init(_ old: String, _ place: Int, _ new: String, _ code: Diagnostic.Code, _ message: String) {
            self.old = old
            self.place = place
            self.new = new
            self.code = code
            self.message = message
        }

        var testDescription: String { "\(old) \(place) → \(new)" }
    }

    static let cases: [Case] = [
        Case(
            "<string>A</string>", 0, "<integer>7</integer>", .valueSyntax, "\"7\" is not a String: a number"),
        Case(
            "<string>A</string>", 0, "<array><string>A</string></array>", .valueSyntax, "an array is not a String"),
        Case(
            "<integer>1999</integer>", 0, "<integer>70000</integer>", .valueRange,
            "\"70000\" is not an Integer 16: out of range"),
        Case(
            "<integer>1999</integer>", 0, "<string>1999</string>", .valueSyntax,
            "\"1999\" is not an Integer 16: a string"),
        Case("<string>B</string>", 0, "<string>A</string>", .uniqueExists, "title must be unique"),
        Case(
            "<key>year</key>", 0, "<key>yaer</key>", .headerUnknown,
            "there is no such stored property on this side"),
        Case("<key>Book</key>", 0, "<key>Boot</key>", .entityUnknown, "which is not in the model"),
        Case(
            "<string>Author/p1</string>", 0, "<string>Author/1</string>", .valueSyntax,
            "the key of an object must have the form Author/p1"),
        Case(
            "<string>Author/p1</string>", 0, "<string>Book/p1</string>", .valueSyntax,
            "the key of an object must have the form Author/p1"),
        Case(
            "<string>Author/p1</string>", 0, "<string>Author/p01</string>", .valueSyntax,
            "the key of an object must have the form Author/p1"),
        Case(
            "<string>Book/p2</string>", 1, "<string>Book/p1</string>", .uniqueDuplicate, "the key 1 occurs twice"),
        Case(
            "<string>Author/p1</string>", 1, "<string>Author/p9</string>", .relationshipNotFound,
            "Book/p1: refers to Author/p9, which is not in the file"),
        Case(
            "<string>Author/p1</string>", 1, "<string>Book/p2</string>", .relationshipNotFound,
            "\"Book/p2\" is not an object of Author"),
        Case(
            "<string>Author/p1</string>", 1, "<string>Ann</string>", .valueSyntax, "\"Ann\" is not an object name"),
        Case(
            "<string>Author/p1</string>", 1, "<array><string>Author/p1</string></array>", .valueSyntax,
            "a to-one relationship cannot be an array"),
        Case(
            "<string>Book/p2</string>", 0, "<string>Book/p7</string>", .relationshipNotFound,
            "Author/p1: refers to Book/p7, which is not in the file"),
        Case(
            "<string>Book/p2</string>", 0, "<string>Book/p1</string>", .storeCorrupt,
            "Author/p1: its members are not the objects whose author refers to it"),
        Case("<key>model</key>", 0, "<key>modell</key>", .headerUnknown, "a document has the keys"),
        Case("<key>NSStoreUUID</key>", 0, "<key>UUID</key>", .storeCorrupt, "has no UUID under NSStoreUUID"),
        Case("<key>Book</key>", 2, "<key>Nobody</key>", .storeCorrupt, "entry GranaryLastKeys does not match"),
        Case("<key>title</key>", 0, "<key>year</key>", .headerDuplicate, "occurs twice in one dictionary"),
        Case("</plist>", 0, "", .plistSyntax, ""),
    ]

    @Test("Each problem is reported with its place", arguments: cases)
    func broken(_ change: Case) throws {
        let sample = try ArchiveSample(.xml)
        var text = String(decoding: try sample.bytes, as: UTF8.self)
        let places = text.ranges(of: change.old)
        try #require(places.indices.contains(change.place))
        text.replaceSubrange(places[change.place], with: change.new)
        _ = try sample.folder.write(text, to: "Store.plist")
        let error = sample.refusal()
        #expect(error?.code == .refused)
        let found = error?.diagnostics.first { $0.code == change.code }
        #expect(
            found?.message.contains(change.message) ?? false || change.message.isEmpty, "\(String(describing: error))")
        if found?.entity != nil, change.code != .entityUnknown, change.code != .storeCorrupt {
            #expect((found?.position?.line ?? 0) > 4)
        }
        #expect(try sample.bytes == Data(text.utf8))
    }

    @Test("All problems are reported at once")
    func several() throws {
        let sample = try ArchiveSample(.xml)
        let text = String(decoding: try sample.bytes, as: UTF8.self)
            .replacing("<string>A</string>", with: "<true/>").replacing("<string>B</string>", with: "<true/>")
        _ = try sample.folder.write(text, to: "Store.plist")
        let error = sample.refusal()
        #expect(error?.diagnostics.map(\.property) == ["title", "title"])
        #expect(error?.message.hasSuffix("the archive has 2 problems") == true)
    }

    @Test("Another model is refused, with the differences", arguments: PropertyListEncoding.allCases)
    func otherModel(_ encoding: PropertyListEncoding) throws {
        let sample = try ArchiveSample(encoding)
        var other = ArchiveSample.model
        other.entities[1].attributes[0].name = "heading"
        other.entities[1].uniquenessConstraints = []
        let schema = try other.resolved()
        let error = #expect(throws: GranaryError.self) { try ArchiveStore.open(path: sample.path, schema: schema) }
        #expect(error?.code == .refused)
        #expect(error?.diagnostics.map(\.code) == [.storeMismatch])
        #expect(error?.diagnostics.map(\.entity) == ["Book"])
    }

    @Test(
        "A file that is not an archive is refused and not changed",
        arguments: ["", "no list", "<?xml version=\"1.0\"?><plist version=\"1.0\"><array/></plist>", "bplist00"])
    func noArchive(_ text: String) throws {
        let sample = try ArchiveSample(.xml)
        _ = try sample.folder.write(text, to: "Store.plist")
        #expect(sample.refusal()?.code == .refused)
        #expect(throws: GranaryError.self) { try sample.open() }
        #expect(try sample.bytes == Data(text.utf8))
    }

    @Test("A missing file and a folder are refused")
    func missing() throws {
        let folder = try TemporaryFolder()
        let schema = try ArchiveSample.model.resolved()
        for path in [folder.archivePath, folder.url.path] {
            let error = #expect(throws: GranaryError.self) { try ArchiveStore.open(path: path, schema: schema) }
            #expect(error?.code == .unreadable)
            #expect(throws: GranaryError.self) {
                try ArchiveStore.openOrCreate(path: path, schema: schema, readOnly: true)
            }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test("A file truncated or damaged anywhere is refused or read, and never crashes the process")
    func damaged() throws {
        for encoding in PropertyListEncoding.allCases {
            let sample = try ArchiveSample(encoding)
            let whole = try sample.bytes
            for length in stride(from: 0, to: whole.count - 1, by: 97) {
                _ = try sample.folder.write(whole.prefix(length), to: "Store.plist")
                #expect(sample.refusal()?.code == .refused, "\(length) of \(whole.count) bytes")
            }
            var generator = SeededGenerator(seed: 11)
            for _ in 0..<200 {
                var copy = whole
                for _ in 0..<3 {
                    copy[Int.random(in: 8..<copy.count, using: &generator)] = UInt8(
                        truncatingIfNeeded: generator.next())
                }
                _ = try sample.folder.write(copy, to: "Store.plist")
                do throws(GranaryError) {
                    _ = try ArchiveStore.open(path: sample.path, schema: sample.schema)
                } catch {
                    #expect(error.code == .refused, "\(error)")
                }
            }
        }
    }
}
