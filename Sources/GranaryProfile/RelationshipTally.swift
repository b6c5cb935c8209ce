import GranaryBase
import GranaryCoordination
import GranaryModel

/// Collects what the links of a relationship are.
struct RelationshipTally {
    let relationship: Schema.Relationship
    private var nulls = 0
    private var values = 0
    private var links = 0
    private var counts: ValueCounts
    private var bins = NumberBins(isWhole: true)
    private var range: ClosedRange<Int>?

    /// - Parameter limit: the number of different destinations that are counted exactly.
    init(_ relationship: Schema.Relationship, limit: Int) {
        self.relationship = relationship
        counts = ValueCounts(limit: limit)
    }

    /// Adds the reference of a row, or nothing for a to-many.
    mutating func add(_ row: Int, _ batch: borrowing RowBatch, _ schema: Schema) {
        guard case .reference(let key, let entity) = batch[row, relationship.slot] else {
            nulls += 1
            return
        }
        values += 1
        counts.add(ValueHash.of(UInt64(bitPattern: key))) {
            schema.entities.indices.contains(Int(entity)) ? "\(schema.entities[Int(entity)].name)/p\(key)" : "p\(key)"
        }
    }

    /// Adds an object of which the relationship has a number of members.
    mutating func add(count: Int) {
        if count == 0 { nulls += 1 } else { values += 1 }
        links += count
        bins.add(Double(count))
        range = range.map { min($0.lowerBound, count)...max($0.upperBound, count) } ?? count...count
        counts.add(ValueHash.of(UInt64(count))) { "\(count)" }
    }

    /// - Parameter frequent: the number of frequent values.
    func profile(_ schema: Schema, frequent: Int) -> PropertyProfile {
        let target = schema.entities[relationship.destination].name
        var profile = PropertyProfile(
            name: relationship.name, type: "\(relationship.isToMany ? "to-many" : "to-one") \(target)",
            isRelationship: true, isOptional: relationship.description.isOptional)
        (profile.nulls, profile.values) = (nulls, values)
        (profile.distinct, profile.isExact) = (counts.distinct, counts.isExact)
        profile.mostFrequent = counts.mostFrequent(frequent).filter { $0.count > 1 }
            .map { .init(value: $0.text, count: $0.count) }
        if relationship.isToMany, let range {
            (profile.minimum, profile.maximum) = ("\(range.lowerBound)", "\(range.upperBound)")
            profile.mean = Double(links) / Double(max(1, nulls + values))
            profile.histogram = bins.histogram
            profile.histogramOf = profile.histogram.map { _ in "links" }
        }
        profile.notes = notes(profile)
        return profile
    }

    private func notes(_ profile: PropertyProfile) -> [String] {
        var notes: [String] = []
        if values == 0, nulls > 0 { notes.append("no object has a link") }
        if !profile.isOptional, nulls > 0 {
            notes.append("\(CountText.count(nulls, "object")) \(nulls == 1 ? "lacks" : "lack") the required link")
        }
        if let most = range?.upperBound, relationship.violations(ofCount: most + 1).count > 0,
            relationship.violations(ofCount: most).isEmpty
        {
            notes.append("an object has the largest number of links that the model allows, \(most)")
        }
        return notes
    }
}
