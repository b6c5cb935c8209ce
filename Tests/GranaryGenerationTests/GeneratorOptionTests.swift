import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import GranaryImport
@testable import SeedingTestSupport

/// User info and options choose values.
@Suite struct GeneratorOptionTests {
    private static func model(_ type: AttributeType, _ info: [String: String], isOptional: Bool = false)
        -> ManagedObjectModel
    {
        var attribute = AttributeDescription(name: "value", type: type)
        attribute.userInfo = info.mapValues(UserInfoValue.string)
        attribute.isOptional = isOptional
        var entity = EntityDescription(name: "Thing")
        entity.attributes = [attribute]
        return ManagedObjectModel(entities: [entity])
    }

    @Test("Generators of user info and options give the same values")
    func specifications() throws {
        let cases: [(AttributeType, String, @Sendable (AttributeValue) -> Bool)] = [
            (.string, "one of red, green", { $0 == .string("red") || $0 == .string("green") }),
            (.integer16, "one of 3, 5", { $0 == .integer(3) || $0 == .integer(5) }),
            (.boolean, "one of true", { $0 == .boolean(true) }),
            (
                .integer32, "number 10..12",
                { if case .integer(let number) = $0 { (10...12).contains(number) } else { false } }
            ),
            (
                .double, "number 0.5..0.75",
                { if case .double(let number) = $0 { (0.5...0.75).contains(number) } else { false } }
            ),
            (
                .date, "date 2010..2010",
                {
                    guard case .date(let date) = $0 else { return false }
                    return (283_996_800..<315_532_800).contains(date.timeIntervalSinceReferenceDate)
                }
            ),
            (.string, "pattern Q[0-9]{3}", { if case .string(let text) = $0 { text.hasPrefix("Q") } else { false } }),
            (.string, "first name", { if case .string(let text) = $0 { !text.contains(" ") } else { false } }),
            (.uri, "url", { if case .uri(let url) = $0 { url.host() == "example.com" } else { false } }),
        ]
        for (type, text, isRight) in cases {
            let byInfo = try Generated.of(Self.model(type, ["granary.generator": text]), ["Thing": 50])
            let values = try byInfo.values("Thing", "value")
            #expect(values.allSatisfy { $0.map(isRight) ?? false }, "\(text): \(values)")
            let byOption = try Generated.of(Self.model(type, [:]), ["Thing": 50]) {
                $0.generators["Thing.value"] = text
            }
            #expect(try byOption.values("Thing", "value") == values)
            #expect(try byInfo.findings == [])
        }
    }

    @Test(
        "The decimals of the bounds, or a step, are the decimals of the values",
        arguments: [
            ("number 1.00..500.00", 100, 1, 500), ("number 0.5..1", 10, 0.5, 1), ("number 1..10", 1, 1, 10),
            ("number -0.25..0.250", 1000, -0.25, 0.25), ("number 0..10 step 0.25", 4, 0, 10),
            ("number 0.10..0.95 step 0.05", 20, 0.1, 0.95), ("number 5..50 step 5", 0.2, 5, 50),
        ] as [(String, Double, Double, Double)])
    func decimals(text: String, factor: Double, least: Double, most: Double) throws {
        for type in [AttributeType.decimal, .double, .float] {
            let values = try Generated.of(Self.model(type, ["granary.generator": text]), ["Thing": 400])
                .values("Thing", "value")
            let numbers = values.compactMap { value -> Double? in
                switch value {
                case .decimal(let number)?: NSDecimalNumber(decimal: number).doubleValue
                case .double(let number)?: number
                case .float(let number)?: Double(number)
                default: nil
                }
            }
            #expect(numbers.count == 400)
            let precision = type == .float ? 1e-3 : 1e-9
            #expect(numbers.allSatisfy { $0 >= least - precision && $0 <= most + precision }, "\(type) \(text)")
            #expect(
                numbers.allSatisfy { abs($0 * factor - ($0 * factor).rounded()) < precision * factor * 10 },
                "\(type) \(text): \(numbers.prefix(5))")
            // Not only whole numbers.
            if factor > 1 { #expect(numbers.contains { $0 != $0.rounded() }, "\(type) \(text)") }
        }
        if factor <= 1 {
            let whole = try Generated.of(Self.model(.integer32, ["granary.generator": text]), ["Thing": 400])
                .values("Thing", "value")
            let numbers = stride(from: Int64(least), through: Int64(most), by: Int(1 / factor))
            let expected = Set(numbers.map { AttributeValue.integer($0) })
            #expect(Set(whole.compactMap { $0 }) == expected, "\(text)")
        }
    }

