import Testing

@testable import GranaryBase

@Suite("Nearest text") struct NearestTextTests {
    @Test(
        "The name with the fewest edits, when it is near",
        arguments: [
            ("nmae", "name"), ("NAME", "name"), ("emial", "email"), ("phon", "phone"), ("x", nil), ("", nil),
            ("addresses", nil), (String(repeating: "name", count: 1_000_000), nil),
        ] as [(String, String?)])
    func nearest(written: String, expected: String?) {
        #expect(NearestText.nearest(to: written, in: ["name", "email", "phone", "dateOfBirth"]) == expected)
    }
}
