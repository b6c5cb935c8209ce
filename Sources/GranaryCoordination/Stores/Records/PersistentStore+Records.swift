import Foundation
package import GranaryBase
package import GranaryFormats
package import GranaryModel

extension PersistentStore {
    /// Writes the objects of a table as records, in the order of its search. Exports and archives both use it.
    ///
    /// - Parameter contains: whether an object of an entity and key exists. If given, references by id to missing
    ///   objects are rejected; otherwise they are written unchecked.
    /// - Returns: the number of objects.
    /// - Throws: ``GranaryError`` with code `refused`, with object and property, for a cell that is not a value of its
    ///   attribute, a reference to a missing object, or a value that the format cannot hold.
    @discardableResult
    package func writeRecords(
        of table: RecordTable, batchSize: Int, into writer: some ValueWriter,
        cancellation: Cancellation? = nil, contains: ((_ entity: Int, _ key: Int64) -> Bool)? = nil
    ) throws -> Int {
        try writer.beginTable(entity: schema.entities[table.entity].name, columns: table.columns.map(\.name))
        // Property lists have no NULL; other formats write it anyway.
        if let list = writer as? PropertyListWriter { list.columnsNeedingNull = table.columnsNeedingNull }
        // Formats with JSON show the contents of archives.
        let json = table.columns.contains(where: \.mayHoldArchives) ? (writer as? any JSONValueWriter) : nil
        let stream = writer as? any BinaryStreamWriter
        var links = TableLinks(table, store: self, contains: contains)
        let related = table.hasComputedColumns ? RowSubject.Cache(self) : nil
        var count = 0
        try search(table.search, batchSize: batchSize) { batch in
            try links.load(batch)
            var rows = RowBatch()
            if related != nil { rows = copy batch }
            for row in batch.rows.indices {
                try cancellation?.check()
                try writer.beginRow()
                for (index, column) in table.columns.enumerated() {
                    do {
                        if let stream, json == nil || !column.mayHoldArchives,
                            case .attribute(let attribute) = column.content,
                            let file = batch.externalFile(row: row, slot: attribute.slot)
                        {
                            try stream.write(contentsOf: ByteSource(path: file), column: index)
                            continue
                        }
                        if let related, case .computed(let expression) = column.content {
                            let value = expression.value(on: RowSubject(cache: related, batch: rows, row: row))
                            try related.check()
                            try write(value, column: index, into: writer)
                            continue
                        }
                        try write(column, index, row, of: batch, links: &links, into: writer, json: json)
                    } catch let error as GranaryError {
                        throw error.about(batch, row: row, property: column.name, schema)
                    }
                }
                try writer.endRow()
            }
            count += batch.rows.count
            return true
        }
        try writer.endTable()
        return count
    }

    private func write(
        _ column: RecordTable.Column, _ index: Int, _ row: Int, of batch: borrowing RowBatch, links: inout TableLinks,
        into writer: some ValueWriter, json: (any JSONValueWriter)?
    ) throws {
        switch column.content {
        case .identifier:
            try batch.objectName(row: row, schema).withBorrowedText { try writer.write($0, column: index) }
        case .entityName:
            let name = schema.entities[Int(batch.rows[row].entity)].name
            try name.withBorrowedText { try writer.write($0, column: index) }
        case .computed: break
        case .attribute(let attribute):
            try batch.withCheckedValue(row: row, of: attribute, schema) { value in
                if let json, column.mayHoldArchives, case .binary(let bytes) = value,
                    try TransformedJSON.write(
                        archive: bytes,
                        isBuiltIn: AttributeTransformers.isBuiltIn(attribute.description.valueTransformerName),
                        column: index, to: json)
                {
                    return
                }
                try writer.write(value, column: index)
            }
        case .relationship(let relationship, _) where relationship.isToMany:
            try writer.beginList(column: index)
            while let link = links.nextLink(column: index, owner: batch.rows[row].key) {
                try links.withReference(column: index, entity: link.entity, key: link.destination) {
                    try writer.writeElement($0)
                }
            }
            try writer.endList()
        case .relationship(let relationship, _):
            switch batch[row, relationship.slot] {
            case .null: try writer.write(.null, column: index)
            case .reference(let key, let entity):
                try links.withReference(column: index, entity: Int(entity), key: key) {
                    try writer.write($0, column: index)
                }
            default:
                throw GranaryError(Diagnostic(.storeCorrupt, "the cell is not a reference to an object"))
            }
        }
    }
}

extension PersistentStore {
    /// Writes the value of an expression: objects by id, a collection as a list without its NULL elements, because most
    /// formats have no NULL in a list.
    private func write(_ value: PredicateOperand?, column: Int, into writer: some ValueWriter) throws {
        guard case .list(let elements)? = value else {
            return try withBorrowed(value) { try writer.write($0, column: column) }
        }
        try writer.beginList(column: column)
        // A collection inside the collection adds its elements in its place.
        var rest = Array(elements.reversed())
        while let element = rest.popLast() {
            switch element {
            case nil: break
            case .list(let inner)?: rest.append(contentsOf: inner.reversed())
            default: try withBorrowed(element) { try writer.writeElement($0) }
            }
        }
        try writer.endList()
    }

    /// Passes a single value to `body`: an attribute's value, or the name of an object.
    private func withBorrowed(_ value: PredicateOperand?, _ body: (BorrowedValue) throws -> Void) throws {
        switch value {
        case .value(let value)?: try value.withBorrowed(body)
        case .subject(let subject as RowSubject)? where subject.predicateReference != nil:
            try schema.objectName(entity: subject.entity, key: subject.key).withBorrowedText(body)
        case .reference(let reference)?: try reference.uri.withBorrowedText(body)
        // A composite attribute as a whole has no value.
        case .subject?, .list?, nil: try body(.null)
        }
    }
}

extension Schema {
    /// The model as JSON, for formats that embed it.
    package func modelText() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard model.isInferred else { return Array(try encoder.encode(model)) }
        return Array(try encoder.encode(InferredModel(model: model)))
    }
}

/// A model that was inferred from a store's tables; its JSON has the member `inferred`.
private struct InferredModel: Encodable {
    let model: ManagedObjectModel

    private enum CodingKeys: String, CodingKey {
        case inferred
    }

    func encode(to encoder: any Encoder) throws {
        try model.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(true, forKey: .inferred)
    }
}

extension GranaryError {
    /// Returns the error with the object and property added: writers know neither the object's name nor, in CSV, the
    /// property.
    fileprivate func about(
        _ batch: borrowing RowBatch, row: Int, property: String, _ schema: Schema
    ) -> GranaryError {
        guard code == .refused, let first = diagnostics.first else { return self }
        let object = batch.objectName(row: row, schema)
        guard !first.message.hasPrefix(object + ": ") else { return self }
        var copy = batch.refusal(row: row, property: property, schema, first.code, first.message)
        copy.underlying = self
        return copy
    }
}
