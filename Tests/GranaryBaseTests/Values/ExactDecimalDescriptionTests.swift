import Foundation
import GranaryBase
import Testing

@Suite struct ExactDecimalDescriptionTests {
    @Test(
        arguments: [
            ("0", "0"), ("-0", "0"), ("1.50", "1.5"), ("-0.001", "-0.001"), ("1e3", "1000"), ("12e-60", "1.2e-59"),
            ("99999999999999999999999999999999999999", "99999999999999999999999999999999999999"),
        ])
    func isTheNumberInDigits(_ text: String, _ expected: String) throws {
        let number = try Array(text.utf8).withUnsafeBufferPointer { try DecimalText.parse($0) }
        #expect("\(number)" == expected)
    }
}
