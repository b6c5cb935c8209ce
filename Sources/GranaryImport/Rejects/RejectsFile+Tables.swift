import GranaryBase
import GranaryFormats
import GranaryRecords

/// Tables of rejected records with their reasons (`--rejects-format csv`).
extension RejectsFile {
    /// Writes the rejected records of a source: delimited ones of one kind to one table, those of other sources to a
    /// table for each entity.
    ///
    /// - Returns: the number of records that were found.
    func writeTable(of entry: Rejected, number: Int, _ reasons: RejectReasons) throws(GranaryError) -> Int {
        guard let preamble = entry.preamble else { return try writeObjects(of: entry, number: number, reasons) }
        let rows = DelimitedRejectsRows(preamble)
        let writer = try writer(of: kind(of: entry, nil, number: number)) { (target) throws(GranaryError) in
            try RejectsTableWriter(target, columns: rows.columns, preamble)
        }
        guard let writer = writer as? RejectsTableWriter else { return 0 }
        return try forEachKept(of: entry, number: number) { (record, raw) throws(GranaryError) in
            try writer.append(
                try rows.row(
                    raw, of: entry.source.name,
                    reasons.diagnostics(of: record, in: number, rejected: entry.records)))
        }
    }

    // MARK: Records as JSON

    /// A rejected record as JSON.
    private struct Object {
        let number: Int
        let line: Int
        /// The record as it was found, or as a line of JSON; empty if it is not known.
        let json: [UInt8]
        /// The members, as far as they are known.
        let members: [(name: [UInt8], value: JSONMembers.Value)]
        /// Whether the record is malformed, so that the members are not all.
        let isMalformed: Bool
        /// The entity that the source names.
        let entity: String?
    }

    /// The columns of a table.
    private struct Columns {
        var names: [[UInt8]] = []
        var indexes: [[UInt8]: Int] = [:]

        mutating func add(_ name: [UInt8]) {
            guard name != Self.record, indexes[name] == nil else { return }
            indexes[name] = names.count
            names.append(name)
        }

        static let record = Array(RejectsTableColumns.record.utf8)
        static let entity = Array(RecordTable.entityColumn.utf8)
    }

    private func writeObjects(
        of entry: Rejected, number: Int, _ reasons: RejectReasons
    ) throws(GranaryError) -> Int {
        var order: [String?] = []
        var columns: [String?: Columns] = [:]
        // The columns are known after the last record.
        _ = try forEachObject(of: entry, number: number) { (object) throws(GranaryError) in
            if columns[object.entity] == nil {
                order.append(object.entity)
                columns[object.entity] = Columns()
                if object.entity != nil { columns[object.entity]?.add(Columns.entity) }
            }
            for member in object.members { columns[object.entity]?.add(member.name) }
        }
        // A malformed record has no entity of its own, so it goes to the first table that has columns.
        var writers: [String?: RejectsTableWriter] = [:]
        for entity in order where entity != nil || order.count == 1 || !(columns[nil]?.names.isEmpty ?? true) {
            let target = try nextTarget(fileExtension: "csv")
            let writer = try RejectsTableWriter(target, columns: columns[entity]?.names ?? [], nil)
            add(writer, target)
            writers[entity] = writer
        }
        let first = order.first { writers[$0] != nil } ?? nil
        return try forEachObject(of: entry, number: number) { (object) throws(GranaryError) in
            let table = writers[object.entity] == nil ? first : object.entity
            guard let writer = writers[table], let columns = columns[table] else { return }
            note(object, entry)
            try writer.append(
                Self.row(
                    object, columns, entry,
                    reasons.diagnostics(of: object.number, in: number, rejected: entry.records)))
        }
    }

    /// Notes the relationships that contain objects.
    private func note(_ object: Object, _ entry: Rejected) {
        for (name, value) in object.members where value.containsObjects {
            let role = entry.properties?.member(name, entity: object.entity).role
            guard role == .toOne || role == .toMany else { continue }
            nestedColumns.insert(String(decoding: name, as: UTF8.self))
        }
    }

    private static func row(
        _ object: Object, _ columns: Columns, _ entry: Rejected, _ reasons: [Diagnostic]
    ) -> RejectsTableWriter.Row {
        var row = RejectsTableWriter.Row(source: entry.source.name, line: object.line, reasons: reasons)
        row.cells = Array(repeating: nil, count: columns.names.count)
        let cells = RejectsCells(entry.properties, entity: object.entity, reasons)
        var isExact = !object.isMalformed
        var isAbsent = Array(repeating: true, count: columns.names.count)
        for (name, value) in object.members {
            guard let column = columns.indexes[name] else {
                isExact = false
                continue
            }
            let (cell, isSame) = cells.cell(name, value)
            isAbsent[column] = false
            row.cells[column] = cell
            isExact = isExact && isSame
        }
        for (column, name) in columns.names.enumerated() where isAbsent[column] {
            if name == Columns.entity, let entity = object.entity {
                row.cells[column] = RejectsCell(text: Array(entity.utf8))
            } else if cells.member(name).role != .ignored {
                // An empty field would be NULL, which replaces a value or a default.
                isExact = false
            }
        }
        if !isExact { row.record = object.json.isEmpty ? Array(RejectsTableColumns.unreadable.utf8) : object.json }
        return row
    }

    private func forEachObject(
        of entry: Rejected, number: Int, _ body: (Object) throws(GranaryError) -> Void
    ) throws(GranaryError) -> Int {
        func take(
            _ json: [UInt8], _ members: [(name: [UInt8], value: JSONMembers.Value)]?, number: Int, line: Int,
            entity: String?, isMalformed: Bool = false
        ) throws(GranaryError) {
            var entity = entity
            for (name, value) in members ?? [] where name == Columns.entity {
                if case .text(let own) = value { entity = String(decoding: own, as: UTF8.self) }
            }
            try body(
                Object(
                    number: number, line: line, json: json, members: members ?? [],
                    isMalformed: isMalformed || members == nil, entity: entity))
        }
        if entry.keepsLines {
            return try forEachKept(of: entry, number: number) { (record, raw) throws(GranaryError) in
                try take(raw, JSONMembers.read(raw), number: record, line: record, entity: nil)
            }
        }
        // Without the hints of the first reader, which make columns of members of members.
        let reader = try open(entry, takesHints: false)
        let text = RejectedText(reader, entry.properties)
        return try entry.records.forEach(in: reader) { (record, isComplete) throws(GranaryError) in
            let entity =
                reader.entities.indices.contains(Int(record.entity)) ? reader.entities[Int(record.entity)] : nil
            let json = text.json(of: record, isComplete: isComplete)
            let members = isComplete ? JSONMembers.read(json) : text.knownMembers(of: record)
            try take(
                json, members, number: record.number, line: record.line, entity: entity, isMalformed: !isComplete)
        }
    }
}
