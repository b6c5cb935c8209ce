import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryImport
import GranaryModel
import GranaryPredicates
import GranarySQLite
import TestSupport
import Testing

@testable import GranarySubset
@testable import SeedingTestSupport

/// Masks, generators, noise, shifts, templates, groups, decisions in the model, and the search of the output.
@Suite struct AnonymisationDecisionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func model(_ change: (inout EntityDescription) -> Void = { _ in }) -> ManagedObjectModel {
        var person = EntityDescription(
            "Person",
            [
                .attribute("name", .string), .attribute("email", .string), .attribute("phone", .string),
                .attribute("age", .integer16), .attribute("born", .date), .attribute("seen", .date),
                .attribute("price", .decimal), .attribute("note", .string), .attribute("alias", .string),
            ])
        change(&person)
        return ManagedObjectModel(entities: [person])
    }

    private static let keep: [String: String] = Dictionary(
        uniqueKeysWithValues: ["name", "email", "phone", "age", "born", "seen", "price", "note", "alias"].map {
            ($0, "keep")
        })

    private func rules(_ decisions: [String: String]) throws -> AnonymisationRules {
        let all = Self.keep.merging(decisions) { _, new in new }
        let text = all.sorted { $0.key < $1.key }.map { "Person.\($0.key): \"\($0.value)\"" }.joined(separator: "\n")
        return try AnonymisationRules(path: try folder.write(text, to: "rules.yaml").path)
    }

    static let count = 12

    /// - Parameter changed: other values of texts, for all objects.
    private func people(_ model: ManagedObjectModel, _ changed: [String: String] = [:]) throws -> SQLiteStore {
        let schema = try model.resolved()
        let store = try SQLiteStore.create(
            path: folder.url.appending(path: "\(UUID().uuidString).sqlite").path, schema: schema)
        let person = try #require(schema.entity(named: "Person"))
        try store.transaction { writer in
            var batch = RowBatch()
            for number in 0..<Self.count {
                let row = batch.appendRow(
                    entity: person.index, key: Int64(number + 1), version: 1, slotCount: person.slotCount)
                let born = Double(number) * 86_400 * 400
                var values: [String: AttributeValue] = [
                    "name": .string("Originalname \(number % 3)"), "alias": .string("Originalname \(number % 3)"),
                    "email": .string("original\(number)@home.example"), "phone": .string("+49 555 12345\(number)"),
                    "age": .integer(Int64(number * 10)), "price": .decimal(Decimal(number) + 10.25),
                    "born": .date(Date(timeIntervalSinceReferenceDate: born)),
                    "seen": .date(Date(timeIntervalSinceReferenceDate: born + 1000)), "note": .string("a note"),
                ]
                values.merge(changed.mapValues { .string($0) }) { _, new in new }
                for attribute in person.attributes {
                    values[attribute.name]?.withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
                }
            }
            try writer.insert(batch)
        }
        return store
    }

    private typealias Outcome = (
        old: [String: [AttributeValue?]], new: [String: [AttributeValue?]], report: SubsetReport
    )

    private func subset(
        _ rules: AnonymisationRules, _ model: ManagedObjectModel = Self.model(), _ changed: [String: String] = [:]
    ) throws -> Outcome {
        let store = try people(model, changed)
        let sample = try SubsetSample(of: store, [.init("Person")]) {
            $0.rules = rules
            $0.randomSeed = 5
        }
        func values(_ store: SQLiteStore) throws -> [String: [AttributeValue?]] {
            var values: [String: [AttributeValue?]] = [:]
            try store.read(entities: 0..<1, batchSize: 100) { batch in
                for row in batch.rows.indices {
                    for attribute in store.schema.entities[0].attributes {
                        values[attribute.name, default: []].append(try batch.value(row: row, of: attribute))
                    }
                }
                return true
            }
            return values
        }
        return (try values(store), try values(sample.store), sample.report)
    }

    @Test(arguments: [
        ("+49 555 123", 0, 0, "+** *** ***"), ("+49 555 123", 0, 3, "+** *** 123"), ("Ann Miller", 1, 1, "A** *****r"),
        ("Ann", 1, 1, "***"), ("--", 0, 0, nil), ("é中x9", 0, 0, "****"),
    ])
    func masks(text: String, first: Int, last: Int, expected: String?) {
        #expect(AnonymisedValues.masked(text, first: first, last: last) == expected)
    }

    @Test(arguments: [
        "mask keep", "mask first 2", "mask keep first x", "mask keep last 0", "mask keep first 1 first 2", "generate",
        "generate nothing", "noise", "noise 5", "noise 0%", "noise 5..-5", "shift 30", "shift 0 days", "shift 3 weeks",
        "shift 3 days of", "generate formula age + 1", "template: {", "template: {}", "replace in", "replace in a b",
        "keep it",
    ])
    func wrongWords(text: String) {
        #expect(throws: AnonymisationRules.Decision.Problem.self) { try AnonymisationRules.Decision(text) }
    }

    @Test(arguments: [
        ("age", "mask", "String"), ("name", "noise 5%", "number"), ("name", "shift 3 days", "Date"),
        ("born", "shift 3 days of nobody", "to-one"), ("age", "template: {name}", "String"),
        ("name", "template: {nme}", "did you mean"), ("name", "template: {born}", "neither"),
        ("email", "mask", "unique"), ("email", "template: {name}", "unique"),
        ("price", "generate name", "generate name"),
    ])
    func decisionsThatCannotBe(name: String, decision: String, message: String) throws {
        let model = Self.model { $0.uniquenessConstraints = [["email"]] }
        let found = AnonymisationCheck(try rules([name: decision]), try model.resolved())
        #expect(found.problems.contains { $0.message.contains(message) }, "\(found.problems)")
    }

    @Test func eachDecisionIsApplied() throws {
        let (old, new, report) = try subset(
            try rules([
                "name": "generate name", "phone": "mask keep last 2", "age": "noise -5..5", "price": "noise 10%",
                "born": "shift 30 days", "seen": "shift 30 days", "email": "template: {name} {$number}@example.com",
            ]))
        func dates(_ values: [String: [AttributeValue?]], _ name: String) -> [Double] {
            (values[name] ?? []).compactMap {
                if case .date(let date)? = $0 { date.timeIntervalSinceReferenceDate } else { nil }
            }
        }
        var offsets: Set<Double> = []
        for index in 0..<Self.count {
            guard case .integer(let age)? = new["age"]?[index], case .integer(let before)? = old["age"]?[index],
                case .decimal(let price)? = new["price"]?[index], case .decimal(let was)? = old["price"]?[index],
                case .string(let name)? = new["name"]?[index], case .string(let phone)? = new["phone"]?[index]
            else {
                Issue.record("a value is missing")
                continue
            }
            #expect(age != before && abs(age - before) <= 5)
            #expect(price != was && abs(price - was) <= was / 10 + 0.01 && price.exponent >= -2)
            #expect(!name.contains("Originalname") && name.contains(" "))
            #expect(phone.hasPrefix("+** ***") && phone.hasSuffix(index < 10 ? "5\(index)" : "\(index)"))
            #expect(new["email"]?[index] == .string("\(name) \(index + 1)@example.com"))
            let offset = dates(new, "born")[index] - dates(old, "born")[index]
            offsets.insert(offset)
            #expect(offset != 0 && abs(offset) <= 30 * 86_400 && offset.remainder(dividingBy: 86_400) == 0)
            #expect(dates(new, "seen")[index] - dates(new, "born")[index] == 1000)
        }
        #expect(offsets.count > 3)
        #expect(Set(new["name"] ?? []).count <= 3)
        #expect(new["note"] == old["note"] && new["alias"] == old["alias"])
        #expect(report.attributes.first { $0.name == "email" }?.replaced == Self.count)
    }

    @Test func equalValuesOfAGroupBecomeEqual() throws {
        let (_, apart, _) = try subset(try rules(["name": "replace", "alias": "replace"]))
        #expect(apart["name"] != apart["alias"])
        let (old, new, _) = try subset(try rules(["name": "replace in persons", "alias": "replace in persons"]))
        #expect(new["name"] == new["alias"] && new["name"] != old["name"])
    }

    @Test func theModelDecidesAndTheFileOverrides() throws {
        func model(_ text: String) -> ManagedObjectModel {
            Self.model { entity in
                for index in entity.attributes.indices {
                    let isName = entity.attributes[index].name == "name"
                    entity.attributes[index].userInfo["granary.anonymise"] = .string(isName ? text : "keep")
                }
            }
        }
        let (_, new, _) = try subset(AnonymisationRules(), model("constant: nobody"))
        #expect(new["name"]?.allSatisfy { $0 == .string("nobody") } == true)
        let (old, kept, _) = try subset(try rules(["name": "keep"]), model("constant: nobody"))
        #expect(kept["name"] == old["name"])
        let wrong = AnonymisationCheck(AnonymisationRules(), try model("kep").resolved())
        #expect(wrong.problems.first?.message.contains("granary.anonymise") == true && wrong.undecided.count == 1)
    }

    @Test func theOutputIsSearched() throws {
        let (_, _, clean) = try subset(try rules(["name": "null", "alias": "null", "email": "null"]))
        #expect(
            clean.search?.values == 3 + Self.count && clean.search?.found == [], "\(String(describing: clean.search))")
        // The alias is kept and has the names.
        let (_, _, report) = try subset(try rules(["name": "null"]))
        #expect(
            report.search?.found == [SubsetReport.Find(attribute: "Person.name", place: "Person.alias", count: 3)],
            "\(String(describing: report.search))")
    }

    @Test(arguments: [false, true]) func bytesOutsideAllObjectsAreRefused(isWide: Bool) throws {
        let store = try people(Self.model())
        let gone = ReplacedValues()
        let attribute = try #require(store.schema.entities[0].attribute(named: "name"))
        var batch = RowBatch()
        let row = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: store.schema.entities[0].slotCount)
        AttributeValue.string("hidden \"secret\" value").withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        try gone.note(batch[row, attribute.slot], attribute, batch)
        let search = OutputSearch(schema: store.schema, gone: gone, cancellation: nil)
        #expect(try search.run(store).found == [])
        let hidden = try SQLiteStore.create(
            path: folder.url.appending(path: "H\(isWide).sqlite").path, schema: store.schema)
        let wal = try #require(hidden.files.first) + "-journal"
        let text = "x hidden \"secret\" value y"
        let bytes = isWide ? text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } : Array(text.utf8)
        try Data(bytes).write(to: URL(filePath: wal))
        let files = hidden.files
        #expect(files.contains(wal))
        var found = 0
        var bytesOf = ByteSearch(count: 2)
        bytesOf.add(bytes[...], identifier: 1)
        for file in files { try bytesOf.search(file: file, nil) { _ in found += 1 } }
        #expect(found == 1)
        let error = #expect(throws: GranaryError.self) {
            try FileManager.default.removeItem(atPath: wal)
            let path = try #require(hidden.files.first)
            // After the last page.
            let handle = try FileHandle(forWritingTo: URL(filePath: path))
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
            _ = try search.run(hidden)
        }
        #expect(error?.code == .refused && error?.diagnostics.first?.property == "name")
        #expect(!(error.map { "\($0) \($0.diagnostics)" } ?? "").contains("secret"))
    }

    /// A page of SQLite can end anywhere inside a value.
    @Test(arguments: [(0..<80).map { "\($0 * 7)" }.joined(separator: ", "), "short text"])
    func aDividedValueIsFound(text: String) throws {
        let store = try people(Self.model())
        let attribute = try #require(store.schema.entities[0].attribute(named: "name"))
        let gone = ReplacedValues()
        var batch = RowBatch()
        let row = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: store.schema.entities[0].slotCount)
        AttributeValue.string(text).withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        try gone.note(batch[row, attribute.slot], attribute, batch)
        try #require(gone.count == 1)
        var search = ByteSearch(count: 10)
        SearchedForms.add(gone[0], to: &search, identifier: 1)
        let bytes = Array(text.utf8)
        for place in bytes.indices where bytes.count > ReplacedValues.longest || place == 0 {
            let divided = bytes[..<place] + [0, 0, 0, 9] + bytes[place...]
            var isFound = false
            Array(divided).withUnsafeBufferPointer { search.search($0) { _ in isFound = true } }
            #expect(isFound, "divided at \(place)")
        }
    }

    @Test func valuesSideBySideAreNoLeak() throws {
        let (_, _, report) = try subset(
            try rules(["name": "null"]), Self.model(),
            ["name": "ABCDEFGHIJKL", "alias": "ABCDEF", "email": "GHIJKL"])
        #expect(report.search?.found.map(\.place) == ["values side by side"], "\(String(describing: report.search))")
    }

    /// A value can be in a kept attribute, and be what another one becomes.
    @Test func aKeptAttributeIsReportedFirst() throws {
        let (_, _, report) = try subset(
            try rules(["name": "null", "alias": "null", "email": "constant: Originalname 0"]), Self.model(),
            ["phone": "call Originalname 0"])
        #expect(report.search?.found.map(\.place) == ["Person.phone"], "\(String(describing: report.search))")
    }

    @Test func aValueInAnotherTableIsALeak() throws {
        let store = try people(Self.model())
        let attribute = try #require(store.schema.entities[0].attribute(named: "name"))
        let gone = ReplacedValues()
        var batch = RowBatch()
        let row = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: store.schema.entities[0].slotCount)
        AttributeValue.string("a hidden value").withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
        try gone.note(batch[row, attribute.slot], attribute, batch)
        let search = OutputSearch(schema: store.schema, gone: gone, cancellation: nil)
        #expect(try search.run(store).found == [])
        try store.connection.execute("CREATE TABLE notes (a TEXT); INSERT INTO notes VALUES ('a hidden value')")
        #expect(throws: GranaryError.self) { try search.run(store) }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(!left.contains { $0.contains(".search.") }, "\(left)")
    }

    @Test func equalKeysGiveEqualReplacements() throws {
        func names(_ key: String) throws -> [AttributeValue?] {
            let sample = try SubsetSample(of: try people(Self.model()), [.init("Person")]) {
                $0.rules = try? rules(["name": "replace", "email": "generate email"])
                $0.hashKey = try? KeyedHash(key: Array(key.utf8))
            }
            return try sample.values("Person", "name") + sample.values("Person", "email")
        }
        #expect(try names("a key of 16 bytes") == names("a key of 16 bytes"))
        #expect(try names("a key of 16 bytes") != names("b key of 16 bytes"))
    }

    @Test func generatedValuesOfAUniqueAttributeAreDifferent() throws {
        let (_, new, _) = try subset(
            try rules(["email": "generate first name"]), Self.model { $0.uniquenessConstraints = [["email"]] })
        #expect(Set(new["email"] ?? []).count == Self.count)
        let error = #expect(throws: GranaryError.self) {
            try subset(
                try rules(["email": "generate one of a, b"]), Self.model { $0.uniquenessConstraints = [["email"]] })
        }
        #expect(error?.code == .refused && error?.diagnostics.first?.property == "email")
    }

    /// A share of a small number is less than one.
    @Test func noiseChangesSmallNumbers() throws {
        let (old, new, _) = try subset(try rules(["age": "noise 1%", "price": "noise 0.001%"]))
        for name in ["age", "price"] {
            #expect(zip(old[name] ?? [], new[name] ?? []).allSatisfy { $0 != $1 }, "\(name)")
        }
    }

    /// What a unique text is derived from cannot become equal either.
    @Test func theSourceOfAUniqueTextIsUnique() throws {
        let model = Self.model {
            $0.attributes.append(.init(name: "search", type: .string))
            $0.attributes[$0.attributes.count - 1].derivationExpression = "canonical:(email)"
            $0.uniquenessConstraints = [["search"]]
        }
        let found = AnonymisationCheck(try rules(["email": "mask"]), try model.resolved())
        #expect(found.problems.contains { $0.message.contains("unique") }, "\(found.problems)")
    }

    @Test func manyValuesAreSampled() throws {
        let store = try people(Self.model())
        let attribute = try #require(store.schema.entities[0].attribute(named: "name"))
        let gone = ReplacedValues(limit: 100)
        var batch = RowBatch()
        let row = batch.appendRow(entity: 0, key: 1, version: 1, slotCount: store.schema.entities[0].slotCount)
        for number in 0..<1000 {
            AttributeValue.string("a value \(number)").withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
            try gone.note(batch[row, attribute.slot], attribute, batch)
        }
        #expect(gone.count <= 100 && gone.count > 20 && gone.sampleBits >= 4)
    }

    /// The search against a slow one.
    @Test func theSearchFindsWhatASlowOneFinds() {
        var random = SeededGenerator(seed: 4)
        for _ in 0..<30 {
            let text = (0..<400).map { _ in UInt8(random.next() % 2) }
            let words = (0..<40).map { index in
                let count = Int(8 + random.next() % 16)
                // Long random words are not in the text.
                guard index.isMultiple(of: 2) else { return (0..<count).map { _ in UInt8(random.next() % 2) } }
                let start = Int(random.next() % UInt64(text.count - count))
                return Array(text[start..<start + count])
            }
            var search = ByteSearch(count: words.count)
            for (index, word) in words.enumerated() { search.add(word[...], identifier: index) }
            var found: Set<Int> = []
            text.withUnsafeBufferPointer { search.search($0) { found.insert($0) } }
            let expected = words.indices.filter { index in
                (0...(text.count - words[index].count)).contains { start in
                    Array(text[start..<start + words[index].count]) == words[index]
                }
            }
            #expect(found == Set(expected))
        }
    }
}
