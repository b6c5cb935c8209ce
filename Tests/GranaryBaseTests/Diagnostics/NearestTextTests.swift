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

    @Test("Of names at the same distance, the one with the same letters and digits is nearest")
    func lettersAndDigits() {
        let names = ["Shop", "Shop 2", "Shop 4", "Shop 40"]
        #expect(NearestText.nearest(to: "Shop4", in: names) == "Shop 4")
        #expect(NearestText.nearest(to: "shop_2", in: names) == "Shop 2")
        #expect(NearestText.nearest(to: "Shops", in: names) == "Shop")
    }
}
