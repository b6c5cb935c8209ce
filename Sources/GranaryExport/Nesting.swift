import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryRecords

/// The relationships whose objects an export writes inside other objects (``ExportOptions/nested``).
struct Nesting {
    /// A path of relationships.
    private struct Path {
        /// The path as it was given.
        let text: String
        /// The entity that it begins at, as an index; nil for all that have the relationship.
        let entity: Int?
        let names: ArraySlice<String>
    }

    /// What determines the columns of nested objects.
    private struct TableKey: Hashable {
        let relationship: ObjectIdentifier
        /// The rest of each path, after the relationship.
        let rest: [ArraySlice<String>]
    }

    /// Tables that were made. Subentities share an inherited relationship and so its table: their number would grow
    /// exponentially with the length of a path otherwise.
    private typealias MadeTables = [TableKey: NestedTable]

    private let schema: Schema
    private let paths: [Path]

    /// The maximum number of relationships of a path. A JSON reader accepts 128 levels, and each relationship is two.
    static let maximumDepth = 32

    /// - Throws: ``GranaryError`` with code `usage` for a path that begins at no exported entity.
    init(_ texts: [String], _ groups: [ExportPlan.Group], _ schema: Schema) throws(GranaryError) {
        self.schema = schema
        let exported = groups.flatMap(\.entities).map { schema.entities[$0] }
        var paths: [Path] = []
        for text in texts {
            var names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...]
            var entity: Int?
            if let first = names.first, !exported.contains(where: { $0.relationship(named: first) != nil }),
                let named = schema.entity(named: first)
            {
                entity = named.index
                names.removeFirst()
            }
            guard let first = names.first, names.count <= Self.maximumDepth else {
                throw GranaryError(
                    .usage, "\"\(Diagnostic.shortened(text))\" is not a path of 1 to \(Self.maximumDepth) relationships"
                )
            }
            let starts = exported.filter { entity == nil || schema.entity($0.index, isKindOf: entity ?? 0) }
            guard starts.contains(where: { $0.relationship(named: first) != nil }) else {
                let known = Set(starts.flatMap { $0.relationships.map(\.name) }).sorted()
                throw GranaryError(
                    .usage,
                    "no exported entity has the relationship \"\(Diagnostic.shortened(first))\""
                        + NearestText.hint(for: first, in: known))
            }
            paths.append(Path(text: text, entity: entity, names: names))
        }
        self.paths = paths
    }

    /// Changes the columns of a table's relationships, and adds those that it lacks.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for a path that does not fit the model, and for a relationship that
    ///   ``ExportOptions/columns`` does not list.
    func apply(
        to columns: inout [RecordTable.Column], of group: ExportPlan.Group, _ options: ExportOptions,
        _ references: inout ReferenceChoice
    ) throws(GranaryError) {
        var made: MadeTables = [:]
        try apply(paths, to: &columns, of: group, options, &references, &made)
    }

    private func apply(
        _ paths: [Path], to columns: inout [RecordTable.Column], of group: ExportPlan.Group, _ options: ExportOptions,
        _ references: inout ReferenceChoice, _ made: inout MadeTables
    ) throws(GranaryError) {
        for index in group.entities {
            let entity = schema.entities[index]
            let own = paths.filter { $0.entity.map { schema.entity(index, isKindOf: $0) } ?? true }
            let byName = Dictionary(grouping: own) { $0.names.first ?? "" }
            for (name, paths) in byName.sorted(by: { utf8Less($0.key, $1.key) }) {
                guard let relationship = entity.relationship(named: name) else { continue }
                guard relationship.isPersistent else {
                    throw GranaryError(.usage, "\(entity.name).\(name) is transient, so a store has no objects of it")
                }
                let table = try table(of: relationship, paths, options, &references, &made)
                let reference = try references.reference(to: relationship.destination, of: relationship, entity)
                let column = RecordTable.Column(
                    name: name, content: .relationship(relationship, reference), nested: table)
                let isKnown = columns.contains { $0.name == name && ($0.entity ?? index) == index }
                guard isKnown || options.columns.isEmpty else {
                    throw GranaryError(
                        .usage, "add \(name) to the columns, or do not nest it: the listed columns do not contain it")
                }
                Self.put(group.isCombined ? column.restricted(to: index) : column, into: &columns)
            }
        }
    }

    /// The table of the objects that are written inside the rows with a relationship.
    private func table(
        of relationship: Schema.Relationship, _ paths: [Path], _ options: ExportOptions,
        _ references: inout ReferenceChoice, _ made: inout MadeTables
    ) throws(GranaryError) -> NestedTable {
        let rest = paths.compactMap { path -> Path? in
            path.names.count > 1 ? Path(text: path.text, entity: nil, names: path.names.dropFirst()) : nil
        }
        let key = TableKey(relationship: ObjectIdentifier(relationship), rest: rest.map(\.names))
        if let known = made[key] { return known }
        let destination = schema.entities[relationship.destination]
        let entities = destination.family.filter { !schema.entities[$0].isAbstract }
        let group = ExportPlan.Group(
            entity: destination.index, entities: entities, rows: destination.family,
            isCombined: destination.hasSubentities)
        // A sidecar does not describe the columns of objects in objects.
        var inner = options
        inner.columns = []
        inner.blobs = .inline
        var columns = try ExportPlan.columns(of: group, schema, inner, nil, &references)
        let inverse = toOneInverse(of: relationship)
        if let inverse { columns.removeAll { $0.isRelationship && $0.name == inverse.name } }
        for path in rest {
            let name = path.names.first ?? ""
            guard entities.contains(where: { schema.entities[$0].relationship(named: name) != nil }) else {
                let known = Set(entities.flatMap { schema.entities[$0].relationships.map(\.name) }).sorted()
                throw GranaryError(
                    .usage,
                    "\(Diagnostic.shortened(path.text)): \(destination.name) has no relationship "
                        + "\"\(Diagnostic.shortened(name))\"" + NearestText.hint(for: name, in: known))
            }
            if let inverse, inverse.name == name {
                throw GranaryError(
                    .usage,
                    "\(Diagnostic.shortened(path.text)): \(destination.name).\(name) leads back to the object around it; "
                        + "name the entity at the start of the path, such as ENTITY.\(Diagnostic.shortened(path.text))"
                )
            }
        }
        try apply(rest, to: &columns, of: group, inner, &references, &made)
        let table = NestedTable(
            RecordTable(
                entity: destination.index, columns: [RecordTable.Column.identifier] + columns,
                search: StoreSearch(entities: destination.family)), inverse: inverse)
        made[key] = table
        return table
    }

    /// The inverse that the place of an object in another one determines.
    private func toOneInverse(of relationship: Schema.Relationship) -> Schema.Relationship? {
        guard let inverse = relationship.inverse else { return nil }
        let other = schema.entities[inverse.owner].relationships[inverse.relationship]
        return other.isPersistent && !other.isToMany ? other : nil
    }

    /// Replaces the column of the same name and entity, or adds the column among the relationships, which are sorted by
    /// name.
    private static func put(_ column: RecordTable.Column, into columns: inout [RecordTable.Column]) {
        if let index = columns.firstIndex(where: { $0.name == column.name && $0.entity == column.entity }) {
            columns[index] = column
            return
        }
        let sameName = columns.lastIndex { $0.name == column.name }.map { $0 + 1 }
        let next = columns.firstIndex { $0.isRelationship && utf8Less(column.name, $0.name) }
        columns.insert(column, at: sameName ?? next ?? columns.count)
    }

    /// The tables in the order of writing: those with objects inside their rows first, and of these the ones whose rows
    /// are inside no other row. So an object is inside another one where that is possible.
    static func inOrder(_ tables: [RecordTable]) -> [RecordTable] {
        var owners = tables.filter { $0.columns.contains { $0.nested != nil } }
        guard !owners.isEmpty else { return tables }
        let others = tables.filter { !$0.columns.contains { $0.nested != nil } }
        var ordered: [RecordTable] = []
        while !owners.isEmpty {
            let first = owners.firstIndex { table in
                !owners.contains { $0.entity != table.entity && $0.contains(table.search.entities) }
            }
            ordered.append(owners.remove(at: first ?? 0))
        }
        return ordered + others
    }
}

extension RecordTable {
    /// Whether objects of some entities can be inside its rows.
    fileprivate func contains(_ entities: Range<Int>) -> Bool {
        nestedTables.contains { $0.table.search.entities.overlaps(entities) }
    }
}

extension RecordTable.Column {
    fileprivate var isRelationship: Bool { if case .relationship = content { true } else { false } }
}
