import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

/// Bytes of Transformable attributes that the transformer in the model cannot read.
@Suite struct TransformedBytesTests {
    private let run: CommandRun

    init() throws {
        run = try CommandRun()
        try run.writeModel(
            ManagedObjectModel(entities: [
                EntityDescription(
                    "Note",
                    [
                        .attribute("plain", .transformable),
                        .attribute("secure", .transformable, .transformer("NSSecureUnarchiveFromData")),
                        .attribute("old", .transformable, .transformer("NSKeyedUnarchiveFromData")),
                        .attribute("own", .transformable, .transformer("ColorTransformer")),
                    ])
            ]))
    }

    /// `AQID` is three bytes, the second a property list without an archive.
    static let bytes = ["AQID", "", "YnBsaXN0MDDQCAAAAAAAAAEBAAAAAAAAAAEAAAAAAAAAAAAAAAAAAAAJ"]

    @Test(arguments: zip(["old"], bytes))
    func `An import rejects them with the place`(_ attribute: String, _ bytes: String) async throws {
        for (file, text) in [
            ("a.csv", "own,\(attribute)\n,\"\(bytes)\"\n"), ("b.json", #"[{"own":null,"\#(attribute)":"\#(bytes)"}]"#),
        ] {
            let out = try await run.importing(text, as: file, entity: "Note")
            #expect(out.code == 65 && !run.exists("S.sqlite"), "\(out.messages)")
            #expect(out.messages.contains("Note.\(attribute): the transformer NS"), "\(out.messages)")
            #expect(out.messages.contains("[value.syntax]"), "\(out.messages)")
            #expect(out.messages.contains(file == "a.csv" ? "a.csv:2:2: error" : "b.json:1:"), "\(out.messages)")
        }
    }

    /// A model that names no transformer says nothing about the bytes.
    @Test func `An import stores the bytes of other transformers, and with --as-is all`() async throws {
        let other = try await run.importing("own,plain\nAQID,AQID\n,\"\"\n", as: "a.csv", entity: "Note")
        #expect(other.code == 0, "\(other.messages)")
        _ = try run.folder.write(#"{"entities":{"Note":[{"$id":"Note/p1","secure":"AQID"}]}}"#, to: "a.json")
        let kept = await run.run("import", "@a.json", "--model", "@Model.json", "--store", "@R.sqlite", "--as-is")
        #expect(kept.code == 0 && kept.messages.contains("warning: Note.secure: the transformer"), "\(kept.messages)")
        let check = await run.run("store", "check", "@R.sqlite")
        let text = check.output + check.messages
        #expect(check.code == 1, "\(text)")
        #expect(
            text.contains("Note.secure: p1: the transformer NSSecureUnarchiveFromData cannot read the bytes"), "\(text)"
        )
        #expect(text.contains("[value.syntax]") && text.contains("ZNOTE.ZSECURE, Z_PK 1"), "\(text)")
        #expect(await run.run("store", "check", "@S.sqlite").code == 0)
    }

    @Test(arguments: [
        "e.json"
    ])
    func `An export of such bytes is restored`(_ file: String) async throws {
        _ = try run.folder.write(
            #"{"entities":{"Note":[{"$id":"Note/p1","secure":"AQID","old":"","plain":"AQ=="}]}}"#, to: "a.json")
        let made = await run.run("import", "@a.json", "--model", "@Model.json", "--store", "@S.sqlite", "--as-is")
        #expect(made.code == 0, "\(made.messages)")
        let out = await run.run("export", "--store", "@S.sqlite", "--entity", "Note", "--output", "@" + file)
        #expect(out.code == 0, "\(out.messages)")
        let again = await run.run(
            "import", "@" + file, "--model", "@Model.json", "--store", "@R.sqlite", "--entity", "Note", "--as-is")
        #expect(again.code == 0, "\(again.messages)")
        #expect(again.lines.count { $0.contains("warning: Note.") } == 2, "\(again.messages)")
        let diff = await run.run("store", "diff", "@S.sqlite", "@R.sqlite")
        #expect(diff.code == 0, "\(diff.output)\(diff.messages)")
    }

    @Test func `An archive is accepted`() async throws {
        let out = try await run.importing(
            #"[{"plain":["a",1],"secure":{"b":null},"old":[],"own":"AQID"}]"#, as: "a.json", entity: "Note")
        #expect(out.code == 0, "\(out.messages)")
        let again = await run.run("export", "--store", "@S.sqlite", "--output", "@e.csv")
        #expect(again.code == 0)
        let csv = await run.run(
            "import", "@e.csv", "--model", "@Model.json", "--store", "@C.sqlite", "--entity", "Note")
        #expect(csv.code == 0, "\(csv.messages)")
        #expect(await run.run("store", "diff", "@S.sqlite", "@C.sqlite").code == 0)
        #expect(await run.run("store", "check", "@C.sqlite").code == 0)
    }
}

@Suite struct TransformedBytesLongTests {
    @Test(arguments: [
        "e.csv",
        "e.plist",
    ])
    func `An export of such bytes is restored`(_ file: String) async throws {
        try await TransformedBytesTests().`An export of such bytes is restored`(file)
    }

    @Test(arguments: ["secure", "old"], TransformedBytesTests.bytes)
    func `An import rejects them with the place`(_ attribute: String, _ bytes: String) async throws {
        try await TransformedBytesTests().`An import rejects them with the place`(attribute, bytes)
    }
}
