import GranaryBase
import GranaryFormats
import GranaryModel

/// The texts of natural keys and references that begin or end with a space or a tab, by column. Such a text is another
/// key than the text without the spaces, so it is often a mistake: `Novel, Crime` with the separator `,` has the
/// element ` Crime`.
struct EdgeSpaces {
    /// The texts of one column.
    private struct Note {
        var count = 0
        let position: SourcePosition
        let column: String
        let entity: String
        let property: String
        let text: String
    }

    private struct Key: Hashable {
        let job: Int
        let column: String
        let entity: String
        let property: String
    }

    private var places: [Key: Int] = [:]
    private var notes: [Note] = []
    /// The job of the current source; nil if its texts are not checked.
    var job: Int?

    /// Whether a text begins or ends with a space or a tab.
    @inline(__always)
    static func has(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first, let last = text.last else { return false }
        return first == 0x20 || first == 0x09 || last == 0x20 || last == 0x09
    }

    /// Counts a text. `position` is called for the first text of a column.
    mutating func note(
        _ text: UnsafeBufferPointer<UInt8>, column: String, entity: String, property: String,
        at position: () -> SourcePosition
    ) {
        guard let job else { return }
        let key = Key(job: job, column: column, entity: entity, property: property)
        if places[key] == nil {
            places[key] = notes.count
            notes.append(
                Note(
                    position: position(), column: column, entity: entity, property: property,
                    text: Diagnostic.shortened(String(decoding: text, as: UTF8.self))))
        }
        if let place = places[key] { notes[place].count += 1 }
    }

    /// A warning for each column.
    var warnings: [Diagnostic] {
        notes.map { note in
            let message =
                note.count == 1
                ? "\"\(note.text)\" begins or ends with spaces, which are part of the key"
                : "\(note.count) texts begin or end with spaces, which are part of the key; the first is \"\(note.text)\""
            return Diagnostic(
                .valueSpaces, message, severity: .warning, at: note.position, field: note.column, entity: note.entity,
                property: note.property, value: note.text, help: "--trim")
        }
    }
}

extension RecordState {
    /// Counts the text of a key if it begins or ends with spaces.
    mutating func noteSpaces(
        _ text: UnsafeBufferPointer<UInt8>, _ parser: FieldParser, _ record: borrowing Record, _ field: Record.Field,
        column: @autoclosure () -> String, entity: String, property: String
    ) {
        guard EdgeSpaces.has(text), parser.keepsSpaces, field.kind == .text || field.kind == .quoted, field.column >= 0
        else { return }
        let file = file
        edgeSpaces.note(text, column: column(), entity: entity, property: property) {
            record.position(of: field, file: file)
        }
    }

    /// Counts the text of a field that is a key and begins or ends with spaces.
    mutating func noteSpaces(in field: Record.Field, of record: borrowing Record, _ plan: ColumnPlan) {
        guard let property = plan.property(ofColumn: Int(field.column)) else { return }
        let file = file
        record.bytes.withUnsafeBufferPointer { bytes in
            edgeSpaces.note(
                UnsafeBufferPointer(rebasing: bytes[field.range]), column: plan.columnName(field.column),
                entity: plan.entity.name, property: property
            ) { record.position(of: field, file: file) }
        }
    }
}
