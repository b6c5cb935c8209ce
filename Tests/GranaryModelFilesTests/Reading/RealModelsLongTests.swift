import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranaryModelFiles

@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
struct RealModelsLongTests {
    @Test func areAllThere() {
        #expect(ModelSamples.names.count == 125)
    }

    @Test(arguments: ModelSamples.names)
    func surviveWritingAndReading(_ name: String) throws {
        var diagnostics = DiagnosticCollector()
        let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(name), diagnostics: &diagnostics)
        // Defaults that do not fit their type, which Xcode's compiler accepts.
        #expect(diagnostics.diagnostics.allSatisfy { $0.code == .modelDefault && $0.severity == .warning })
        #expect(!model.entities.isEmpty || !model.notes.isEmpty)

        let folder = try TemporaryFolder()
        for file in ["Again.xcdatamodeld", "Again.xcdatamodel", "Again.json", "Again.plist", "Again.archive"] {
            let url = folder.url.appending(path: file)
            try model.write(to: url)
            #expect(try ManagedObjectModel(contentsOf: url) == model, "\(file)")
        }
        let xml = try ModelXMLWriter.write(model, target: "")
        let again = try ManagedObjectModel(contentsOf: folder.url.appending(path: "Again.json"))
        #expect(try ModelXMLWriter.write(again, target: "") == xml)
    }

    /// Each element with each attribute of the file is in what is written, and nothing else.
    ///
    /// Left out by both sides: `<elements>` (the editor's drawing) and `<userInfo>` without entries. That is all: the
    /// 125 files have no spelling that is not kept.
    @Test(arguments: ModelSamples.names)
    func loseNothing(_ name: String) throws {
        let source = try ModelSamples.contents(name)
        let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(name))
        let written = try ModelXMLWriter.write(model, target: "")
        let before = TagCensus(source)
        let after = TagCensus(written)
        #expect(!before.counts.isEmpty)
        for (tag, count) in before.counts { #expect(after.counts[tag] == count, "\(tag)") }
        for (tag, count) in after.counts { #expect(before.counts[tag] == count, "\(tag)") }
    }

    @Test func areWrittenAsXcodeWritesThem() throws {
        // Byte for byte, the drawing, empty user info and the last line end aside.
        var same = 0
        for name in ModelSamples.names {
            let source = String(decoding: try ModelSamples.contents(name), as: UTF8.self)
            let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(name))
            if try ModelSamples.text(model) == TagCensus.withoutDrawing(source) { same += 1 }
        }
        #expect(same == ModelSamples.names.count, "\(same) of \(ModelSamples.names.count)")
    }
}
