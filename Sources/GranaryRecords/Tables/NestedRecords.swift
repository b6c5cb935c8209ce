package import GranaryBase
package import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Writes objects inside the rows of other objects. Each object is written once: as a row, or inside the first object
/// that refers to it. Later references to it are written as references, unless objects are repeated.
///
/// It reads the objects of one owner in batches. For hierarchies with nested objects, the memory also contains a
/// ``KeySet`` of the objects that were written. The recursion is as deep as the nesting of the tables, which the
/// export's options determine.
package final class NestedRecords {
    private let store: any StoreBackend
    private let irregular: IrregularValues
    private let cancellation: Cancellation?
    /// Whether an object is written inside every object that refers to it.
    private let repeats: Bool
    /// The entities that have a table of their own.
    private let tables: Set<Int>
    /// The keys of the objects that were written, by the roots of hierarchies with nested objects.
    private var written: [Int: KeySet] = [:]
    /// The numbers of the columns in the writer of the current table.
    private var numbers: [ObjectIdentifier: Int] = [:]
    /// The rows of the nested tables of the current table.
    private var rows: [ObjectIdentifier: RecordRows] = [:]
    /// The number of objects that were written inside others.
    package private(set) var count = 0

    private static let batchRows = 256

    /// - Parameters:
    ///   - tables: all tables of the export.
    ///   - repeats: whether an object is written inside every object that refers to it. It still has no row of its own.
    ///   - irregular: as for
    ///     ``StoreBackend/writeRecords(of:batchSize:into:files:irregular:nested:cancellation:contains:)``.
    package init(
        _ tables: [RecordTable], _ store: any StoreBackend, repeats: Bool = false, irregular: IrregularValues,
        cancellation: Cancellation?
    ) {
        self.repeats = repeats
        self.store = store
        self.irregular = irregular
        self.cancellation = cancellation
        self.tables = Set(tables.flatMap(\.search.entities))
        for table in tables.flatMap(\.nestedTables) {
            written[store.schema.entities[table.table.entity].root] = KeySet()
        }
    }

    /// Passes the columns of a table's nested objects to its writer.
    func begin(_ table: RecordTable, _ writer: some ValueWriter) throws {
        numbers.removeAll()
        rows.removeAll()
        let nested = table.nestedTables
        guard !nested.isEmpty else { return }
        guard let writer = writer as? any NestingWriter else {
            throw GranaryError(.usage, "this format cannot contain nested objects; export JSON or a property list")
        }
        for table in nested {
            rows[ObjectIdentifier(table)] = RecordRows(
                table.table, store.schema, showsArchives: writer is any JSONValueWriter, checksReferences: false)
            numbers[ObjectIdentifier(table)] = try writer.addObjectColumns(
                table.table.names, entity: store.schema.entities[table.table.entity].name,
                columnsNeedingNull: table.table.columnsNeedingNull)
        }
    }

    /// Whether a row is written by its table. False if it was written inside another row.
    func takes(_ row: RowBatch.Header) -> Bool {
        let root = store.schema.entities[Int(row.entity)].root
        guard written[root] != nil else { return true }
        return written[root]?.insert(row.key) ?? true
    }

    /// Whether an object was written and is a reference from now on.
    private func isWritten(_ object: Member) -> Bool {
        !repeats && (written[object.root]?.contains(object.key) ?? false)
    }

    /// An object that a relationship refers to.
    private struct Member: Hashable {
        let root: Int
        let entity: Int
        let key: Int64
    }

    /// Writes the objects of a relationship: inside the row, or as references.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if an ordered list would contain both and the references would
    ///   lead to objects that are not exported.
    func write(
        _ column: RecordTable.Column, _ nested: NestedTable, _ index: Int, _ place: Int, _ row: Int,
        of batch: borrowing RowBatch, _ rows: RecordRows, links: inout BatchLinks, into writer: some ValueWriter
    ) throws {
        guard case .relationship(let relationship, _) = column.content else { return }
        let owner = batch.rows[row].key
        guard relationship.isToMany else {
            guard case .reference(let key, let entity) = batch[row, relationship.slot] else {
                var options = RecordRows.WriteOptions()
                options.irregular = irregular
                return try rows.write(
                    column, index, place, row, of: batch, links: &links, into: writer, json: nil, options)
            }
            let member = Member(root: root(Int(entity)), entity: Int(entity), key: key)
            return try write([member], of: nested, owner: owner, column: place, into: writer) { member in
                try links.withReference(column: index, entity: member.entity, key: member.key, store.schema) {
                    try writer.write($0, column: place)
                }
            }
        }
        var members: [Member] = []
        while let link = links.nextLink(column: index, owner: owner) {
            members.append(Member(root: root(link.entity), entity: link.entity, key: link.destination))
        }
        try writer.beginList(column: place)
        func refer(_ member: Member) throws {
            try links.withReference(column: index, entity: member.entity, key: member.key, store.schema) {
                try writer.writeElement($0)
            }
        }
        // An import sets the references of a list before its objects, so a mixed list would lose its order.
        let isWhole = relationship.description.isOrdered
        if isWhole, try !canNest(all: members, of: nested, owner: owner) {
            for member in members {
                guard isWritten(member) || tables.contains(member.entity) else {
                    throw GranaryError(
                        Diagnostic(
                            .relationshipTaken,
                            "the ordered list contains \(store.schema.objectName(entity: member.entity, key: member.key))"
                                + " and objects that other objects contain; export the table of "
                                + "\(store.schema.entities[member.entity].name) too, or without --nested \(column.name)"
                        ))
                }
                try refer(member)
            }
        } else {
            // One member of the list can refer to another, which must not be written inside it.
            if isWhole { for member in members { _ = written[member.root]?.insert(member.key) } }
            try write(
                members, of: nested, owner: owner, column: nil, areTaken: isWhole, into: writer, reference: refer)
        }
        try writer.endList()
    }

    private func root(_ entity: Int) -> Int { store.schema.entities[entity].root }

    /// Whether all objects of a list can be written inside the row. Each is in the list once and was not written yet.
    private func canNest(all members: [Member], of nested: NestedTable, owner: Int64) throws -> Bool {
        guard Set(members).count == members.count else { return false }
        var rest = members[...]
        while let first = rest.first {
            try cancellation?.check()
            let part = rest.prefix(Self.batchRows)
            rest = rest.dropFirst(Self.batchRows)
            guard part.allSatisfy({ !isWritten($0) && $0.root == first.root }) else { return false }
            guard try read(part, nested, owner: owner, areTaken: false).rows.count == part.count else { return false }
        }
        return true
    }

    /// Writes members of one owner, in their order.
    ///
    /// - Parameters:
    ///   - column: the column of a to-one relationship; nil for elements of a list.
    ///   - areTaken: whether the members are noted as written, and all are written here.
    ///   - reference: writes a member as a reference.
    private func write(
        _ members: [Member], of nested: NestedTable, owner: Int64, column: Int?, areTaken: Bool = false,
        into writer: some ValueWriter, reference: (Member) throws -> Void
    ) throws {
        guard let number = numbers[ObjectIdentifier(nested)], let rows = rows[ObjectIdentifier(nested)],
            let objects = writer as? any NestingWriter
        else {
            throw GranaryError(.internalDefect, "the writer has no columns for nested objects")
        }
        var rest = members[...]
        while !rest.isEmpty {
            try cancellation?.check()
            let part = rest.prefix(Self.batchRows)
            rest = rest.dropFirst(Self.batchRows)
            let batch = try read(part, nested, owner: owner, areTaken: areTaken)
            var loader = TableLinks(nested.table, store: store, contains: nil)
            var links = try loader.load(batch)
            var next = 0
            for member in part {
                guard next < batch.rows.count, batch.rows[next].key == member.key else {
                    try reference(member)
                    continue
                }
                let row = next
                next += 1
                // An object before it in the batch can contain it.
                let isNew = areTaken || takes(batch.rows[row])
                guard isNew || repeats else {
                    links.skip(owner: member.key)
                    try reference(member)
                    continue
                }
                try objects.beginObject(number, column: column)
                try writeCells(row, of: batch, rows, links: &links, into: writer)
                try objects.endObject()
                count += 1
            }
        }
    }

    /// Reads the members that can be written inside their owner, in the order of the members. Such a member exists, its
    /// to-one inverse leads to the owner, and it was not written yet. If `areTaken` is true, the members were noted as
    /// written before, which does not exclude them.
    private func read(
        _ members: ArraySlice<Member>, _ nested: NestedTable, owner: Int64, areTaken: Bool
    ) throws -> RowBatch {
        guard let root = members.first?.root else { return RowBatch() }
        var wanted: [Int64] = []
        var known: Set<Int64> = []
        for member in members where member.root == root && (areTaken || !isWritten(member)) {
            if known.insert(member.key).inserted { wanted.append(member.key) }
        }
        guard !wanted.isEmpty else { return RowBatch() }
        var batch = try store.read(root: root, keys: wanted)
        var rows: [Int64: RowBatch.Header] = [:]
        for row in batch.rows.indices {
            guard nested.table.search.entities.contains(Int(batch.rows[row].entity)) else { continue }
            if let inverse = nested.inverse {
                guard case .reference(let key, _) = batch[row, inverse.slot], key == owner else { continue }
            }
            rows[batch.rows[row].key] = batch.rows[row]
        }
        batch.rows = wanted.compactMap { rows[$0] }
        return batch
    }

    /// Writes the values of a nested object.
    private func writeCells(
        _ row: Int, of batch: borrowing RowBatch, _ rows: RecordRows, links: inout BatchLinks,
        into writer: some ValueWriter
    ) throws {
        var options = RecordRows.WriteOptions()
        (options.irregular, options.nested) = (irregular, self)
        let table = rows.table
        for index in table.columns(ofRowsOf: Int(batch.rows[row].entity)) {
            let column = table.columns[index]
            do {
                let json = column.mayHoldArchives || column.mayHoldJSON ? (writer as? any JSONValueWriter) : nil
                try rows.write(
                    column, index, table.places[index], row, of: batch, links: &links, into: writer, json: json, options
                )
            } catch let error as GranaryError {
                var named = error.about(batch, row: row, property: column.name, store.schema)
                if named.underlying == nil { named.underlying = error }
                throw named
            }
        }
    }
}

extension RecordTable {
    /// The tables of the objects inside its rows, at any depth, each once: several columns can share one.
    package var nestedTables: [NestedTable] {
        var found: [NestedTable] = []
        var known: Set<ObjectIdentifier> = []
        var rest = columns.compactMap(\.nested)
        while let table = rest.popLast() {
            guard known.insert(ObjectIdentifier(table)).inserted else { continue }
            found.append(table)
            rest += table.table.columns.compactMap(\.nested)
        }
        return found
    }
}
