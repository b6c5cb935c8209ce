import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryBrowsing
@testable import SeedingTestSupport

/// Names and values that try to become markup, or to hide.
struct HostileStoreTests {
    private static let texts = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='x", "</title><script>",
        "</pre></bdi><b>",
        "javascript:alert(1)", "&lt;b&gt;", "\u{202E}gnp.exe\u{202C}", "a\u{0}b\u{1B}[31m", "]]><!--",
        "../../etc/passwd",
        "\r\nSet-Cookie: a=b", "${x}{{7*7}}", "%3Cscript%3E", "=HYPERLINK(\"http://x\")", "\u{2028}\u{FEFF}\u{E0001}",
        "..", ".",
        "", " ", "#?&=+%",
    ]

    private static let name = "<b>\"E'&\u{202E}</b>"
    private static let attribute = "a\"><script>\u{202E}"

    /// An entity and properties with names of markup. The model's own checks refuse such names, but a store can have them.
    private static func store() throws -> any StoreBackend {
        let store = try ExportSamples.store(
            ManagedObjectModel(entities: [
                EntityDescription(
                    "Note",
                    [
                        .attribute("name", .string), .attribute("link", .uri), .attribute("data", .binary),
                        .toOne("next", "Note", inverse: "before"), .toMany("before", "Note", inverse: "next"),
                    ])
            ]))
        for (index, text) in texts.enumerated() {
            let key = Int64(index + 1)
            var values: [String: AttributeValue] = ["name": .string(text), "data": .binary(Data(text.utf8))]
            if let url = URL(string: "javascript:alert(\(index))") { values["link"] = .uri(url) }
            try ExportSamples.insert(
                "Note", key, values, to: index > 0 ? ["next": ("Note", key - 1)] : [:], into: store)
        }
        return store
    }

    private func check(_ text: String) {
        if let problem = MarkupCheck(text).problem { Issue.record("\(problem)") }
        for word in [
            "<script", "<img src=x", "<b>", "onerror=alert(1)>", "href=\"javascript", "\u{202E}", "\u{0}", "\u{1B}",
        ]
        where text.contains(word) { Issue.record("\(word.debugDescription) is on the page") }
    }

    @Test func valuesStayText() throws {
        let bench = try SiteBench(try Self.store())
        var targets = [
            "/", "/entity?entity=Note", "/facets?entity=Note&facet=name", "/facets?entity=Note&facet=next", "/diagram",
        ]
        for key in 1...Self.texts.count { targets.append("/object?entity=Note&key=\(key)") }
        for target in targets {
            let answer = try bench.get(target)
            #expect(answer.status == 200)
            check(answer.text)
        }
        let list = try bench.get("/entity?entity=Note").text
        #expect(list.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && list.contains("\\u{202E}gnp.exe"))
    }

    @Test func parametersStayText() throws {
        let bench = try SiteBench(try Self.store())
        for text in Self.texts {
            for (path, name) in [
                ("/entity", "entity"), ("/entity", "where"), ("/entity", "sort"), ("/entity", "column"),
                ("/entity", "after"),
                ("/entity", "via"), ("/", "zone"), ("/object", "key"), ("/value", "attribute"), ("/facets", "facet"),
                ("/diagram", "around"), ("/links", "relationship"), ("/download", "format"), ("/entity", text),
                ("/\(text)", "a"),
            ] {
                let answer = try bench.get(path, (name == "entity" ? [] : [("entity", "Note")]) + [(name, text)])
                #expect([200, 400, 404].contains(answer.status))
                if answer.header("Content-Type")?.hasPrefix("text/html") == true { check(answer.text) }
            }
        }
    }

    @Test func namesOfTheStoreStayText() throws {
        let gate = BrowserGate(port: SiteBench.port)
        let site = BrowserSite(name: "</title><script>\u{202E}", gate: gate, zone: .gmt)
        let store = try Self.store()
        let entered = site.respond(to: BrowserRequest("GET", gate.entrance, headers: SiteBench.host)) { store }
        var request = BrowserRequest("GET", "/", headers: SiteBench.host)
        request.headers["cookie"] = entered.header("Set-Cookie").map { String($0.prefix { $0 != ";" }) }
        check(String(decoding: try SiteBench.content(of: site.respond(to: request) { store }), as: UTF8.self))
    }

    @Test func everythingButImagesIsDownloaded() throws {
        let bench = try SiteBench(try Self.store())
        for key in 1...Self.texts.count {
            let answer = try bench.get("/value?entity=Note&key=\(key)&attribute=data")
            let text = Self.texts[key - 1]
            #expect(answer.status == 200 && answer.content == Array(text.utf8))
            #expect(answer.header("Content-Type") == "application/octet-stream")
            #expect(answer.header("Content-Disposition")?.hasPrefix("attachment; filename=\"") == true)
            #expect(answer.header("X-Content-Type-Options") == "nosniff")
        }
        let link = try bench.get("/value?entity=Note&key=1&attribute=link")
        #expect(link.header("Content-Type") == "text/plain; charset=utf-8")
    }

    @Test func imagesAreShown() throws {
        let store = try ExportSamples.store(
            ManagedObjectModel(entities: [EntityDescription("Photo", [.attribute("data", .binary)])]))
        let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1])
        try ExportSamples.insert("Photo", 1, ["data": .binary(png)], into: store)
        let bench = try SiteBench(store)
        #expect(try bench.get("/entity?entity=Photo").text.contains("PNG image, 10 bytes"))
        #expect(try bench.get("/object?entity=Photo&key=1").text.contains("<img class=\"value\" alt=\"data\""))
        let answer = try bench.get("/value?entity=Photo&key=1&attribute=data")
        #expect(answer.header("Content-Type") == "image/png" && answer.content == Array(png))
        #expect(answer.header("Content-Disposition") == nil)
    }

    @Test func longTextsAreCut() throws {
        let store = try ExportSamples.store(
            ManagedObjectModel(entities: [
                EntityDescription("Note", (0..<2).map { .attribute("text\($0)", .string) })
            ]))
        let long = String(repeating: "<&\u{202E}", count: 3_200_000)
        for key in 1...2 {
            try ExportSamples.insert(
                "Note", Int64(key), Dictionary(uniqueKeysWithValues: (0..<2).map { ("text\($0)", .string(long)) }),
                into: store)
        }
        let bench = try SiteBench(store)
        for target in ["/entity?entity=Note", "/object?entity=Note&key=2", "/facets?entity=Note&facet=text0"] {
            let answer = try bench.get(target)
            #expect(answer.status == 200 && answer.content.count < 2_000_000)
            check(answer.text)
        }
        #expect(try bench.get("/entity?entity=Note").text.contains("… <span class=\"soft\">16.0 MB</span>"))
        let whole = try bench.get("/value?entity=Note&key=1&attribute=text0")
        #expect(whole.content.count == long.utf8.count)
    }

    @Test func wideEntitiesAreCut() throws {
        let attributes = (0..<3000).map { AttributeDescription(name: "attribute\($0)", type: .string) }
        var entity = EntityDescription(name: "Wide")
        entity.attributes = attributes
        let store = try ExportSamples.store(ManagedObjectModel(entities: [entity]))
        for key in 1...60 { try ExportSamples.insert("Wide", Int64(key), ["attribute0": "x"], into: store) }
        let bench = try SiteBench(store)
        for target in ["/", "/entity?entity=Wide", "/object?entity=Wide&key=1", "/diagram"] {
            let answer = try bench.get(target)
            #expect(answer.status == 200 && answer.content.count < 2_000_000)
            #expect(MarkupCheck(answer.text).problem == nil)
        }
        let many = (0..<41).map { ("column", "attribute\($0)") }
        #expect(try bench.get("/entity", [("entity", "Wide")] + many).status == 400)
    }
}
