import GranaryBase
import GranaryFormats

/// Records in a form that tests compare and read.
struct RecordText: Equatable, CustomStringConvertible {
    var outcomes: [String] = []
    var columns: [String] = []
    var entities: [String] = []
    var description: String { outcomes.joined(separator: "\n") }
}

extension RecordText {
    /// Reads all there is. A record is `number@line:column+offset ENTITY{name=kind:text,...}`, where elements of a
    /// list have a `-` before their kind; what is malformed or thrown is `code@line:column+offset`.
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
        let fields = record.fields.map { field in
            let text = String(decoding: record.bytes[Int(field.start)..<Int(field.end)], as: UTF8.self)
            return "\(reader.columns[Int(field.column)])=\(field.isElement ? "-" : "")\(field.kind):\(text)"
        }
        return "\(record.number)@\(record.line):\(record.column)+\(record.byteOffset) \(entity){"
            + fields.joined(separator: ",") + "}"
    }
}
