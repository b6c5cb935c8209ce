import Foundation
import GranaryModel

/// The JSON of `model versions`. Missing values are null.
enum ModelVersionsReport {
    static func json(of answer: ModelVersionsAnswer) -> JSONObject {
        let chain = answer.chain
        let versions = chain.versions.indices.map { version($0, in: chain) }
        let equal = chain.equalChecksums.map { $0.map(answer.name) }
        let path = answer.route?.path?.map(answer.name)
        return [
            "versions": versions, "steps": steps(in: chain), "equalChecksums": equal, "path": path,
            "store": answer.store.map { store($0, answer) }, "mappings": answer.mappings.map { mapping($0, answer) },
        ]
    }

    private static func version(_ index: Int, in chain: ModelVersionChain) -> JSONObject {
        let version = chain.versions[index]
        let hashes = version.versionHashes?.mapValues { $0.base64EncodedString() }
        return [
            "name": version.name, "checksum": version.checksum, "current": version.isCurrent, "entities": hashes,
            "onlyHere": chain.uniqueEntities(of: index),
        ]
    }

    /// The migrations from each version to each newer one.
    private static func steps(in chain: ModelVersionChain) -> [JSONObject] {
        chain.versions.indices.flatMap { from in
            chain.versions.indices.dropFirst(from + 1).map { to -> JSONObject in
                let migration = chain.step(from: from, to: to)
                return [
                    "from": chain.versions[from].name, "to": chain.versions[to].name, "migration": migration.name,
                    "reason": migration.reason, "consecutive": to == from + 1,
                ]
            }
        }
    }

    private static func store(_ store: ModelVersionsAnswer.Store, _ answer: ModelVersionsAnswer) -> JSONObject {
        let nearest = store.nearest
        let name = answer.name(nearest.index)
        let version: String? = nearest.isExact ? name : nil
        let differences = nearest.differences.map { difference(of: $0, answer) }
        return [
            "path": store.path, "version": version, "nearest": name, "exact": nearest.isExact,
            "differences": differences,
        ]
    }

    private static func difference(
        of match: ModelVersionChain.EntityMatch, _ answer: ModelVersionsAnswer
    ) -> JSONObject {
        ["entity": match.entity, "what": match.what.rawValue, "versions": match.versions.map(answer.name)]
    }

    private static func mapping(
        _ mapping: ModelVersionsAnswer.Mapping, _ answer: ModelVersionsAnswer
    ) -> JSONObject {
        let steps = mapping.steps.map { step -> JSONObject in
            ["from": answer.name(step.from), "to": answer.name(step.to)]
        }
        return ["file": mapping.file, "steps": steps, "policies": mapping.policies]
    }
}
