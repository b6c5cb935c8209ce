import Foundation
import TestSupport
import Testing

/// `granary browse` with the built binaries, which `make browse` links beside each other.
struct BrowseTests {
    /// A store of the sample, and a command that serves it.
    private final class Served {
        let folder: TemporaryFolder
        let running: RunningGranary
        let address: String
        let port: Int

        init(_ options: [String] = []) throws {
            folder = try TemporaryFolder()
            let seeded = try Granary.run(
                ["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(folder.url.path)/Seed.sqlite"])
            try #require(seeded.status == 0, "\(seeded.errors)")
            running = try Granary.start(["browse", folder.url.appending(path: "Seed.sqlite").path] + options)
            let start = ContinuousClock.now
            while !running.hasPrinted("\n"), running.isRunning, ContinuousClock.now - start < .seconds(20) {
                usleep(10_000)
            }
            address = try #require(running.printed.split(separator: "\n").first.map(String.init))
            port = try #require(URL(string: address)?.port)
        }

        /// Runs curl.
        func curl(_ arguments: [String]) throws -> String {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["curl", "--silent", "--max-time", "20", "--include"] + arguments
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }

    private static var isBuilt: Bool { Granary.path(of: "granary-browse") != nil }

    @Test(.enabled(if: isBuilt)) func aStoreIsServedAndTheCommandEndsAtOnce() throws {
        let served = try Served()
        #expect(served.address.hasPrefix("http://127.0.0.1:\(served.port)/?token="))
        let jar = served.folder.url.appending(path: "jar").path
        let entered = try served.curl(["--cookie-jar", jar, served.address])
        #expect(entered.hasPrefix("HTTP/1.1 303 See Other"))
        #expect(try served.curl([served.address]).hasPrefix("HTTP/1.1 403 "))
        let base = "http://127.0.0.1:\(served.port)"
        let list = try served.curl(["--cookie", jar, "\(base)/entity?entity=Patient&where=age%20%3E%2095"])
        #expect(list.hasPrefix("HTTP/1.1 200 OK") && list.contains("<bdi>Patient</bdi>"))
        let csv = try served.curl(["--cookie", jar, "\(base)/download?entity=Patient&format=csv&column=name"])
        #expect(csv.contains("\r\n\r\n$id,name\n") && csv.split(separator: "\nPatient/p").count == 301)
        #expect(try served.curl(["--cookie", jar, "--head", base]).hasSuffix("\r\n\r\n"))
        #expect(try served.curl(["--cookie", jar, "--request", "POST", base]).hasPrefix("HTTP/1.1 405 "))
        #expect(try served.curl(["--cookie", jar, "--header", "Host: evil:1", base]).hasPrefix("HTTP/1.1 421 "))
        let start = ContinuousClock.now
        served.running.send(SIGTERM)
        let ended = try served.running.finish()
        #expect(ended.status == 130 && ContinuousClock.now - start < .seconds(1))
        // The server ends with the command.
        usleep(200_000)
        #expect(try served.curl([base]) == "")
    }

    @Test(.enabled(if: isBuilt)) func theServerEndsWithAKilledCommand() throws {
        let served = try Served()
        served.running.kill9()
        _ = try served.running.finish()
        var tries = 0
        while try served.curl(["http://127.0.0.1:\(served.port)/"]) != "", tries < 50 {
            usleep(50_000)
            tries += 1
        }
        #expect(tries < 50)
    }

    @Test(.enabled(if: isBuilt)) func aTakenPortIsAnError() throws {
        let served = try Served()
        let second = try Granary.run(
            ["browse", served.folder.url.appending(path: "Seed.sqlite").path, "--port", "\(served.port)"])
        #expect(second.status == 73 && second.errors.contains("port \(served.port) of 127.0.0.1 cannot be used"))
    }

    @Test func withoutTheServerTheMessageSaysWhatToDo() throws {
        let folder = try TemporaryFolder()
        let seeded = try Granary.run(
            ["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(folder.url.path)/Seed.sqlite"])
        try #require(seeded.status == 0, "\(seeded.errors)")
        let ended = try Granary.run(
            ["browse", folder.url.appending(path: "Seed.sqlite").path],
            script: "GRANARY_BROWSE=/nowhere/granary-browse exec \"$0\" \"$@\"")
        #expect(ended.status == 66 && ended.errors.contains("/nowhere/granary-browse: is not a program"))
        let missing = try Granary.run(["browse", folder.url.appending(path: "No.sqlite").path])
        #expect(missing.status == 66)
    }
}
