import GranaryModel

/// The JSON of `model diff`. Missing values are null.
enum ModelDiffReport {
    static func json(of differences: ModelDifferences) -> JSONObject {
        let changes = differences.changes.map { change($0) }
        return [
            "equal": differences.isEqual, "hashesEqual": differences.hashesAreEqual,
            "lightweight": differences.isLightweight, "migration": differences.migration.name,
            "reason": differences.migration.reason, "changes": changes,
        ]
    }

    private static func change(_ change: ModelDifference) -> JSONObject {
        [
            "entity": change.entity, "property": change.property, "kind": change.subject.rawValue,
            "what": change.what, "from": change.from, "to": change.to, "migration": change.migration.name,
            "reason": change.migration.reason,
        ]
    }
}
