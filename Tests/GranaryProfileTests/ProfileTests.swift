import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel
import GranaryPredicates
import SeedingTestSupport
import TestSupport
import Testing

@testable import GranaryProfile
@testable import SeedingTestSupport

/// Profiles of stores.
@Suite struct ProfileTests {
    /// The values of a property, collected one after the other.
    private struct Twin {
        var nulls = 0
        var values: [AttributeValue] = []

        var lengths: [Int] {
            values.compactMap { value in
                switch value {
                case .string(let text): text.utf16.count
                case .uri(let url): url.relativeString.utf16.count
                case .binary(let data): data.count
                default: nil
                }
            }
        }

        var numbers: [Double] {
            values.compactMap { value in
                switch value {
                case .integer(let number): Double(number)
                case .float(let number): Double(number)
                case .double(let number): number
                case .decimal(let number): ExactDecimal(exactly: number)?.nearestDouble
                case .date(let date): date.timeIntervalSinceReferenceDate
                default: nil
                }
            }
        }
    }

    @Test(arguments: 0..<UInt64(12)) func `A profile has the numbers of the twin`(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        let store = try GeneratedStore(seed: seed, in: folder).store
        let profile = try StoreProfiler().profile(store)
        #expect(profile.entities.map(\.name) == store.schema.entities.filter { !$0.isAbstract }.map(\.name))
        for entity in profile.entities {
            let described = try #require(store.schema.entity(named: entity.name))
            var twins: [String: Twin] = [:]
            var objects = 0
            try store.read(entities: described.index..<described.index + 1, batchSize: 7) { batch in
                objects += batch.rows.count
                for row in batch.rows.indices {
                    for attribute in described.attributes {
                        if let value = try batch.value(row: row, of: attribute) {
                            twins[attribute.name, default: Twin()].values.append(value)
                        } else {
                            twins[attribute.name, default: Twin()].nulls += 1
                        }
                    }
                    for relationship in described.relationships where !relationship.isToMany {
                        let isNull = batch[row, relationship.slot] == .null
                        twins[relationship.name, default: Twin()].nulls += isNull ? 1 : 0
                    }
                }
                return true
            }
            #expect(entity.count == objects)
            for property in entity.properties where !property.type.hasPrefix("to-many") {
                let twin = twins[property.name] ?? Twin()
                let name = "seed \(seed), \(entity.name).\(property.name)"
                #expect(property.nulls == twin.nulls && property.nulls + property.values == objects, "\(name)")
                guard !property.isRelationship else { continue }
                #expect(property.values == twin.values.count, "\(name)")
                #expect(property.isExact && property.distinct == Set(twin.values).count, "\(name): \(twin.values)")
                #expect(property.minimumLength == twin.lengths.min(), "\(name)")
                #expect(property.maximumLength == twin.lengths.max(), "\(name)")
                let most = Dictionary(grouping: twin.values) { $0 }.values.map(\.count).max() ?? 0
                #expect(property.mostFrequent.first?.count ?? 1 == max(1, most), "\(name)")
                if let histogram = property.histogram {
                    let all = twin.lengths.isEmpty ? twin.numbers : twin.lengths.map(Double.init)
                    #expect(histogram.counts.reduce(0, +) == all.count, "\(name)")
                }
            }
            for property in entity.properties where property.type.hasPrefix("to-many") {
                #expect(property.nulls + property.values == objects)
            }
        }
    }

    @Test(arguments: [
        [1, 2, 3] as [Double], [0, 0, 0], [-5, 5], [0.1, 0.2, 0.7], [1e308, -1e308], [1e-300, 2e-300], [0, 1e300],
        [-0.0, 0.0],
        [.infinity, 1, 2, .nan], [1e15, 1e15 + 1],
    ])
    func `Each number is in its bin`(numbers: [Double]) throws {
        var bins = NumberBins()
        for number in numbers { bins.add(number) }
        let finite = numbers.filter(\.isFinite)
        guard let histogram = bins.histogram else {
            #expect(Set(finite).count < 2)
            return
        }
        #expect(histogram.counts.count <= 65 && histogram.counts.reduce(0, +) == finite.count)
        for (index, count) in histogram.counts.enumerated() {
            let bin = histogram.lowest / histogram.width + Double(index)
            #expect(finite.filter { ($0 / histogram.width).rounded(.down) == bin }.count == count, "\(histogram)")
        }
    }

