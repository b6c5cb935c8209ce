import Foundation
import TestSupport
import Testing

/// The pages of `--html` in a browser, in their light, dark and printed form, and as tidy sees them.
struct ReportPageLongTests {
    private static let browser = ["chromium", "chromium-browser", "google-chrome"].first(where: ServedStore.has)
    private static let missing = "chromium is not installed; Scripts/setup browse installs it"

    /// The commands, of which each writes `page.html` about the store of the sample.
    static let commands = [
        ["import", Samples.url("Triage/patients-with-mistakes.csv").path, "--entity", "Patient", "--store", "STORE"],
        ["profile", "STORE"], ["store", "check", "STORE"], ["store", "diff", "STORE", "OTHER"],
        ["subset", "STORE", "--from", "Patient WHERE age > 60", "--anonymise", "Patient.name", "--output", "NEW"],
        ["generate", "--store", "OTHER", "--count", "Injury=3"],
    ]

    /// Writes the page of a command.
    private func page(_ command: [String], in folder: TemporaryFolder) throws -> String {
        func path(_ name: String) -> String { folder.url.appending(path: name).path }
        for name in ["STORE", "OTHER"] {
            let seed = try Granary.run(["seed", Samples.url("Triage/seed.yaml").path, "--set", "STORE=\(path(name))"])
            #expect(seed.status == 0, "\(seed.errors)")
        }
        // A name with markup, which the store has.
        let hostile = try folder.write("badge,name\nZ-0001,<script>alert(1)</script>\n", to: "one.csv")
        _ = try Granary.run(["import", hostile.path, "--entity", "Responder", "--store", path("OTHER")])
        let page = path("page.html")
        _ = try Granary.run(
            command.map { ["STORE", "OTHER", "NEW"].contains($0) ? path($0) : $0 } + ["--html", page])
        try #require(FileManager.default.fileExists(atPath: page), "\(command)")
        return page
    }

    private func browse(_ page: String, _ options: [String], in folder: TemporaryFolder) throws -> String {
        let browser = try #require(Self.browser)
        let ended = try ServedStore.run(
            [
                "timeout", "60", browser, "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr",
                "--v=0", "--user-data-dir=\(folder.url.path)/profile",
            ] + options + ["file://\(page)"])
        return ended.output + ended.errors
    }

    @Test(.enabled(if: browser != nil, "\(missing)"), arguments: commands)
    func aPageOpensWithoutMessagesInAllForms(command: [String]) throws {
        let folder = try TemporaryFolder()
        let page = try page(command, in: folder)
        let opened = try browse(page, ["--dump-dom"], in: folder)
        #expect(opened.contains("<h1>") && opened.contains("<main>") && !opened.contains("CONSOLE"), "\(opened)")
        #expect(!opened.contains("<script>"))
        var pictures: [Data] = []
        // 0 is dark, 1 is light.
        for scheme in [1, 0] {
            let picture = folder.url.appending(path: "\(scheme).png")
            _ = try browse(
                page,
                [
                    "--blink-settings=preferredColorScheme=\(scheme)", "--window-size=400,300",
                    "--screenshot=\(picture.path)",
                ], in: folder)
            pictures.append(try Data(contentsOf: picture))
        }
        #expect(pictures[0] != pictures[1], "the dark form is the light one")
        let print = folder.url.appending(path: "page.pdf")
        _ = try browse(page, ["--print-to-pdf=\(print.path)"], in: folder)
        #expect(try Data(contentsOf: print).count > 5_000)
    }

    @Test(
        .enabled(if: ServedStore.has("tidy"), "tidy is not installed; Scripts/setup browse installs it"),
        arguments: commands)
    func tidyFindsNoErrors(command: [String]) throws {
        let folder = try TemporaryFolder()
        let page = try page(command, in: folder)
        let ended = try ServedStore.run(["tidy", "-e", "-q", "-utf8", page])
        // 1 is for warnings.
        #expect(ended.status < 2, "\(ended.errors)")
    }
}
