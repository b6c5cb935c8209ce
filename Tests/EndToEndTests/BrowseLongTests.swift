import Foundation
import TestSupport
import Testing

/// The pages of `granary browse` in a browser, and as tidy sees them.
struct BrowseLongTests {
    private static let browser = ["chromium", "chromium-browser", "google-chrome"].first(where: ServedStore.has)
    private static var hasBrowser: Bool { ServedStore.isBuilt && browser != nil }

    /// Opens an address without a window, and returns the document that the browser has after its scripts.
    private func open(_ address: String, in folder: TemporaryFolder) throws -> (document: String, messages: String) {
        let browser = try #require(Self.browser)
        let ended = try ServedStore.run([
            "timeout", "60", browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--v=0",
            "--user-data-dir=\(folder.url.path)/profile", "--virtual-time-budget=10000", "--dump-dom", address,
        ])
        return (ended.output, ended.errors)
    }

    @Test(.enabled(if: hasBrowser, "chromium is not installed; Scripts/setup browse installs it"))
    func theFirstPageOpensWithoutMessages() throws {
        let served = try ServedStore()
        let page = try open(served.address, in: served.folder)
        #expect(page.document.contains("<h1><bdi>Entities</bdi></h1>") && page.document.contains("Patient"))
        #expect(!page.messages.contains("CONSOLE"), "\(page.messages)")
        // The page has the style: without it the browser would have said so. The token is used up.
        #expect(try served.enter().hasPrefix("HTTP/1.1 403 "))
    }

    @Test(.enabled(if: hasBrowser, "chromium is not installed; Scripts/setup browse installs it"))
    func aPageOfAnotherSiteGetsNothing() throws {
        let served = try ServedStore()
        // Even with the token, which it cannot know.
        let page = """
            <!DOCTYPE html><title>x</title><body><script>
            const addresses = ["\(served.address)", "\(served.base)/", "\(served.base)/download?entity=Patient&format=json",
              "http://localhost:\(served.port)/?" + "\(served.address)".split("?")[1]];
            const found = [];
            async function read(address, options) {
              try { const r = await fetch(address, options); found.push(r.type + r.status + (await r.text()).length); }
              catch { found.push("blocked"); }
            }
            function load(name, address) {
              return new Promise(resolve => {
                const element = document.createElement(name);
                element.onload = () => { found.push("loaded " + name); resolve(); };
                element.onerror = () => { found.push("blocked"); resolve(); };
                element[name == "link" ? "href" : "src"] = address;
                if (name == "link") element.rel = "stylesheet";
                document.body.appendChild(element);
              });
            }
            (async () => {
              for (const address of addresses) {
                await read(address, {credentials: "include"});
                await read(address, {method: "POST", body: "a=b", credentials: "include"});
                await load("script", address);
                await load("img", address);
                await load("link", address);
              }
              document.body.textContent = "found: " + [...new Set(found)].join("; ");
            })();
            </script>
            """
        let file = try served.folder.write(page, to: "attacker.html")
        let result = try open("file://" + file.path, in: served.folder)
        #expect(result.document.contains("found: blocked<"), "\(result.document)")
        // The token was not used up, so the reader can enter.
        #expect(try served.enter().hasPrefix("HTTP/1.1 303 "))
    }

    @Test(
        .enabled(
            if: ServedStore.isBuilt && ServedStore.has("tidy"),
            "tidy is not installed; Scripts/setup browse installs it"))
    func tidyFindsNoErrors() throws {
        let served = try ServedStore()
        _ = try served.enter()
        for target in [
            "/", "/entity?entity=Patient", "/entity?entity=Patient&where=age%20%3E", "/object?entity=Patient&key=1",
            "/object?entity=Injury&key=2", "/links?entity=Injury&key=2&relationship=patients",
            "/facets?entity=Patient&facet=age",
            "/facets?entity=Patient&facet=injury", "/diagram", "/diagram?around=Injury", "/runs", "/nothing",
        ] {
            let page = try served.get(target, [])
            let ended = try ServedStore.run(["tidy", "-e", "-q", "-utf8"], input: page)
            // 1 is for warnings: it does not know links in SVG and some attributes of ARIA.
            #expect(ended.status < 2, "\(target): \(ended.errors)")
        }
    }
}
