import GranaryBase
import GranaryFormats

/// Writes diagnostics as lines of JSON: their `Codable` form with sorted keys.
///
/// It does not use Foundation's encoder, which builds a tree for each diagnostic, because there can be millions.
enum DiagnosticLine {
    static func append(_ diagnostic: Diagnostic, to output: inout [UInt8]) {
        var object = Members()
        object.add("byteOffset", diagnostic.position?.byteOffset, to: &output)
        object.add("code", diagnostic.code.rawValue, to: &output)
        object.add("column", diagnostic.position?.column, to: &output)
        object.add("coreDataCode", diagnostic.coreDataCode, to: &output)
        object.add("entity", diagnostic.entity, to: &output)
        object.add("field", diagnostic.field, to: &output)
        object.add("file", diagnostic.position?.file, to: &output)
        object.add("help", diagnostic.help, to: &output)
        object.add("line", diagnostic.position?.line, to: &output)
        object.add("message", diagnostic.message, to: &output)
        object.add("object", diagnostic.object, to: &output)
        object.add("property", diagnostic.property, to: &output)
        object.add("record", diagnostic.position?.record, to: &output)
        if !diagnostic.related.isEmpty {
            object.begin("related", to: &output)
            for (index, place) in diagnostic.related.enumerated() {
                output.append(index == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
                append(place, to: &output)
            }
            output.append(UInt8(ascii: "]"))
        }
        object.add("severity", diagnostic.severity.rawValue, to: &output)
        object.add("value", diagnostic.value, to: &output)
        object.end(&output)
        output.append(0x0A)
    }

    private static func append(_ place: SourcePosition, to output: inout [UInt8]) {
        var object = Members()
        object.add("byteOffset", place.byteOffset, to: &output)
        object.add("column", place.column, to: &output)
        object.add("file", place.file, to: &output)
        object.add("line", place.line, to: &output)
        object.add("record", place.record, to: &output)
        object.end(&output)
    }

    /// Writes the members of one object and omits nil.
    private struct Members {
        private var isEmpty = true

        mutating func begin(_ name: String, to output: inout [UInt8]) {
            output.append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            isEmpty = false
            JSONText.append(name, to: &output)
            output.append(UInt8(ascii: ":"))
        }

        mutating func add(_ name: String, _ text: String?, to output: inout [UInt8]) {
            guard let text else { return }
            begin(name, to: &output)
            JSONText.append(text, to: &output)
        }

        mutating func add(_ name: String, _ number: Int?, to output: inout [UInt8]) {
            guard let number else { return }
            begin(name, to: &output)
            IntegerText.append(Int64(number), to: &output)
        }

        func end(_ output: inout [UInt8]) {
            if isEmpty { output.append(UInt8(ascii: "{")) }
            output.append(UInt8(ascii: "}"))
        }
    }
}
