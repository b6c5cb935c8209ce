import Foundation
package import GranaryModel

/// What the persistent history keeps of an entity's objects.
extension Schema.Entity {
    /// The names of the persistent properties, inherited ones included, sorted. A composite attribute is one property.
    package var historyNames: [String] {
        let attributes = attributes.filter(\.isPersistent).map { Self.historyName(of: $0) }
        let relationships = relationships.filter(\.isPersistent).map(\.name)
        return Set(attributes + relationships).sorted(by: utf8Less)
    }

    /// The name of an attribute in the history: for an element of a composite attribute, that of the composite.
    package static func historyName(of attribute: Schema.Attribute) -> String {
        attribute.name.split(separator: ".").first.map(String.init) ?? attribute.name
    }

    /// The attributes that a key of the entity's user info lists, in its order; without the key those that are
    /// preserved after deletion, sorted by name (docs/core-data/sqlite-layout.md#tombstones). External values are not
    /// kept.
    package var historyTombstones: [Schema.Attribute] {
        let attributes = attributes.filter { $0.isPersistent && !$0.description.allowsExternalBinaryDataStorage }
        let listed: [String]
        switch userInfo["NSPersistentHistoryTombstoneAttributes"] {
        case .string(let text): listed = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        case .array(let names): listed = names.compactMap(\.string)
        default:
            return attributes.filter(\.description.preservesValueInHistoryOnDeletion)
                .sorted { utf8Less($0.name, $1.name) }
        }
        var seen: Set<String> = []
        return listed.compactMap { name in
            seen.insert(name).inserted ? attributes.first { $0.name == name } : nil
        }
    }
}
