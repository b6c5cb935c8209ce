package import Foundation
package import GranaryCoordination
package import GranaryCoreDataStore

/// What a store says about itself, with or without its model.
package struct StoreSummary: Sendable {
    package struct Entity: Sendable {
        /// As the model has it, where that is known.
        package var name: String
        /// `Z_NAME`, where a migration has left another one there.
        package var storedName: String?
        /// `Z_ENT`.
        package var number: Int
        package var parent: String?
        /// Only a model tells; nil without one.
        package var isAbstract: Bool?
        /// Its own rows, without those of subentities; nil where its table is missing.
        package var count: Int?
        package var hash: Data?
        /// The persistent attributes, own and inherited; nil without a model.
        package var attributes: [Attribute]?
        /// The persistent relationships, own and inherited; nil without a model.
        package var relationships: [Relationship]?
    }

    package struct Attribute: Sendable, Encodable {
        package var name: String
        /// `Integer 16`.
        package var type: String
        package var column: String?
    }

    package struct Relationship: Sendable, Encodable {
        package var name: String
        package var destination: String
        package var toMany: Bool
        package var ordered: Bool
        package var inverse: String?
    }

    package struct History: Sendable, Encodable {
        package var transactions = 0
        package var changes = 0
        /// ISO 8601; nil without transactions.
        package var first: String?
        package var last: String?
        /// At most 100.
        package var authors: [String] = []
    }

    /// The attributes whose values may lie in files beside the store.
    package struct External: Sendable, Encodable {
        /// `ZBOOK.ZCOVER`
        package var columns: [String] = []
        /// How many values lie in the store.
        package var inlineValues = 0
        /// How many files values lie in, and how many bytes they have.
        package var files = 0
        package var bytes = 0
        /// Files that values lie in and that are not there.
        package var missingFiles = 0
        /// Files in the folder that no value lies in.
        package var unusedFiles = 0
    }

    package var identifier: String
    package var frameworkVersion: Int64?
    /// The first systems with that framework, where they are known.
    package var system: String?
    /// Where the model is from; nil where none could be had, and only `Z_PRIMARYKEY` speaks.
    package var model: StoreModel.Source?
    /// Whether the model that was given is the store's; nil without one, or where the store has no hashes.
    package var fits: Bool?
    package var differences: [EntityDifference] = []
    package var entities: [Entity] = []
    /// Name and value, in a fixed order.
    package var pragmas: [(name: String, value: String)] = []
    /// Nil without a persistent history.
    package var history: History?
    /// Nil where no attribute has external storage, or the model is not known.
    package var external: External?
    /// The triggers that keep derived attributes.
    package var derivedTriggers: [String] = []
    /// CloudKit's tables; none where the store is not mirrored.
    package var cloudTables: [String] = []
    /// Tables and indexes that no entity explains; migrations leave them behind.
    package var leftovers: [String] = []
    package var versionIdentifiers: [String] = []
    /// The keys of the metadata that are not Core Data's.
    package var userKeys: [String] = []
    /// The imports of the ledger, newest last; one is revertible as long as its before-images are there.
    package var runs: [ImportRun] = []
    /// How many older runs the ledger had no room for.
    package var droppedRuns = 0
    /// What is wrong with the store, each a sentence.
    package var problems: [String] = []
    /// What is worth knowing before the store is copied or used.
    package var remarks: [String] = []

    package var warnings: [String] { problems + remarks }

    /// How many problems are kept.
    private static let problemLimit = 1000

    mutating func addProblem(_ text: String) {
        if problems.count < Self.problemLimit {
            problems.append(text)
        } else if problems.count == Self.problemLimit {
            problems.append("and more; store check tells all")
        }
    }
}

/// What `NSPersistenceFrameworkVersion` stands for, as far as real stores have told (sqlite-layout).
enum FrameworkVersion {
    static func system(_ version: Int64) -> String? {
        switch version {
        case 241: "Mac OS X 10.6"
        case 1414: "macOS 15 / iOS 18"
        default: nil
        }
    }
}
