import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryGeneration
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing

@testable import GranarySubset
@testable import SeedingTestSupport

/// A random model and store with a marker in each value that can have one, random decisions, and a random subset. The files
/// of the output are searched for the markers without Granary's own search.
struct AnonymisationTrial {
    /// Whether there is an output. Some values cannot be treated as decided, and nothing is written then.
    private(set) var isWritten = false
    /// Markers in the output that must not be there, with their files.
    private(set) var leaks: [String] = []
    /// The number of markers that had to go.
    private(set) var gone = 0
    private(set) var rules = ""

    /// A planted value.
    private struct Marker {
        let bytes: [UInt8]
        let attribute: String
        let entity: Int
        let key: Int64
    }

    /// The files of a subset, and the keys of its objects by entity.
    private struct Output {
        let files: [URL]
        let keys: [Int: Set<Int64>]
    }

    private var random: SeededGenerator
    private let folder: TemporaryFolder
    private let source: SQLiteStore
    private let markers: [Marker]
    /// The decisions that are left to try, by `Entity.attribute`.
    private var choices: [String: [String]] = [:]

    init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        var random = SeededGenerator(seed: seed &+ 77)
        var markers: [Marker] = []
        source = try GeneratedStore(
            seed: seed, in: folder, hasComposites: seed % 3 == 0, hasDerived: true, isSound: true
        ) { attribute, entity, key in
            guard let (value, bytes) = Self.planted(in: attribute, &random) else { return nil }
            markers.append(
                Marker(
                    bytes: bytes, attribute: "\(attribute.owner).\(attribute.slot)", entity: entity.index, key: key))
            return value
        }.store
        try source.publish()
        self.markers = markers
        self.random = random
        try choose()
        for attempt in 0..<60 {
            rules = choices.sorted { $0.key < $1.key }.map { "\($0.key): \"\($0.value.first ?? "keep")\"\n" }.joined()
            do {
                let output = try subset(seed, attempt)
                isWritten = true
                try search(output)
                return
            } catch let error as GranaryError where error.code == .refused || error.code == .usage {
                // Granary's own search must have no reason to refuse a store.
                if error.message.contains("in the bytes of the new store") {
                    leaks.append("refused by the search: \(error.diagnostics)")
                    return
                }
                guard change(after: error) else { return }
            }
        }
    }

    // MARK: Markers

    private static let beginning = Array("zqvx".utf8)
    /// The number of letters of a marker.
    private static let length = 18

    /// A value with a marker that occurs nowhere else; nil for types that cannot have one, and if a rule forbids it.
    private static func planted(
        in attribute: Schema.Attribute, _ random: inout SeededGenerator
    ) -> (AttributeValue, [UInt8])? {
        let letters = beginning + (beginning.count..<length).map { _ in UInt8(ascii: "a") + UInt8(random.next() % 26) }
        let word = String(decoding: letters, as: UTF8.self)
        let value: AttributeValue
        switch attribute.type {
        case .string:
            // Some are longer than a page.
            let filler = random.next() % 4 == 0 ? String(repeating: "long filler ", count: 600) : ""
            value = .string(random.next() % 2 == 0 ? word : filler + "Ann \(word) \"é\" " + filler)
        case .uri:
            guard let url = URL(string: "https://home.example/\(word)") else { return nil }
            value = .uri(url)
        case .binary, .transformable:
            let isLarge = random.next() % 2 == 0 && attribute.description.allowsExternalBinaryDataStorage
            let noise = (0..<(isLarge ? 150_000 : 40)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            value = .binary(Data(noise + letters + noise))
        default: return nil
        }
        let isAllowed = value.withBorrowed { attribute.validator.violations(of: $0).isEmpty }
        return isAllowed && attribute.name != "key" ? (value, letters) : nil
    }

    // MARK: Decisions

    private mutating func choose() throws {
        let words = [
            "replace", "null", "hash", "constant: none", "mask", "mask keep last 2", "generate word", "generate name",
            "noise 20%", "noise -5..5", "template: t{$number}", "shift 30 days", "replace in group",
        ]
        for entity in source.schema.entities {
            let texts = entity.attributes.filter { $0.type == .string && AnonymisationCheck.needsDecision($0) }
            for attribute in entity.attributes
            where attribute.owner == entity.index && AnonymisationCheck.needsDecision(attribute) {
                var words = words
                if let other = texts.randomElement(using: &random), other.slot != attribute.slot {
                    words.append("template: {\(other.name)} {$number}")
                }
                let possible = try words.filter {
                    AnonymisationCheck.problem(try AnonymisationRules.Decision($0), attribute, entity) == nil
                }
                // Some are kept at once, and all others if nothing else is possible.
                let isKept = Int.random(in: 0..<5, using: &random) == 0
                choices["\(entity.name).\(attribute.name)"] =
                    isKept ? ["keep"] : possible.shuffled(using: &random) + ["keep"]
            }
        }
    }

    /// Takes the next decision on the attribute of an error, as a user would.
    private mutating func change(after error: GranaryError) -> Bool {
        guard let diagnostic = error.diagnostics.first, let name = diagnostic.property, let entity = diagnostic.entity
        else { return false }
        var index = source.schema.entity(named: entity)?.index
        while let current = index {
            let key = "\(source.schema.entities[current].name).\(name)"
            if let words = choices[key] {
                guard words.count > 1 else { return false }
                choices[key] = Array(words.dropFirst())
                return true
            }
            index = source.schema.entities[current].superentity
        }
        return false
    }

    // MARK: Output

    private mutating func subset(_ seed: UInt64, _ attempt: Int) throws -> Output {
        var random = SeededGenerator(seed: seed)
        var options = SubsetOptions()
        for entity in source.schema.entities where !entity.isAbstract {
            var selection = SubsetOptions.Selection(entity.name)
            switch random.next() % 4 {
            case 0: selection.limit = Int(random.next() % 4)
            case 1: selection.sample = .percent(50)
            default: break
            }
            options.selections.append(selection)
        }
        options.depth = Int(random.next() % 2)
        options.rules = try AnonymisationRules(path: try folder.write(rules, to: "rules.yaml").path)
        options.hashKey = try KeyedHash(key: Array("a key for the tests".utf8))
        options.ships = seed % 5 == 0
        let place = folder.url.appending(path: "out\(attempt)")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let path = place.appending(path: "Out.sqlite").path
        _ = try Subset(options: options).run(path: source.path, model: source.schema.model, to: path)
        let store = try SQLiteStore.open(path: path, schema: source.schema, readOnly: true)
        var keys: [Int: Set<Int64>] = [:]
        for root in store.schema.entities where root.root == root.index {
            try store.read(entities: root.family, batchSize: 100) { batch in
                for row in batch.rows { keys[Int(row.entity), default: []].insert(row.key) }
                return true
            }
        }
        let files = FileManager.default.enumerator(at: place, includingPropertiesForKeys: [.isRegularFileKey])
        let urls = try (files?.allObjects as? [URL] ?? []).filter {
            try $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        }
        return Output(files: urls, keys: keys)
    }

    /// The markers that may be there: those of kept attributes of the subset's objects.
    private func isAllowed(_ marker: Marker, _ decisions: [String: String], _ keys: [Int: Set<Int64>]) -> Bool {
        decisions[marker.attribute] == "keep" && keys[marker.entity]?.contains(marker.key) == true
    }

    /// The markers in some bytes, as UTF-8 and as UTF-16.
    private static func markers(in content: Data) -> Set<[UInt8]> {
        let bytes = [UInt8](content)
        var found: Set<[UInt8]> = []
        var place = 0
        while let next = bytes[place...].firstIndex(of: beginning[0]) {
            for step in [1, 2] where next + step * length <= bytes.count {
                let letters = stride(from: next, to: next + step * length, by: step).map { bytes[$0] }
                if letters.starts(with: beginning) { found.insert(letters) }
            }
            place = next + 1
        }
        return found
    }

    private mutating func search(_ output: Output) throws {
        var decisions: [String: String] = [:]
        for entity in source.schema.entities {
            for attribute in entity.attributes where attribute.owner == entity.index {
                decisions["\(attribute.owner).\(attribute.slot)"] = choices["\(entity.name).\(attribute.name)"]?.first
            }
        }
        let banned = markers.filter { !isAllowed($0, decisions, output.keys) }
        gone = banned.count
        #expect(output.files.contains { $0.lastPathComponent == "Out.sqlite" })
        for file in output.files {
            let found = Self.markers(in: try Data(contentsOf: file))
            for marker in banned where found.contains(marker.bytes) {
                let text = String(decoding: marker.bytes, as: UTF8.self)
                leaks.append("\(text) of \(marker.attribute) in \(file.lastPathComponent)")
            }
        }
    }
}
