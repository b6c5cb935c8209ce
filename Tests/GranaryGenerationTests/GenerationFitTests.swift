import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryModelFiles
import GranaryPredicates
import TestSupport
import Testing
@testable import GranaryGeneration
@testable import GranarySeedPlans
@testable import SeedingTestSupport

/// Plans that are fitted to stores.
@Suite struct GenerationFitTests {
    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Patient",
            [
                .attribute("code", .string, .required), .attribute("ward", .string), .attribute("email", .string),
                .attribute("age", .integer16), .attribute("weight", .double), .attribute("bill", .decimal),
                .attribute("ratio", .float), .attribute("isIn", .boolean), .attribute("admitted", .date),
                .attribute("data", .binary), .attribute("page", .uri), .attribute("uuid", .uuid),
                .toMany("visits", "Visit", inverse: "patient"), .toMany("tags", "Tag", inverse: "patients"),
                .toOne("doctor", "Doctor", inverse: nil),
            ], unique: [["code"]]),
        EntityDescription("Child", [.attribute("school", .string)], superentity: "Patient"),
        EntityDescription(
            "Visit", [.attribute("note", .string), .toOne("patient", "Patient", inverse: "visits", .required)]),
        EntityDescription("Tag", [.attribute("word", .string), .toMany("patients", "Patient", inverse: "tags")]),
        EntityDescription("Doctor", [.attribute("name", .string)]),
    ])

    private static let counts = ["Patient": 400, "Child": 60, "Visit": 1500, "Tag": 30, "Doctor": 5]

    /// A store with known distributions.
    private static func source(_ change: (inout GenerationOptions) -> Void = { _ in }) throws -> Generated {
        try Generated.of(model, counts) { options in
            options.randomSeed = 3
            options.generators = [
                "Patient.age": "number 20..59:90, 60..99:10", "Patient.weight": "number 40.0..120.0",
                "Patient.bill": "number 0.00..99.99", "Patient.admitted": "date 2015-03-10..2019-11-20",
                "Patient.isIn": "one of true 80%, false 20%", "Patient.ward": "text 2..4:50, 30..40:50",
            ]
            options.nullPercents = ["Patient.age": 40, "Patient.doctor": 70, "Patient.ward": 0]
            options.linkCounts = ["Patient.visits": "0:30, 1..3:40, 6..8:30", "Patient.tags": "0..4"]
            change(&options)
        }
    }

    private func fitted(_ source: Generated, keepsBounds: Bool = false) throws -> GenerationRequest {
        var fit = GenerationFit()
        fit.keepsBounds = keepsBounds
        let (request, notes) = try fit.request(like: source.store)
        #expect(notes.isEmpty, "\(notes)")
        return request
    }

    private func numbers(_ generated: Generated, _ name: String) throws -> [Double] {
        try generated.values("Patient", name).compactMap { value in
            switch value {
            case .integer(let number)?: Double(number)
            case .double(let number)?: number
            case .decimal(let number)?: NSDecimalNumber(decimal: number).doubleValue
            case .date(let date)?: date.timeIntervalSinceReferenceDate
            default: nil
            }
        }
    }

    @Test("Counts, NULLs, numbers, dates, lengths and links are like those of the store")
    func likeness() throws {
        let source = try Self.source()
        let request = try fitted(source)
        #expect(request.counts == Self.counts)
        let copy = try Generated.of(Self.model, request.counts) { $0 = request.options }
        #expect(try copy.findings == [])
        func nulls(_ generated: Generated, _ name: String) throws -> Int {
            try generated.values("Patient", name).count { $0 == nil }
        }
        let ages = (source: try nulls(source, "age"), copy: try nulls(copy, "age"))
        #expect(abs(ages.source - ages.copy) < 40 && (120...200).contains(ages.copy))
        #expect(try nulls(copy, "ward") == 0)
        #expect((230...330).contains(try copy.degrees("Patient", "doctor").count { $0 == 0 }))
        for name in ["age", "weight", "bill", "admitted"] {
            let (before, after) = (try numbers(source, name).sorted(), try numbers(copy, name).sorted())
            let width = (before.last ?? 0) - (before.first ?? 0)
            for share in [0.1, 0.25, 0.5, 0.75, 0.9] {
                let (one, other) = (
                    before[Int(Double(before.count) * share)], after[Int(Double(after.count) * share)]
                )
                #expect(abs(one - other) < width * 0.12, "\(name) \(share): \(one) \(other)")
            }
        }
        // Decimals stay.
        #expect(try numbers(copy, "bill").contains { ($0 * 10).rounded() != $0 * 10 })
        let wards = try copy.texts("Patient", "ward").map(\.utf16.count)
        #expect((130...270).contains(wards.count { $0 <= 9 }) && wards.contains { $0 >= 30 }, "\(Set(wards))")
        let inside = try copy.values("Patient", "isIn").count { $0 == .boolean(true) }
        #expect((250...350).contains(inside))
        let visits = (source: try source.degrees("Patient", "visits"), copy: try copy.degrees("Patient", "visits"))
        for range in [0...0, 1...3, 4...5, 6...9] {
            let (one, other) = (visits.source.count(where: range.contains), visits.copy.count(where: range.contains))
            #expect(abs(one - other) < 50, "\(range): \(one) \(other)")
        }
        #expect(try copy.degrees("Visit", "patient").allSatisfy { $0 == 1 })
    }

    @Test("Neither texts nor rare numbers and dates of the store are in the plan")
    func markers() throws {
        for keepsBounds in [false, true] {
            let source = try Self.source { options in
                // A text of each object, also of few objects and in each entity, and rare numbers.
                for name in [
                    "Patient.ward", "Patient.email", "Patient.code", "Child.school", "Visit.note", "Tag.word",
                    "Doctor.name",
                ] {
                    options.generators[name] = nil
                    options.customGenerators[name] = CustomGenerator { .string("Secret\($0.entity)\($0.number)") }
                }
                options.generators["Patient.age"] = nil
                options.customGenerators["Patient.age"] = CustomGenerator { .integer($0.number < 5 ? 31_847 : 40) }
                options.generators["Patient.weight"] = nil
                options.customGenerators["Patient.weight"] = CustomGenerator {
                    .double($0.number < 5 ? -77_123.25 : 80.5)
                }
                options.generators["Patient.admitted"] = nil
                options.customGenerators["Patient.admitted"] = CustomGenerator {
                    .date(Date(timeIntervalSinceReferenceDate: $0.number < 5 ? 1_234_567_890 : 500_000_000))
                }
                options.customGenerators["Patient.page"] = CustomGenerator { _ in
                    .uri(URL(filePath: "/secret"))
                }
            }
            let request = try fitted(source, keepsBounds: keepsBounds)
            let plan = PlanText.plan(generating: request, comment: [], model: "M.json", store: "S.sqlite")
            #expect(!plan.lowercased().contains("secret"), "\(plan)")
            for rare in ["31847", "77123", "2040-02-14"] {
                #expect(plan.contains(rare) == keepsBounds, "\(rare): \(plan)")
            }
            // A number that all objects have is only known within a range.
            if !keepsBounds { #expect(!plan.contains("40..40") && !plan.contains("80.5"), "\(plan)") }
            let copy = try Generated.of(Self.model, request.counts) { $0 = request.options }
            #expect(try copy.findings == [])
        }
    }

    @Test("The plan is read as the same request")
    func planText() throws {
        let request = try fitted(try Self.source())
        let text = PlanText.plan(
            generating: request, comment: ["One", "Two"], model: "A model.json", store: "S.sqlite")
        #expect(text.hasPrefix("# One\n# Two\nmodel: \"A model.json\"\nstore: \"S.sqlite\"\ngenerate:\n  counts:\n"))
        let folder = try Generated(Self.model).folder
        try Self.model.write(to: folder.url.appending(path: "A model.json"))
        let plan = try SeedPlan(contentsOf: try folder.write(text, to: "like.yaml"))
        let read = try #require(try plan.storeImports().first?.run.generation)
        #expect(read.counts == request.counts && read.options.generators == request.options.generators)
        #expect(read.options.nullPercents == request.options.nullPercents)
        #expect(read.options.linkCounts == request.options.linkCounts && !request.options.linkCounts.isEmpty)
        #expect(read.options.fillsUp)
    }

    @Test("Few objects, an empty store, and objects that break rules")
    func edges() throws {
        #expect(try fitted(try Generated(Self.model)).counts.isEmpty)
        let few = try fitted(try Generated.of(Self.model, ["Patient": 9, "Visit": 9]))
        #expect(few.options.generators.isEmpty && few.options.nullPercents.isEmpty && few.options.linkCounts.isEmpty)
    }

    @Test("Rules that the model does not allow are left out, because objects of older versions break them")
    func oldObjects() throws {
        func model(_ isNew: Bool) -> ManagedObjectModel {
            ManagedObjectModel(entities: [
                EntityDescription(
                    "A",
                    [
                        .attribute("age", .integer16, .minimum(isNew ? 200 : 0)), .attribute("size", .integer16),
                        .toMany("bs", "B", inverse: "a", .count(0, isNew ? 3 : 9)),
                    ]),
                EntityDescription("B", [.toOne("a", "A", inverse: "bs")]),
            ])
        }
        let source = try Generated.of(model(false), ["A": 30, "B": 200]) {
            ($0.linkCounts["A.bs"], $0.generators["A.age"]) = ("6", "number 10..20")
        }
        let newer = InMemoryStore(schema: try model(true).resolved())
        try newer.transaction { writer in
            for entity in newer.schema.entities {
                try source.store.read(entities: entity.index..<entity.index + 1, batchSize: 500) { batch in
                    try writer.insert(batch)
                    return true
                }
            }
        }
        let (request, notes) = try GenerationFit().request(like: newer)
        #expect(request.options.generators.keys.sorted() == ["A.size"])
        #expect(request.options.linkCounts.isEmpty && request.counts == ["A": 30, "B": 200])
        #expect(notes.map { "\($0.severity) \($0.property ?? "")" } == ["warning bs"], "\(notes)")
        #expect(notes.first?.message.hasPrefix("not fitted: granary.count has no count") ?? false, "\(notes)")
        #expect(try Generated.of(model(true), ["A": 30, "B": 90]) { $0 = request.options }.findings == [])
    }
}
