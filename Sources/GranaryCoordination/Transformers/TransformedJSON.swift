import Foundation
package import GranaryBase
import GranaryFormats

/// Values of Transformable attributes as JSON, where they are property lists that JSON can hold.
///
/// The bytes in the store are what counts. A value is written as JSON alone only where that JSON gives the very same bytes
/// again; otherwise the bytes stand beside it: `{"$archive": "YnBs…", "$value": ["a"]}`.
package enum TransformedJSON {
    /// A longer archive stays bytes: nobody reads it, and its value could be many times as long.
    static let maximumArchiveBytes = 1 << 20
    /// What is archived again has to be in memory as a whole.
    static let maximumTextBytes = 4 << 20

    /// What is wrong with a JSON text as a value, and at which of its bytes.
    package struct Problem: Error, Sendable, Hashable {
        package let code: Diagnostic.Code
        package let reason: String
        package let offset: Int
    }

    /// How the bytes of an archive are written.
    package enum Form: Sendable, Hashable {
        /// This JSON gives the same bytes again.
        case plain([UInt8])
        /// This JSON is the value, but the bytes have to stand beside it.
        case wrapped([UInt8])
    }

    /// - Returns: nil where nothing but the bytes says what they are.
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

    /// Writes the bytes of an archive in a form that shows what is in them.
    ///
    /// - Parameter isBuiltIn: whether an import can make an archive for the attribute, so that its JSON may stand alone.
    /// - Returns: false where there is none: then nothing was written.
    static func write(
        archive bytes: UnsafeBufferPointer<UInt8>, isBuiltIn: Bool, column: Int, to writer: any JSONValueWriter
    ) throws(GranaryError) -> Bool {
        switch form(ofArchive: bytes) {
        case .plain(let json)? where isBuiltIn: try writer.write(json: json, column: column)
        case .plain(let json)?, .wrapped(let json)?: try writer.write(archive: bytes, json: json, column: column)
        case nil: return false
        }
        return true
    }

    /// Appends the bytes that an object or a list stands for: those that it names, or else its archive.
    ///
    /// - Parameters:
    ///   - json: its text, whose syntax was checked before.
    ///   - transformer: the attribute's in the model; nil and an empty name are Core Data's default.
    ///   - isHex: whether the bytes are named in hexadecimal digits and not in Base64.
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
                reason: "its transformer \(Diagnostic.shortened(transformer ?? "")) is not known; give the bytes as "
                    + (isHex ? "hexadecimal digits" : "Base64"), offset: 0)
        }
        guard json.count <= maximumTextBytes else {
            throw Problem(
                code: .limitExceeded,
                reason: "a value of more than \(maximumTextBytes) bytes of JSON, the limit; give its archive's bytes",
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
