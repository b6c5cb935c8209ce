import Foundation
import Testing

@testable import granary_swiftdata

@Suite struct ToolRunTests {
    @Test func theListingIsOnStandardOutput() throws {
        let listing = try ToolProcess.listing(of: ["struct A {}", "", "class B {"].map { Data($0.utf8) })
        #expect(listing.format == SourceListing.currentFormat)
        #expect(listing.files.map { $0.declarations.map(\.name) } == [["A"], [], ["B"]])
        #expect(listing.files.map(\.problems.count) == [0, 0, 1])
    }

    @Test func noFilesMakeAnEmptyListing() throws {
        let run = try ToolProcess.run(["--files-from", "-"])
        #expect(String(decoding: run.output, as: UTF8.self) == "{\"files\":[],\"format\":1}\n")
    }

    @Test func wrongUsageHasItsExitCode() throws {
        let run = try ToolProcess.run(["--x"])
        #expect(run.code == 64 && run.output.isEmpty)
        #expect(run.errors == "granary-swiftdata: error: unknown option '--x'; see --help\n")
    }

    @Test(arguments: [("--version", "0.1.0 (format 1)\n"), ("--help", "OVERVIEW: Prints the declarations")])
    func information(option: String, start: String) throws {
        let run = try ToolProcess.run([option])
        #expect(run.code == 0 && String(decoding: run.output, as: UTF8.self).hasPrefix(start))
    }
}
