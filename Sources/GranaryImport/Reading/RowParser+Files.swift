import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryRecords

/// Values that are in files of their own.
extension RowParser {
    /// The maximum number of bytes that the files of one batch can add to it. A cell has its position in 32 bits.
    private static let batchLimit = 2 << 30

    /// Fills an attribute with the content of the file that a field names, and reports problems.
    func fillFile(
        _ index: Int, _ files: ValueFiles, _ record: borrowing Record, _ field: Record.Field,
        _ text: UnsafeBufferPointer<UInt8>, row: Int, _ batch: inout RowBatch, _ context: inout RecordState
    ) {
        let attribute = plan.attributes[index].attribute
        filled[attribute.slot] = turn
        var problems: [Violation] = []
        do throws(ValueFiles.Problem) {
            let isKey = context.keyIndexes.all.contains { $0.slots.contains(attribute.slot) }
            problems = try fill(attribute, from: try files.opened(text), mayStay: !isKey, row: row, &batch)
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
        guard !problems.isEmpty else { return }
        context.report(
            problems, record, field, column: plan.columnName(field.column), entity: plan.entity.name,
            property: attribute.name, text: text)
    }

    /// Larger values stay in their files if the store copies them. No rule of the model needs the content then.
    private static let streamedSize = 1 << 20

    /// - Parameter mayStay: whether the value is part of no natural key.
    private func fill(
        _ attribute: Schema.Attribute, from file: borrowing ValueFile, mayStay: Bool, row: Int, _ batch: inout RowBatch
    ) throws(ValueFiles.Problem) -> [Violation] {
        let isExternal = attribute.type == .binary && attribute.description.allowsExternalBinaryDataStorage
        if isExternal, mayStay, copiesFiles, file.size > Self.streamedSize, !attribute.validator.hasPredicates {
            let start = UInt32(truncatingIfNeeded: batch.bytes.count)
            batch.bytes.append(contentsOf: file.path.utf8)
            batch[row, attribute.slot] = .file(start: start, count: UInt32(file.path.utf8.count))
            return []
        }
        let start = batch.bytes.count
        guard start <= Self.batchLimit - file.size else {
            return [Violation(.limitExceeded, "the record's files have more than \(Self.batchLimit) bytes in total")]
        }
        do throws(ValueFiles.Problem) { try file.append(to: &batch.bytes) } catch {
            batch.bytes.removeSubrange(start...)
            throw error
        }
        // The value is checked where it is, so that it is in memory once.
        let violations = batch.bytes.withUnsafeBufferPointer {
            self.violations(of: .binary(UnsafeBufferPointer(rebasing: $0[start...])), attribute)
        }
        guard violations.isEmpty || options.restoresAsIs else {
            batch.bytes.removeSubrange(start...)
            return violations
        }
        batch[row, attribute.slot] = .blob(
            start: UInt32(truncatingIfNeeded: start), count: UInt32(truncatingIfNeeded: batch.bytes.count - start))
        return kept(violations)
    }
}
