import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryGeneration
import GranaryImport
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranarySubset
@testable import SeedingTestSupport

/// Subsets of generated stores of random models.
@Suite struct SubsetRandomTests {
    @Test("4 random models: subsets are sound, and those of a slow counterpart")
    func models() throws {
        let run = try SubsetRandomRun(seeds: 1..<5)
        #expect(run.subsets > 0 && run.refused <= 1, "\(run)")
    }
}

@Suite struct SubsetRandomLongTests {
    @Test("20 random models: subsets are sound, and those of a slow counterpart")
    func fewModels() throws {
        let run = try SubsetRandomRun(seeds: 1..<21)
        #expect(run.subsets > 12 && run.refused <= 1, "\(run)")
    }

    @Test("200 random models: subsets are sound, and those of a slow counterpart")
    func models() throws {
        let run = try SubsetRandomRun(seeds: 1001..<1201)
        #expect(run.subsets > 100 && run.refused <= 8, "\(run)")
        #expect(run.withSmallTables > 5 && run.withReferences > 20, "\(run)")
    }
}

/// Takes subsets of random stores, each twice, half of them with replaced texts.
struct SubsetRandomRun {
    private(set) var subsets = 0
    private(set) var refused = 0
    /// The number of subsets with objects of small tables, and with objects that a virtual reference can name.
    private(set) var withSmallTables = 0
    private(set) var withReferences = 0

    init(seeds: Range<UInt64>) throws {
        for seed in seeds {
            let random = RandomModel(seed: seed)
            let source: Generated
            do {
                source = try Generated.of(random.model, random.counts) { $0.randomSeed = seed }
            } catch is GranaryError {
                // The model cannot be satisfied.
                continue
            }
            try take(source.store, seed)
        }
    }

    /// Takes a subset of a store, as ``RandomModelRun`` does too.
    mutating func take(_ source: any StoreBackend, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let entities = source.schema.entities
        let entity = entities[Int(random.next() % UInt64(entities.count))]
        let depth = Int(random.next() % 3)
        let selection = SubsetOptions.Selection(entity.name, where: try Self.predicate(entity, &random))
        let smallTableLimit = [0, 3, 100][Int(random.next() % 3)]
        let reference = Self.reference(source.schema, &random)
        func sample() throws -> SubsetSample {
            try SubsetSample(of: source, [selection]) {
                $0.depth = depth
                $0.smallTableLimit = smallTableLimit
                $0.references = reference.map { [$0] } ?? []
                $0.anonymisesAllText = seed % 2 == 1
                $0.randomSeed = seed
            }
        }
        let first: SubsetSample
        do { first = try sample() } catch let error as GranaryError {
            #expect(error.code == .refused && seed % 2 == 1, "seed \(seed): \(error)")
            refused += 1
            return
        }
        subsets += 1
        let findings = try first.findings
        #expect(findings == [], "seed \(seed)")
        let second = try sample().document
        #expect(try first.document == second, "seed \(seed)")
        // A random value of a virtual reference names nothing.
        let warnings = first.report.warnings.filter { $0.code != .relationshipNotFound }
        #expect(warnings == [], "seed \(seed)")
        if !first.report.smallTables.isEmpty { withSmallTables += 1 }
        if reference != nil { withReferences += 1 }
        var twin = try SubsetTwin(source)
        twin.smallTableLimit = smallTableLimit
        twin.virtualReferences = reference.map { [$0] } ?? []
        try compare(first, source, selection, depth, twin, seed)
    }

    /// Two random attributes of one type, or a UUID and a text, of which the values can be equal; nil for none.
    private static func reference(_ schema: Schema, _ random: inout SeededGenerator) -> SubsetOptions.Reference? {
        let names = schema.entities.flatMap { entity in
            entity.attributes.filter {
                $0.isPersistent && [.string, .integer16, .integer32, .integer64, .uuid].contains($0.type)
            }.map { (name: "\(entity.name).\($0.name)", type: $0.type) }
        }
        guard !names.isEmpty, random.next() % 2 == 0 else { return nil }
        let first = names[Int(random.next() % UInt64(names.count))]
        let others = names.filter { $0.type == first.type }
        return SubsetOptions.Reference(first.name, to: others[Int(random.next() % UInt64(others.count))].name)
    }

    private func compare(
        _ subset: SubsetSample, _ source: any StoreBackend, _ selection: SubsetOptions.Selection, _ depth: Int,
        _ twin: SubsetTwin, _ seed: UInt64
    ) throws {
        var options = SubsetOptions()
        options.selections = [selection]
        let plan = try SubsetPlan(schema: source.schema, options: options)
        var chosen: Set<SubsetTwin.Object> = []
        for (entity, key) in try source.keys(plan.searches[0]) {
            chosen.insert(SubsetTwin.Object(root: source.schema.entities[entity].root, key: key))
        }
        let expected = Dictionary(
            uniqueKeysWithValues: twin.keys(of: twin.objects(choosing: chosen, depth: depth)).map { entity, keys in
                (source.schema.entities[entity].name, keys)
            })
        #expect(try subset.keys == expected, "seed \(seed)")
        #expect(subset.report.count == expected.values.reduce(0) { $0 + $1.count }, "seed \(seed)")
        #expect(subset.report.entities.reduce(0) { $0 + $1.chosen } == chosen.count, "seed \(seed)")
    }

    /// The condition that a random attribute is or is not NULL; nil for none.
    private static func predicate(
        _ entity: Schema.Entity, _ random: inout SeededGenerator
    ) throws -> ObjectPredicate? {
        let attributes = entity.attributes.filter { $0.isPersistent && $0.type != .transformable }
        guard !attributes.isEmpty, random.next() % 3 > 0 else { return nil }
        let name = attributes[Int(random.next() % UInt64(attributes.count))].name
        return try ObjectPredicate("\(name) \(random.next() % 2 == 0 ? "==" : "!=") nil")
    }
}
