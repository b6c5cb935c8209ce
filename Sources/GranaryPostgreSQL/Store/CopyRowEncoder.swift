#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// Encodes rows for COPY. The threads that parse rows share an encoder, so that the thread that writes only sends bytes.
    final class CopyRowEncoder: RowEncoder {
        /// A written column of an entity's table.
        struct Column: BitwiseCopyable {
            /// -1 if the entity does not have the column, or if the column is not written.
            let slot: Int
            let type: SQLType
            let isRequired: Bool
            let isIndexed: Bool
        }

        struct Plan: Sendable {
            /// The field with the name of the entity.
            let entity: FieldBuffer
            let columns: [Column]
            /// The number of fields, with the primary key.
            var fieldCount: Int16 { Int16(truncatingIfNeeded: columns.count + 3) }
        }

        /// A row that the server could refuse. COPY must not insert it together with others.
        struct Doubt: Error {}

        /// The plan of each entity.
        private let plans: [Plan]
        /// An entry of an index has at most 2,704 bytes, of which some are not values.
        private static let indexedBytes = 2_000

        init(_ store: PostgreSQLStore) {
            plans = store.schema.entities.map { entity in
                var name = FieldBuffer()
                name.appendField(entity.name.utf8)
                guard let plan = store.plan(of: entity.index) else { return Plan(entity: name, columns: []) }
                let columns = zip(plan.written, plan.writtenSlots[entity.index - plan.root]).map { column, slot in
                    Column(
                        slot: slot ?? -1, type: column.type, isRequired: column.isRequired, isIndexed: column.isIndexed)
                }
                return Plan(entity: name, columns: columns)
            }
        }

        /// Encodes all rows except those that a column cannot hold, that the server could refuse, and that contain files.
        func encode(_ batch: inout RowBatch) {
            let reused = batch.encoded as? EncodedCopyRows
            let encoded = reused ?? EncodedCopyRows()
            if reused == nil { batch.encoded = encoded }
            batch.bytes.withUnsafeBufferPointer { bytes in
                batch.cells.withUnsafeBufferPointer { cells in
                    for index in batch.rows.indices {
                        let row = batch.rows[index]
                        do {
                            try encoded.add { try append(row, cells, bytes, to: &$0, isSafe: true, withFiles: false) }
                        } catch { continue }
                        batch.rows[index].encoded = Int32(truncatingIfNeeded: encoded.count - 1)
                    }
                }
            }
        }

        /// Appends the number of fields and the primary key of a row.
        func appendKey(of row: RowBatch.Header, to buffer: inout FieldBuffer) {
            buffer.append(plans[Int(row.entity)].fieldCount)
            buffer.appendField(row.key)
        }

        /// Appends the fields of a row after its primary key.
        ///
        /// - Parameter isSafe: whether to throw ``Doubt`` if the server could refuse the row.
        /// - Throws: ``CellRefusal`` for a value that its column cannot hold; errors of a file.
        func append(
            _ row: RowBatch.Header, _ cells: UnsafeBufferPointer<StoredCell>, _ bytes: UnsafeBufferPointer<UInt8>,
            to buffer: inout FieldBuffer, isSafe: Bool, withFiles: Bool = true
        ) throws {
            let plan = plans[Int(row.entity)]
            buffer.append(plan.entity.bytes[...])
            buffer.appendField(row.version)
            var indexed = 0
            for column in plan.columns {
                let cell = column.slot < 0 ? .null : cells[row.firstCell + column.slot]
                switch cell {
                case .null where column.isRequired && isSafe: throw Doubt()
                case .file where !withFiles: throw Doubt()
                case .text(_, let count) where column.isIndexed, .blob(_, let count) where column.isIndexed:
                    indexed += Int(count)
                default: break
                }
                try CellEncoder.append(cell, bytes, column.type, to: &buffer)
            }
            if isSafe, indexed > Self.indexedBytes { throw Doubt() }
        }
    }
#endif
