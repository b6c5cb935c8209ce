import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// Values that are computed from other attributes of their object.
@Suite struct ComputedValueTests {
    /// Attributes by name, type and generator.
    private typealias Column = (name: String, type: AttributeType, generator: String?)

    private static func model(
        _ columns: [Column], unique: [[String]] = [], optional: Set<String> = [],
        _ change: (inout AttributeDescription) -> Void = { _ in }
    ) -> ManagedObjectModel {
        var entity = EntityDescription(name: "Order")
        entity.attributes = columns.map { column in
            var attribute = AttributeDescription(name: column.name, type: column.type)
            attribute.isOptional = optional.contains(column.name)
            if let text = column.generator { attribute.userInfo = ["granary.generator": .string(text)] }
            change(&attribute)
            return attribute
        }
        entity.uniquenessConstraints = unique
        return ManagedObjectModel(entities: [entity])
    }

    private func numbers(_ generated: Generated, _ name: String) throws -> [Double?] {
        try generated.values("Order", name).map { value in
            switch value {
            case .integer(let number)?: Double(number)
            case .double(let number)?: number
            case .decimal(let number)?: NSDecimalNumber(decimal: number).doubleValue
            case .date(let date)?: date.timeIntervalSinceReferenceDate
            default: nil
            }
        }
    }

    @Test(
        "A formula of other attributes, also of computed and unique ones, in any order",
        arguments: [false, true], [AttributeType.double, .decimal])
    func formulas(isUnique: Bool, type: AttributeType) throws {
        let model = Self.model(
            [
                ("gross", type, "formula total + tax"), ("tax", type, "formula total / 4"),
                ("total", type, "expression price * count"), ("price", type, "number 1..9000"),
                ("count", .integer32, "number 1..9"), ("big", .boolean, "formula TERNARY(total > 100, YES, NO)"),
            ], unique: isUnique ? [["price"]] : [])
        let generated = try Generated.of(model, ["Order": 200])
        let (price, count) = (try numbers(generated, "price"), try numbers(generated, "count"))
        let (total, gross) = (try numbers(generated, "total"), try numbers(generated, "gross"))
        let big = try generated.values("Order", "big")
        for row in 0..<200 {
            let expected = try #require(price[row]) * (try #require(count[row]))
            #expect(total[row] == expected && gross[row] == expected * 1.25)
            #expect(big[row] == .boolean(expected > 100))
        }
        #expect(try generated.findings == [])
        let again = try Generated.of(model, ["Order": 200])
        #expect(try again.document == generated.document)
    }

    @Test("A date after another one, in the given distance and unit")
    func dates() throws {
        for (text, range) in [
            ("after start within 1..90 days", 86_400...90.0 * 86_400), ("after start within 5..10", 432_000...864_000),
            ("after start within 2..3 hours", 7_200...10_800), ("after start", 86_400...30 * 86_400),
            ("after start within 0..0 days", 0...0),
        ] as [(String, ClosedRange<Double>)] {
            let generated = try Generated.of(
                Self.model([("end", .date, text), ("start", .date, "date 2020..2021")], optional: ["end"]),
                ["Order": 300])
            let (ends, starts) = (try numbers(generated, "end"), try numbers(generated, "start"))
            #expect((1...80).contains(ends.count { $0 == nil }))
            for (end, start) in zip(ends, starts) {
                guard let end, let start else { continue }
                #expect(range.contains(end - start), "\(text): \(end - start)")
            }
        }
    }

