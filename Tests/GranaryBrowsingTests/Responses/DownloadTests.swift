import GranaryBase
import GranaryCoordination
import Testing

@testable import GranaryBrowsing
@testable import SeedingTestSupport

/// Downloads are what a list shows, and the form of answers.
struct DownloadTests {
    @Test func csvAndJSON() throws {
        let bench = try SiteBench(try ExportSamples.companyStore())
        let csv = try bench.get("/download?entity=Person&format=csv&column=name&column=department&sort=name:desc")
        #expect(csv.text == "$id,name,department\nEmployee/p3,Cy,Sales\nCustomer/p2,Bob,\nEmployee/p1,Ann,R;D\n")
        #expect(csv.header("Content-Type") == "text/csv; charset=utf-8")
        #expect(csv.header("Content-Disposition") == "attachment; filename=\"Person.csv\"; filename*=UTF-8''Person.csv")
        let json = try bench.get(
            "/download", [("entity", "Tag"), ("format", "json"), ("where", "word == 'new'"), ("column", "word")])
        #expect(json.text.filter { !$0.isWhitespace } == "[{\"$id\":\"Tag/p1\",\"word\":\"new\"}]")
        let linked = try bench.get("/download?entity=Tag&format=csv&column=word&via=persons&of=Employee&to=1")
        #expect(linked.text == "$id,word\nTag/p1,new\nTag/p2,a;b\n")
    }

    @Test func theLinksOfAListAreItsDownloads() throws {
        let bench = try SiteBench(try ExportSamples.companyStore())
        let list = try bench.get("/entity", [("entity", "Tag"), ("where", "word != 'x'")])
        let link = try #require(MarkupCheck(list.text).addresses.first { $0.contains("format=csv") })
        #expect(try bench.get(link).text == "$id,word,persons\nTag/p1,new,Employee/p1\nTag/p2,a;b,Employee/p1\n")
    }

    @Test(
        "Names of files",
        arguments: [
            ("Patient.csv", "Patient.csv"), ("a/../b\"\r\n", "a-..-b---"), ("ä", "-"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 100)),
        ])
    func names(_ name: String, _ file: String) {
        #expect(FileNameHeader.attachment(name) == "attachment; filename=\"\(file)\"; filename*=UTF-8''\(file)")
    }

    @Test func theHeadOfAnAnswer() {
        var response = BrowserResponse(404, type: "text/plain", .bytes([1, 2]))
        response.add("X", "a\r\nSet-Cookie: b")
        let head = ResponseText.head(of: response)
        #expect(head.hasPrefix("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 2\r\n"))
        #expect(head.hasSuffix("\r\nX: aSet-Cookie: b\r\n\r\n"))
        let stream = BrowserResponse(200, type: "a", .stream { _ in })
        #expect(ResponseText.head(of: stream).contains("\r\nTransfer-Encoding: chunked\r\n"))
    }
}
