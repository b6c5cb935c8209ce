public import Foundation
import GranaryBase
public import GranaryContexts
import GranaryCoordination

/// One side of a ``StoreDiff``.
public enum ComparedStore: Sendable {
    /// An SQLite store or an export, which is not changed.
    case file(URL)
    /// The stores of an open container, as one.
    case container(PersistentContainer)

    /// Calls `body` with the inputs of two sides. Containers lend their stores until it returns.
    static func withInputs<Result: Sendable>(
        _ a: ComparedStore, _ b: ComparedStore, _ body: (DiffInputs.Input, DiffInputs.Input) throws -> Result
    ) throws -> Result {
        guard case .container(let first) = a, case .container(let second) = b else {
            return try a.withInput("A") { a in try b.withInput("B") { b in try body(a, b) } }
        }
        let (one, other) = (first.persistentStoreCoordinator, second.persistentStoreCoordinator)
        guard one !== other else {
            throw GranaryError(.usage, "A and B are the same container; compare its store with another one")
        }
        // Two comparisons of the same containers in different order would each wait for the other.
        guard order(one, other) else {
            return try b.withInput("B") { b in try a.withInput("A") { a in try body(a, b) } }
        }
        return try a.withInput("A") { a in try b.withInput("B") { b in try body(a, b) } }
    }

    private static func order(_ one: PersistentStoreCoordinator, _ other: PersistentStoreCoordinator) -> Bool {
        ObjectIdentifier(one) < ObjectIdentifier(other)
    }

    private func withInput<Result: Sendable>(
        _ label: String, _ body: (DiffInputs.Input) throws -> Result
    ) throws -> Result {
        switch self {
        case .file(let url): return try body(try DiffInputs.Input(url.path(percentEncoded: false), label))
        case .container(let container):
            guard !container.persistentStoreCoordinator.persistentStores.isEmpty else {
                throw GranaryError(.usage, "\(label): the container has no store; load one first")
            }
            return try container.withStore(forReading: true) { store in try body(DiffInputs.Input(store, label)) }
        }
    }
}
