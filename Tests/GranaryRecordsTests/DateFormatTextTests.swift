import GranaryRecords
import Testing

/// The texts of date formats in options and plans.
struct DateFormatTextTests {
    @Test(
        "Letters of other languages of patterns are recognised",
        arguments: [
            ("DD.MM.YYYY", "did you mean dd.MM.yyyy?"), ("%d.%m.%Y", "did you mean dd.MM.yyyy?"),
            ("%Y-%m-%d %H:%M:%S", "did you mean yyyy-MM-dd HH:mm:ss?"), ("MM/DD/YYYY", "did you mean MM/dd/yyyy?"),
        ])
    func recognised(_ text: String, _ hint: String) {
        let problem = #expect(throws: OptionProblem.self) { try OptionText.dateFormat(text) }
        #expect(problem?.message.contains(hint) == true, "\(problem?.message ?? "")")
    }

    @Test("Nothing is suggested for what no letter explains", arguments: ["%q", "QQQ", "dd.dd.yyyy"])
    func unknown(_ text: String) {
        let problem = #expect(throws: OptionProblem.self) { try OptionText.dateFormat(text) }
        #expect(problem?.message.contains("did you mean") == false, "\(problem?.message ?? "")")
    }
}
