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
}
