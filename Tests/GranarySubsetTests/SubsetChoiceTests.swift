import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranarySubset

/// Limits, samples, followed relationships and explanations.
@Suite struct SubsetChoiceTests {
    private let folder: TemporaryFolder
    private let store: SQLiteStore

    private static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Doctor", [.attribute("name", .string), .toMany("patients", "Patient", inverse: "doctor")]),
        EntityDescription(
            "Patient",
            [
                .attribute("name", .string), .attribute("age", .integer16),
                .toOne("doctor", "Doctor", inverse: "patients"), .toMany("visits", "Visit", inverse: "patient"),
            ]),
        EntityDescription(
            "Visit",
            [
                .attribute("day", .integer32), .attribute("paid", .boolean),
                .toOne("patient", "Patient", inverse: "visits"),
            ]),
    ])

    /// 5 doctors, 60 patients, and 0 to 6 visits of each.
    init() throws {
        folder = try TemporaryFolder()
        let url = folder.url.appending(path: "S.sqlite")
        let container = try PersistentContainer(model: Self.model, store: .sqlite(url))
        let context = container.makeContext()
        let doctors = try (0..<5).map { number in
            let doctor = try context.insert(into: "Doctor")
            try doctor.setValue(.string("D\(number)"), forKey: "name")
            return doctor
        }
        for number in 0..<60 {
            let patient = try context.insert(into: "Patient")
            try patient.setValue(.string("P\(number)"), forKey: "name")
            try patient.setValue(.integer(Int64(number * 7 % 90)), forKey: "age")
            try patient.setObject(doctors[number % 5], forKey: "doctor")
            for turn in 0..<number % 7 {
                let visit = try context.insert(into: "Visit")
                try visit.setValue(.integer(Int64(number * 31 + turn * 17) % 100), forKey: "day")
                try visit.setValue(.boolean(turn % 2 == 0), forKey: "paid")
                try visit.setObject(patient, forKey: "patient")
            }
        }
        try context.save()
        store = try SQLiteStore.open(path: url.path, schema: try Self.model.resolved(), readOnly: true)
    }

    private func keys(_ entity: String, of target: any StoreBackend) throws -> Set<Int64> {
        let index = try #require(target.schema.entity(named: entity)).index
        var keys: Set<Int64> = []
        try target.read(entities: index..<index + 1, batchSize: 100) { batch in
            keys.formUnion(batch.rows.map(\.key))
            return true
        }
        return keys
    }

    private func subset(
        _ change: (inout SubsetOptions) throws -> Void
    ) throws -> (report: SubsetReport, store: any StoreBackend) {
        var options = SubsetOptions()
        try change(&options)
        let target = try SQLiteStore.create(
            path: folder.url.appending(path: "\(UUID().uuidString).sqlite").path, schema: store.schema)
        return (try Subset(options: options).run(from: store, into: target), target)
    }

    @Test func aLimitTakesTheFirstByKey() throws {
        let all = try keys("Patient", of: store).sorted()
        let (report, target) = try subset {
            $0.selections = [.init("Patient")]
            $0.selections[0].limit = 7
        }
        #expect(try keys("Patient", of: target) == Set(all.prefix(7)))
        #expect(report.entities.first { $0.name == "Patient" }?.chosen == 7)
    }

    @Test func aSampleIsReproducibleAndALargerOneContainsIt() throws {
        func sample(_ sample: SubsetOptions.Sample, seed: UInt64) throws -> Set<Int64> {
            let (_, target) = try subset {
                $0.selections = [.init("Patient")]
                $0.selections[0].sample = sample
                $0.randomSeed = seed
            }
            return try keys("Patient", of: target)
        }
        let small = try sample(.count(6), seed: 1)
        #expect(small.count == 6)
        #expect(try sample(.count(6), seed: 1) == small)
        #expect(try sample(.count(6), seed: 2) != small)
        #expect(try sample(.percent(25), seed: 1).isSuperset(of: small))
        #expect(try sample(.percent(25), seed: 1).count == 15)
        #expect(try sample(.percent(0.1), seed: 1).count == 1)
        #expect(try sample(.percent(0), seed: 1).isEmpty)
        #expect(try sample(.count(1000), seed: 1).count == 60)
    }

    @Test func everyObjectHasTheSameChance() throws {
        var taken: [Int64: Int] = [:]
        let objects = (1...200).map { (entity: 0, key: Int64($0)) }
        for seed in 0..<500 {
            for object in SubsetChoice(sample: .count(20), seed: UInt64(seed)).chosen(objects) {
                taken[object.key, default: 0] += 1
            }
        }
        #expect(taken.count == 200)
        #expect(taken.values.allSatisfy { (20...85).contains($0) }, "\(taken.values.sorted())")
    }

    /// What a slow computation over all visits gives.
    private func visits(
        of patients: Set<Int64>, paid: Bool?, sorted: Bool, limit: Int
    ) throws -> Set<Int64> {
        let schema = store.schema
        let entity = try #require(schema.entity(named: "Visit"))
        let patient = try #require(entity.relationship(named: "patient"))
        var found: [Int64: [(key: Int64, day: Int64)]] = [:]
        try store.read(entities: entity.index..<entity.index + 1, batchSize: 1000) { batch in
            for row in batch.rows.indices {
                guard case .reference(let owner, _) = batch[row, patient.slot], patients.contains(owner) else {
                    continue
                }
                let flag = try batch.value(row: row, of: try #require(entity.attribute(named: "paid")))
                if let paid, flag != .boolean(paid) { continue }
                guard
                    case .integer(let day)? = try batch.value(
                        row: row, of: try #require(entity.attribute(named: "day")))
                else { continue }
                found[owner, default: []].append((batch.rows[row].key, day))
            }
            return true
        }
        return Set(
            found.values.flatMap { visits in
                visits.sorted { sorted ? ($1.day, $0.key) < ($0.day, $1.key) : $0.key < $1.key }.prefix(limit).map(
                    \.key)
            })
    }

    @Test(arguments: [(Bool?.none, false, 2), (true, false, 2), (nil, true, 3), (false, true, 1), (nil, true, 99)])
    func followedMembersAreThoseOfTheTwin(paid: Bool?, sorted: Bool, limit: Int) throws {
        let (report, target) = try subset {
            $0.selections = [.init("Patient", where: try ObjectPredicate("age > 40"))]
            let condition = try paid.map { try ObjectPredicate("paid == \($0 ? "YES" : "NO")") }
            $0.followed = [
                .init(
                    "Patient.visits", where: condition,
                    sortDescriptors: sorted ? [ObjectSortDescriptor("day", ascending: false)] : [],
                    limit: limit == 99 ? nil : limit)
            ]
        }
        let expected = try visits(
            of: try keys("Patient", of: target), paid: paid, sorted: sorted, limit: limit)
        #expect(try keys("Visit", of: target) == expected)
        #expect(report.entities.first { $0.name == "Visit" }?.followed == expected.count)
    }

    @Test func followedMembersBringTheirs() throws {
        let (_, target) = try subset {
            $0.selections = [.init("Doctor")]
            $0.selections[0].limit = 1
            $0.followed = [.init("Doctor.patients", limit: 3), .init("Patient.visits", limit: 1)]
        }
        let patients = try keys("Patient", of: target)
        #expect(patients.count == 3)
        #expect(try keys("Doctor", of: target).count == 1)
        let expected = try visits(of: patients, paid: nil, sorted: false, limit: 1)
        #expect(try keys("Visit", of: target) == expected)
    }

    @Test func theDepthDoesNotFollowWhatIsFollowedInAnotherWay() throws {
        let (_, target) = try subset {
            $0.selections = [.init("Doctor")]
            $0.depth = 1
            $0.followed = [.init("Doctor.patients", limit: 2)]
        }
        #expect(try keys("Patient", of: target).count == 10)
    }

    @Test func wrongFollowedRelationshipsAreWrongUse() {
        for name in ["Patient.doctor", "Patient.visit", "Patent.visits", "visits"] {
            let error = #expect(throws: GranaryError.self) {
                try subset {
                    $0.selections = [.init("Patient")]
                    $0.followed = [.init(name)]
                }
            }
            #expect(error?.code == .usage)
        }
    }

    @Test func theWayToAnObjectIsExplained() throws {
        let (report, target) = try subset {
            $0.selections = [.init("Visit", where: try ObjectPredicate("day == 31"))]
            $0.explained = ["Doctor/p1", "Doctor/p2", "Doctor/p3", "Doctor/p4", "Doctor/p5"]
        }
        let taken = try keys("Doctor", of: target)
        for explanation in report.explanations {
            let key = Int64(explanation.object.dropFirst("Doctor/p".count)) ?? 0
            #expect(explanation.path.isEmpty == !taken.contains(key))
            guard let first = explanation.path.first, let last = explanation.path.last else { continue }
            #expect(explanation.path.count == 3)
            #expect(first.hasPrefix("Doctor/p\(key) is needed by Patient/p") && first.hasSuffix(".doctor"))
            #expect(last.hasSuffix("is chosen by Visit WHERE day == 31"))
        }
        for wrong in ["Doctor", "Doctor/7", "Docter/p7", "Doctor/px"] {
            #expect(throws: GranaryError.self) {
                try subset {
                    $0.selections = [.init("Visit")]
                    $0.explained = [wrong]
                }
            }
        }
    }
}
