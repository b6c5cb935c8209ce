import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

extension Schema.Attribute {
    /// Whether objects and lists of JSON are values: an archive is made of them, or they are stored as text.
    var takesJSON: Bool { type == .transformable || mayHoldJSON }
    /// Whether it is an element of a Composite attribute, which an object of JSON can contain.
    var isElement: Bool { name.utf8.contains(UInt8(ascii: ".")) }
}

/// JSON values of attributes.
extension RowParser {
    /// Fills an attribute with the archive of a JSON object or list, or with its text.
    ///
    /// - Parameter place: the field. If its content is invalid, it is set to the place of the problem.
    func fillJSON(
        _ index: Int, _ place: inout Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch
    ) -> [Violation] {
        let parser = plan.attributes[index]
        let attribute = parser.attribute
        // Values of an enumeration are texts.
        guard attribute.takesJSON, parser.rules?.enumeration == nil else {
            return fill(index, place, text, row: row, &batch)
        }
        filled[attribute.slot] = turn
        scratch.removeAll(keepingCapacity: true)
        var problem: (code: Diagnostic.Code, reason: String, offset: Int)?
        if attribute.mayHoldJSON {
            do throws(CompactJSON.Problem) { try CompactJSON.append(text, to: &scratch) } catch {
                problem = (error.code, error.reason, error.offset)
            }
        } else {
            do throws(TransformedJSON.Problem) {
                try TransformedJSON.appendArchive(
                    of: text, transformer: attribute.description.valueTransformerName, isHex: parser.isHex,
                    to: &scratch)
            } catch {
                problem = (error.code, error.reason, error.offset)
            }
        }
        if let problem {
            place.rawStart = Int32(clamping: Int(place.rawStart) + problem.offset)
            return [Violation(problem.code, "not \(attribute.type.phrase): \(problem.reason)")]
        }
        return scratch.withUnsafeBufferPointer { put(.binary($0), attribute, row: row, &batch) }
    }

    /// Fills an attribute from the text of a field that is a JSON object or list, as a field of CSV can be. In formats
    /// with nested records, only text that is stored as it is can be in a string.
    ///
    /// - Returns: nil if the text is something else: bytes in Base64 or hexadecimal digits never begin like JSON.
    func fillJSONText(
        _ index: Int, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int, _ batch: inout RowBatch
    ) -> [Violation]? {
        let parser = plan.attributes[index]
        guard !plan.nests || parser.attribute.mayHoldJSON, parser.readsJSONText(field.kind, text),
            let start = CompactJSON.start(of: text)
        else { return nil }
        let value = Array(text[start...])
        if let problem = JSONSyntax.firstProblem(in: value, name: "") {
            let found = Diagnostic.shortened(String(decoding: text, as: UTF8.self))
            return [
                Violation(
                    problem.code == .encodingInvalid ? problem.code : .valueSyntax,
                    "\"\(found)\" is not \(parser.attribute.type.phrase): it begins as JSON, but \(problem.message)")
            ]
        }
        var place = field
        return value.withUnsafeBufferPointer { fillJSON(index, &place, $0, row: row, &batch) }
    }
}
