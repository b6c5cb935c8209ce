import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// A filter of the history with its names and predicates checked.
struct HistorySelection {
    private let filter: PersistentHistoryFilter
    /// The numbers of the selected entities; nil for all.
    private let entities: Set<Int>?
    private let predicate: CompiledPredicate?
    private let changePredicate: CompiledPredicate?

    /// - Throws: ``GranaryError``: `refused` for an unknown entity, `usage` for an invalid predicate.
    init(_ filter: PersistentHistoryFilter, _ coordinator: PersistentStoreCoordinator) throws(GranaryError) {
        self.filter = filter
        var entities: Set<Int>?
        if let names = filter.entityNames {
            entities = []
            for name in names {
                let entity = try coordinator.entity(named: name)
                entities?.formUnion(filter.includesSubentities ? entity.family : entity.index..<entity.index + 1)
            }
        }
        self.entities = entities
        predicate = try filter.predicate.map { (given) throws(GranaryError) in
            CompiledPredicate(try HistoryProperties.resolver(.transaction).resolve(given))
        }
        changePredicate = try filter.changePredicate.map { (given) throws(GranaryError) in
            CompiledPredicate(try HistoryProperties.resolver(.change).resolve(given))
        }
    }

    /// Returns the transaction with only the selected changes; nil if it is not selected.
    ///
    /// - Throws: ``GranaryError`` if the evaluation of a predicate gives up.
    func apply(_ transaction: PersistentHistoryTransaction) throws(GranaryError) -> PersistentHistoryTransaction? {
        guard filter.authors?.contains(transaction.author) ?? true,
            filter.contextNames?.contains(transaction.contextName) ?? true,
            filter.transactionNumbers?.contains(transaction.transactionNumber) ?? true,
            filter.timestamps?.contains(transaction.timestamp) ?? true,
            try predicate?.outcome(on: TransactionSubject(transaction: transaction)).holds ?? true
        else { return nil }
        guard filter.selectsChanges else { return transaction }
        var result = transaction
        result.changes = []
        for change in transaction.changes where try selects(change, transaction) { result.changes.append(change) }
        return result.changes.isEmpty ? nil : result
    }

    private func selects(
        _ change: PersistentHistoryChange, _ transaction: PersistentHistoryTransaction
    ) throws(GranaryError) -> Bool {
        guard entities?.contains(change.changedObjectID.entity) ?? true,
            filter.changedObjectIDs?.contains(change.changedObjectID) ?? true,
            filter.changeTypes?.contains(change.changeType) ?? true
        else { return false }
        guard let changePredicate else { return true }
        return try changePredicate.outcome(on: ChangeSubject(change: change, transaction: transaction)).holds
    }
}

/// The properties of transactions and changes as a model, by which predicates on the history are checked.
private enum HistoryProperties {
    enum Kind: String {
        case transaction = "Transaction"
        case change = "Change"
    }

    static let schema: Result<Schema, any Error> = Result {
        try ManagedObjectModel(entities: [
            EntityDescription(
                Kind.transaction.rawValue,
                [
                    .attribute("author", .string), .attribute("bundleID", .string),
                    .attribute("contextName", .string), .attribute("processID", .string),
                    .attribute("storeID", .string), .attribute("timestamp", .date),
                    .attribute("transactionNumber", .integer64),
                    .toMany("changes", Kind.change.rawValue, inverse: "transaction"),
                ]),
            EntityDescription(
                Kind.change.rawValue,
                [
                    .attribute("changeID", .integer64), .attribute("changeType", .integer16),
                    .attribute("changedEntity", .string),
                    // Their kinds are known only in an evaluation.
                    .attribute("changedObjectID", .transformable), .attribute("tombstone", .transformable),
                    .attribute("updatedProperties", .transformable),
                    .toOne("transaction", Kind.transaction.rawValue, inverse: "changes"),
                ]),
        ]).resolved()
    }

    static func resolver(_ kind: Kind) throws(GranaryError) -> PredicateResolver {
        let schema = try converting { try Self.schema.get() }
        guard let entity = schema.entity(named: kind.rawValue) else {
            throw GranaryError(.internalDefect, "the properties of the history are unknown")
        }
        return PredicateResolver(schema: schema, entity: entity)
    }
}

private struct TransactionSubject: PredicateSubject {
    let transaction: PersistentHistoryTransaction

    var predicateSelf: PredicateOperand? { .subject(self) }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        switch key {
        case "author": transaction.author.map { .value(.string($0)) }
        case "bundleID": transaction.bundleID.map { .value(.string($0)) }
        case "changes":
            .list(transaction.changes.map { .subject(ChangeSubject(change: $0, transaction: transaction)) })
        case "contextName": transaction.contextName.map { .value(.string($0)) }
        case "processID": transaction.processID.map { .value(.string($0)) }
        case "storeID": .value(.string(transaction.storeID))
        case "timestamp": .value(.date(transaction.timestamp))
        case "transactionNumber": .value(.integer(transaction.transactionNumber))
        default: nil
        }
    }
}

private struct ChangeSubject: PredicateSubject {
    let change: PersistentHistoryChange
    let transaction: PersistentHistoryTransaction

    var predicateSelf: PredicateOperand? { .subject(self) }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? {
        switch key {
        case "changeID": .value(.integer(change.changeID))
        case "changeType": .value(.integer(Int64(change.changeType.rawValue)))
        case "changedEntity": .value(.string(change.changedObjectID.entityName))
        case "changedObjectID": .reference(change.changedObjectID.predicateReference)
        case "tombstone": .subject(TombstoneSubject(values: change.tombstone))
        case "transaction": .subject(TransactionSubject(transaction: transaction))
        case "updatedProperties": change.updatedProperties.map { .list($0.map { .value(.string($0)) }) }
        default: nil
        }
    }
}

private struct TombstoneSubject: PredicateSubject {
    let values: [String: AttributeValue]

    var predicateSelf: PredicateOperand? { .subject(self) }
    var predicateReference: ObjectReference? { nil }

    func predicateValue(forKey key: String) -> PredicateOperand? { values[key].map(PredicateOperand.value) }
}
