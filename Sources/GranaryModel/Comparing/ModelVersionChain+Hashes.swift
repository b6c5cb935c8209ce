public import Foundation

extension ModelVersionChain {
    /// The version that is nearest to a store: the one in which the fewest entities differ, the newest of several.
    public struct Nearest: Sendable, Hashable {
        /// The index of the version.
        public let index: Int
        /// The entities that differ, by name.
        public let differences: [EntityMatch]

        /// Whether the store was written by this version, or by one with the same version hashes.
        public var isExact: Bool { differences.isEmpty }
    }

    /// An entity that differs between a store and a version.
    public struct EntityMatch: Sendable, Hashable {
        /// How the entity differs.
        public enum Kind: String, Sendable, Hashable, CaseIterable {
            /// Both have the entity, with different version hashes.
            case hash = "hash differs"
            /// The version lacks the entity.
            case onlyInStore = "only in store"
            /// The store lacks the entity.
            case onlyInModel = "only in model"
        }

        /// The name of the entity.
        public let entity: String
        /// How the entity differs.
        public let what: Kind
        /// The indexes of the versions that have the entity with the store's hash.
        public let versions: [Int]
    }

    /// The versions that have equal checksums, in groups of two or more. Core Data refuses a staged migration with such
    /// versions.
    public var equalChecksums: [[Int]] {
        var groups: [String: [Int]] = [:]
        for (index, version) in versions.enumerated() {
            if let checksum = version.checksum { groups[checksum, default: []].append(index) }
        }
        return groups.values.filter { $0.count > 1 }.sorted { $0.lexicographicallyPrecedes($1) }
    }

    /// Returns the names of the entities of a version whose hash no other version has.
    public func uniqueEntities(of index: Int) -> [String] {
        let hashes = versions[index].versionHashes ?? [:]
        return hashes.filter { name, hash in owners[name]?[hash]?.count == 1 }.keys.sorted(by: utf8Less)
    }

    /// Returns the version that is nearest to a store.
    ///
    /// - Parameter hashes: the version hashes of the store's entities, by entity name.
    /// - Returns: nil if every version has problems, or there is none.
    public func nearest(to hashes: [String: Data]) -> Nearest? {
        var best: (index: Int, count: Int)?
        for (index, version) in versions.enumerated() {
            guard let own = version.versionHashes else { continue }
            let common = own.count { name, hash in hashes[name] == hash }
            let both = own.keys.count { hashes[$0] != nil }
            // The entities of either, each counted once, without those that are equal.
            let count = own.count + hashes.count - both - common
            if count <= best?.count ?? Int.max { best = (index, count) }
        }
        return best.map { Nearest(index: $0.index, differences: matches(hashes, with: $0.index)) }
    }

    private func matches(_ hashes: [String: Data], with index: Int) -> [EntityMatch] {
        let own = versions[index].versionHashes ?? [:]
        return Set(hashes.keys).union(own.keys).sorted(by: utf8Less).compactMap { name in
            guard let stored = hashes[name] else { return EntityMatch(entity: name, what: .onlyInModel, versions: []) }
            guard own[name] != stored else { return nil }
            return EntityMatch(
                entity: name, what: own[name] == nil ? .onlyInStore : .hash, versions: owners[name]?[stored] ?? [])
        }
    }
}
