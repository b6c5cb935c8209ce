import GranaryBase
import TestSupport
import Testing

struct OptionHelpTests {
    @Test(
        "A shell reads a quoted value as one word",
        arguments: [
            "a", "", "a b", "it's", "a\"b", "$(id)", "`id`", "\\", "a\tb", "two\u{C}", "a\nb", "\u{7}'%s\\n", "-x",
            "-\u{1B}", "é",
            "\u{A0}", "\u{202E}", "*", "~", "a;b", "100%", "\u{85}x", "%\u{1}%",
        ])
    func words(_ value: String) throws {
        let option = try #require(OptionHelp.option("ignore", value))
        #expect(VisibleText.escaped(option) == option)
        let words = try ShellWords.split(option)
        #expect(words == (value.hasPrefix("-") ? ["--ignore=" + value] : ["--ignore", value]))
    }

    /// An argument ends at U+0000, and a shell removes line feeds at the end of a command's output.
    @Test(arguments: ["a\u{0}", "a\n"])
    func unpasteable(_ value: String) {
        #expect(OptionHelp.option("ignore", value) == nil)
        #expect(OptionHelp.all(["--trim", OptionHelp.option("ignore", value)]) == nil)
        #expect(OptionHelp.either([OptionHelp.option("ignore", value), "--trim"]) == "--trim")
    }
}
