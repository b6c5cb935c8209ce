import Foundation
import GranaryBase
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import GranaryModel
@testable import SeedingTestSupport

/// Values at the edges of what the model allows.
@Suite struct EdgeCaseTests {
    private func values(
        _ type: AttributeType, _ options: AttributeOption..., unique: Bool = false, count: Int = 400
    ) throws -> [AttributeValue] {
        let generated = try Generated.of(
            GeneratorTests.model(type, [.required] + options, unique: unique), ["Thing": count]
        ) {
            $0.edgeCases = true
        }
        #expect(try generated.findings == [])
        let values = try generated.values("Thing", "value").compactMap { $0 }
        #expect(values.count == count)
        return values
    }

    @Test("Texts are empty, longest, from right to left, with combining marks and emoji")
    func texts() throws {
        let texts = try values(.string, .length(0...40)).compactMap { value -> String? in
            if case .string(let text) = value { text } else { nil }
        }
        let scalars = Set(texts.flatMap(\.unicodeScalars))
        #expect(texts.contains("") && texts.contains { $0.utf16.count == 40 } && texts.contains("'"))
        #expect(
            scalars.contains("ש") && scalars.contains("\u{301}")
                && scalars.contains { $0.properties.isEmoji && $0.value > 0xFFFF })
        #expect(texts.allSatisfy { $0.utf16.count <= 40 })
    }

    @Test("A minimum length and unique values are kept")
    func lengths() throws {
        for value in try values(.string, .length(6...8)) {
            guard case .string(let text) = value else { continue }
            #expect((6...8).contains(text.utf16.count), "\(text)")
        }
        #expect(Set(try values(.string, unique: true, count: 1_000)).count == 1_000)
        #expect(Set(try values(.integer16, unique: true, count: 1_000)).count == 1_000)
        #expect(Set(try values(.date, unique: true)).count == 400)
    }

    @Test("Numbers are the bounds and those near 0; dates are leap days and far days")
    func numbers() throws {
        #expect(
            Set(try values(.integer16)) == Set([-32_768, 32_767, 0, 1, -1].map { AttributeValue.integer($0) }))
        #expect(Set(try values(.integer32, .minimum(5), .maximum(9))) == [.integer(5), .integer(9)])
        #expect(Set(try values(.double)).contains(.double(.greatestFiniteMagnitude)))
        #expect(Set(try values(.float)).contains(.float(.greatestFiniteMagnitude)))
        #expect(Set(try values(.decimal, .minimum(0.5))).contains(.decimal(0.5)))
        let leap = Double(CivilDays.days(year: 2024, month: 2, day: 29)) * 86_400
        let dates = Set(try values(.date))
        #expect(dates.contains(.date(Date(timeIntervalSinceReferenceDate: leap))))
        #expect(dates.contains(.date(Date(timeIntervalSinceReferenceDate: -63_113_904_000))))
        #expect(Set(try values(.binary)).contains(.binary(Data())))
    }

    @Test("Generators, enumerations and patterns stay")
    func others() throws {
        let rule = try ObjectPredicate("SELF IN {'red', 'green'}")
        #expect(Set(try values(.string, .rule(rule, ""))) == [.string("red"), .string("green")])
        for value in try values(.string, .pattern("[A-Z]{3}")) {
            guard case .string(let text) = value else { continue }
            #expect(text.utf8.count == 3)
        }
    }

    @Test("An attribute with a generator keeps it, and values of an object do not follow from each other")
    func generators() throws {
        var entity = EntityDescription(name: "Person")
        entity.attributes = ["firstName", "lastName", "fullName", "city", "country", "kind"].map {
            var attribute = AttributeDescription(name: $0, type: .string)
            attribute.isOptional = false
            return attribute
        }
        let generated = try Generated.of(ManagedObjectModel(entities: [entity]), ["Person": 300]) {
            ($0.edgeCases, $0.generators["Person.kind"]) = (true, "one of red, green")
        }
        #expect(Set(try generated.texts("Person", "kind")) == ["red", "green"])
        for name in ["fullName", "city", "country"] {
            #expect(Set(try generated.texts("Person", name)).isSuperset(of: ["", "'", "NULL"]), "\(name)")
        }
    }

    @Test("Short edges are repeated up to the minimum length, and unique ones get numbers")
    func repeated() throws {
        func texts(_ values: [AttributeValue]) -> [String] {
            values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        let long = texts(try values(.string, .length(6...8)))
        #expect(long.contains("''''''") && long.contains { $0.unicodeScalars.allSatisfy { $0 == "\n" } })
        let unique = texts(try values(.string, unique: true, count: 1_000))
        let numbered = unique.filter { $0.firstMatch(of: /^' [0-9]+$/) != nil }
        #expect(numbered.count > 5, "\(unique.prefix(20))")
    }

    @Test("The last second of a day, the bounds of numbers, and empty data")
    func ends() throws {
        let last = Double(CivilDays.days(year: 2024, month: 2, day: 29)) * 86_400 + 86_399
        #expect(Set(try values(.date)).contains(.date(Date(timeIntervalSinceReferenceDate: last))))
        #expect(Set(try values(.double, .minimum(2.5), .maximum(7.25))).isSuperset(of: [.double(2.5), .double(7.25)]))
        #expect(Set(try values(.float, .minimum(2.5), .maximum(7.25))).isSuperset(of: [.float(2.5), .float(7.25)]))
    }

    @Test("Random models stay sound")
    func randomModels() throws {
        for seed in UInt64(50)..<54 {
            let random = RandomModel(seed: seed)
            do {
                let generated = try Generated.of(random.model, random.counts) { $0.edgeCases = true }
                #expect(try generated.findings == [], "seed \(seed)")
            } catch let error as GranaryError {
                #expect(error.code == .refused && !error.diagnostics.isEmpty, "seed \(seed): \(error)")
            }
        }
    }
}
