public import Foundation
import Synchronization

/// The versions of a model in their natural order (`Model`, `Model 2`, `Model 10`), and the migrations between them.
///
/// Versions are identified by their indexes in ``versions``.
///
/// ```swift
/// let chain = ModelVersionChain([.init(name: "Shop", model: shop), .init(name: "Shop 2", model: shop2)])
/// print(chain.step(from: 0, to: 1).name)
/// ```
public struct ModelVersionChain: Sendable {
    /// One version of the model.
    public struct Version: Sendable {
        /// The name without `.xcdatamodel` or `.mom`.
        public let name: String
        /// The model of the version.
        public let model: ManagedObjectModel
        /// Whether it is the current version.
        public let isCurrent: Bool
        /// The checksum that stores contain as `NSStoreModelVersionChecksumKey`; nil if the model has problems.
        public let checksum: String?
        /// The version hash of each entity; nil if the model has problems.
        public let versionHashes: [String: Data]?

        /// Creates a version and computes its hashes.
        public init(name: String, model: ManagedObjectModel, isCurrent: Bool = false) {
            let schema = try? model.resolved()
            self.name = name
            self.model = model
            self.isCurrent = isCurrent
            checksum = schema?.checksum
            versionHashes = schema?.versionHashes
        }
    }

    private struct Pair: Hashable {
        let from: Int
        let to: Int
    }

    /// The migrations that were asked for, so that each pair is compared once.
    private final class KnownSteps: Sendable {
        let migrations = Mutex<[Pair: ModelDifference.Migration]>([:])
    }

    /// The versions in the natural order of their names.
    public let versions: [Version]
    /// The versions that have an entity with a hash, by the entity's name.
    let owners: [String: [Data: [Int]]]
    private let knownSteps = KnownSteps()

    /// A chain of versions in any order.
    public init(_ versions: [Version]) {
        let sorted = versions.sorted { NaturalOrder.less($0.name, $1.name) }
        var owners: [String: [Data: [Int]]] = [:]
        for (index, version) in sorted.enumerated() {
            for (name, hash) in version.versionHashes ?? [:] {
                owners[name, default: [:]][hash, default: []].append(index)
            }
        }
        self.versions = sorted
        self.owners = owners
    }

    /// Returns the migration of a store from one version to another.
    ///
    /// - Complexity: that of ``differences(from:to:)`` for the first call with these versions, constant for others.
    public func step(from: Int, to: Int) -> ModelDifference.Migration {
        let pair = Pair(from: from, to: to)
        if let known = knownSteps.migrations.withLock({ $0[pair] }) { return known }
        let (old, new) = (versions[from].versionHashes, versions[to].versionHashes)
        let migration = old != nil && old == new ? .none : differences(from: from, to: to).migration
        knownSteps.migrations.withLock { $0[pair] = migration }
        return migration
    }

    /// Returns the differences between two versions, as `ManagedObjectModel.differences(to:)` does.
    public func differences(from: Int, to: Int) -> ModelDifferences {
        let (old, new) = (versions[from], versions[to])
        return ModelComparison.differences(from: old.model, old.versionHashes, to: new.model, new.versionHashes)
    }

    /// Returns the changes that decide the migration of a step, as `Entity.property: reason`. A step without a reason,
    /// such as an inferred one, has none.
    package func reasons(from: Int, to: Int) -> [String] {
        let severity = step(from: from, to: to).severity
        var seen: Set<String> = []
        return differences(from: from, to: to).changes.compactMap { change in
            guard change.migration.severity == severity, let reason = change.migration.reason else { return nil }
            let place = [change.entity, change.property].compactMap { $0 }.joined(separator: ".")
            let text = (place.isEmpty ? "model" : place) + ": " + reason
            return seen.insert(text).inserted ? text : nil
        }
    }
}
