import Testing

@testable import GranaryBrowsing

struct PageAddressTests {
    @Test(
        "Texts in addresses come back",
        arguments: ["", "a b+c", "a&b=c", "ä€😀", "../x", "<\"'>", "%", "\u{202E}", "a\nb", "#?/"])
    func roundTrip(_ text: String) {
        let address = PageAddress("/entity", [("entity", text), (text, "x")])
        #expect(PageAddress(target: address.text) == address)
        #expect(address.text.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(!address.attribute.contains("\"") && !address.attribute.contains("<"))
    }

    @Test(
        "Malformed targets",
        arguments: ["", "x", "http://a/", "/%", "/%4", "/%4g", "/%ff", "/?a=%", "/?%C3=1", "/?a=%80"])
    func malformed(_ target: String) { #expect(PageAddress(target: target) == nil) }

    @Test func lengthsAreBounded() {
        #expect(PageAddress(target: "/?a=" + String(repeating: "x", count: 8000)) != nil)
        #expect(PageAddress(target: "/?a=" + String(repeating: "x", count: 8200)) == nil)
        #expect(PageAddress(target: "/?" + String(repeating: "a&", count: 600)) != nil)
        #expect(PageAddress(target: "/?" + String(repeating: "a&", count: 601)) == nil)
    }

    @Test func itemsAreFoundAndReplaced() throws {
        let address = try #require(PageAddress(target: "/e?a=1&b=&a=2+3&&c"))
        #expect(address["a"] == "1" && address["b"] == nil && address["c"] == nil && address["d"] == nil)
        #expect(address.all("a") == ["1", "2 3"])
        #expect(address.with("a", "x").text == "/e?b=&c=&a=x")
        #expect(address.with("a", nil).without("b", "c").text == "/e")
    }

    @Test(
        "Heads that granary-browse passes on",
        arguments: [
            ("GET / HTTP\n\n", false), ("GET /\n\n", true), ("GET\n\n", false), ("", false), ("GET /\nhost\n\n", false),
            ("GET /\nhost: a\ncookie: b\ncookie: c\n\n", true), ("GET /\nhost: a\r\n\n", true),
        ])
    func heads(_ text: String, _ isValid: Bool) {
        let request = BrowserRequest(head: Array(text.utf8))
        #expect((request != nil) == isValid)
        if let request, text.contains("cookie") {
            #expect(
                request.method == "GET" && request.target == "/" && request.headers == ["host": "a", "cookie": "b; c"])
        }
    }

    @Test func headsAreBounded() {
        let long = "GET /\n" + String(repeating: "a: b\n", count: 10_000) + "\n"
        #expect(BrowserRequest(head: Array(long.utf8)) == nil)
        #expect(BrowserRequest(head: [0xFF, 10, 10]) == nil)
    }
}
