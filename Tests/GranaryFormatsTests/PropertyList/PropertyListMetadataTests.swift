import GranaryBase
import GranaryFormats
import GranaryPropertyLists
import Testing

/// What an archive store says of itself beside its records.
@Suite struct PropertyListMetadataTests {
    @Test(arguments: PropertyListEncoding.allCases)
    func `The metadata of a document come back behind the records`(_ encoding: PropertyListEncoding) throws {
        let metadata = [
            PropertyListEntry("NSStoreUUID", .string("x")),
            PropertyListEntry("more", .dictionary([PropertyListEntry("T", .array([.integer(1), .data([0, 255])]))])),
        ]
        let bytes = try PropertyListTests.write(encoding, .document, model: #"{"v":1}"#) { writer in
            try writer.beginTable(entity: "T", columns: ["a"])
            try writer.beginRow()
            try writer.write(.integer(1), column: 0)
            try writer.endRow()
            try writer.endTable()
            writer.metadata = metadata
        }
        let reader = PropertyListTests.reader(bytes)
        #expect(PropertyListTests.outcomes(reader).count == 1)
        #expect(reader.metadata == .dictionary(metadata))
        #expect(reader.model != nil)
    }

    @Test(arguments: [
        ("<key>metadata</key><string>x</string>", "plist.syntax"),
        ("<key>metadata</key><dict/><key>metadata</key><dict/>", "header.duplicate"),
        ("<key>metadata</key><dict><key>a</key><array><true/><true/><true/></array></dict>", "limit.exceeded"),
        ("<key>meta</key><dict/>", "header.unknown"),
    ])
    func `Broken metadata end the reading`(_ entry: String, _ code: String) throws {
        let text = "<dict><key>entities</key><dict/>\(entry)</dict>"
        let reader = PropertyListTests.reader(PropertyListTests.xml(text)) { $0.maximumMetadataValues = 6 }
        var record = Record()
        var found: String?
        do throws(GranaryError) {
            while true { if case .end = try reader.next(into: &record) { break } }
        } catch {
            found = error.diagnostics.first?.code.rawValue
        }
        #expect(found == code)
    }
}
