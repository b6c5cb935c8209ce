import GranaryBase
import GranaryProfile

/// A profile as text: a table for each entity, and the notes below it.
enum ProfileText {
    static func text(_ profile: StoreProfile) -> String {
        let isEstimated = profile.entities.contains { $0.properties.contains { !$0.isExact } }
        return profile.entities.map(text).joined(separator: "\n")
            + (isEstimated
                ? "\n~ marks an estimate of the number of different values, with a standard error of 0.8 %\n" : "")
    }

    private static func text(_ entity: StoreProfile.Entity) -> String {
        var table = TextTable(indent: "  ")
        table.add("property", "type", "NULL", "different", "smallest", "largest", "length", "most frequent")
        for property in entity.properties {
            table.add(
                property.name, property.type, "\(property.nulls)",
                (property.isExact ? "" : "~") + "\(property.distinct)", short(property.minimum),
                short(property.maximum),
                lengths(property), frequent(property, of: entity))
        }
        var text = "\(entity.name): \(CountText.count(entity.count, "object"))\n"
        guard entity.count > 0 else { return text }
        text += table.text
        for property in entity.properties {
            for note in property.notes { text += "  note: \(entity.name).\(property.name): \(note)\n" }
        }
        return text
    }

    private static func short(_ text: String?) -> String {
        text.map { $0.count > 24 ? $0.prefix(23) + "…" : $0 } ?? ""
    }

    private static func lengths(_ property: PropertyProfile) -> String {
        guard let shortest = property.minimumLength, let longest = property.maximumLength else { return "" }
        return shortest == longest ? "\(shortest)" : "\(shortest)-\(longest)"
    }

    private static func frequent(_ property: PropertyProfile, of entity: StoreProfile.Entity) -> String {
        property.mostFrequent.prefix(3).map { "\($0.value.isEmpty ? "\"\"" : short($0.value)) (\($0.count))" }.joined(
            separator: ", ")
    }
}
