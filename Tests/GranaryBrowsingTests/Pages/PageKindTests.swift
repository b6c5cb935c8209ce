import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranaryBrowsing
@testable import SeedingTestSupport

/// Each kind of page over the sample Triage.
struct PageKindTests {
    private let bench: SiteBench

    init() throws { bench = try SiteBench(try TriageStore.make(), zone: "Europe/Berlin") }

    private func check(_ answer: SiteBench.Answer, _ parts: [String], status: Int = 200) {
        #expect(answer.status == status)
        for part in parts where !answer.text.contains(part) { Issue.record("no \(part) in \(answer.text)") }
        #expect(MarkupCheck(answer.text).problem == nil)
    }

    @Test func entities() throws {
        check(
            try bench.get("/"),
            [
                "4 entities", "<a href=\"/entity?entity=Patient\"><bdi>Patient</bdi></a>", "<td class=\"n\">300</td>",
                "<td class=\"n\">40</td>", "and 3 more", "<title>Entities – Seed.sqlite</title>",
            ])
    }

    @Test func list() throws {
        let answer = try bench.get("/entity?entity=Patient")
        check(
            answer,
            [
                "50 objects of 300", "2026-03-01 07:04:10 +01:00",
                "title=\"stored: 794037850.0 s since 2001, 2026-03-01T06:04:10Z\"",
                "<bdi>Søren Ødegaard</bdi>", "<bdi>Fracture</bdi></a>", "<bdi>P-0554</bdi></a>", "next page →",
                "rel=\"next\"",
                "checked> <bdi>age</bdi>", "/facets?entity=Patient&amp;facet=age",
                "/download?entity=Patient&amp;column=admitted", "/diagram?around=Patient",
            ])
        #expect(!answer.text.contains("first page"))
        let second = try bench.get("/entity?entity=Patient&after=50")
        check(second, ["⇤ first page", ">Patient/p51<"])
    }

    @Test func aListIsFilteredAndSorted() throws {
        let answer = try bench.get(
            "/entity",
            [
                ("entity", "Patient"), ("where", "age > 95 AND injury.name == 'Burn'"), ("sort", "age:desc"),
                ("column", "age"),
            ])
        check(
            answer,
            ["value=\"age &gt; 95 AND injury.name == &#39;Burn&#39;\"", "age</bdi><span class=\"dir\"> ▼</span>"])
        #expect(!answer.text.contains("<bdi>notes</bdi></th>"))
        let none = try bench.get("/entity", [("entity", "Patient"), ("where", "age > 1000")])
        check(none, ["0 objects", "<tr><td>none</td></tr>"])
    }

