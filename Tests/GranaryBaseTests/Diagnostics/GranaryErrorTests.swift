import GranaryBase
import Testing

@Suite("Errors as text") struct GranaryErrorTests {
    @Test(
        "A code prints the name of its constant",
        arguments: [
            (GranaryError.Code.refused, "refused"), (.unreadable, "unreadable"), (.uncreatable, "uncreatable"),
            (.inputOutput, "inputOutput"), (.busy, "busy"), (.usage, "usage"), (.interrupted, "interrupted"),
            (.internalDefect, "internalDefect"),
        ])
    func code(_ code: GranaryError.Code, _ text: String) { #expect("\(code)" == text) }
}
