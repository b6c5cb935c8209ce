import GranaryModel

/// The triggers that keep derived attributes right (sqlite-layout §9).
///
/// Written for the two forms that real stores show: the count of a to-many with a to-one inverse, and a value at the
/// other end of a to-one.
struct DerivedTriggerSQL {
    let schema: Schema
    let layout: StoreLayout

    func statements() -> [String] {
        schema.entities.flatMap { entity in
            entity.attributes.filter { $0.owner == entity.index && $0.isPersistent }.flatMap { attribute -> [String] in
                guard let expression = attribute.description.derivationExpression else { return [] }
                let path = expression.split(separator: ".").map(String.init)
                guard path.count == 2, let relationship = entity.relationship(named: path[0]),
                    let column = layout.column(entity: entity.index, slot: attribute.slot)
                else { return [] }
                if path[1] == "@count", relationship.isToMany {
                    return countTriggers(entity, attribute, column, relationship)
                }
                if !relationship.isToMany {
                    return valueTriggers(entity, attribute, column, relationship, key: path[1])
                }
                return []
            }
        }
    }

    /// The derived attributes that none of the triggers keeps: their columns stay NULL.
    func uncomputed() -> [(entity: Schema.Entity, attribute: Schema.Attribute)] {
        let written = statements()
        return schema.entities.flatMap { entity in
            entity.attributes.filter { attribute in
                attribute.owner == entity.index && attribute.isPersistent
                    && attribute.description.derivationExpression != nil
                    && !written.contains { $0.contains("_\(entity.name)_\(attribute.name)_") }
            }.map { (entity, $0) }
        }
    }

    private func countTriggers(
        _ entity: Schema.Entity, _ attribute: Schema.Attribute, _ column: String, _ relationship: Schema.Relationship
    ) -> [String] {
        guard case .foreignKey(let destination, let key, _, _)? = layout.linkPlace(of: relationship) else { return [] }
        let table = layout.tables[layout.tableOfEntity[entity.index]].name
        let other = layout.tables[destination].name
        let name = attribute.name
        let prefix = "CREATE TRIGGER Z_DA_\(other)_\(entity.name)_\(name)_PARAMETER"

        func change(_ value: String, _ row: String) -> String {
            "BEGIN UPDATE \(table) SET \(column) = \(value) WHERE Z_PK = \(row).\(key); "
                + "SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('\(table)', Z_ENT, Z_PK, '\(name)', \(column)) "
                + "FROM \(table) WHERE Z_PK = \(row).\(key); END"
        }
        return [
            "\(prefix)_INSERT AFTER INSERT ON \(other) FOR EACH ROW WHEN (NEW.\(key) NOT NULL) "
                + change("IFNULL(\(column), 0) + 1", "NEW"),
            "\(prefix)_UPDATE_INCREMENT AFTER UPDATE OF \(key) ON \(other) FOR EACH ROW "
                + "WHEN (NEW.\(key) NOT NULL) \(change("\(column) + 1", "NEW"))",
            "\(prefix)_UPDATE_DECREMENT AFTER UPDATE OF \(key) ON \(other) FOR EACH ROW "
                + "WHEN (OLD.\(key) NOT NULL) \(change("\(column) - 1", "OLD"))",
            "\(prefix)_DELETE AFTER DELETE ON \(other) FOR EACH ROW WHEN (OLD.\(key) NOT NULL) \(change("\(column) - 1", "OLD"))",
            "CREATE TRIGGER Z_DA_\(table)_\(entity.name)_\(name)_SOURCE_INSERT AFTER INSERT ON \(table) FOR EACH ROW "
                + "BEGIN UPDATE \(table) SET \(column) = (SELECT IFNULL(COUNT(\(key)), 0) FROM \(other) "
                + "WHERE \(key) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; "
                + "SELECT NSCoreDataDATriggerInsertUpdatedAffectedObjectValue('\(table)', Z_ENT, Z_PK, '\(name)', \(column)) "
                + "FROM \(table) WHERE Z_PK = NEW.Z_PK; END",
        ]
    }

    private func valueTriggers(
        _ entity: Schema.Entity, _ attribute: Schema.Attribute, _ column: String, _ relationship: Schema.Relationship,
        key: String
    ) -> [String] {
        let destination = schema.entities[relationship.destination]
        guard let source = destination.attribute(named: key),
            let sourceColumn = layout.column(entity: source.owner, slot: source.slot),
            let reference = layout.column(entity: relationship.owner, slot: relationship.slot)
        else { return [] }
        let table = layout.tables[layout.tableOfEntity[entity.index]].name
        let other = layout.tables[layout.tableOfEntity[destination.index]].name
        let name = attribute.name

        func trigger(
            _ place: String, _ kind: String, on owner: String, of changed: String?, row: String, where match: String
        )
            -> String
        {
            let event = changed.map { "AFTER UPDATE OF \($0)" } ?? "AFTER INSERT"
            let function = kind == "INSERT" && place == "SOURCE" ? "InsertUpdated" : "Updated"
            return
                "CREATE TRIGGER Z_DA_\(owner)_\(entity.name)_\(name)_\(place)_\(kind) \(event) ON \(owner) FOR EACH ROW "
                + "BEGIN UPDATE \(table) SET \(column) = (SELECT \(sourceColumn) FROM \(other) WHERE Z_PK = \(row)) "
                + "WHERE \(match); SELECT NSCoreDataDATrigger\(function)AffectedObjectValue('\(table)', Z_ENT, Z_PK, "
                + "'\(name)', \(column)) FROM \(table) WHERE \(match); END"
        }
        return [
            trigger("SOURCE", "INSERT", on: table, of: nil, row: "NEW.\(reference)", where: "Z_PK = NEW.Z_PK"),
            trigger("SOURCE", "UPDATE", on: table, of: reference, row: "NEW.\(reference)", where: "Z_PK = NEW.Z_PK"),
            trigger("PARAMETER", "INSERT", on: other, of: nil, row: "NEW.Z_PK", where: "\(reference) = NEW.Z_PK"),
            trigger(
                "PARAMETER", "UPDATE", on: other, of: sourceColumn, row: "NEW.Z_PK", where: "\(reference) = NEW.Z_PK"),
        ]
    }
}