    @Test("Bounds in whole days, hours or minutes give whole ones; each unit has its length")
    func units() throws {
        for (unit, seconds, step) in [
            ("seconds", 1, 1), ("minutes", 60, 60), ("hours", 3600, 3600), ("days", 86_400, 86_400),
            ("", 86_400, 86_400),
            ("weeks", 604_800, 86_400), ("years", 31_557_600, 3600), ("day", 86_400, 86_400),
        ] as [(String, Double, Double)] {
            let generated = try Generated.of(
                Self.model([
                    ("end", .date, "after start within 2..40 \(unit)"), ("start", .date, "date 2020..2021"),
                ]), ["Order": 400])
            let pairs = zip(try numbers(generated, "end"), try numbers(generated, "start"))
            let distances = try pairs.map { end, start in try #require(end) - (try #require(start)) }
            #expect(distances.allSatisfy { $0.truncatingRemainder(dividingBy: step) == 0 }, "\(unit)")
            #expect((distances.min() ?? 0) >= 2 * seconds && (distances.min() ?? 0) < 6 * seconds, "\(unit)")
            #expect((distances.max() ?? 0) <= 40 * seconds && (distances.max() ?? 0) > 36 * seconds, "\(unit)")
        }
    }

    @Test("The end of what has no beginning is NULL, or a date of its own if it is required")
    func missing() throws {
        for isOptional in [true, false] {
            let model = Self.model(
                [("start", .date, nil), ("end", .date, "after start within 1..2 days")],
                optional: isOptional ? ["start", "end"] : ["start"])
            let generated = try Generated.of(model, ["Order": 100]) { $0.nullPercent = 50 }
            let (starts, ends) = (try numbers(generated, "start"), try numbers(generated, "end"))
            #expect(starts.contains { $0 == nil })
            for (start, end) in zip(starts, ends) where start == nil { #expect((end == nil) == isOptional) }
        }
    }

    @Test("A maximum of the end makes distances shorter")
    func maximum() throws {
        let last = Date(timeIntervalSinceReferenceDate: 599_616_000)
        let model = Self.model([("start", .date, "date 2019..2019"), ("end", .date, "after start within 0..9000 days")])
        {
            if $0.name == "end" { $0.maximumValue = .date(last) }
        }
        let generated = try Generated.of(model, ["Order": 200])
        for (start, end) in zip(try numbers(generated, "start"), try numbers(generated, "end")) {
            let (first, last) = (try #require(start), try #require(end))
            #expect(last <= 599_616_000 && last >= first)
        }
    }

    @Test("What cannot be computed is refused by name")
    func refusals() throws {
        let cases: [(columns: [Column], unique: [[String]], message: String)] = [
            (
                [("a", .double, "formula b + 1"), ("b", .double, "formula c"), ("c", .double, "formula b")], [],
                "b → c → b"
            ),
            ([("a", .double, "formula a + 1")], [], "a → a"),
            ([("a", .date, "after b"), ("b", .date, "after a")], [], "a → b → a"),
            ([("a", .double, "formula prise * 2"), ("price", .double, nil)], [], "did you mean \"price\"?"),
            ([("a", .double, "formula price *"), ("price", .double, nil)], [], "cannot be read"),
            ([("a", .double, "formula")], [], "needs an expression"),
            ([("a", .date, "formula now()")], [], "without now"),
            ([("a", .double, "formula random()")], [], "without random"),
            ([("a", .integer32, "formula random(9)")], [], "without random"),
            ([("a", .double, "after b"), ("b", .date, nil)], [], "\"after\" makes dates"),
            ([("a", .date, "after b"), ("b", .string, nil)], [], "b is no date"),
            ([("a", .date, "after b within 3..1 days"), ("b", .date, nil)], [], "is not a distance"),
            ([("a", .date, "after b within 1..3 moons"), ("b", .date, nil)], [], "is not a distance"),
            ([("a", .double, "formula b * 2"), ("b", .double, nil)], [["a"]], "cannot be unique"),
        ]
        for (columns, unique, message) in cases {
            let problems = try Generated.problems(Self.model(columns, unique: unique), ["Order": 3])
            #expect(problems.count == 1, "\(problems)")
            #expect(problems.first?.message.contains(message) ?? false, "\(message): \(problems)")
        }
    }

    @Test("Paths over relationships are refused by name; a value that breaks a rule stops the run")
    func paths() throws {
        var order = EntityDescription("Order", [.attribute("total", .double, .required)])
        order.attributes[0].userInfo = ["granary.generator": .string("formula buyer.discount * 2")]
        order.relationships = [RelationshipDescription(name: "buyer", destination: "Order")]
        let problems = try Generated.problems(ManagedObjectModel(entities: [order]), ["Order": 3])
        #expect(problems.first?.message.contains("buyer.discount leads over a relationship") ?? false, "\(problems)")
        let small = Self.model([("a", .integer16, "number 300..300"), ("b", .integer16, "formula a * a")])
        let found = try Generated.problems(small, ["Order": 3])
        #expect(found.first?.property == "b" && found.first?.message.contains("object 0") ?? false, "\(found)")
    }
}
