import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// Ranges of numbers, dates and lengths with weights.
@Suite struct WeightedValueTests {
    private func generated(
        _ type: AttributeType, _ text: String, _ options: AttributeOption..., unique: Bool = false, count: Int = 1000,
        distribution: String? = nil
    ) throws -> [AttributeValue] {
        let generated = try Generated.of(
            GeneratorTests.model(type, [.required] + options, unique: unique), ["Thing": count]
        ) {
            $0.generators["Thing.value"] = text
            $0.distributions["Thing.value"] = distribution
        }
        #expect(try generated.findings == [])
        return try generated.values("Thing", "value").compactMap { $0 }
    }

    private func number(_ value: AttributeValue) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .double(let number): number
        case .float(let number): Double(number)
        case .decimal(let number): NSDecimalNumber(decimal: number).doubleValue
        case .date(let date): date.timeIntervalSinceReferenceDate
        case .string(let text): Double(text.utf16.count)
        default: .nan
        }
    }

    @Test("Ranges are as frequent as their weights", arguments: [AttributeType.integer32, .double, .decimal, .float])
    func numbers(type: AttributeType) throws {
        let values = try generated(type, "number 1..10:70, 100..200:20, 5000..5000:10").map(number)
        #expect((650...750).contains(values.count { (1...10).contains($0) }))
        #expect((160...240).contains(values.count { (100...200).contains($0) }))
        #expect((70...130).contains(values.count { $0 == 5000 }))
        #expect(values.count { $0 > 10 && $0 < 100 || $0 > 200 && $0 < 5000 } == 0)
        #expect(Set(values.filter { $0 <= 10 }).count == 10)
        let decimals = type == .integer32 ? [] : try generated(type, "number 0..1:1, 5.25..6:1").map(number)
        #expect(decimals.allSatisfy { abs($0 * 100 - ($0 * 100).rounded()) < 1e-3 })
        if !decimals.isEmpty { #expect(decimals.contains { $0 < 1 && $0 != $0.rounded() }) }
    }

    @Test("Dates, and lengths of texts in each language")
    func datesAndLengths() throws {
        let first = Double(CivilDays.days(year: 2010, month: 1, day: 1)) * 86_400
        let dates = try generated(.date, "date 2010..2010:3, 2020..2021:1").map(number)
        #expect((700...800).contains(dates.count { $0 >= first && $0 < first + 365 * 86_400 }))
        for locale in GenerationOptions.Locale.allCases {
            let model = GeneratorTests.model(.string, [.required], unique: false)
            let values = try Generated.of(model, ["Thing": 200]) {
                ($0.generators["Thing.value"], $0.locale) = ("text 0:10, 3..12:60, 200..220:30", locale)
            }
            let texts = try values.texts("Thing", "value")
            #expect(
                texts.allSatisfy {
                    [0, 200].contains($0.utf16.count) || (3...12).contains($0.utf16.count)
                        || $0.utf16.count <= 220 && $0.utf16.count > 200
                })
            #expect(texts.allSatisfy { $0.last != " " && !$0.contains("\u{FFFD}") })
            #expect((90...150).contains(texts.count { (3...12).contains($0.utf16.count) }), "\(locale)")
            #expect(Set(texts).count > 150)
        }
        let fixed = try generated(.string, "text 7").map(number)
        #expect(Set(fixed) == [7])
    }

    @Test("Rules exclude values and whole ranges; unique values and distributions")
    func rules() throws {
        let few = try generated(.integer16, "number 1..10:50, 20..30:25, 40..50:25", .minimum(5), .maximum(25)).map(
            number)
        #expect(few.allSatisfy { (5...10).contains($0) || (20...25).contains($0) })
        #expect((600...730).contains(few.count { $0 <= 10 }))
        let lengths = try generated(.string, "text 1..9:50, 20..30:50", .length(4...25)).map(number)
        #expect(lengths.allSatisfy { (4...9).contains($0) || (20...25).contains($0) })
        let unique = try generated(.integer32, "number 1..10:50, 900..1500:50", unique: true).map(number)
        #expect(Set(unique).count == 1000 && unique.allSatisfy { (1...1500).contains($0) })
        let skewed = try generated(.integer32, "number 1..10:50, 20..30:50", distribution: "skewed").map(number)
        #expect((700...800).contains(skewed.count { $0 <= 10 }))
    }

    @Test("Wrong ranges are refused")
    func refusals() throws {
        for (type, text, message) in [
            (AttributeType.integer16, "number 1..2:50, 3..4", "has no weight"),
            (.integer16, "number 1..2:x", "has no weight"), (.integer16, "number 5..1:5", "is not a range"),
            (.string, "text 5..1", "is not a range of lengths"), (.string, "text -1..4", "is not a range of lengths"),
            (.integer16, "text 1..4", "no value that satisfies"),
            (.date, "number 1..2:1, 5..6:2", "no value that satisfies"),
            (.integer16, "number 1..2:0", "all weights are 0"),
            (.string, "text 0..9999999", "is not a range of lengths"),
        ] {
            let problems = try Generated.problems(
                GeneratorTests.model(type, [.required], unique: false), ["Thing": 3]
            ) { $0.generators["Thing.value"] = text }
            #expect(problems.count == 1 && problems[0].message.contains(message), "\(text): \(problems)")
        }
    }
}
