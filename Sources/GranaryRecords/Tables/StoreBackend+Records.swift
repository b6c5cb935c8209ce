import Foundation
package import GranaryBase
package import GranaryCoordination
package import GranaryFormats
package import GranaryModel

extension StoreBackend {
    /// Writes the objects of a table as records, in the order of its search. Exports and archives both use it.
    ///
    /// This thread reads the rows. If the writer can be split, other threads format them.
    ///
    /// - Parameters:
    ///   - files: receives the values of columns that are written to files of their own.
    ///   - irregular: if given, numbers that their attributes cannot have are noted and written as they are stored.
    ///   - nested: writes objects inside rows. A row that was written inside another one is left out.
    ///   - contains: whether an object of an entity and key exists. If given, references by id to missing objects are
    ///     refused; otherwise they are written unchecked.
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
        let rows = RecordRows(
            table, schema, showsArchives: writer is any JSONValueWriter, checksReferences: contains != nil)
        var links = TableLinks(table, store: self, contains: contains)
        try nested?.begin(table, writer)
        var count = 0
        if contains == nil, files == nil, nested == nil, !table.hasComputedColumns,
            let split = writer as? any SplitWriter
        {
            count = try write(rows, &links, batchSize: batchSize, inPartsInto: split, irregular, cancellation)
        } else {
            var options = RecordRows.WriteOptions()
            (options.files, options.irregular, options.nested) = (files, irregular, nested)
            if table.hasComputedColumns { options.related = RowSubject.Cache(self) }
            try search(table.search, batchSize: batchSize) { batch in
                try cancellation?.check()
                if options.related != nil { options.subjects = copy batch }
                var batchLinks = try links.load(batch)
                count += try rows.write(batch, links: &batchLinks, into: writer, options)
                return true
            }
        }
        try writer.endTable()
        return count
    }

    /// Reads rows on this thread and formats them on several.
    private func write<Writer: SplitWriter>(
        _ rows: RecordRows, _ links: inout TableLinks, batchSize: Int, inPartsInto writer: Writer,
        _ irregular: IrregularValues?, _ cancellation: Cancellation?
    ) throws -> Int {
        let workers = OrderedWorkers<RecordWork<Writer.Part>>(limit: nil)
        defer { workers.stop() }
        // The submitted batches in their order, and those that can be used again.
        var pending: [RecordWork<Writer.Part>] = []
        var free: [RecordWork<Writer.Part>] = []
        func finishFirst() throws {
            let work = pending.removeFirst()
            workers.finish(work)
            do {
                if let failure = work.failure { throw failure }
                try writer.append(rowsOf: work.part)
                irregular?.takeAll(of: work.irregular)
            } catch {
                // Rows after an error are not written, and their errors are not reported.
                pending.removeAll()
                throw error
            }
            free.append(work)
        }
        func finishAll() throws { while !pending.isEmpty { try finishFirst() } }
        var count = 0
        do {
            try search(rows.table.search, batchSize: batchSize) { batch in
                try cancellation?.check()
                count += batch.rows.count
                var batchLinks = try links.load(batch)
                // Values in files are copied in pieces, so they need the output itself. Very large rows are not kept
                // in several batches at the same time.
                if batch.bytes.count > Self.partBytes || rows.hasFiles(batch) {
                    try finishAll()
                    var options = RecordRows.WriteOptions()
                    options.irregular = irregular
                    _ = try rows.write(batch, links: &batchLinks, into: writer, options)
                    return true
                }
                while pending.count >= workers.capacity { try finishFirst() }
                let work =
                    try free.popLast()
                    ?? RecordWork(
                        rows, part: writer.makePart(columns: rows.table.names), allowsIrregular: irregular != nil)
                work.begin(&batch, batchLinks)
                pending.append(work)
                workers.submit(work)
                return true
            }
        } catch {
            // An error of earlier rows is reported first, as if one thread read and formatted the rows.
            if (error as? GranaryError)?.code != .interrupted { try finishAll() }
            throw error
        }
        try finishAll()
        return count
    }

    /// The number of bytes of texts and binary data above which a batch is not passed to another thread.
    private static var partBytes: Int { 4 << 20 }
}

/// A batch of rows that a thread formats.
///
/// `@unchecked Sendable` is safe: one thread uses it at a time; ``OrderedWorkers`` passes it on while its condition is
/// locked.
private final class RecordWork<Part: ValueWriter>: OrderedWork, @unchecked Sendable {
    let part: Part
    private let rows: RecordRows
    private var batch = RowBatch()
    private var links: BatchLinks?
    let irregular = IrregularValues()
    private let allowsIrregular: Bool
    private(set) var failure: (any Error)?
    var isDone = false

    init(_ rows: RecordRows, part: Part, allowsIrregular: Bool) {
        self.rows = rows
        self.part = part
        self.allowsIrregular = allowsIrregular
    }

    /// Exchanges the batch for the one that was formatted before, so that its memory is used again.
    func begin(_ batch: inout RowBatch, _ links: BatchLinks) {
        swap(&self.batch, &batch)
        self.links = links
        isDone = false
    }

    func run() {
        guard var links else { return }
        var options = RecordRows.WriteOptions()
        if allowsIrregular { options.irregular = irregular }
        do { _ = try rows.write(batch, links: &links, into: part, options) } catch { failure = error }
        self.links = nil
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
