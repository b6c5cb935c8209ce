package import Foundation

/// The versions that a mapping model maps. A mapping model identifies them by the version hashes of its entities, and
/// lists only the entities that it maps.
extension ModelVersionChain {
    /// Returns the pairs of different versions that a mapping model fits. Versions with equal hashes give several pairs.
    ///
    /// - Parameters:
    ///   - sources: the version hashes of the source entities, by name. The version `from` has all of them.
    ///   - destinations: the version hashes of the destination entities, by name. The version `to` has all of them.
    package func steps(
        mapping sources: [String: Data], to destinations: [String: Data]
    ) -> [(from: Int, to: Int)] {
        let ends = indexes(with: destinations)
        return indexes(with: sources).flatMap { from in
            ends.filter { $0 != from }.map { (from: from, to: $0) }
        }
    }

    /// Returns the versions that have all these version hashes, by entity name. Versions with problems have no hashes.
    package func indexes(with hashes: [String: Data]) -> [Int] {
        versions.indices.filter { index in
            guard let own = versions[index].versionHashes else { return false }
            return hashes.allSatisfy { name, hash in own[name] == hash }
        }
    }

    /// Checks whether a version has an entity with this version hash.
    package func hasHash(_ hash: Data, of entity: String) -> Bool { owners[entity]?[hash] != nil }

    /// Checks whether a version without problems has an entity with this name.
    package func hasEntity(named name: String) -> Bool { owners[name] != nil }
}