    @Test("The percentage of NULL, of the options or the user info")
    func nulls() throws {
        for (percent, info, range) in [
            (0, nil, 0...0), (100, nil, 400...400), (25, nil, 60...140), (0, "75%", 260...340),
        ]
            as [(Int, String?, ClosedRange<Int>)]
        {
            let model = Self.model(.string, info.map { ["granary.null": $0] } ?? [:], isOptional: true)
            let generated = try Generated.of(model, ["Thing": 400]) { $0.nullPercent = percent }
            #expect(range.contains(try generated.values("Thing", "value").count { $0 == nil }))
        }
    }

    @Test("Distributions")
    func distributions() throws {
        func mean(_ distribution: String) throws -> Double {
            let info = ["granary.generator": "number 0..99", "granary.distribution": distribution]
            let values = try Generated.of(Self.model(.integer16, info), ["Thing": 2000]).values("Thing", "value")
            let numbers = values.compactMap { value -> Double? in
                guard case .integer(let number)? = value else { return nil }
                return Double(number)
            }
            return numbers.reduce(0, +) / 2000
        }
        func share(_ distribution: String) throws -> Int {
            let info = ["granary.generator": "number 0..99", "granary.distribution": distribution]
            let values = try Generated.of(Self.model(.integer16, info), ["Thing": 2000]).values("Thing", "value")
            return values.count { if case .integer(25..<75)? = $0 { true } else { false } }
        }
        // Half of the uniform values lie in the middle, and nine of ten of the normal ones.
        #expect((900...1100).contains(try share("uniform")))
        #expect((1650...1900).contains(try share("normal")))
        #expect((45...54).contains(try mean("uniform")))
        #expect((45...54).contains(try mean("normal")))
        #expect((28...38).contains(try mean("skewed")))
        // The mean of the ranks 1 to 100 is 100 / H(100) = 19.3.
        #expect((16...21).contains(try mean("zipf")))
    }

