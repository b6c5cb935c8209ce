import GranaryBase
import GranaryCoordination
import GranaryModel

/// The value of one attribute as a file: an image that is shown, or bytes or a text to download.
enum ValueAnswer {
    static func make(_ context: PageContext) throws -> BrowserResponse {
        let place = try context.object()
        guard let name = context.address["attribute"] else { throw PageError(404, "The address has no attribute.") }
        return try context.withRow(place) { batch, row, place in
            guard let attribute = context.schema.entities[place.entity].attribute(named: name), attribute.isPersistent
            else { throw PageError(404, "The object has no such attribute.") }
            return try batch.withValue(row: row, of: attribute) { value in
                let file = "\(context.objectName(place)) \(attribute.name)"
                switch value {
                case .null: throw PageError(404, "The attribute is NULL.")
                case .text(let bytes), .uri(let bytes):
                    return download(Array(bytes), "text/plain; charset=utf-8", file + ".txt")
                case .binary(let bytes):
                    // Only what a browser shows without running anything is sent under its own type.
                    guard let image = ImageKind(bytes) else {
                        return download(Array(bytes), "application/octet-stream", file + ".bin")
                    }
                    return BrowserResponse(200, type: image.contentType, .bytes(Array(bytes)))
                default: throw PageError(404, "The attribute is shown on the page of its object.")
                }
            }
        }
    }

    private static func download(_ bytes: [UInt8], _ type: String, _ name: String) -> BrowserResponse {
        var response = BrowserResponse(200, type: type, .bytes(bytes))
        response.add("Content-Disposition", FileNameHeader.attachment(name))
        return response
    }
}
