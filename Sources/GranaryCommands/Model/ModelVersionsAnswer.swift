import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles

/// The result of `model versions`.
struct ModelVersionsAnswer {
    /// The answer to `--from` and `--to`.
    struct Route {
        let from: Int
        let to: Int
        /// The versions of the shortest path; nil if there is none.
        let path: [Int]?
    }

    /// The answer to `--store`.
    struct Store {
        let path: String
        let nearest: ModelVersionChain.Nearest
    }

    /// The answer to one `--mapping`.
    struct Mapping {
        /// The path of the mapping model.
        let file: String
        /// The pairs of versions that it fits, at least one.
        let steps: [(from: Int, to: Int)]
        /// The names of its policy classes, in the order of the file.
        let policies: [String]
    }

    let chain: ModelVersionChain
    let route: Route?
    let store: Store?
    let mappings: [Mapping]

    /// Whether each question has a positive answer.
    var isPositive: Bool {
        if let route, route.path == nil { return false }
        return store?.nearest.isExact ?? true
    }

    func name(_ index: Int) -> String { chain.versions[index].name }
}

extension ModelVersionsAnswer.Mapping {
    /// Reads a compiled mapping model, and finds the versions that it fits.
    ///
    /// - Parameter model: the path of the versions, for messages.
    /// - Throws: ``GranaryError`` with code `unreadable` if the file is missing; with code `refused` if it is not a
    ///   mapping model, or fits no pair of versions.
    init(file: String, in chain: ModelVersionChain, of model: String) throws(GranaryError) {
        let mapping = try MappingModelFile(path: file)
        let (sources, destinations) = (mapping.sourceHashes, mapping.destinationHashes)
        let steps = chain.steps(mapping: sources, to: destinations)
        if steps.isEmpty { throw Self.refusal(file, chain, model, sources, destinations) }
        var seen: Set<String> = []
        self.init(
            file: file, steps: steps,
            policies: mapping.entityMappings.compactMap(\.policyClassName).filter { seen.insert($0).inserted })
    }

    /// Explains why a mapping model fits no pair of versions.
    private static func refusal(
        _ file: String, _ chain: ModelVersionChain, _ model: String, _ sources: [String: Data],
        _ destinations: [String: Data]
    ) -> GranaryError {
        guard chain.versions.contains(where: { $0.versionHashes != nil }) else {
            return GranaryError(
                .refused, "\(model): every version has problems (model check), so that none has hashes")
        }
        let unknown = unknown(sources, "source", chain) + unknown(destinations, "destination", chain)
        guard unknown.isEmpty else {
            return GranaryError(.refused, "\(file): fits no pair of versions of \(model)", diagnostics: unknown)
        }
        return GranaryError(
            .refused,
            "\(file): fits no pair of versions of \(model), although each of its version hashes is in a version: "
                + "all source entities are in \(names(sources, chain)), all destination entities in "
                + names(destinations, chain))
    }

    /// A diagnostic for each entity whose version hash is in no version.
    private static func unknown(
        _ hashes: [String: Data], _ side: String, _ chain: ModelVersionChain
    ) -> [Diagnostic] {
        hashes.sorted { utf8Less($0.key, $1.key) }.compactMap { name, hash in
            if chain.hasHash(hash, of: name) { return nil }
            let what = chain.hasEntity(named: name) ? "the version hash of this \(side) entity" : "this \(side) entity"
            return Diagnostic(.modelReference, "no version has \(what)", entity: name)
        }
    }

    /// The names of the versions that have all these hashes.
    private static func names(_ hashes: [String: Data], _ chain: ModelVersionChain) -> String {
        let names = chain.indexes(with: hashes).map { chain.versions[$0].name }
        return names.isEmpty ? "no version" : names.joined(separator: ", ")
    }
}
