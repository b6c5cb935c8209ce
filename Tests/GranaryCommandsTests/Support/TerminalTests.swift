import GranaryBase
import Testing

@testable import GranaryCommands

/// Colours, widths and the line that is written over.
@Suite struct TerminalTests {
    private func terminal(_ environment: [String: String], isPresent: Bool = true, width: Int? = nil) -> Terminal {
        Terminal(isPresent: isPresent, environment: environment, windowWidth: { width })
    }

    @Test(
        arguments: [
            (true, ["TERM": "xterm"], true, true), (true, ["TERM": "xterm", "NO_COLOR": ""], true, true),
            (true, ["TERM": "xterm", "NO_COLOR": "1"], true, false), (true, ["TERM": "dumb"], false, false),
            (true, [:], false, false), (false, ["TERM": "xterm"], false, false),
            (false, ["TERM": "xterm", "CLICOLOR_FORCE": "1"], false, false),
        ] as [(Bool, [String: String], Bool, Bool)])
    func coloursAreForTerminalsThatHaveThem(
        _ isPresent: Bool, _ environment: [String: String], _ controls: Bool, _ colours: Bool
    ) {
        let terminal = terminal(environment, isPresent: isPresent)
        #expect(terminal.hasControls == controls && terminal.hasColours == colours)
    }

    @Test func theWindowSaysHowWideItIs() {
        #expect(terminal(["COLUMNS": "50"], width: 120).width == 120)
        #expect(terminal(["COLUMNS": "50"]).width == 50)
        #expect(terminal(["COLUMNS": "-5"]).width == 80 && terminal([:]).width == 80)
    }

    private let position = SourcePosition(file: "a.csv", line: 2, column: 3)

    @Test(
        arguments: [
            (Diagnostic.Severity.error, "1;31"), (.warning, "1;33"), (.note, "1;36"),
        ] as [(Diagnostic.Severity, String)])
    func aDiagnosticIsColouredAsCompilersDo(_ severity: Diagnostic.Severity, _ code: String) {
        let diagnostic = Diagnostic(.valueSyntax, "wrong", severity: severity, at: position, entity: "Patient")
        let name = severity.rawValue
        #expect(
            MessageStyle(hasColours: true).text(diagnostic)
                == "\u{1B}[1ma.csv:2:3:\u{1B}[0m \u{1B}[\(code)m\(name):\u{1B}[0m Patient: wrong [value.syntax]")
        #expect(MessageStyle(hasColours: false).text(diagnostic) == "\(diagnostic)")
    }

    @Test func whatHasNoPlaceIsTheCommandsWord() {
        let plain = MessageStyle(hasColours: false)
        #expect(plain.text(Diagnostic(.valueSyntax, "wrong")) == "granary: error: wrong [value.syntax]")
        #expect(plain.error("no") == "granary: error: no")
        let coloured = MessageStyle(hasColours: true)
        #expect(coloured.error("no") == "\u{1B}[1mgranary:\u{1B}[0m \u{1B}[1;31merror:\u{1B}[0m no")
    }

    @Test func messagesHaveColoursOnATerminalOnly() {
        for (environment, escapes) in [(["TERM": "xterm"], true), (["TERM": "xterm", "NO_COLOR": "x"], false)] {
            let capture = CommandOutput.Capture(terminal: terminal(environment))
            CommandOutput.$current.withValue(capture.output) {
                CommandOutput.logError("no")
                CommandOutput.log([Diagnostic(.valueSyntax, "wrong")], limit: 5)
            }
            #expect(capture.standardError.contains("\u{1B}") == escapes)
        }
    }

    @Test func aMessageTakesThePlaceOfTheLineThatIsWrittenOver() throws {
        let capture = CommandOutput.Capture()
        let output = capture.output
        try CommandOutput.$current.withValue(output) {
            output.messages.show("one")
            output.messages.show("one")
            CommandOutput.log("message")
            CommandOutput.log("another")
            output.messages.show("two")
            try CommandOutput.write("data")
            output.messages.erase()
        }
        #expect(capture.standardError == "\rone\u{1B}[K\r\u{1B}[Kmessage\nanother\n\rtwo\u{1B}[K\r\u{1B}[K")
        #expect(capture.standardOutput == "data")
    }
}
