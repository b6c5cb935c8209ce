import Foundation
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// Texts with a technical form are correct by their standards.
@Suite struct TechnicalTextTests {
    private static let form: [(kind: TextKind, names: [String], expression: String)] = [
        (.ipv4, ["ip", "ipAddress", "clientIP", "ipv4"], "10(\\.[0-9]{1,3}){3}"),
        (.ipv6, ["ipv6", "serverIPv6Address"], "2001:db8:[0-9a-f]{1,4}:[0-9a-f]{1,4}::[0-9a-f]{1,4}"),
        (.currency, ["currency", "currencyCode", "priceCurrency"], "[A-Z]{3}"),
        (.iban, ["iban", "accountIBAN"], "[A-Z]{2}[0-9]{2}[A-Z0-9]{14,20}"),
        (.cardNumber, ["cardNumber", "creditCard"], "[0-9]{15,16}"),
        (.timeZone, ["timeZone", "timezone", "time_zone"], "[A-Z][a-z]+/[A-Za-z_]+"),
        (.hexColor, ["hexColor", "color_hex"], "#[0-9a-f]{6}"),
        (.uuidLower, [], "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), (.uuidPlain, [], "[0-9a-f]{32}"),
        (.latitude, ["latitude", "lat"], "-?[0-9]{1,2}\\.[0-9]{4}"),
        (.longitude, ["longitude", "lng"], "-?[0-9]{1,3}\\.[0-9]{4}"),
        (.paragraph, ["paragraph"], "([A-Z][a-z ]+\\. ){2,4}[A-Z][a-z ]+\\."),
    ]

    @Test("Texts have their form, and names lead to the kinds", arguments: form.indices)
    func forms(index: Int) throws {
        let (kind, names, expression) = Self.form[index]
        for name in names { #expect(PropertyNames(attribute: name, entity: "Thing").textKind == kind, "\(name)") }
        let source = TextSource(kind, .english)
        let whole = try Regex("^(\(expression))$")
        for number in 0..<UInt64(300) {
            let text = source.text(at: number &* 7_919 % source.size)
            #expect(text.firstMatch(of: whole) != nil, "\(text)")
        }
    }

    @Test("Account numbers have the remainder 1 modulo 97, with the published examples")
    func accounts() {
        for text in ["DE89370400440532013000", "GB29NWBK60161331926819", "NL91ABNA0417164300"] {
            #expect(Self.remainder(text) == 1)
        }
        #expect(Self.remainder("DE88370400440532013000") != 1)
        for index in 0..<UInt64(2_000) { #expect(Self.remainder(TechnicalTexts.iban(index * 1_000_003)) == 1) }
    }

    /// The slow way: the digits as one number, eight at a time.
    private static func remainder(_ text: String) -> Int {
        let moved = text.dropFirst(4) + text.prefix(4)
        let digits = moved.map { $0.isNumber ? String($0) : "\(Int($0.asciiValue ?? 0) - 55)" }.joined()
        var rest = ""
        for digit in digits {
            rest.append(digit)
            if let number = Int(rest), rest.count >= 8 { rest = "\(number % 97)" }
        }
        return (Int(rest) ?? 0) % 97
    }

    @Test("Card numbers satisfy Luhn's formula, with the published examples")
    func cards() {
        for text in ["4242424242424242", "378282246310005", "6011111111111117"] { #expect(Self.isLuhn(text)) }
        #expect(!Self.isLuhn("4242424242424241"))
        for index in 0..<UInt64(2_000) { #expect(Self.isLuhn(TechnicalTexts.cardNumber(index * 9_973))) }
    }

    private static func isLuhn(_ text: String) -> Bool {
        var sum = 0
        for (place, digit) in text.reversed().enumerated() {
            let value = (digit.wholeNumberValue ?? 0) * (place % 2 + 1)
            sum += value / 10 + value % 10
        }
        return sum % 10 == 0
    }

    @Test("A unique attribute of each kind that has enough values")
    func unique() throws {
        for kind in [TextKind.ipv4, .ipv6, .iban, .cardNumber, .hexColor, .uuidPlain, .paragraph] {
            var attribute = AttributeDescription(name: "value", type: .string)
            attribute.isOptional = false
            attribute.userInfo = ["granary.generator": .string(kind.rawValue)]
            var entity = EntityDescription(name: "Thing")
            (entity.attributes, entity.uniquenessConstraints) = ([attribute], [["value"]])
            let generated = try Generated.of(ManagedObjectModel(entities: [entity]), ["Thing": 300])
            #expect(Set(try generated.texts("Thing", "value")).count == 300, "\(kind)")
        }
    }
}
