import GranaryBase
import Testing

@Suite struct TextWidthTests {
    @Test(arguments: [
        ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("語", 2), ("カ", 2), ("ｶ", 1), ("Ａ", 2), ("한", 2),
        ("\u{1112}\u{1161}\u{11AB}", 2), ("😀", 2), ("👨\u{200D}👩\u{200D}👧", 2), ("🇩🇪", 2), ("❤", 1), ("❤\u{FE0F}", 2),
        ("a\tb", 2), ("\u{1B}", 0), ("\u{200B}", 0), ("日本 x", 6), ("\u{301}", 0), ("𠀀", 2), ("…", 1), ("ß—", 2),
    ])
    func countsColumns(_ text: String, _ columns: Int) {
        #expect(TextWidth.columns(of: text) == columns)
    }
}
