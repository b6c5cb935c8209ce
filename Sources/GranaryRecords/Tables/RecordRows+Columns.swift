import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates

extension RecordRows {
    /// Writes any value of a row.
    ///
    /// - Parameters:
    ///   - index: the index of the column in the table's columns.
    ///   - place: the index of the column in the output.
    func write(
        _ column: RecordTable.Column, _ index: Int, _ place: Int, _ row: Int, of batch: borrowing RowBatch,
        links: inout BatchLinks, into writer: some ValueWriter, json: (any JSONValueWriter)?, _ options: WriteOptions
    ) throws {
        if let table = column.nested, let nested = options.nested {
            return try nested.write(column, table, index, place, row, of: batch, self, links: &links, into: writer)
        }
        switch column.content {
        case .identifier:
            try batch.objectName(row: row, schema).withBorrowedText { try writer.write($0, column: place) }
        case .entityName:
            let name = schema.entities[Int(batch.rows[row].entity)].name
            try name.withBorrowedText { try writer.write($0, column: place) }
        case .computed(let expression):
            guard let related = options.related else { return }
            let value = try expression.value(on: RowSubject(cache: related, batch: options.subjects, row: row))
            try related.check()
            try write(value, column: place, into: writer)
        case .attribute(let attribute):
            if column.isFile, let files = options.files {
                return try writeFile(attribute, place, row, of: batch, into: writer, files)
            }
            if json == nil || !column.mayHoldArchives, let stream = writer as? any BinaryStreamWriter,
                let file = batch.externalFile(row: row, slot: attribute.slot)
            {
                let source = try ByteSource(path: file)
                options.irregular?.note(
                    bytes: Int64(source.byteCount ?? 0), of: attribute, batch.rows[row], schema)
                return try stream.write(contentsOf: source, column: place)
            }
            try batch.withCheckedValue(row: row, of: attribute, schema, irregular: options.irregular) { value in
                if let json, column.mayHoldArchives, case .binary(let bytes) = value,
                    try TransformedJSON.write(
                        archive: bytes,
                        isBuiltIn: AttributeTransformers.isBuiltIn(attribute.description.valueTransformerName),
                        column: place, to: json)
                {
                    return
                }
                if column.mayHoldJSON, case .binary(let bytes) = value, CompactJSON.isCompact(bytes) {
                    guard let json else { return try writer.write(.text(bytes), column: place) }
                    return try json.write(json: Array(bytes), column: place)
                }
                try writer.write(value, column: place)
            }
        case .relationship(let relationship, _) where relationship.isToMany:
            try writer.beginList(column: place)
            while let link = links.nextLink(column: index, owner: batch.rows[row].key) {
                try links.withReference(column: index, entity: link.entity, key: link.destination, schema) {
                    try writer.writeElement($0)
                }
            }
            try writer.endList()
        case .relationship(let relationship, _):
            switch batch[row, relationship.slot] {
            case .null: try writer.write(.null, column: place)
            case .reference(let key, let entity):
                try links.withReference(column: index, entity: Int(entity), key: key, schema) {
                    try writer.write($0, column: place)
                }
            default:
                throw GranaryError(Diagnostic(.storeCorrupt, "the cell is not a reference to an object"))
            }
        }
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

extension GranaryError {
    /// Returns the error with the object and property added: writers know neither the object's name nor, in CSV, the
    /// property.
    func about(_ batch: borrowing RowBatch, row: Int, property: String, _ schema: Schema) -> GranaryError {
        about(batch.rows[row], property: property, schema)
    }

    func about(_ header: RowBatch.Header, property: String, _ schema: Schema) -> GranaryError {
        // An error about an object inside a row names that object already.
        guard code == .refused, let first = diagnostics.first, !(underlying is GranaryError) else { return self }
        let entity = schema.entities[Int(header.entity)]
        let object = schema.objectName(entity: entity.index, key: header.key)
        guard !first.message.hasPrefix(object + ": ") else { return self }
        var diagnostic = Diagnostic(first.code, "\(object): \(first.message)", entity: entity.name, property: property)
        (diagnostic.value, diagnostic.help) = (first.value, first.help)
        var copy = GranaryError(diagnostic)
        copy.underlying = self
        return copy
    }
}
