#if PostgreSQL
    import GranaryBase
    import GranaryCoordination
    import GranaryModel

    /// Appends the rows of results to batches.
    final class RowReader {
        private let schema: Schema
        private let plan: RowPlan
        private let source: String
        /// The names of the hierarchy's entities, as bytes.
        private let names: [[UInt8]]
        /// The entity of the row before, which mostly is that of the next row.
        private var last = 0

        init(_ plan: RowPlan, _ schema: Schema, source: String) {
            self.plan = plan
            self.schema = schema
            self.source = source
            names = schema.entities[plan.root].family.map { Array(schema.entities[$0].name.utf8) }
        }

        /// - Throws: ``GranaryError`` with a diagnostic (`store.corrupt`) if the row contradicts the model.
        func append(_ row: some SQLRow, to batch: inout RowBatch) throws {
            guard let key = row.integer(0), let version = row.integer(2) else {
                throw corrupt("a row has no key or no version")
            }
            guard version >= 0, version < .max else { throw corrupt("the version of p\(key) is \(version)") }
            guard let place = place(of: row.value(1)) else {
                throw corrupt("p\(key) has the entity \"\(Diagnostic.shortened(row.text(1) ?? ""))\"")
            }
            let entity = plan.root + place
            let slots = schema.entities[entity].slotCount
            let index = batch.appendRow(entity: entity, key: key, version: version, slotCount: slots)
            let first = batch.rows[index].firstCell
            for field in plan.fields[place] {
                guard let value = row.value(field.index) else { continue }
                guard value.count <= Int(UInt32.max) - batch.bytes.count else {
                    throw GranaryError(
                        Diagnostic(.limitExceeded, "\(name(key)): the row has more than \(UInt32.max) bytes of values"))
                }
                guard let cell = try cell(value, field, row, &batch) else {
                    let property = schema.entities[entity].attributes.first { $0.slot == field.slot }?.name
                    throw corrupt("p\(key) has an invalid value", property)
                }
                batch.cells[first + field.slot] = cell
            }
        }

        /// The index of an entity within the hierarchy.
        private func place(of name: UnsafeBufferPointer<UInt8>?) -> Int? {
            guard let name else { return nil }
            if names[last].elementsEqual(name) { return last }
            guard let place = names.firstIndex(where: { $0.elementsEqual(name) }) else { return nil }
            last = place
            return place
        }

        /// Nil if the bytes are not a value of the attribute.
        private func cell(
            _ value: UnsafeBufferPointer<UInt8>, _ field: RowPlan.Field, _ row: some SQLRow, _ batch: inout RowBatch
        ) throws -> StoredCell? {
            guard let attribute = field.attribute else {
                guard let target = BinaryValue.integer(value) else { return nil }
                let name = field.entityIndex.flatMap { row.value($0) }
                let entity = name.flatMap { destination($0, field.destination) } ?? field.destination
                return .reference(key: target, entity: Int32(truncatingIfNeeded: entity))
            }
            switch field.type {
            case .smallint, .integer, .bigint: return BinaryValue.integer(value).map { .integer($0) }
            case .boolean: return value.first.map { .integer($0 == 0 ? 0 : 1) }
            case .doublePrecision:
                guard let number = BinaryValue.number(value), number.isFinite else { return nil }
                return attribute == .date ? batch.cell(for: .date(number)) : .real(number)
            case .real:
                guard let number = BinaryValue.number(value), number.isFinite else { return nil }
                return .real(number)
            case .numeric: return NumericValue.read(value).map { batch.cell(for: .decimal($0)) }
            case .text:
                let start = copy(value, &batch)
                return .text(start: start, count: UInt32(truncatingIfNeeded: value.count))
            case .bytea, .uuid:
                let start = copy(value, &batch)
                return .blob(start: start, count: UInt32(truncatingIfNeeded: value.count))
            default: return nil
            }
        }

        private func copy(_ value: UnsafeBufferPointer<UInt8>, _ batch: inout RowBatch) -> UInt32 {
            let start = UInt32(truncatingIfNeeded: batch.bytes.count)
            batch.bytes.append(contentsOf: value)
            return start
        }

        private func destination(_ name: UnsafeBufferPointer<UInt8>, _ declared: Int) -> Int? {
            schema.entities[declared].family.first { schema.entities[$0].name.utf8.elementsEqual(name) }
        }

        private func name(_ key: Int64) -> String { "\(source): \(plan.table.name)/p\(key)" }

        private func corrupt(_ message: String, _ property: String? = nil) -> GranaryError {
            GranaryError(
                Diagnostic(
                    .storeCorrupt, "\(source): \(plan.table.name): \(message)", entity: schema.entities[plan.root].name,
                    property: property))
        }
    }
#endif
