import GranaryModel

/// The text of `model diff`: one line for each change under its entity, then the conclusion.
enum ModelDiffText {
    static func text(of differences: ModelDifferences) -> String {
        guard !differences.isEqual else { return "the models are equal\n" }
        var text = ""
        var title: String?
        for change in differences.changes {
            let entity = change.entity ?? "model"
            if entity != title { text += entity + "\n" }
            title = entity
            text += "  " + line(change) + "\n"
        }
        return text + verdict(differences) + "\n"
    }

    private static func line(_ change: ModelDifference) -> String {
        var text = words(change.subject)
        if let property = change.property { text += " \(property)" }
        text += ": \(change.what)"
        switch (change.from, change.to) {
        case (nil, nil): break
        case (let from?, let to?): text += " \(from) → \(to)"
        case (let from?, nil) where change.what == "removed": text += " \(from)"
        case (nil, let to?) where change.what == "added": text += " \(to)"
        case (let from, let to): text += " \(from ?? "none") → \(to ?? "none")"
        }
        return text + "  [\(note(change.migration))]"
    }

    private static func words(_ subject: ModelDifference.Subject) -> String {
        switch subject {
        case .fetchedProperty: "fetched property"
        case .uniquenessConstraint: "uniqueness constraint"
        case .fetchRequest: "fetch request"
        case .model, .entity, .attribute, .relationship, .index, .composite, .configuration: subject.rawValue
        }
    }

    private static func note(_ migration: ModelDifference.Migration) -> String {
        switch migration {
        case .none: "no migration"
        case .granaryOnly: "not in compiled models"
        case .inferred: "inferred"
        case .inferredIfDataFits(let check): "inferred if the data fits: \(check)"
        case .unsure(let reason): "unsure: \(reason)"
        case .needsMapping(let reason): "needs a mapping model: \(reason)"
        }
    }

    /// Whether stores of the older model open, or can be migrated.
    static func verdict(_ differences: ModelDifferences) -> String {
        guard let names = differences.entitiesWithOtherHashes else {
            return "a model has problems (model check), so the version hashes are unknown; " + possibility(differences)
        }
        if names.isEmpty { return "the version hashes are the same: stores open without a migration" }
        let few = names.prefix(5).joined(separator: ", ") + (names.count > 5 ? ", …" : "")
        return "the version hashes differ (\(few)); " + possibility(differences)
    }

    private static func possibility(_ differences: ModelDifferences) -> String {
        let name = differences.migration.name
        let count = differences.changes.count { $0.migration.name == name }
        let some = "\(count) of \(differences.changes.count) changes "
        return switch differences.migration {
        case .none, .granaryOnly, .inferred: "a lightweight migration is possible"
        case .inferredIfDataFits:
            "a lightweight migration is possible if the data fits: \(some)"
                + (count == 1 ? "depends on it" : "depend on it")
        case .unsure:
            "whether a lightweight migration is possible is not known: \(some)"
                + (count == 1 ? "is unsure" : "are unsure")
        case .needsMapping:
            "a lightweight migration is not possible: \(some)"
                + (count == 1 ? "needs a mapping model" : "need a mapping model")
        }
    }
}
