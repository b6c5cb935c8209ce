import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel

/// Compares all links of one to-many relationship, read through the store, with plain SQL, in their order.
struct LinkComparison {
    let store: SQLiteStore
    let plain: PlainStore
    let relationship: Schema.Relationship

    func run() throws -> ComparisonCounts {
        var counts = ComparisonCounts()
        guard let links = try PlainLinks(plain, relationship, store.schema, store.layout) else {
            try store.readLinks(of: relationship, owners: nil) { _ in counts.links += 1 }
            counts.uncompared = 1
            return counts
        }
        let name = "\(store.schema.entities[relationship.owner].name).\(relationship.name)"
        var isOutOfStep = false
        try store.readLinks(of: relationship, owners: nil) { link in
            counts.links += 1
            guard !isOutOfStep else { return }
            let wanted = try links.next()
            if wanted != link {
                // The following links cannot be compared.
                isOutOfStep = true
                counts.addUnequal("\(name): Granary has \(link), SQL has \(wanted.map { "\($0)" } ?? "no more")")
            }
        }
        while !isOutOfStep, let missing = try links.next() {
            counts.addUnequal("\(name): \(missing) is not read")
        }
        counts.dangling = links.dangling
        return counts
    }
}
