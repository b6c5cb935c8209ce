package import Foundation

/// What a store says about itself, with or without its model.
package struct StoreSummary: Sendable {
    package struct Entity: Sendable {
        package var name: String
        /// `Z_ENT`.
        package var number: Int
        package var parent: String?
        /// Only a model tells; nil without one.
        package var isAbstract: Bool?
        /// Its own rows, without those of subentities; nil where its table is missing.
        package var count: Int?
        package var hash: Data?
    }

    package var identifier: String
    package var frameworkVersion: Int64?
    package var entities: [Entity] = []
    /// Name and value, in a fixed order.
    package var pragmas: [(name: String, value: String)] = []
    /// How many transactions the persistent history holds; nil without such a history.
    package var historyTransactions: Int?
    /// The imports of the ledger, newest last; one is revertible as long as its before-images are there.
    package var runs: [ImportRun] = []
    /// How many older runs the ledger had no room for.
    package var droppedRuns = 0
    /// What is wrong with the store, each a sentence.
    package var problems: [String] = []
    /// What is worth knowing before the store is copied or used.
    package var remarks: [String] = []

    package var warnings: [String] { problems + remarks }
}
