import Foundation
import GranaryModel
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import TestSupport
import Testing

/// A store that Granary makes for a model, and the one that Core Data made for it, differ in nothing but what stands here.
/// The model is the one inside the real store, so no other source of error comes in.
@Suite("Created stores against real ones", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct CreatedStoreTests {
    /// Every real store with a model inside, and all that it has otherwise. Frameworks 637 and later.
    static let expected: [String: String] = [
        "CoreDataMigration_Example_1.sqlite": "frameworkKey × 2",
        "CoreDataMigration_Example_2.sqlite": "journalMode, frameworkKey × 2, rebuiltTables",
        "CoreDataMigration_Example_3.sqlite": "frameworkKey × 2",
        "Database.sqlite": "journalMode",
        "Moody.moody": moody,
        "Moody_2.moody": moody,
        "Moody_3.moody": moody,
        "Moody_4.moody": "journalMode, frameworkKey × 2, userKey, indexOrder, inlineUniqueness × 4, legacyIndex × 2",
        "Moody_5.moody": moody,
        "SampleModel2_V2.sqlite": "journalMode",
        "SampleModel3_V1.sqlite": "journalMode",
        "SampleModel_V1.sqlite": "journalMode, frameworkKey",
        "SampleModel_V2.sqlite": "frameworkKey, rebuiltTables, renamedEntity",
        "Test.sqlite": "journalMode",
        "TestModel.sqlite": "journalMode, frameworkKey × 2",
        "store2-3.wiredatabase": "journalMode, frameworkKey × 2, userKey × 10, legacyIndex × 7, appendedColumn, "
            + "joinTableName × 8, joinTableOrder",
        "store2-54-0.wiredatabase": "journalMode, frameworkKey × 2, userKey × 9, appendedColumn, joinTableOrder",
        "store2-96-0.wiredatabase": "journalMode, frameworkKey, userKey × 9, rebuiltTables, appendedColumn × 12, "
            + "joinTableName × 24, leftover",
    ]

    private static let moody =
        "journalMode, frameworkKey × 2, userKey, indexOrder, inlineUniqueness × 2, legacyIndex × 2"

    /// What the archives of `Z_MODELCACHE` have otherwise, by framework (`ModelCacheWalk.summary`).
    static let expectedCaches: [Int: [String]] = [
        // Indexes were marks of properties: nothing else said that there are any.
        637: index + [
            "NSEntityDescription.NSCompoundIndexes: only ours", "NSEntityDescription.NSSubentities: another value",
        ],
        641: index + [
            "NSEntityDescription.NSCompoundIndexes: only ours", "NSEntityDescription.NSSubentities: another value",
            // A stand-in for an inherited property leads to the superentity's own.
            "NSAttributeDescription.NSEntity: another value", "NSRelationshipDescription.NSEntity: another value",
        ],
        865: [indexOwner],
        // The app's model was compiled by an older Xcode, which did not repeat indexes as compound ones.
        1044: [
            indexOwner, "NSEntityDescription.NSCompoundIndexes: another value",
            "NSEntityDescription.NSCompoundIndexes[]: only ours",
            "NSEntityDescription.NSCompoundIndexes[][]: only ours",
        ],
        // No dictionary where there are no subentities, and index keys where there are no indexes.
        866: [
            "NSEntityDescription.NSSubentities: another value",
            "NSEntityDescription.NSCompoundIndexes: only Core Data's",
            "NSEntityDescription.NSFetchIndexDescriptions: only Core Data's",
        ],
        // A default of an app's own class, which no model of Granary can have.
        1344: [
            "NSAttributeDescription.NSDefaultValue.CoreDataPlus_Tests.Cover.text: only Core Data's",
            "NSAttributeDescription.NSDefaultValue: another value",
        ],
    ]

    /// Some apps' indexes do not say which entity they are of.
    private static let indexOwner =
        "NSEntityDescription.NSFetchIndexDescriptions[].NSFetchIndexDescription.NSEntity: another value"

    private static let index: [String] = {
        let index = "NSEntityDescription.NSFetchIndexDescriptions"
        let one = index + "[].NSFetchIndexDescription"
        let element = one + ".NSIndexElements[].NSFetchIndexElementDescription"
        let keys = [
            index, index + "[]", one + ".NSEntity", one + ".NSIndexElements", one + ".NSIndexElements[]",
            one + ".NSIndexName", one + ".NSPartialIndexPredicate", element + ".NSAscending",
            element + ".NSFetchIndexElementType", element + ".NSPropertyName",
        ]
        return keys.map { $0 + ": only ours" }
    }()

    /// A real store, and a new one for the model inside it.
    private struct Pair {
        let folder: TemporaryFolder
        let theirs: String
        let ours: String
        let schema: Schema

        init?(_ real: RealStore) throws {
            folder = try TemporaryFolder()
            theirs = try real.copy(to: folder)
            ours = folder.url.appending(path: "ours").path
            let model = try StoreModel.read(path: theirs)
            guard model.source == .cache else { return nil }
            schema = model.schema
            let hasHistory = try StoreSnapshot(path: theirs).objects["table ACHANGE"] != nil
            try SQLiteStore.create(path: ours, schema: schema, tracksHistory: hasHistory).publish()
        }
    }

    private static func name(_ real: RealStore) -> String {
        real.path.split(separator: "/").last.map(String.init) ?? ""
    }

    @Test("Tables, indexes, triggers, their order, header, numbers and metadata", arguments: RealStore.all)
    func sameStore(_ real: RealStore) throws {
        let expected = Self.expected[Self.name(real)]
        guard let pair = try Pair(real) else {
            // Older frameworks put no model into the store.
            #expect(expected == nil && real.frameworkVersion < 637)
            return
        }
        let headers = (ours: try StoreHeader(path: pair.ours), theirs: try StoreHeader(path: pair.theirs))
        let comparison = StoreComparison(
            ours: try StoreSnapshot(path: pair.ours), theirs: try StoreSnapshot(path: pair.theirs), headers: headers,
            schema: pair.schema)
        let refused = comparison.differences.filter { !$0.isAllowed(real.frameworkVersion) }
        #expect(refused.map(\.description) == [])
        let summary = StoreDifference.summary(comparison.differences)
        #expect(summary == expected, "\(comparison.differences.map(\.description).joined(separator: "\n"))")
        let row = "| `\(Self.name(real))` | \(real.frameworkVersion) | \(summary.isEmpty ? "nothing" : summary) |"
        #expect(try Self.document.contains(row + "\n"), "the row of docs/core-data-compatibility.md is: \(row)")
    }

    @Test("The model inside the store, key by key", arguments: RealStore.all)
    func sameModelCache(_ real: RealStore) throws {
        guard let pair = try Pair(real) else { return }
        let (ours, theirs) = (try ModelCacheWalk(path: pair.ours), try ModelCacheWalk(path: pair.theirs))
        #expect(ours.lines.count > 10)
        let allowed = Self.expectedCaches[real.frameworkVersion] ?? []
        let found = ours.summary(against: theirs)
        let unknown = found.filter { !allowed.contains($0) }
        #expect(
            unknown == [],
            "\(real.frameworkVersion): \(found)\n\(ours.details(against: theirs).prefix(200).joined(separator: "\n"))")
    }

    @Test("Every reason stands in the document")
    func reasons() throws {
        let document = try Self.document
        for kind in StoreDifference.Kind.allCases where kind != .unexplained {
            #expect(document.contains("| \(kind.rawValue) | "), "| \(kind.rawValue) | \(kind.reason) |")
        }
    }

    private static var document: String {
        get throws {
            let file = Samples.root.deletingLastPathComponent().appending(path: "docs/core-data-compatibility.md")
            return try String(contentsOf: file, encoding: .utf8)
        }
    }
}
