import Foundation
import GranaryModel
import Testing

/// Further cases of ``GenerateCommandTests``.
@Suite struct GenerateCommandLongTests {
    @Test(
        "Wrong usage",
        arguments: [
            ([], "--count"),
            (["--count", "Patient=x"], "a number of objects"),
            (["--count", "Patient=-1"], "a number of objects"),
            (["--count", "Injury=1", "--null-percent", "101"], "--null-percent"),
            (["--count", "Injury=1", "--generator", "Injury.nme=word"], "did you mean \"name\"?"),
            (["--count", "Injury=1", "--store-uuid", "x"], "UUID"),
        ])
    func usage(_ words: [String], _ message: String) async throws {
        try await GenerateCommandTests().usage(words, message)
    }
}
