import Foundation
import GranaryBase

extension ModelArchive {
    static func checkVersion(_ version: Int, _ source: String) throws(GranaryError) {
        guard version >= 1, version <= Self.version else {
            let message =
                "\(source): is a model archive of version \(version); this Granary reads versions 1 to \(Self.version)"
            throw GranaryError(Diagnostic(.modelSyntax, message))
        }
    }

    static func unwritable(_ error: any Error, _ target: String) -> GranaryError {
        let reason = (error as? GranaryError)?.message ?? explanation(error)
        return GranaryError(.refused, "\(target): the model cannot be archived: \(reason)", underlying: error)
    }

    /// - Parameter json: the bytes of a JSON archive, to look for what is wrong with its syntax.
    static func refusal(_ error: any Error, _ source: String, json: [UInt8]? = nil) -> GranaryError {
        var diagnostic = Diagnostic(.modelSyntax, "\(source): \(explanation(error))")
        if let json, let (reason, offset) = syntaxFault(json) {
            diagnostic.message = "\(source): is no valid JSON: \(reason)"
            diagnostic.position = offset.map { position(at: $0, in: json, source) }
        }
        var refusal = GranaryError(diagnostic)
        refusal.underlying = error
        return refusal
    }

    /// What a coder found, and on which way through the file: `model.entities[2].attributes[0].type`.
    private static func explanation(_ error: any Error) -> String {
        let found: (context: DecodingError.Context, reason: String)? =
            switch error {
            case DecodingError.keyNotFound(let key, let context): (context, "\"\(key.stringValue)\" is missing")
            case DecodingError.typeMismatch(_, let context): (context, context.debugDescription)
            case DecodingError.valueNotFound(_, let context): (context, context.debugDescription)
            case DecodingError.dataCorrupted(let context): (context, context.debugDescription)
            default: nil
            }
        guard let (context, reason) = found else { return Diagnostic.shortened("\(error)") }
        var path = ""
        for key in context.codingPath.prefix(40) {
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += path.isEmpty ? key.stringValue : "." + key.stringValue
            }
        }
        let line = reason.split(whereSeparator: \.isNewline).joined(separator: " ")
        return path.isEmpty ? line : "\(Diagnostic.shortened(path)): \(line)"
    }

    /// Foundation's decoder on Linux keeps to itself where the JSON breaks; its other reader tells.
    private static func syntaxFault(_ bytes: [UInt8]) -> (reason: String, offset: Int?)? {
        do {
            _ = try JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
            return nil
        } catch {
            let error = error as NSError
            let reason = error.userInfo[NSDebugDescriptionErrorKey] as? String ?? error.localizedDescription
            if reason.contains("end of file") { return (reason, bytes.count) }
            let number = reason.split(separator: "character ").last?.prefix { $0.isASCII && $0.isNumber }
            return (reason, number.flatMap { Int($0) })
        }
    }

    private static func position(at offset: Int, in bytes: [UInt8], _ source: String) -> SourcePosition {
        let before = bytes.prefix(max(offset, 0))
        let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        return SourcePosition(file: source, line: line, column: before.count - start + 1, byteOffset: before.count)
    }
}
