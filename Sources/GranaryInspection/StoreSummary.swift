public import Foundation
public import GranaryBase
public import GranaryCoordination
public import GranaryCoreDataStore
public import GranaryModel

/// The description of a store, with or without its model.
public struct StoreSummary: Sendable {
    /// An entity of the store.
    public struct Entity: Sendable {
        /// The name in the model, or in the store without a model.
        public var name: String
        /// `Z_NAME`, if it differs from the name in the model after a migration.
        public var storedName: String?
        /// `Z_ENT`.
        public var number: Int
        /// The name of the superentity; nil for a root entity.
        public var parent: String?
        /// Whether the entity is abstract; nil without a model.
        public var isAbstract: Bool?
        /// The number of rows without those of subentities; nil if the table is missing.
        public var count: Int?
        /// The 32-byte version hash in the store's metadata; nil if there is none.
        public var hash: Data?
        /// The persistent attributes, own and inherited; nil without a model.
        public var attributes: [Attribute]?
        /// The persistent relationships, own and inherited; nil without a model.
        public var relationships: [Relationship]?
    }

    /// A persistent attribute and its column.
    public struct Attribute: Sendable, Encodable {
        /// The name in the model.
        public var name: String
        /// The type as Xcode names it: `Integer 16`.
        public var type: String
        /// The column; nil if the table lacks it.
        public var column: String?
    }

    /// A persistent relationship.
    public struct Relationship: Sendable, Encodable {
        /// The name in the model.
        public var name: String
        /// The name of the destination entity.
        public var destination: String
        /// Whether it is a to-many relationship.
        public var toMany: Bool
        /// Whether it is ordered.
        public var ordered: Bool
        /// The name of the inverse relationship; nil if there is none.
        public var inverse: String?
    }

    /// The persistent history.
    public struct History: Sendable, Encodable {
        /// The number of transactions.
        public var transactions = 0
        /// The number of changes in all transactions.
        public var changes = 0
        /// The time of the first transaction as ISO 8601; nil without transactions.
        public var first: String?
        /// The time of the last transaction as ISO 8601; nil without transactions.
        public var last: String?
        /// The authors of transactions, at most 100.
        public var authors: [String] = []
    }

    /// External storage: values that may be in separate files.
    public struct External: Sendable, Encodable {
        /// The columns of attributes with external storage: `ZBOOK.ZCOVER`.
        public var columns: [String] = []
        /// The number of values in the store file.
        public var inlineValues = 0
        /// The number of files with values.
        public var files = 0
        /// The size of these files in bytes.
        public var bytes = 0
        /// The number of files that values refer to, but that are missing or unreadable.
        public var missingFiles = 0
        /// The number of files in the folder that no value refers to.
        public var unusedFiles = 0
    }

    /// The store's UUID in upper case.
    public var identifier: String
    /// `NSPersistenceFrameworkVersion`; nil if the metadata lack it.
    public var frameworkVersion: Int64?
    /// The first systems with that framework; nil if unknown.
    public var system: String?
    /// The source of the model; nil if there is none, and only `Z_PRIMARYKEY` describes the entities.
    public var model: StoreModelSource?
    /// Whether the given model fits the store; nil without one, or if the store has no hashes.
    public var fits: Bool?
    /// The entities that differ from the given model.
    public var differences: [EntityDifference] = []
    /// The entities, in the order of their numbers.
    public var entities: [Entity] = []
    /// SQLite's pragmas, name and value, in a fixed order.
    public var pragmas: [(name: String, value: String)] = []
    /// The persistent history; nil if there is none.
    public var history: History?
    /// The external storage; nil if no attribute has it, or the model is not known.
    public var external: External?
    /// Core Data's triggers: those of derived attributes, R-trees and trigger keys.
    public var derivedTriggers: [String] = []
    /// CloudKit's tables; empty if the store is not mirrored.
    public var cloudTables: [String] = []
    /// Tables and indexes that do not belong to the model; migrations leave them behind.
    public var leftovers: [String] = []
    /// The version identifiers of the model.
    public var versionIdentifiers: [String] = []
    /// The metadata keys that Core Data does not use.
    public var userKeys: [String] = []
    /// The imports of the ledger, newest last. An import is revertible as long as its before-images exist.
    public var runs: [ImportRun] = []
    /// The number of older runs that the ledger dropped.
    public var droppedRuns = 0
    /// The problems with the store, as sentences.
    public var problems: [String] = []
    /// Remarks for users who copy or open the store.
    public var remarks: [String] = []

    /// The problems and remarks.
    public var warnings: [String] { problems + remarks }

    /// Reads the description of a store file, which is not changed.
    ///
    /// ```swift
    /// let summary = try StoreSummary(contentsOf: URL(filePath: "Seed.sqlite"))
    /// for entity in summary.entities { print(entity.name, entity.count ?? 0) }
    /// ```
    ///
    /// - Parameter model: compared with the store; nil for the model that the store contains, or one inferred from its
    ///   tables.
    /// - Throws: ``GranaryError``: `unreadable` if there is no such file, `refused` if it is not a Core Data store or
    ///   the model has problems, `busy`, `inputOutput`.
    public init(contentsOf url: URL, model: ManagedObjectModel? = nil) throws(GranaryError) {
        self = try StoreInspector(path: url.path(percentEncoded: false), busyTimeout: .seconds(5)).summary(given: model)
    }

    init(identifier: String, frameworkVersion: Int64?, system: String?) {
        self.identifier = identifier
        self.frameworkVersion = frameworkVersion
        self.system = system
    }

    /// The number of problems to keep.
    private static let problemLimit = 1000

    mutating func addProblem(_ text: String) {
        if problems.count < Self.problemLimit {
            problems.append(text)
        } else if problems.count == Self.problemLimit {
            problems.append("and more; a store check reports all")
        }
    }
}
