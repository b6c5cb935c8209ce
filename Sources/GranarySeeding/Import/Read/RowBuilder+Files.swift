import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// Values that are in files of their own.
extension RowBuilder {
    /// The maximum number of bytes that the files of one batch can add to it. A cell has its position in 32 bits.
    private static let batchLimit = 2 << 30

    /// Fills an attribute with the content of the file that a field names, and reports problems.
    func fillFile(
        _ index: Int, _ files: ValueFiles, _ record: borrowing Record, _ field: Record.Field,
        _ text: UnsafeBufferPointer<UInt8>, row: Int, _ batch: inout RowBatch, _ context: inout RowContext
    ) {
        let attribute = plan.attributes[index].attribute
        filled[attribute.slot] = turn
        var problems: [Violation] = []
        scratch.removeAll(keepingCapacity: true)
        do throws(ValueFiles.Problem) {
            try files.append(text, to: &scratch)
            if batch.bytes.count <= Self.batchLimit - scratch.count {
                problems = scratch.withUnsafeBufferPointer { put(.binary($0), attribute, row: row, &batch) }
            } else {
                problems = [
                    Violation(.limitExceeded, "the record's files have more than \(Self.batchLimit) bytes in total")
                ]
            }
        } catch {
            let path = Diagnostic.shortened(String(decoding: text, as: UTF8.self))
            let message = "the file \"\(path)\" \(error.reason)"
            if error.isMissing, plan.attributes[index].missingFiles == .null {
                context.warn(
                    message + "; the value is NULL", record, field, column: plan.columnName(field.column),
                    entity: plan.entity.name, property: attribute.name)
                problems = attribute.validator.violations(of: .null)
            } else {
                problems = [
                    Violation(error.code, message, help: error.isMissing ? "--missing-files null" : nil)
                ]
            }
        }
        // A large buffer is not kept for the next value.
        if scratch.capacity > 16 << 20 { scratch = [] }
        guard !problems.isEmpty else { return }
        context.report(
            problems, record, field, column: plan.columnName(field.column), entity: plan.entity.name,
            property: attribute.name, text: text)
    }
}
