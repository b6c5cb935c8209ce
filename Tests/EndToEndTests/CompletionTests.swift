import Foundation
import TestSupport
import Testing

/// The completion scripts, which have all options, also those that the short help leaves out.
struct CompletionTests {
    @Test("Completion completes files", arguments: ["bash", "zsh", "fish"])
    func completion(_ shell: String) throws {
        let folder = try TemporaryFolder()
        let script = try Granary.run(["--generate-completion-script", shell], in: folder.url).output
        // How the parser has each shell look for files.
        let mark = shell == "bash" ? "__granary_add_completions -f" : shell == "zsh" ? "_files" : "-F"
        for option in ["--store", "--model", "--rejects", "--report", "--allow-zero-fraction"] where shell == "bash" {
            let place = script.range(of: "\n        \(option))") ?? script.range(of: option)
            #expect(place != nil, "\(option)")
        }
        #expect(script.components(separatedBy: mark).count > 10, "\(shell)")
    }
}