    @Test("Zipf: the n-th value is as frequent as 1/n, for sizes that are no powers of two", arguments: [3, 10, 100])
    func zipf(size: UInt64) {
        let stream = RandomStream(seed: 3, ["zipf"])
        var counts = Array(repeating: 0.0, count: Int(size))
        let draws = 60_000
        for index in 0..<UInt64(draws) {
            counts[Int(ValueDistribution.zipf.index(stream, index, attempt: 0, size: size))] += 1
        }
        let sum = (1...size).reduce(0.0) { $0 + 1 / Double($1) }
        for rank in 1...Int(min(size, 8)) {
            let expected = Double(draws) / Double(rank) / sum
            #expect(
                abs(counts[rank - 1] - expected) < expected * 0.08 + 30, "\(rank): \(counts[rank - 1]), \(expected)")
        }
        #expect(ValueDistribution.zipf.index(stream, 0, attempt: 0, size: 1) == 0)
    }

    @Test("The percentages of a list are the frequencies of its values, without those that a rule excludes")
    func weights() throws {
        func counts(_ text: String, _ change: (inout ManagedObjectModel) -> Void = { _ in }) throws -> [String: Int] {
            var model = Self.model(.string, ["granary.generator": text])
            change(&model)
            let values = try Generated.of(model, ["Thing": 1000]).texts("Thing", "value")
            return Dictionary(grouping: values) { $0 }.mapValues(\.count)
        }
        let colors = try counts("one of red 70%, dark green 20%, blue 10%")
        #expect(Set(colors.keys) == ["red", "dark green", "blue"])
        #expect((650...750).contains(colors["red"] ?? 0) && (65...140).contains(colors["blue"] ?? 0), "\(colors)")
        let short = try counts("one of red 70%, dark green 20%, blue 10%") {
            $0.entities[0].attributes[0].maximumLength = 4
        }
        #expect(Set(short.keys) == ["red", "blue"] && (820...920).contains(short["red"] ?? 0), "\(short)")
        // Percentages without a text before them are texts.
        #expect(Set(try counts("one of 5%, 10%").keys) == ["5%", "10%"])
    }

    @Test("Wrong settings are refused with the attribute")
    func wrongSettings() throws {
        let cases: [(AttributeType, [String: String], Bool, String)] = [
            (.string, ["granary.generator": "nmae"], false, "did you mean \"name\"?"),
            (.string, ["granary.generator": "one of"], false, "needs values"),
            (.string, ["granary.generator": "one of a 70%, b 20%"], false, "have the sum 90"),
            (.integer16, ["granary.generator": "number 5..1"], false, "is not a range"),
            (.integer16, ["granary.generator": "number 1..5 stpe 2"], false, "is not a step"),
            (.integer16, ["granary.generator": "number 1..5 step 0"], false, "is not a step"),
            (.integer16, ["granary.generator": "number 1..5 step 0.5"], false, "the step 0.5 is not whole"),
            (.float, ["granary.generator": "number 0.00..100000.00"], false, "a Float does not hold 2 decimals"),
            (.float, ["granary.generator": "number 0..1e9 step 5"], false, "a Float does not hold all numbers"),
            (.double, ["granary.generator": "number 0..1000000 step 1e-12"], false, "a Double does not hold 12"),
            (.decimal, ["granary.generator": "number 0..1e16"], false, "a Decimal does not hold all numbers"),
            (.decimal, ["granary.generator": "number 0..1 step 1e-20"], false, "numbers of 20 decimals"),
            (.date, ["granary.generator": "date 2010"], false, "is not a range"),
            (.integer16, ["granary.generator": "email"], false, "no value that satisfies"),
            (.integer16, ["granary.generator": "one of a, b"], false, "no value of the generator"),
            (.string, ["granary.null": "101"], true, "is not a percentage"),
            (.string, ["granary.null": "5%"], false, "a value is required"),
            (.string, ["granary.distribution": "norml"], false, "did you mean \"normal\"?"),
        ]
        for (type, info, isOptional, message) in cases {
            let problems = try Generated.problems(Self.model(type, info, isOptional: isOptional), ["Thing": 3])
            #expect(problems.count == 1 && problems[0].entity == "Thing" && problems[0].property == "value")
            #expect(problems.first?.message.contains(message) ?? false, "\(problems)")
        }
    }

    @Test("Unknown names and numbers are wrong usage")
    func usage() throws {
        let model = Self.model(.string, [:])
        let cases: [([String: Int], [String: String], String)] = [
            (["Thign": 1], [:], "did you mean \"Thing\"?"), (["Thing": -1], [:], "is negative"),
            (["Thing": 2_000_000_000], [:], "cannot be generated in one run"),
            (["Thing": 1], ["Thing.valeu": "name"], "did you mean \"value\"?"),
            (["Thing": 1], ["Other.value": "name"], "no entity \"Other\""),
        ]
        for (counts, generators, message) in cases {
            let error = #expect(throws: GranaryError.self) {
                try Generated.of(model, counts) { $0.generators = generators }
            }
            #expect(error?.code == .usage && error?.message.contains(message) ?? false, "\(String(describing: error))")
        }
    }

    /// The code is unique among all items, so one generator makes those of books and films.
    private static let items = ManagedObjectModel(entities: [
        EntityDescription("Item", [.attribute("code", .string, .required)], isAbstract: true, unique: [["code"]]),
        EntityDescription("Book", [.attribute("pages", .integer16)], superentity: "Item"),
        EntityDescription("Film", [.attribute("minutes", .integer16)], superentity: "Item"),
    ])

    @Test(
        "The generator of a unique attribute can be named for a subentity if it applies to all generated objects",
        arguments: [
            (["Book": 30], ["Book.code": "pattern B[0-9]{4}"], "B"),
            (["Book": 30, "Film": 20], ["Item.code": "pattern I[0-9]{4}"], "I"),
            (
                ["Book": 30, "Film": 20],
                ["Book.code": "pattern S[0-9]{4}", "Film.code": "pattern S[0-9]{4}"], "S"
            ),
        ] as [([String: Int], [String: String], String)])
    func uniqueAttributes(counts: [String: Int], generators: [String: String], prefix: String) throws {
        let generated = try Generated.of(Self.items, counts) { $0.generators = generators }
        let codes = try generated.texts("Book", "code") + generated.texts("Film", "code")
        #expect(codes.count == counts.values.reduce(0, +) && Set(codes).count == codes.count)
        #expect(codes.allSatisfy { $0.utf8.count == 5 && $0.hasPrefix(prefix) }, "\(codes.prefix(5))")
        #expect(try generated.findings == [])
    }

    @Test("A generator of a unique attribute that applies to some of its objects only is refused")
    func partOfUnique() throws {
        for generators in [
            ["Book.code": "pattern B[0-9]{4}"], ["Item.code": "code", "Book.code": "pattern B[0-9]{4}"],
        ] {
            let problems = try Generated.problems(Self.items, ["Book": 3, "Film": 2]) { $0.generators = generators }
            #expect(problems.count == 1 && problems[0].entity == "Book" && problems[0].property == "code")
            #expect(problems.first?.message.contains("set the generator of Item.code") ?? false, "\(problems)")
        }
    }
}
