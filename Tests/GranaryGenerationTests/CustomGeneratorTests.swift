import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// Generators in code.
@Suite struct CustomGeneratorTests {
    private static func model(unique: [[String]] = []) -> ManagedObjectModel {
        ManagedObjectModel(entities: [
            EntityDescription(
                "Patient",
                [
                    .attribute("code", .string, .required, .length(1...12)),
                    .attribute("birthYear", .integer16, .required),
                    .attribute("age", .integer16), .attribute("label", .string), .attribute("weight", .double),
                ], unique: unique)
        ])
    }

    private static let code = CustomGenerator(from: ["birthYear"]) { context in
        guard case .integer(let year)? = try context.value(of: "birthYear") else { return nil }
        return .string("\(year)-\(context.number)-\(Int.random(in: 10...99, using: &context.random))")
    }

    @Test("Code makes values from the number, random numbers and other values, also computed ones, in any order")
    func values() throws {
        func generated(_ seed: UInt64) throws -> Generated {
            try Generated.of(Self.model(), ["Patient": 700]) {
                $0.randomSeed = seed
                $0.customGenerators = [
                    "Patient.label": CustomGenerator(from: ["code", "age"]) { context in
                        let age = try context.value(of: "age")
                        guard case .string(let code)? = try context.value(of: "code") else { return nil }
                        return .string("\(context.entity) \(code) \(age.map { "\($0)" } ?? "-")")
                    },
                    "Patient.code": Self.code,
                    // A whole number becomes one of the attribute's type.
                    "Patient.weight": CustomGenerator { $0.number % 2 == 0 ? nil : .integer(70) },
                ]
                $0.generators = ["Patient.age": "formula 2026 - birthYear", "Patient.birthYear": "number 1950..1990"]
            }
        }
        let first = try generated(1)
        #expect(try first.findings == [])
        let (codes, labels) = (try first.texts("Patient", "code"), try first.texts("Patient", "label"))
        let years = try first.values("Patient", "birthYear")
        #expect(codes.count == 700 && labels.count == 700)
        for row in 0..<700 {
            guard case .integer(let year)? = years[row] else { continue }
            #expect(codes[row].hasPrefix("\(year)-\(row)-"))
            #expect(labels[row].hasPrefix("Patient \(codes[row]) "))
        }
        let weights = try first.values("Patient", "weight")
        #expect(weights[0] == nil && weights[1] == .double(70) && weights.count { $0 == nil } == 350)
        #expect(Set(codes.map { $0.suffix(2) }).count > 80)
        #expect(try generated(1).document == first.document)
        #expect(try generated(2).document != first.document)
    }

    @Test("A value that breaks a rule, another type and an error name the attribute and the object")
    func failures() throws {
        struct Trouble: Error, CustomStringConvertible { let description = "no more codes" }
        let cases: [(String, CustomGenerator, String)] = [
            ("Patient.code", CustomGenerator { .string($0.number == 3 ? "much too long a code" : "x") }, "object 3"),
            ("Patient.code", CustomGenerator { $0.number == 5 ? nil : .string("x") }, "object 5"),
            ("Patient.age", CustomGenerator { $0.number == 2 ? .string("old") : nil }, "object 2 is no Integer 16"),
            ("Patient.age", CustomGenerator { _ in throw Trouble() }, "object 0 failed: no more codes"),
            (
                "Patient.age", CustomGenerator(from: ["weight"]) { try $0.value(of: "code") },
                "must name \"code\", not only weight"
            ),
            ("Patient.age", CustomGenerator(from: ["wieght"]) { _ in nil }, "did you mean \"weight\"?"),
            ("Patient.age", CustomGenerator(from: ["age"]) { _ in nil }, "computed from each other: age → age"),
        ]
        for (name, generator, message) in cases {
            let problems = try Generated.problems(Self.model(), ["Patient": 10]) {
                $0.customGenerators[name] = generator
            }
            #expect(problems.map { "\($0.entity ?? "").\($0.property ?? "")" } == [name], "\(problems)")
            #expect(problems.first?.message.contains(message) ?? false, "\(message): \(problems)")
        }
        let error = #expect(throws: GranaryError.self) {
            try Generated.of(Self.model(), ["Patient": 1]) { $0.customGenerators["Patient.cdoe"] = Self.code }
        }
        #expect(error?.code == .usage && error?.message.contains("did you mean \"code\"?") ?? false)
        let two = #expect(throws: GranaryError.self) {
            try Generated.of(Self.model(), ["Patient": 1]) {
                $0.customGenerators["Patient.code"] = Self.code
                $0.generators["Patient.code"] = "code"
            }
        }
        #expect(two?.code == .usage && two?.message.contains("two generators") ?? false)
    }

    @Test("Unique values from code are checked, also against stored objects and together with other attributes")
    func unique() throws {
        let numbers = CustomGenerator { .string("P\($0.number)") }
        let generated = try Generated.of(Self.model(unique: [["code"]]), ["Patient": 900]) {
            $0.customGenerators["Patient.code"] = numbers
        }
        #expect(Set(try generated.texts("Patient", "code")).count == 900)
        // The numbers continue.
        try generated.add(["Patient": 10]) { $0.customGenerators["Patient.code"] = numbers }
        #expect(try generated.texts("Patient", "code").last == "P909")
        #expect(try generated.findings == [])
        let stored = #expect(throws: GranaryError.self) {
            try generated.add(["Patient": 10]) {
                $0.customGenerators["Patient.code"] = CustomGenerator { .string("P\($0.number - 905)") }
            }
        }
        #expect(stored?.diagnostics.first?.message.contains("object 910 gives the values of a stored object") ?? false)
        let twice = try Generated.problems(Self.model(unique: [["code"]]), ["Patient": 900]) {
            $0.customGenerators["Patient.code"] = CustomGenerator { .string("P\($0.number % 600)") }
        }
        #expect(twice.first?.message.contains("object 600 gives the values of object 0") ?? false, "\(twice)")
        // Only the pair is unique.
        let pair = CustomGenerator { .string("P\($0.number / 2)") }
        let pairs = try Generated.of(Self.model(unique: [["code", "birthYear"]]), ["Patient": 20]) {
            $0.customGenerators = [
                "Patient.code": pair, "Patient.birthYear": CustomGenerator { .integer(Int64($0.number % 2)) },
            ]
        }
        #expect(try pairs.findings == [])
        let equal = try Generated.problems(Self.model(unique: [["code", "birthYear"]]), ["Patient": 20]) {
            $0.customGenerators["Patient.code"] = pair
            $0.generators["Patient.birthYear"] = "one of 1950"
        }
        #expect(equal.first?.property == "code, birthYear", "\(equal)")
    }

    @Test("A generator in code of a part of a hierarchy cannot make unique values")
    func partOfHierarchy() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Item", [.attribute("code", .string, .required)], isAbstract: true, unique: [["code"]]),
            EntityDescription("Book", [], superentity: "Item"), EntityDescription("Film", [], superentity: "Item"),
        ])
        let numbers = CustomGenerator { .string("\($0.entity)\($0.number)") }
        let problems = try Generated.problems(model, ["Book": 3, "Film": 3]) {
            $0.customGenerators["Book.code"] = numbers
        }
        #expect(problems.first?.message.contains("set the generator of Item.code") ?? false, "\(problems)")
        let generated = try Generated.of(model, ["Book": 3, "Film": 3]) { $0.customGenerators["Item.code"] = numbers }
        #expect(try generated.texts("Film", "code") == ["Film0", "Film1", "Film2"])
    }
}
