import Testing

@testable import granary_browse

struct BrowseOptionsTests {
    @Test(
        arguments: [
            [], ["--port"], ["--port", "1"], ["--port", "-1", "--pages", "p"], ["--port", "65536", "--pages", "p"],
            ["--pages", "p", "x"], ["--other", "1", "--pages", "p"],
        ])
    func wrongArguments(_ arguments: [String]) { #expect(BrowseOptions(arguments) == nil) }

    @Test func arguments() throws {
        let options = try #require(BrowseOptions(["--port", "8080", "--pages", "/tmp/p"]))
        #expect(options.port == 8080 && options.pages == "/tmp/p")
        #expect(BrowseOptions(["--pages", "p"])?.port == 0)
    }

    @Test func connectionsAreCounted() {
        let open = OpenConnections(limit: 2)
        #expect(open.enter() && open.enter() && !open.enter())
        open.leave()
        #expect(open.enter() && !open.enter())
    }
}
