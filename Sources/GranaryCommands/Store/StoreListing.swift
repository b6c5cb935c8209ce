import Foundation
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// The JSON of `store info`. Unknown values are null.
enum StoreListing {
    static func json(of summary: StoreSummary) -> JSONObject {
        // Without any model, the entities come from Z_PRIMARYKEY.
        let model = summary.model ?? .inferred
        let entities = summary.entities.map { entity($0) }
        let runs = summary.runs.map { run($0) }
        let pragmas = Dictionary(summary.pragmas.map { ($0.name, $0.value) }) { first, _ in first }
        return [
            "uuid": summary.identifier,
            "frameworkVersion": summary.frameworkVersion,
            "system": summary.system,
            "model": model,
            "fits": summary.fits,
            "differences": summary.differences,
            "entities": entities,
            "versionIdentifiers": summary.versionIdentifiers,
            "userKeys": summary.userKeys,
            "pragmas": pragmas,
            "history": summary.history,
            "external": summary.external,
            "derivedTriggers": summary.derivedTriggers,
            "cloudTables": summary.cloudTables,
            "leftovers": summary.leftovers,
            "runs": runs,
            "droppedRuns": summary.droppedRuns,
            "warnings": summary.warnings,
        ]
    }

    private static func entity(_ entity: StoreSummary.Entity) -> JSONObject {
        let hash = entity.hash?.base64EncodedString()
        return [
            "name": entity.name, "storedName": entity.storedName, "number": entity.number, "parent": entity.parent,
            "abstract": entity.isAbstract, "count": entity.count, "hash": hash, "attributes": entity.attributes,
            "relationships": entity.relationships,
        ]
    }

    static func run(_ run: ImportRun) -> JSONObject {
        let sources = run.sources.map { ["name": $0.name, "digest": $0.digest] }
        var object: JSONObject = [
            "id": run.id, "revertible": run.isRevertible, "sources": sources, "sourcesLeftOut": run.sourcesLeftOut,
        ]
        object.members["date"] = run.date.map { _ in run.dateText }
        for (name, value) in run.counts.entries { object.members[name] = value }
        return object
    }
}
