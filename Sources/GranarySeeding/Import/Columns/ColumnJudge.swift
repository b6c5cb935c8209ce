import GranaryBase
import GranaryFormats
import GranaryModel

/// Tells the CSV reader which texts can be values of a column, so that it finds its way back after broken quoting.
final class ColumnJudge: FieldJudge {
    private let roles: [ColumnPlan.Role]
    private var attributes: [FieldParser]
    private var scratch: [UInt8] = []

    private init(_ plan: ColumnPlan) {
        roles = plan.roles
        attributes = plan.attributes
    }

    /// The judge of a file whose header is read; nil where it does not say what its rows are.
    static func make(
        for reader: any RecordReader, options: ImportOptions, entity: Schema.Entity?, schema: Schema
    ) throws(GranaryError) -> ColumnJudge? {
        let named = reader.entities.count == 1 ? schema.entity(named: reader.entities[0]) : nil
        guard let entity = entity ?? named else { return nil }
        var plan = ColumnPlan(entity: entity, schema: schema, options: options)
        plan.extend(to: reader.columns)
        var keys = NaturalKeys(schema: schema, entities: [])
        let nowhere = SourcePosition(file: reader.sourceName, line: 1, column: 1)
        // What is wrong with a column was said when the header was read.
        for column in reader.columns.indices { try plan.meet(column, keys: &keys, at: nowhere) { _ in } }
        return ColumnJudge(plan)
    }

    func accepts(_ field: Record.Field, _ bytes: UnsafeBufferPointer<UInt8>, column: Int) -> Bool {
        guard let index = attribute(column) else { return true }
        let text = UnsafeBufferPointer(rebasing: bytes[field.range])
        return attributes[index].accepts(field.kind, text, scratch: &scratch)
    }

    func isTelling(column: Int) -> Bool {
        guard let index = attribute(column) else { return false }
        return attributes[index].attribute.type != .string
    }

    private func attribute(_ column: Int) -> Int? {
        guard roles.indices.contains(column), case .attribute(let index) = roles[column] else { return nil }
        return index
    }
}

extension CSVReader {
    /// The CSV reader that a source's reader is, or has in it.
    static func find(in reader: any RecordReader) -> CSVReader? {
        (reader as? CSVReader) ?? (reader as? EntityReader)?.base as? CSVReader
    }
}
