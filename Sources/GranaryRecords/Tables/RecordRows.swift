import Foundation
import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Writes the rows of batches as the records of one table.
///
/// Most columns are attributes and references by id. For these the table is kept as ``Field``s: values without
/// references to objects, so that no reference count changes for each value. Threads may share it.
final class RecordRows: Sendable {
    private enum Kind: UInt8 {
        case identifier
        case attribute
        case referenceByID
        /// A column that ``write(_:_:_:_:_:links:into:json:)`` writes.
        case other
    }

    private struct Field {
        let kind: Kind
        let type: AttributeType
        let slot: Int32
        /// The index of the column in the table.
        let column: Int32
        /// The index of the column in the output.
        let place: Int32
    }

    let table: RecordTable
    let schema: Schema
    private let fields: [Field]
    /// The first entity of the table, and the fields of the rows of each entity from it on.
    private let firstEntity: Int
    private let ranges: [Range<Int>]
    /// A copy of the schema's prefixes, so that no reference is followed for each value.
    private let prefixes: Schema.ObjectPrefixes
    /// The slots whose values may be in files that have not been read.
    private let fileSlots: [Int: [Int]]

    /// - Parameters:
    ///   - showsArchives: whether the contents of archives are shown as JSON.
    ///   - checksReferences: whether references by id to missing objects are refused.
    init(_ table: RecordTable, _ schema: Schema, showsArchives: Bool, checksReferences: Bool) {
        self.table = table
        self.schema = schema
        var fields: [Field] = []
        let entities = table.search.entities.clamped(to: schema.entities.indices)
        firstEntity = entities.lowerBound
        var ranges: [Range<Int>] = []
        var fileSlots: [Int: [Int]] = [:]
        for entity in entities {
            let start = fields.count
            for index in table.columns(ofRowsOf: entity) {
                let column = table.columns[index]
                var kind = Kind.other
                var (slot, type) = (0, AttributeType.undefined)
                switch column.content {
                case .identifier: kind = .identifier
                case .attribute(let attribute):
                    (slot, type) = (attribute.slot, attribute.type)
                    let isJSON = column.mayHoldJSON || showsArchives && column.mayHoldArchives
                    if !column.isFile, !isJSON { kind = .attribute }
                    if attribute.type == .binary || attribute.type == .transformable {
                        fileSlots[entity, default: []].append(slot)
                    }
                case .relationship(let relationship, .id)
                where !relationship.isToMany && !checksReferences && column.nested == nil:
                    (slot, kind) = (relationship.slot, .referenceByID)
                case .entityName, .relationship, .computed: break
                }
                fields.append(
                    Field(
                        kind: kind, type: type, slot: Int32(truncatingIfNeeded: slot),
                        column: Int32(truncatingIfNeeded: index), place: Int32(truncatingIfNeeded: table.places[index])
                    ))
            }
            ranges.append(start..<fields.count)
        }
        self.fields = fields
        self.ranges = ranges
        self.fileSlots = fileSlots
        prefixes = schema.objectPrefixes
    }

    /// Whether a value of the batch is in a file that has not been read.
    func hasFiles(_ batch: borrowing RowBatch) -> Bool {
        guard !fileSlots.isEmpty else { return false }
        for row in batch.rows.indices {
            for slot in fileSlots[Int(batch.rows[row].entity)] ?? [] {
                if case .file = batch[row, slot] { return true }
            }
        }
        return false
    }

    /// What rare columns need besides the rows.
    struct WriteOptions {
        /// Receives the values of columns that are written to files of their own.
        var files: ValueFolder?
        /// If given, numbers that their attributes cannot have are noted here and written as they are stored.
        var irregular: IrregularValues?
        /// Writes objects inside rows.
        var nested: NestedRecords?
        /// Computed columns are evaluated with it.
        var related: RowSubject.Cache?
        /// The rows for computed columns.
        var subjects = RowBatch()
    }

