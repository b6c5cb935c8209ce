import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import TestSupport
import Testing

/// Compares a store that Granary creates with the store that Core Data created for the same model. This file lists all
/// allowed differences. The model is read from the real store, to exclude other sources of errors.
@Suite("Created stores compared with real ones", .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
struct CreatedStoreTests {
    /// Every real store that contains a model (framework 637 and later), with its differences.
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
        "Photos-13.5-empty.sqlite": "journalMode, frameworkKey, userKey × 3, joinTableOrder, leftover × 2",
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

    /// The differences of `Z_MODELCACHE` by framework (`ModelCacheWalk.summary`).
    static let expectedCaches: [Int: [String]] = [
        // Indexes were only flags of properties.
        637: index + [
            "NSEntityDescription.NSCompoundIndexes: only ours", "NSEntityDescription.NSSubentities: another value",
        ],
        641: index + [
            "NSEntityDescription.NSCompoundIndexes: only ours", "NSEntityDescription.NSSubentities: another value",
            // The placeholder of an inherited property refers to the superentity's property.
            "NSAttributeDescription.NSEntity: another value", "NSRelationshipDescription.NSEntity: another value",
        ],
        865: [indexOwner],
        // The app's model was compiled by an older Xcode, which did not repeat indexes as compound indexes.
        1044: [
            indexOwner, "NSEntityDescription.NSCompoundIndexes: another value",
            "NSEntityDescription.NSCompoundIndexes[]: only ours",
            "NSEntityDescription.NSCompoundIndexes[][]: only ours",
        ],
        // Without subentities there is no dictionary; without indexes there are index keys.
        866: [
            "NSEntityDescription.NSSubentities: another value",
            "NSEntityDescription.NSCompoundIndexes: only Core Data's",
            "NSEntityDescription.NSFetchIndexDescriptions: only Core Data's",
        ],
        // Photos: as with 641, and an entity without subentities or indexes has no keys for them.
        1251: [
            "NSAttributeDescription.NSEntity: another value", "NSRelationshipDescription.NSEntity: another value",
            "NSEntityDescription.NSSubentities: another value",
            "NSEntityDescription.NSCompoundIndexes: only ours",
            "NSEntityDescription.NSFetchIndexDescriptions: only ours",
        ],
        // A default value of an app's class, which a Granary model cannot contain.
        1344: [
            "NSAttributeDescription.NSDefaultValue.CoreDataPlus_Tests.Cover.text: only Core Data's",
            "NSAttributeDescription.NSDefaultValue: another value",
        ],
    ]

    /// Indexes of some apps do not contain their entity.
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

    /// A real store, and a new store for its model.
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

    @Test("Tables, indexes, triggers, their order, header, numbers and metadata match", arguments: RealStore.chosen)
    func sameStore(_ real: RealStore) throws {
        let expected = Self.expected[Self.name(real)]
        guard let pair = try Pair(real) else {
            // Older frameworks write no model into the store.
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

    @Test("The model in the store matches key by key", arguments: RealStore.chosen)
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

    @Test("The document contains every reason")
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
