import Foundation
package import GranaryBase
package import GranaryFormats
package import GranaryModel

extension PersistentStore {
    /// Writes the objects of a table as records, in the order of its search. Exports and archives both use it.
    ///
    /// - Parameters:
    ///   - files: receives the values of columns that are written to files of their own.
    ///   - irregular: if given, numbers that their attributes cannot have are noted and written as they are stored.
    ///   - nested: writes objects inside rows. A row that was written inside another one is left out.
    ///   - contains: whether an object of an entity and key exists. If given, references by id to missing objects are
    ///     rejected; otherwise they are written unchecked.
    /// - Returns: the number of objects.
    /// - Throws: ``GranaryError`` with code `refused`, with object and property, for a cell that is not a value of its
    ///   attribute, a reference to a missing object, or a value that the format cannot hold.
    @discardableResult
    package func writeRecords(
        of table: RecordTable, batchSize: Int, into writer: some ValueWriter,
        files: ValueFolder? = nil, irregular: IrregularValues? = nil, nested: NestedRecords? = nil,
        cancellation: Cancellation? = nil,
        contains: ((_ entity: Int, _ key: Int64) -> Bool)? = nil
    ) throws -> Int {
        try writer.beginTable(entity: schema.entities[table.entity].name, columns: table.names)
        // Property lists have no NULL; other formats write it anyway.
        if let list = writer as? any NullNamingWriter { list.columnsNeedingNull = table.columnsNeedingNull }
        // Formats with JSON show the contents of archives.
        let json = table.columns.contains(where: \.mayHoldArchives) ? (writer as? any JSONValueWriter) : nil
        let stream = writer as? any BinaryStreamWriter
        var links = TableLinks(table, store: self, contains: contains)
        let related = table.hasComputedColumns ? RowSubject.Cache(self) : nil
        try nested?.begin(table, writer)
        var count = 0
        try search(table.search, batchSize: batchSize) { batch in
            try links.load(batch)
            var rows = RowBatch()
            if related != nil { rows = copy batch }
            for row in batch.rows.indices {
                try cancellation?.check()
                if let nested, !nested.takes(batch.rows[row]) {
                    links.skip(owner: batch.rows[row].key)
                    count -= 1
                    continue
                }
                try writer.beginRow()
                for index in table.columns(ofRowsOf: Int(batch.rows[row].entity)) {
                    let column = table.columns[index]
                    let place = table.places[index]
                    do {
                        if let table = column.nested, let nested {
                            try nested.write(column, table, index, place, row, of: batch, links: &links, into: writer)
                            continue
                        }
                        if column.isFile, let files, case .attribute(let attribute) = column.content {
                            try writeFile(attribute, place, row, of: batch, into: writer, files)
                            continue
                        }
                        if let stream, json == nil || !column.mayHoldArchives,
                            case .attribute(let attribute) = column.content,
                            let file = batch.externalFile(row: row, slot: attribute.slot)
                        {
                            try stream.write(contentsOf: ByteSource(path: file), column: place)
                            continue
                        }
                        if let related, case .computed(let expression) = column.content {
                            let value = expression.value(on: RowSubject(cache: related, batch: rows, row: row))
                            try related.check()
                            try write(value, column: place, into: writer)
                            continue
                        }
                        try write(
                            column, index, place, row, of: batch, links: &links, irregular, into: writer, json: json)
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

    /// Writes a value to a file of its own, and the path of the file to the table.
    private func writeFile(
        _ attribute: Schema.Attribute, _ place: Int, _ row: Int, of batch: borrowing RowBatch,
        into writer: some ValueWriter, _ files: ValueFolder
    ) throws {
        let header = batch.rows[row]
        let name = ValueFolder.Name(
            entity: schema.entities[Int(header.entity)].name, property: attribute.name, key: header.key)
        if let source = batch.externalFile(row: row, slot: attribute.slot) {
            let path = try files.copy(ByteSource(path: source), as: name)
            return try path.withBorrowedText { try writer.write($0, column: place) }
        }
        try batch.withCheckedValue(row: row, of: attribute, schema) { value in
            guard case .binary(let bytes) = value else { return try writer.write(.null, column: place) }
            let path = try files.save(bytes, as: name)
            try path.withBorrowedText { try writer.write($0, column: place) }
        }
    }

    /// - Parameters:
    ///   - index: the index of the column in the table's columns.
    ///   - place: the index of the column in the output.
    func write(
        _ column: RecordTable.Column, _ index: Int, _ place: Int, _ row: Int, of batch: borrowing RowBatch,
        links: inout TableLinks, _ irregular: IrregularValues?, into writer: some ValueWriter,
        json: (any JSONValueWriter)?
    ) throws {
        switch column.content {
        case .identifier:
            try batch.objectName(row: row, schema).withBorrowedText { try writer.write($0, column: place) }
        case .entityName:
            let name = schema.entities[Int(batch.rows[row].entity)].name
            try name.withBorrowedText { try writer.write($0, column: place) }
        case .computed: break
        case .attribute(let attribute):
            try batch.withCheckedValue(row: row, of: attribute, schema, irregular: irregular) { value in
                if let json, column.mayHoldArchives, case .binary(let bytes) = value,
                    try TransformedJSON.write(
                        archive: bytes,
                        isBuiltIn: AttributeTransformers.isBuiltIn(attribute.description.valueTransformerName),
                        column: place, to: json)
                {
                    return
                }
                try writer.write(value, column: place)
            }
        case .relationship(let relationship, _) where relationship.isToMany:
            try writer.beginList(column: place)
            while let link = links.nextLink(column: index, owner: batch.rows[row].key) {
                try links.withReference(column: index, entity: link.entity, key: link.destination) {
                    try writer.writeElement($0)
                }
            }
            try writer.endList()
        case .relationship(let relationship, _):
            switch batch[row, relationship.slot] {
            case .null: try writer.write(.null, column: place)
            case .reference(let key, let entity):
                try links.withReference(column: index, entity: Int(entity), key: key) {
                    try writer.write($0, column: place)
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
    /// The model as JSON, for formats that embed it. Entities and properties are sorted by name, so that the text does
    /// not depend on their order in the file that the model came from.
    package func modelText() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let model = model.sortedByName
        guard model.isInferred else { return Array(try encoder.encode(model)) }
        return Array(try encoder.encode(InferredModel(model: model)))
    }
}

extension ManagedObjectModel {
    /// The model with its entities, and their properties, in the order of their names.
    fileprivate var sortedByName: ManagedObjectModel {
        var model = self
        model.entities.sort { utf8Less($0.name, $1.name) }
        for index in model.entities.indices {
            model.entities[index].attributes.sort { utf8Less($0.name, $1.name) }
            model.entities[index].relationships.sort { utf8Less($0.name, $1.name) }
            model.entities[index].fetchedProperties.sort { utf8Less($0.name, $1.name) }
        }
        return model
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
    func about(
        _ batch: borrowing RowBatch, row: Int, property: String, _ schema: Schema
    ) -> GranaryError {
        // An error about an object inside a row names that object already.
        guard code == .refused, let first = diagnostics.first, !(underlying is GranaryError) else { return self }
        let object = batch.objectName(row: row, schema)
        guard !first.message.hasPrefix(object + ": ") else { return self }
        var copy = batch.refusal(row: row, property: property, schema, first.code, first.message)
        for index in copy.diagnostics.indices {
            copy.diagnostics[index].value = first.value
            copy.diagnostics[index].help = first.help
        }
        copy.underlying = self
        return copy
    }
}
