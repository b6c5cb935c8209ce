import Foundation
import TestSupport
import Testing

/// `granary browse` with the built binaries, which `make browse` puts beside each other.
struct BrowseTests {
    @Test(.enabled(if: ServedStore.isBuilt)) func aStoreIsServedAndTheCommandEndsAtOnce() throws {
        let served = try ServedStore()
        #expect(served.address.hasPrefix("http://127.0.0.1:\(served.port)/?token="))
        #expect(try served.enter().hasPrefix("HTTP/1.1 303 See Other"))
        #expect(try served.curl(["--include", served.address]).hasPrefix("HTTP/1.1 403 "))
        let list = try served.get("/entity?entity=Patient&where=age%20%3E%2095")
        #expect(list.hasPrefix("HTTP/1.1 200 OK") && list.contains("<bdi>Patient</bdi>"))
        let csv = try served.get("/download?entity=Patient&format=csv&column=name")
        #expect(csv.contains("\r\n\r\n$id,name\n") && csv.split(separator: "\nPatient/p").count == 301)
        #expect(try served.get("/", ["--head"]).hasSuffix("\r\n\r\n"))
        #expect(try served.get("/", ["--include", "--request", "POST"]).hasPrefix("HTTP/1.1 405 "))
        #expect(try served.get("/", ["--include", "--header", "Host: evil:1"]).hasPrefix("HTTP/1.1 421 "))
        #expect(
            try served.get("/", ["--include", "--header", "Sec-Fetch-Site: cross-site"]).hasPrefix("HTTP/1.1 403 "))
        #expect(try served.get("/", ["--include", "--data", "a=b"]).hasPrefix("HTTP/1.1 413 "))
        let start = ContinuousClock.now
        served.running.send(SIGTERM)
        let ended = try served.running.finish()
        #expect(ended.status == 130 && ContinuousClock.now - start < .seconds(1))
        try expectNoServer(served)
    }

    @Test(.enabled(if: ServedStore.isBuilt)) func theServerEndsWithAKilledCommand() throws {
        let served = try ServedStore()
        served.running.kill9()
        _ = try served.running.finish()
        try expectNoServer(served)
    }

    /// The server ends with the command, a moment later.
    private func expectNoServer(_ served: ServedStore) throws {
        var tries = 0
        while try served.curl(["--include", served.base]) != "", tries < 100 {
            usleep(50_000)
            tries += 1
        }
        #expect(tries < 100)
    }

    @Test(.enabled(if: ServedStore.isBuilt)) func aReplacedStoreIsOpenedAgain() throws {
        let served = try ServedStore()
        _ = try served.enter()
        #expect(try served.get("/object?entity=Injury&key=2").contains("<h1><bdi>Burn</bdi></h1>"))
        // An import is seen by the next page; another file too.
        let changed = try Granary.run(
            ["import", "-", "--store", served.store, "--entity", "Injury", "--format", "csv"],
            input: "key,name\n9,Bite\n")
        #expect(changed.status == 0, "\(changed.errors)")
        #expect(try served.get("/object?entity=Injury&key=9").contains("<h1><bdi>Bite</bdi></h1>"))
        try FileManager.default.removeItem(atPath: served.store)
        #expect(try served.get("/").hasPrefix("HTTP/1.1 500 "))
        let other = try ServedStore.seeded()
        try FileManager.default.moveItem(atPath: other.url.path + "/Seed.sqlite", toPath: served.store)
        #expect(try served.get("/object?entity=Injury&key=9").hasPrefix("HTTP/1.1 404 "))
    }

    @Test(.enabled(if: ServedStore.isBuilt)) func anArchiveIsServed() throws {
        let folder = try ServedStore.seeded()
        let archive = folder.url.appending(path: "a.plist").path
        let exported = try Granary.run(
            ["export", "--store", folder.url.path + "/Seed.sqlite", "--format", "plist", "--output", archive])
        try #require(exported.status == 0, "\(exported.errors)")
        let running = try Granary.start(["browse", archive])
        while !running.hasPrinted("\n"), running.isRunning { usleep(10_000) }
        let address = running.printed.split(separator: "\n").first.map(String.init) ?? ""
        let page = try ServedStore.run(["curl", "--silent", "--location", "--cookie", "", address])
        #expect(page.output.contains("<td class=\"n\">300</td>"))
        running.send(SIGTERM)
        #expect(try running.finish().status == 130)
    }

    @Test(.enabled(if: ServedStore.isBuilt)) func aTakenPortIsAnError() throws {
        let served = try ServedStore()
        let second = try Granary.run(["browse", served.store, "--port", "\(served.port)"])
        #expect(second.status == 73 && second.errors.contains("port \(served.port) of 127.0.0.1 cannot be used"))
    }

    @Test func withoutTheServerTheMessageSaysWhatToDo() throws {
        let store = try ServedStore.seeded().url
        let folder = try ServedStore.seeded()
        let ended = try Granary.run(
            ["browse", folder.url.appending(path: "Seed.sqlite").path],
            script: "GRANARY_BROWSE=/nowhere/granary-browse exec \"$0\" \"$@\"")
        #expect(ended.status == 66 && ended.errors.contains("/nowhere/granary-browse: is not a program"))
        let missing = try Granary.run(["browse", store.appending(path: "No.sqlite").path])
        #expect(missing.status == 66)
    }
}
