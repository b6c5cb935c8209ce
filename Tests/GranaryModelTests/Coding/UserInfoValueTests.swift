import Foundation
import GranaryModel
import Testing

@Suite("Values of user info") struct UserInfoValueTests {
    @Test(
        "JSON of a value",
        arguments: [
            ("a", "\"a\""), (true, "true"), (1, "1"), (["a", 1], "[\"a\",1]"), (1.0, "{\"real\":1}"),
            (["k": "v"], "{\"dictionary\":{\"k\":\"v\"}}"),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), "{\"date\":0}"),
            (.binary(Data([1])), "{\"binary\":\"AQ==\"}"), (.real(.infinity), "{\"real\":\"inf\"}"),
        ] as [(UserInfoValue, String)])
    func json(_ value: UserInfoValue, _ text: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        #expect(String(decoding: try encoder.encode([value]), as: UTF8.self) == "[\(text)]")
        #expect(try JSONDecoder().decode([UserInfoValue].self, from: Data("[\(text)]".utf8)) == [value])
    }

    @Test("Other JSON is refused", arguments: ["{}", "{\"real\":1,\"date\":1}", "{\"a\":1}", "null", "[null]"])
    func refused(_ text: String) {
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([UserInfoValue].self, from: Data("[\(text)]".utf8))
        }
    }

    @Test("A value that nests too deep is refused")
    func depth() {
        let text = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(throws: (any Error).self) { try JSONDecoder().decode(UserInfoValue.self, from: Data(text.utf8)) }
    }

    @Test("Text compares by its bytes; a number is not its text")
    func equality() {
        #expect(UserInfoValue.string("é") != .string("e\u{301}"))
        #expect(UserInfoValue.string("1") != .integer(1) && UserInfoValue.real(.nan) == .real(.nan))
    }

    @Test("The description of each kind is readable")
    func description() {
        let value: UserInfoValue = ["b": [1, true, "x"], "a": 0.5]
        #expect(value.description == "{a: 0.5, b: [1, true, x]}")
        #expect(value.string == nil && UserInfoValue.string("s").string == "s")
    }
}
