import GranaryCoordination
import TestSupport
import Testing

@testable import GranaryBrowsing
@testable import SeedingTestSupport

/// Follows all links from the first page.
struct CrawlTests {
    /// - Returns: the paths of the pages, and the number of pages.
    static func crawl(_ bench: SiteBench, limit: Int) throws -> (paths: Set<String>, count: Int) {
        var seen: Set<String> = ["/"]
        var waiting = ["/"]
        var paths: Set<String> = []
        var count = 0
        while let target = waiting.popLast(), count < limit {
            count += 1
            let answer = try bench.get(target)
            paths.insert(String(target.prefix { $0 != "?" }))
            guard answer.status == 200 else {
                Issue.record("\(target): \(answer.status)")
                continue
            }
            if answer.content.count > 2_000_000 { Issue.record("\(target) has \(answer.content.count) bytes") }
            guard answer.header("Content-Type")?.hasPrefix("text/html") == true else { continue }
            let markup = MarkupCheck(answer.text)
            if let problem = markup.problem { Issue.record("\(target): \(problem)") }
            for address in markup.addresses where seen.insert(address).inserted {
                if !address.hasPrefix("/") { Issue.record("\(target) leads to \(address)") }
                // Each order of each condition is a page of its own, and so is each choice of values; some suffice.
                let items = ["sort=", "where=", "via="].filter { address.contains($0) }
                if items.count < 2, !address.contains("%20AND%20") { waiting.append(address) }
            }
        }
        return (paths, count)
    }

    @Test func everyLinkOfTheCompanyLeadsToAPage() throws {
        let bench = try SiteBench(try ExportSamples.companyStore())
        let found = try Self.crawl(bench, limit: 2000)
        #expect(
            found.paths.isSuperset(of: [
                "/", "/entity", "/object", "/links", "/facets", "/diagram", "/runs", "/download", "/style.css",
            ]))
        #expect(found.count < 2000)
    }

    @Test("Links of stores with random models and values", arguments: [0, 1, 2, 5] as [UInt64])
    func generated(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let store = try GeneratedStore(seed: seed, in: folder, hasComposites: seed > 3).store
        _ = try Self.crawl(try SiteBench(store), limit: 80)
    }
}