    @Test(
        "A wrong condition is explained in place",
        arguments: [
            ("age >", "the condition is incomplete"), ("agee > 1", "did you mean"),
            ("name == Foo", "a text needs quotes"),
            ("((((", "predicate"), ("injury == 3", "compare an attribute"),
        ])
    func wrongCondition(_ condition: String, _ message: String) throws {
        let answer = try bench.get("/entity", [("entity", "Patient"), ("where", condition)])
        check(
            answer,
            ["<pre class=\"message\" id=\"problem\">", message, "aria-invalid=\"true\"", "checked> <bdi>age</bdi>"],
            status: 400)
        #expect(!answer.text.contains("Søren"))
        #expect(
            try bench.get("/facets", [("entity", "Patient"), ("facet", "age"), ("where", condition)]).status == 400)
        #expect(
            try bench.get("/download", [("entity", "Patient"), ("format", "csv"), ("where", condition)]).status == 400)
    }

    @Test func object() throws {
        check(
            try bench.get("/object?entity=Patient&key=1"),
            [
                "<h1><bdi>Søren Ødegaard</bdi></h1>", "Integer 16", "2026-03-01 07:04:10 +01:00",
                "stored: 794037850.0 s since 2001, 2026-03-01T06:04:10Z", "<bdi>Injury.patients</bdi>", "Patient/p1",
                "Closed, right radius",
            ])
        let injury = try bench.get("/object?entity=Injury&key=2")
        check(injury, ["<bdi>Burn</bdi>", "… all →", "/entity?entity=Patient&amp;via=injury&amp;of=Injury&amp;to=2"])
        let list = try bench.get("/entity?entity=Patient&via=injury&of=Injury&to=2")
        check(list, ["Objects whose <bdi>injury</bdi> is", "<bdi>Burn</bdi>", "all objects"])
    }

    @Test func values() throws {
        check(
            try bench.get("/facets?entity=Patient&facet=priority"),
            [
                "<bdi>Patient.priority</bdi>", "of 300 objects",
                "/entity?entity=Patient&amp;where=priority%20%3D%3D%20", " %</td>",
            ])
        check(
            try bench.get("/facets?entity=Patient&facet=age"),
            ["NULL: 36 (12 %)", "from <bdi>0</bdi> to <bdi>100</bdi>", "aria-label=\"histogram of the values\""])
        check(
            try bench.get("/facets?entity=Patient&facet=injury"),
            ["<bdi>Burn</bdi>", "via=injury", "objects →"])
        check(
            try bench.get("/facets", [("entity", "Patient"), ("facet", "age"), ("where", "priority == 1")]),
            ["where=priority%20%3D%3D%201%20AND%20age"])
        let twice = try bench.get(
            "/facets", [("entity", "Patient"), ("facet", "priority"), ("where", "priority == 1")])
        check(twice, ["/entity?entity=Patient&amp;where=priority%20%3D%3D%201\""])
        check(
            try bench.get("/facets", [("entity", "Patient"), ("facet", "age"), ("where", "age == 1 OR age == 2")]),
            ["where=%28age%20%3D%3D%201%20OR%20age%20%3D%3D%202%29%20AND%20age%20%3D%3D%20"])
    }

    @Test func diagram() throws {
        check(
            try bench.get("/diagram"),
            ["<svg class=\"diagram\"", "<a href=\"/entity?entity=Injury\">", "Patient.injury 0..1"])
        check(try bench.get("/diagram?around=Injury"), ["Diagram around Injury", "the whole model"])
    }

    @Test func imports() throws {
        check(try bench.get("/runs"), ["<h1><bdi>Imports</bdi></h1>"])
    }

    @Test func theZoneIsCarriedOn() throws {
        let answer = try bench.get("/entity?entity=Patient&zone=America/New_York")
        check(
            answer, ["2026-03-01 01:04:10 -05:00", "key=1&amp;zone=America%2FNew_York", "value=\"America/New_York\""])
        let plain = try bench.get("/entity?entity=Patient&zone=Europe/Berlin")
        #expect(!MarkupCheck(plain.text).addresses.contains { $0.contains("zone=") })
        check(try bench.get("/?zone=Mars"), ["Mars is no time zone"], status: 400)
    }

    @Test(
        "What does not exist is 404, and what is wrong is 400",
        arguments: [
            ("/x", 404), ("/entity", 404), ("/entity?entity=", 404), ("/entity?entity=Nobody", 404),
            ("/../etc/passwd", 404),
            ("/entity/../..", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404), ("/object?entity=Patient", 404),
            ("/object?entity=Patient&key=x", 404), ("/object?entity=Patient&key=9999", 404),
            ("/object?entity=Patient&key=-1", 404), ("/object?entity=Patient&key=99999999999999999999", 404),
            ("/value?entity=Patient&key=1", 404), ("/value?entity=Patient&key=1&attribute=age", 404),
            ("/value?entity=Patient&key=1&attribute=photo", 404), ("/value?entity=Patient&key=1&attribute=x", 404),
            ("/links?entity=Injury&key=1&relationship=x", 404),
            ("/links?entity=Patient&key=1&relationship=injury", 404),
            ("/links?entity=Injury&key=1&relationship=patients&skip=-1", 400), ("/facets?entity=Patient", 404),
            ("/facets?entity=Patient&facet=x", 404), ("/facets?entity=Injury&facet=patients", 404),
            ("/diagram?around=Nobody", 404), ("/download?entity=Patient", 400),
            ("/download?entity=Patient&format=exe", 400),
            ("/entity?entity=Patient&sort=photo", 400), ("/entity?entity=Patient&sort=x:desc", 400),
            ("/entity?entity=Patient&column=x", 400), ("/entity?entity=Patient&after=x", 400),
            ("/entity?entity=Patient&via=injury&of=Patient&to=1", 400),
            ("/entity?entity=Patient&via=x&of=Injury&to=1", 400),
            ("/entity?entity=%zz", 400), ("/entity?entity=%FF", 400),
        ])
    func refusals(_ target: String, _ status: Int) throws {
        let answer = try bench.get(target)
        #expect(answer.status == status, "\(target): \(answer.text)")
        #expect(MarkupCheck(answer.text).problem == nil)
    }

    @Test func refusalsPassThroughAnSQLiteStore() throws {
        let folder = try TemporaryFolder()
        let path = folder.url.appending(path: "S.sqlite").path
        let created = try SQLiteStore.create(path: path, schema: bench.store.schema)
        try ExportSamples.insert("Injury", 1, ["key": 1, "name": "Burn"], into: created)
        try created.publish()
        var warnings: [Diagnostic] = []
        let store = try SQLiteStore.openForBrowsing(
            path: path, model: nil, busyTimeout: .seconds(1), warnings: &warnings)
        let bench = try SiteBench(store)
        for (target, status) in [
            ("/", 200), ("/x", 404), ("/object?entity=Injury&key=1", 200), ("/object?entity=Injury&key=2", 404),
            ("/entity?entity=Injury&where=x", 400), ("/links?entity=Injury&key=1&relationship=patients", 200),
            ("/links?entity=Injury&key=1&relationship=patients&skip=x", 400), ("/?zone=x", 400),
            ("/download?entity=Injury&format=csv", 200), ("/download?entity=Injury&format=csv&where=x", 400),
        ] { #expect(try bench.get(target).status == status, "\(target)") }
    }

    @Test func aHugeQueryIsRefused() throws {
        #expect(try bench.get("/entity?entity=Patient&where=" + String(repeating: "x", count: 10_000)).status == 400)
        let deep = String(repeating: "(", count: 3500) + "1 == 1"
        #expect(try bench.get("/entity", [("entity", "Patient"), ("where", deep)]).status == 400)
    }

    @Test func aFailingStoreIsAnAnswer() throws {
        var request = BrowserRequest("GET", "/style.css", headers: SiteBench.host)
        // The style needs no store.
        #expect(bench.site.respond(to: request) { throw GranaryError(.busy, "locked") }.status == 200)
        request.target = "/"
        let gate = BrowserGate(port: SiteBench.port)
        let site = BrowserSite(name: "S", gate: gate, zone: .gmt)
        request.target = gate.entrance
        let entered = site.respond(to: request) { throw GranaryError(.busy, "locked") }
        request.headers["cookie"] = entered.header("Set-Cookie").map { String($0.prefix { $0 != ";" }) }
        request.target = "/"
        #expect(site.respond(to: request) { throw GranaryError(.busy, "locked") }.status == 503)
        #expect(site.respond(to: request) { throw GranaryError(.refused, "<b>") }.status == 500)
    }
}
