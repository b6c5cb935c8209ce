import GranaryBase
import GranaryComparison
import GranaryModel

/// Collects text for standard output and writes it in large pieces.
final class BufferedOutput {
    private var text = ""
    private static let limit = 1 << 16

    func append(_ more: String) throws(GranaryError) {
        text += more
        if text.utf8.count >= Self.limit { try flush() }
    }

    func flush() throws(GranaryError) {
        guard !text.isEmpty else { return }
        try CommandOutput.write(text)
        text = ""
    }
}