    /// Writes all rows of a batch that were not written inside others.
    ///
    /// - Returns: the number of rows.
    /// - Throws: ``GranaryError`` with code `refused`, with object and property, for a cell that is not a value of its
    ///   attribute, a reference to a missing object, or a value that the format cannot hold.
    func write<Writer: ValueWriter>(
        _ batch: borrowing RowBatch, links: inout BatchLinks, into writer: Writer,
        _ options: WriteOptions = WriteOptions()
    ) throws -> Int {
        // Formats with JSON show the contents of archives.
        let hasJSON = table.columns.contains { $0.mayHoldArchives || $0.mayHoldJSON }
        let json = hasJSON ? (writer as? any JSONValueWriter) : nil
        var name = ByteBuffer()
        var count = 0
        for row in batch.rows.indices {
            let header = batch.rows[row]
            if let nested = options.nested, !nested.takes(header) {
                links.skip(owner: header.key)
                continue
            }
            count += 1
            try writer.beginRow()
            let place = Int(header.entity) - firstEntity
            let range = ranges.indices.contains(place) ? ranges[place] : 0..<0
            var index = range.lowerBound
            while index < range.upperBound {
                // The fields that need nothing but the row's cells are written in one loop.
                index = try writePlain(index..<range.upperBound, header, of: batch, &name, into: writer)
                guard index < range.upperBound else { break }
                let field = fields[index]
                index += 1
                let column = table.columns[Int(field.column)]
                do {
                    try write(
                        column, Int(field.column), Int(field.place), row, of: batch, links: &links, into: writer,
                        json: json, options)
                } catch let error as GranaryError {
                    throw error.about(batch, row: row, property: column.name, schema)
                }
            }
            try writer.endRow()
        }
        return count
    }

    /// Writes fields that need only the cells of the row. Stops at the first field that needs more, or whose cell is
    /// not a valid value, and returns its index.
    @inline(__always)
    private func writePlain<Writer: ValueWriter>(
        _ range: Range<Int>, _ header: RowBatch.Header, of batch: borrowing RowBatch, _ name: inout ByteBuffer,
        into writer: Writer
    ) throws(GranaryError) -> Int {
        try fields.withUnsafeBufferPointer { (fields) throws(GranaryError) in
            try batch.cells.withUnsafeBufferPointer { (cells) throws(GranaryError) in
                try batch.bytes.withUnsafeBufferPointer { (bytes) throws(GranaryError) in
                    var index = range.lowerBound
                    while index < range.upperBound {
                        let field = fields[index]
                        let place = Int(field.place)
                        switch field.kind {
                        case .attribute:
                            let value: BorrowedValue
                            do throws(CellMismatch) {
                                value = try cells[header.firstCell &+ Int(field.slot)].value(as: field.type, in: bytes)
                            } catch {
                                return index
                            }
                            if !field.type.holds(value) { return index }
                            do throws(GranaryError) {
                                try writer.write(value, column: place)
                            } catch {
                                throw error.about(header, property: table.columns[Int(field.column)].name, schema)
                            }
                        case .identifier:
                            setName(entity: Int(header.entity), key: header.key, &name)
                            try writer.write(.text(name.bytes), column: place)
                        case .referenceByID:
                            switch cells[header.firstCell &+ Int(field.slot)] {
                            case .null: try writer.write(.null, column: place)
                            case .reference(let key, let entity):
                                setName(entity: Int(entity), key: key, &name)
                                try writer.write(.text(name.bytes), column: place)
                            default: return index
                            }
                        case .other: return index
                        }
                        index &+= 1
                    }
                    return index
                }
            }
        }
    }

    /// Sets `name` to an object's name, as ``Schema/objectName(entity:key:)`` gives it.
    @inline(__always)
    private func setName(entity: Int, key: Int64, _ name: inout ByteBuffer) {
        name.removeAll()
        prefixes.bytes.withUnsafeBufferPointer {
            name.append(contentsOf: UnsafeBufferPointer(rebasing: $0[prefixes.ranges[entity]]))
        }
        name.append(integer: key)
    }
}

extension AttributeType {
    /// Whether an integer is in the range of the type, and a `Float` is finite: the stored double can be too large.
    @inline(__always)
    fileprivate func holds(_ value: BorrowedValue) -> Bool {
        switch (self, value) {
        case (.integer16, .integer(let number)): Int64(Int16(truncatingIfNeeded: number)) == number
        case (.integer32, .integer(let number)): Int64(Int32(truncatingIfNeeded: number)) == number
        case (.float, .float(let number)): number.isFinite
        default: true
        }
    }
}
