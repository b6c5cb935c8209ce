import GranaryBase
import GranaryCoordination
import GranaryFormats
import GranaryModel

/// JSON values of Transformable attributes.
extension RowParser {
    /// Fills an attribute with the archive of a JSON object or list.
    ///
    /// - Parameter place: the field. If its content is invalid, it is set to the place of the problem.
    func fillJSON(
        _ index: Int, _ place: inout Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int,
        _ batch: inout RowBatch
    ) -> [Violation] {
        let parser = plan.attributes[index]
        let attribute = parser.attribute
        // Values of an enumeration are texts.
        guard attribute.type == .transformable, parser.rules?.enumeration == nil else {
            return fill(index, place, text, row: row, &batch)
        }
        filled[attribute.slot] = turn
        scratch.removeAll(keepingCapacity: true)
        do throws(TransformedJSON.Problem) {
            try TransformedJSON.appendArchive(
                of: text, transformer: attribute.description.valueTransformerName, isHex: parser.isHex, to: &scratch)
        } catch {
            place.rawStart = Int32(clamping: Int(place.rawStart) + error.offset)
            return [Violation(error.code, "not \(attribute.type.phrase): \(error.reason)")]
        }
        return scratch.withUnsafeBufferPointer { put(.binary($0), attribute, row: row, &batch) }
    }

    /// Fills a Transformable attribute from the text of a field that is a JSON object or list, as a field of CSV can be.
    ///
    /// - Returns: nil if the text is something else: bytes in Base64 or hexadecimal digits never begin like JSON.
    func fillJSONText(
        _ index: Int, _ field: Record.Field, _ text: UnsafeBufferPointer<UInt8>, row: Int, _ batch: inout RowBatch
    ) -> [Violation]? {
        let parser = plan.attributes[index]
        guard !plan.nests, parser.attribute.type == .transformable, parser.rules?.enumeration == nil,
            field.kind == .text || field.kind == .quoted,
            let start = text.firstIndex(where: { $0 != 0x20 && $0 != 0x09 }),
            text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[")
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
