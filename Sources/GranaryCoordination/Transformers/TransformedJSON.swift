import Foundation
package import GranaryBase
package import GranaryFormats

/// Converts values of Transformable attributes that are property lists to JSON and back.
///
/// The bytes in the store are authoritative. A value is written as plain JSON only if that JSON gives exactly the same
/// bytes again; otherwise the bytes are written too: `{"$archive": "YnBs…", "$value": ["a"]}`.
package enum TransformedJSON {
    /// Longer archives are written as bytes: their values could be many times as long and are not readable.
    static let maximumArchiveBytes = 1 << 20
    /// A value is held in memory as a whole to be archived.
    static let maximumTextBytes = 4 << 20

    /// An error in the JSON text of a value, with its byte offset.
    package struct Problem: Error, Sendable, Hashable {
        package let code: Diagnostic.Code
        package let reason: String
        package let offset: Int
    }

    /// The JSON form of an archive.
    package enum Form: Sendable, Hashable {
        /// JSON that gives the same bytes again.
        case plain([UInt8])
        /// JSON of the value; the bytes must be written beside it.
        case wrapped([UInt8])
    }

    /// - Returns: nil if the archive has no JSON form.
    package static func form(ofArchive bytes: UnsafeBufferPointer<UInt8>) -> Form? {
        guard bytes.count <= maximumArchiveBytes,
            let value = try? PropertyListUnarchiver.value(of: Data(bytes), keepsEqualKeys: true),
            let json = TransformedJSONWriter.text(of: value)
        else { return nil }
        guard json.first == UInt8(ascii: "[") || json.first == UInt8(ascii: "{") else { return .wrapped(json) }
        var again: [UInt8] = []
        do throws(Problem) {
            try json.withUnsafeBufferPointer { text throws(Problem) in
                try appendArchive(of: text, transformer: nil, isHex: false, to: &again)
            }
        } catch {
            return .wrapped(json)
        }
        return again.elementsEqual(bytes) ? .plain(json) : .wrapped(json)
    }

    /// Writes an archive in its JSON form.
    ///
    /// - Parameter isBuiltIn: whether an import can create an archive for the attribute, so that plain JSON suffices.
    /// - Returns: false if there is no JSON form; nothing was written.
    package static func write(
        archive bytes: UnsafeBufferPointer<UInt8>, isBuiltIn: Bool, column: Int, to writer: any JSONValueWriter
    ) throws(GranaryError) -> Bool {
        switch form(ofArchive: bytes) {
        case .plain(let json)? where isBuiltIn: try writer.write(json: json, column: column)
        case .plain(let json)?, .wrapped(let json)?: try writer.write(archive: bytes, json: json, column: column)
        case nil: return false
        }
        return true
    }

    /// Appends the bytes of a JSON object or array: the bytes in `$archive`, or the archive of the value.
    ///
    /// - Parameters:
    ///   - json: the text; its syntax is valid.
    ///   - transformer: the transformer's name in the model; nil and an empty name mean Core Data's default.
    ///   - isHex: whether the bytes are encoded as hexadecimal digits instead of Base64.
    package static func appendArchive(
        of json: UnsafeBufferPointer<UInt8>, transformer: String?, isHex: Bool, to output: inout [UInt8]
    ) throws(Problem) {
        if json.first == UInt8(ascii: "{"), let archive = try ArchiveMembers.archive(in: json) {
            do throws(ValueTextError) {
                try archive.text.withUnsafeBufferPointer { text throws(ValueTextError) in
                    if isHex {
                        try HexText.decode(text, into: &output)
                    } else {
                        try Base64Text.decode(text, into: &output)
                    }
                }
            } catch {
                throw Problem(
                    code: error.code,
                    reason: "\"\(ArchiveMember.archive)\" is not \(isHex ? "hexadecimal" : "Base64"): \(error.reason)",
                    offset: archive.offset)
            }
            return
        }
        guard AttributeTransformers.isBuiltIn(transformer) else {
            throw Problem(
                code: .valueSyntax,
                reason: "its transformer \(Diagnostic.shortened(transformer ?? "")) is unknown; give the bytes as "
                    + (isHex ? "hexadecimal digits" : "Base64"), offset: 0)
        }
        guard json.count <= maximumTextBytes else {
            throw Problem(
                code: .limitExceeded,
                reason: "the JSON is longer than the limit of \(maximumTextBytes) bytes; give the bytes instead",
                offset: 0)
        }
        let value = try TransformedJSONReader.value(of: json)
        do throws(GranaryError) {
            output.append(contentsOf: try PropertyListArchiver.archive(value))
        } catch {
            throw Problem(code: error.diagnostics.first?.code ?? .valueSyntax, reason: error.message, offset: 0)
        }
    }
}