    @Test func `Bins of random numbers in any order are those of all numbers`() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<50 {
            let scale = Double.random(in: -6...12, using: &random)
            let numbers = (0..<500).map { _ in Double.random(in: -1...1, using: &random) * pow(10, scale) }
            var (one, other) = (NumberBins(), NumberBins())
            for number in numbers { one.add(number) }
            for number in numbers.sorted() { other.add(number) }
            #expect(one.histogram == other.histogram)
        }
    }

    @Test func `Above the limit, different values are estimated and frequent ones are found`() {
        var random = SeededGenerator(seed: 9)
        var counts = ValueCounts(limit: 1_000)
        var truth: [Int: Int] = [:]
        for _ in 0..<200_000 {
            // A tenth of all is one of three values.
            let value =
                Int.random(in: 0..<10, using: &random) == 0
                ? Int.random(in: 0..<3, using: &random) : Int.random(in: 3..<60_000, using: &random)
            truth[value, default: 0] += 1
            counts.add(ValueHash.of(UInt64(value))) { "\(value)" }
        }
        #expect(!counts.isExact)
        #expect(abs(Double(counts.distinct) / Double(truth.count) - 1) < 0.03)
        let found = counts.mostFrequent(5)
        #expect(Set(found.prefix(3).map(\.text)) == ["0", "1", "2"])
        for entry in found { #expect(entry.count <= truth[Int(entry.text) ?? -1] ?? 0) }
    }

    @Test func `At the limit, all is exact`() {
        var counts = ValueCounts(limit: 1_000)
        for round in 0..<3 {
            for value in 0..<1_000 { counts.add(ValueHash.of(UInt64(value))) { "\(value) \(round)" } }
        }
        #expect(counts.isExact && counts.distinct == 1_000)
        #expect(counts.mostFrequent(2).map(\.count) == [3, 3])
    }

    @Test func `Values with the same bytes have the same hash, others another one`() {
        var seen: [UInt64: [UInt8]] = [:]
        for length in 0..<40 {
            for fill in 0..<20 {
                var bytes = [UInt8](repeating: UInt8(fill), count: length)
                let hash = bytes.withUnsafeBufferPointer(ValueHash.of)
                if let other = seen[hash], other != bytes { Issue.record("\(bytes) and \(other) have the same hash") }
                seen[hash] = bytes
                // At another address.
                bytes.append(1)
                bytes.removeLast()
                #expect(bytes.withUnsafeBufferPointer(ValueHash.of) == hash)
            }
        }
    }

    /// One attribute and the notes about its values.
    struct Case: Sendable {
        let attribute: PropertyDescription
        let values: [AttributeValue?]
        let note: String?
    }

    static let cases = [
        Case(attribute: .attribute("a", .string), values: [nil, nil], note: "no object has a value"),
        Case(attribute: .attribute("a", .string), values: [.string(""), .string("x")], note: "1 value is empty"),
        Case(
            attribute: .attribute("a", .string), values: [.string(" a"), .string("b\n"), .string("c d")],
            note: "2 values begin or end with white space"),
        Case(
            attribute: .attribute("a", .string), values: (0..<20).map { .string("\($0)") },
            note: "no value is NULL, although the attribute is optional"),
        Case(
            attribute: .attribute("a", .integer16), values: [.integer(32_000), .integer(1)],
            note: "the values use 98 % of the range of Integer 16"),
        Case(
            attribute: .attribute("a", .integer16), values: (0..<30).map { _ in .integer(4) },
            note: "all values are equal"),
        Case(
            attribute: .attribute("a", .integer32), values: (0..<200).map { .integer($0 == 7 ? 8 : Int64($0)) },
            note: "nearly all values differ: 1 value occurs again"),
        Case(attribute: .attribute("a", .double), values: [.double(1), .double(2)], note: nil),
    ]

    @Test(arguments: cases) func `Notes name rules that are nearly broken`(_ item: Case) throws {
        let folder = try TemporaryFolder()
        let schema = try ManagedObjectModel(entities: [EntityDescription("E", [item.attribute])]).resolved()
        let store = try SQLiteStore.create(path: folder.url.appending(path: "S.sqlite").path, schema: schema)
        try store.transaction { writer in
            var batch = RowBatch()
            for (index, value) in item.values.enumerated() {
                let row = batch.appendRow(entity: 0, key: Int64(index + 1), version: 1, slotCount: 1)
                value?.withBorrowed { batch.set($0, row: row, slot: 0) }
            }
            try writer.insert(batch)
        }
        let notes = try #require(try StoreProfiler().profile(store).entities.first?.properties.first).notes
        if let note = item.note { #expect(notes.contains(note), "\(notes)") } else { #expect(notes.isEmpty) }
    }

    @Test func `Shares and numbers are short`() throws {
        #expect(ShareText.percent(1, of: 3) == "33 %")
        #expect(ShareText.percent(999, of: 1000) == "99 %")
        #expect(ShareText.percent(1, of: 100_000) == "< 0.1 %")
        #expect(ShareText.percent(0, of: 3) == "0 %")
        #expect(
            [0, -3, 49.53787878, 1e300, 0.000012345678, .infinity].map(NumberText.short) == [
                "0", "-3", "49.5379", "1e+300", "1.23457e-05", "inf",
            ])
    }
}
