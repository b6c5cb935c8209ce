import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection

/// A store as `store info --format json` prints it. What is not known is null, never left out.
struct StoreListing: Encodable {
    struct Entity: Encodable {
        let entity: StoreSummary.Entity

        private enum CodingKeys: String, CodingKey {
            case name, storedName, number, parent, abstract, count, hash, attributes, relationships
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(entity.name, forKey: .name)
            try container.encode(entity.storedName, forKey: .storedName)
            try container.encode(entity.number, forKey: .number)
            try container.encode(entity.parent, forKey: .parent)
            try container.encode(entity.isAbstract, forKey: .abstract)
            try container.encode(entity.count, forKey: .count)
            try container.encode(entity.hash?.base64EncodedString(), forKey: .hash)
            try container.encode(entity.attributes, forKey: .attributes)
            try container.encode(entity.relationships, forKey: .relationships)
        }
    }

    /// One import of the ledger.
    struct Run: Encodable {
        let run: ImportRun

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { return nil }
        }

        private struct Source: Encodable {
            let name: String
            let digest: String
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(run.id, forKey: Key(stringValue: "id"))
            for (name, value) in run.counts.entries { try container.encode(value, forKey: Key(stringValue: name)) }
            try container.encode(run.isRevertible, forKey: Key(stringValue: "revertible"))
            let sources = run.sources.map { Source(name: $0.name, digest: $0.digest) }
            try container.encode(sources, forKey: Key(stringValue: "sources"))
            try container.encode(run.sourcesLeftOut, forKey: Key(stringValue: "sourcesLeftOut"))
        }
    }

    let summary: StoreSummary

    init(_ summary: StoreSummary) { self.summary = summary }

    private enum CodingKeys: String, CodingKey {
        case uuid, frameworkVersion, system, model, fits, differences, entities, versionIdentifiers, userKeys, pragmas
        case history, external, derivedTriggers, cloudTables, leftovers, runs, droppedRuns, warnings
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary.identifier, forKey: .uuid)
        try container.encode(summary.frameworkVersion, forKey: .frameworkVersion)
        try container.encode(summary.system, forKey: .system)
        // Without any model the entities are read off Z_PRIMARYKEY.
        try container.encode(summary.model ?? .inferred, forKey: .model)
        try container.encode(summary.fits, forKey: .fits)
        try container.encode(summary.differences, forKey: .differences)
        try container.encode(summary.entities.map(Entity.init), forKey: .entities)
        try container.encode(summary.versionIdentifiers, forKey: .versionIdentifiers)
        try container.encode(summary.userKeys, forKey: .userKeys)
        let pragmas = Dictionary(summary.pragmas.map { ($0.name, $0.value) }) { first, _ in first }
        try container.encode(pragmas, forKey: .pragmas)
        try container.encode(summary.history, forKey: .history)
        try container.encode(summary.external, forKey: .external)
        try container.encode(summary.derivedTriggers, forKey: .derivedTriggers)
        try container.encode(summary.cloudTables, forKey: .cloudTables)
        try container.encode(summary.leftovers, forKey: .leftovers)
        try container.encode(summary.runs.map(Run.init), forKey: .runs)
        try container.encode(summary.droppedRuns, forKey: .droppedRuns)
        try container.encode(summary.warnings, forKey: .warnings)
    }
}
