import GranaryBase
import GranaryFormats

extension Record {
    /// The fields of the object with an index in ``nested``.
    func members(ofObject object: Int) -> [Field] {
        Array(nestedFields[Int(nested[object].fieldsStart)..<Int(nested[object].fieldsEnd)])
    }
}

/// Records in a form that tests compare and read.
struct RecordText: Equatable, CustomStringConvertible {
    var outcomes: [String] = []
    var columns: [String] = []
    var entities: [String] = []
    var description: String { outcomes.joined(separator: "\n") }
}

extension RecordText {
    /// Reads all there is. A record is `number@line:column+offset ENTITY{name=kind:text,...}`, where elements of a
    /// list have a `-` before their kind, and an object inside is `name={...}`; what is malformed or thrown is
    /// `code@line:column+offset`.
    init(reading reader: some RecordReader) {
        var record = Record()
        do throws(GranaryError) {
            while true {
                switch try reader.next(into: &record) {
                case .record: outcomes.append(Self.text(record, reader))
                case .malformed(let diagnostic): outcomes.append("malformed " + Self.place(diagnostic))
                case .end:
                    columns = reader.columns
                    entities = reader.entities
                    return
                }
            }
        } catch {
            outcomes.append("refused " + (error.diagnostics.first.map(Self.place) ?? error.message))
        }
        columns = reader.columns
        entities = reader.entities
    }

    static func place(_ diagnostic: Diagnostic) -> String {
        guard let position = diagnostic.position else { return diagnostic.code.rawValue }
        return "\(diagnostic.code.rawValue)@\(position.line):\(position.column)+\(position.byteOffset ?? -1)"
    }

    static func text(_ record: Record, _ reader: some RecordReader) -> String {
        let entity = record.entity >= 0 ? reader.entities[Int(record.entity)] : ""
        return "\(record.number)@\(record.line):\(record.column)+\(record.byteOffset) \(entity){"
            + text(record.fields, record, reader) + "}"
    }

    private static func text(_ fields: [Record.Field], _ record: Record, _ reader: some RecordReader) -> String {
        var parts: [String] = []
        for field in fields {
            let start = "\(reader.columns[Int(field.column)])=\(field.isElement ? "-" : "")"
            if field.kind == .object {
                parts.append(start + "{" + text(record.members(ofObject: Int(field.start)), record, reader) + "}")
            } else {
                parts.append(start + "\(field.kind):" + String(decoding: record.bytes[field.range], as: UTF8.self))
            }
        }
        return parts.joined(separator: ",")
    }
}
