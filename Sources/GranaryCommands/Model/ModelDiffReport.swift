import GranaryModel

/// The answer of `model diff --format json`; what is nothing is null.
struct ModelDiffReport: Encodable {
    struct Change: Encodable {
        let difference: ModelDifference

        private enum CodingKeys: String, CodingKey {
            case entity, property, kind, what, from, to, migration, reason
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(difference.entity, forKey: .entity)
            try container.encode(difference.property, forKey: .property)
            try container.encode(difference.subject.rawValue, forKey: .kind)
            try container.encode(difference.what, forKey: .what)
            try container.encode(difference.from, forKey: .from)
            try container.encode(difference.to, forKey: .to)
            try container.encode(difference.migration.name, forKey: .migration)
            try container.encode(difference.migration.reason, forKey: .reason)
        }
    }

    private let differences: ModelDifferences

    init(_ differences: ModelDifferences) { self.differences = differences }

    private enum CodingKeys: String, CodingKey {
        case equal, hashesEqual, lightweight, changes
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(differences.isEqual, forKey: .equal)
        try container.encode(differences.hashesAreEqual, forKey: .hashesEqual)
        try container.encode(differences.isLightweight, forKey: .lightweight)
        try container.encode(differences.changes.map(Change.init), forKey: .changes)
    }
}
