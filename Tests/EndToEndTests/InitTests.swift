import Foundation
import TestSupport
import Testing

/// `granary init`: the project works at once.
struct InitTests {
    @Test func theProjectSeedsAndChecks() throws {
        let folder = try TemporaryFolder()
        let made = try Granary.run(["init", "Library"], in: folder.url)
        #expect(made.status == 0, "\(made.errors)")
        let project = folder.url.appending(path: "Library")
        // The commands that are printed, in a shell.
        let commands = made.errors.split(separator: "\n").filter { $0.hasPrefix("  ") }.map {
            $0.replacing("granary ", with: "\"$0\" ")
        }
        #expect(commands.count == 3)
        let result = try Granary.run([], in: folder.url, script: "set -e\n" + commands.joined(separator: "\n"))
        #expect(result.status == 0, "\(result.errors)")
        let total = "read 7 = created 7 + updated 0 + unchanged 0 + skipped 0 + rejected 0"
        #expect(result.errors.contains(total), "\(result.errors)")
        // The same plan changes nothing.
        let again = try Granary.run(["seed", "Seed/seed.yaml"], in: project)
        #expect(again.status == 0 && again.errors.contains("unchanged 7"), "\(again.errors)")
        let query = try Granary.run(
            [
                "query", "Seed/Seed.sqlite", "Book WHERE price < 10", "--columns", "title,author.name,price",
                "--format", "csv",
            ], in: project)
        #expect(
            query.output == "title,author.name,price\nLe dépôt,Chloé Exemple,9.95\n", "\(query.output)\(query.errors)")
        let model = try Granary.run(
            ["model", "convert", "Seed/Model.granary.yaml", "--output", "Library.xcdatamodeld"], in: project)
        #expect(model.status == 0, "\(model.errors)")
        #expect(
            try Granary.run(["model", "diff", "Seed/Model.granary.yaml", "Library.xcdatamodeld"], in: project).status
                == 0)
    }

    @Test func theFolderIsOneWordOfTheShell() throws {
        let folder = try TemporaryFolder()
        let made = try Granary.run(["init", "A b's"], in: folder.url)
        let command = try #require(made.errors.split(separator: "\n").first { $0.hasPrefix("  cd ") })
        let result = try Granary.run([], in: folder.url, script: "\(command) && ls Seed/seed.yaml")
        #expect(result.status == 0 && result.output == "Seed/seed.yaml\n", "\(command): \(result.errors)")
    }

    @Test func noFileIsReplaced() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write("mine", to: "README.md")
        let result = try Granary.run(["init", "."], in: folder.url)
        #expect(
            result.status == 73 && result.errors.contains("already exists; nothing was written"), "\(result.errors)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["README.md"])
    }

    @Test func aNameIsALiteralOfSwift() throws {
        let folder = try TemporaryFolder()
        let result = try Granary.run(["init", "a\"\\b", "--package", "../granary"], in: folder.url)
        #expect(result.status == 0, "\(result.errors)")
        let manifest = try String(contentsOf: folder.url.appending(path: "a\"\\b/Package.swift"), encoding: .utf8)
        #expect(manifest.contains(#"name: "a\"\\b","#) && manifest.contains(#"path: "../granary""#), "\(manifest)")
    }
}
