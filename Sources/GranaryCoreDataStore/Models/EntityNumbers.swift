import GranaryBase
import GranaryCoordination
package import GranaryModel
package import GranarySQLite

/// The entities of a store with their numbers from `Z_PRIMARYKEY` (docs/core-data/sqlite-layout.md#primary-keys),
/// without Core Data's internal ones.
package struct EntityNumbers: Sendable {
    package struct Row: Sendable {
        /// `Z_ENT`.
        let number: Int
        /// `Z_NAME`. For an entity that a migration renamed, it is the old name.
        let name: String
        /// `Z_SUPER`: the number of the superentity, 0 for a root.
        let parent: Int

        package init(number: Int, name: String, parent: Int) {
            self.number = number
            self.name = name
            self.parent = parent
        }
    }

    /// The rows in the order of their numbers. At most one more than ``limit``.
    let rows: [Row]

    /// The largest number of entities. Higher numbers belong to the persistent history.
    package static let limit = LayoutCheck.firstHistoryNumber - 1

    package init(rows: [Row]) { self.rows = rows }

    package init(_ connection: Connection) throws {
        let sql = """
            SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < \(LayoutCheck.firstHistoryNumber)
            ORDER BY Z_ENT LIMIT \(Self.limit + 1)
            """
        rows = try connection.withStatement(sql) { statement in
            var rows: [Row] = []
            while try statement.step() {
                rows.append(
                    Row(
                        number: Int(clamping: statement.integer(at: 0)), name: try statement.string(at: 1) ?? "",
                        parent: Int(clamping: statement.integer(at: 2))))
            }
            return rows
        }
    }

    /// The store's numbers for the entities of a model, by the model's names. Entities that the store lacks are left
    /// out.
    package func numbers(for model: ManagedObjectModel) -> [String: Int] {
        var found = Dictionary(rows.map { ($0.name, $0.number) }) { first, _ in first }
        let names = Set(model.entities.map(\.name))
        // After a migration that renames an entity, the row keeps the old name
        // (docs/core-data/sqlite-layout.md#renamed-entities).
        for entity in model.entities where found[entity.name] == nil {
            guard let old = entity.renamingIdentifier, !names.contains(old) else { continue }
            found[entity.name] = found.removeValue(forKey: old)
        }
        // The row's name may be even older than the renaming identifier. If one row and one entity remain, they match.
        let unknown = found.keys.filter { !names.contains($0) }
        let missing = names.filter { found[$0] == nil }
        if let old = unknown.first, let new = missing.first, unknown.count == 1, missing.count == 1 {
            found[new] = found.removeValue(forKey: old)
        }
        return found.filter { names.contains($0.key) }
    }

    /// Whether a row with a name belongs to an entity. After a migration that renames an entity, the row keeps the old
    /// name (docs/core-data/sqlite-layout.md#renamed-entities).
    package static func isName(_ name: String, of entity: Schema.Entity) -> Bool {
        entity.name == name || entity.description.renamingIdentifier == name
    }

    /// Whether a row with a name that is not in the model can only belong to an entity.
    ///
    /// - Parameter numbers: ``numbers(for:)`` of the schema's model.
    package static func isFormerName(
        _ name: String, of entity: Schema.Entity, in schema: Schema, _ numbers: [String: Int]
    ) -> Bool {
        schema.entity(named: name) == nil && numbers[entity.name] == entity.number
    }

    /// For each row, the index of the last row of its family, which is the row itself without subentities. Valid only
    /// for numbers without ``problems()``.
    func lastOfFamilies() -> [Int] {
        var last = Array(rows.indices)
        for (index, row) in rows.enumerated().reversed() where row.parent > 0 {
            last[row.parent - 1] = max(last[row.parent - 1], last[index])
        }
        return last
    }

    /// For each row, the index of its root. Valid only for numbers without ``problems()``.
    func roots() -> [Int] {
        var roots: [Int] = []
        for (index, row) in rows.enumerated() { roots.append(row.parent == 0 ? index : roots[row.parent - 1]) }
        return roots
    }

    /// The reason why no model can have these numbers: they must start at 1 without gaps, and subentities must follow
    /// their superentity. At most one.
    func problems() -> [Diagnostic] {
        if rows.isEmpty { return [Diagnostic(.storeLayout, "Z_PRIMARYKEY has no entities")] }
        if rows.count > Self.limit {
            return [Diagnostic(.limitExceeded, "Z_PRIMARYKEY has more than \(Self.limit) entities")]
        }
        // The ancestors of the current row, from the root down.
        var path: [Int] = []
        for (index, row) in rows.enumerated() {
            let name = Diagnostic.shortened(row.name)
            guard row.number == index + 1 else {
                return [
                    Diagnostic(
                        .storeLayout, "its number in Z_PRIMARYKEY is \(row.number), expected \(index + 1)",
                        entity: name)
                ]
            }
            while let last = path.last, last != row.parent { path.removeLast() }
            guard row.parent == 0 || path.last == row.parent else {
                return [
                    Diagnostic(
                        .storeLayout,
                        "it does not follow its superentity, number \(row.parent) in Z_PRIMARYKEY",
                        entity: name)
                ]
            }
            path.append(row.number)
        }
        return []
    }
}
