import Foundation
import GranaryPersistence

/// A store as `store info --format json` prints it. What is not known is null, never left out.
struct StoreListing: Encodable {
    /// Where the model comes from that names and counts rest on.
    enum ModelSource: String, Encodable {
        case given, inferred
    }

    struct Entity: Encodable {
        let entity: StoreSummary.Entity

        private enum CodingKeys: String, CodingKey {
            case name, number, parent, abstract, count, hash
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(entity.name, forKey: .name)
            try container.encode(entity.number, forKey: .number)
            try container.encode(entity.parent, forKey: .parent)
            try container.encode(entity.isAbstract, forKey: .abstract)
            try container.encode(entity.count, forKey: .count)
            try container.encode(entity.hash?.base64EncodedString(), forKey: .hash)
        }
    }

    struct History: Encodable {
        let transactions: Int
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
    let model: ModelSource

    init(_ summary: StoreSummary, model: ModelSource) {
        self.summary = summary
        self.model = model
    }

    private enum CodingKeys: String, CodingKey {
        case uuid, frameworkVersion, model, entities, pragmas, history, runs, droppedRuns, warnings
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(summary.identifier, forKey: .uuid)
        try container.encode(summary.frameworkVersion, forKey: .frameworkVersion)
        try container.encode(model, forKey: .model)
        try container.encode(summary.entities.map(Entity.init), forKey: .entities)
        let pragmas = Dictionary(summary.pragmas.map { ($0.name, $0.value) }) { first, _ in first }
        try container.encode(pragmas, forKey: .pragmas)
        try container.encode(summary.historyTransactions.map(History.init), forKey: .history)
        try container.encode(summary.runs.map(Run.init), forKey: .runs)
        try container.encode(summary.droppedRuns, forKey: .droppedRuns)
        try container.encode(summary.warnings, forKey: .warnings)
    }
}
