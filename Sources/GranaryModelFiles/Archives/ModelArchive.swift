import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// A model archive: `{"granaryModel": 1, "model": {…}}` as JSON or as a property list.
///
/// The first member identifies the file and the version of its format. An archive holds every part of a model,
/// including the parts that Xcode's XML cannot represent.
struct ModelArchive: Codable {
    /// The version that this release writes. It reads all versions up to this one.
    static let version = 1
    /// The depth limit of nested values; only validation predicates nest.
    static let depth = 256
    /// The size limit of an archive, in bytes.
    static let bytes = 64 << 20

    /// The limits for a property list that may be a model archive or a compiled model in XML.
    static let limits: PropertyListLimits = {
        var limits = PropertyListLimits.standard
        limits.depth = depth
        limits.treeSize = 2_000_000
        return limits
    }()

    static let marker = CodingKeys.granaryModel.stringValue

    var granaryModel = Self.version
    var model: ManagedObjectModel

    /// The member that is read first.
    private struct Header: Decodable {
        var granaryModel: Int
    }

    init(model: ManagedObjectModel) { self.model = model }

    // MARK: Reading

    static func readJSON(_ bytes: [UInt8], source: String) throws(GranaryError) -> ManagedObjectModel {
        do {
            let data = Data(bytes)
            try checkVersion(try JSONDecoder().decode(Header.self, from: data).granaryModel, source)
            return try JSONDecoder().decode(ModelArchive.self, from: data).model
        } catch let error as GranaryError {
            throw error
        } catch {
            throw refusal(error, source, json: bytes)
        }
    }

    /// Foundation's decoder overflows the stack on hostile bytes. So Granary's bounded reader reads the list, which is
    /// then written again for Foundation's decoder.
    static func readPropertyList(_ list: PropertyListValue, source: String) throws(GranaryError) -> ManagedObjectModel {
        guard let version = list[marker]?.integer, let version = Int(exactly: version) else {
            throw GranaryError(
                Diagnostic(
                    .modelSyntax, "\(source): is a property list, but not a model archive: it has no \"\(marker)\""))
        }
        try checkVersion(version, source)
        do {
            let bytes = try PropertyList.write(list, as: .binary)
            return try PropertyListDecoder().decode(ModelArchive.self, from: Data(bytes)).model
        } catch let error as GranaryError {
            throw error
        } catch {
            throw refusal(error, source)
        }
    }

    /// Whether a property list is marked as a model archive.
    static func isArchive(_ list: PropertyListValue) -> Bool { list[marker] != nil }

    // MARK: Writing

    static func json(_ model: ManagedObjectModel, target: String) throws(GranaryError) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return Array(try encoder.encode(ModelArchive(model: model))) + [UInt8(ascii: "\n")]
        } catch {
            throw unwritable(error, target)
        }
    }

    static func propertyList(
        _ model: ManagedObjectModel, as format: PropertyListFormat, target: String
    ) throws(GranaryError) -> [UInt8] {
        do {
            return try PropertyList.write(PropertyListValueEncoder.encode(ModelArchive(model: model)), as: format)
        } catch {
            throw unwritable(error, target)
        }
    }
}

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

    /// - Parameter json: the bytes of a JSON archive, to find a syntax error.
    static func refusal(_ error: any Error, _ source: String, json: [UInt8]? = nil) -> GranaryError {
        var diagnostic = Diagnostic(.modelSyntax, "\(source): \(explanation(error))")
        if let json, let (reason, offset) = syntaxFault(json) {
            diagnostic.message = "\(source): is not valid JSON: \(reason)"
            diagnostic.position = offset.map { position(at: $0, in: json, source) }
        }
        var refusal = GranaryError(diagnostic)
        refusal.underlying = error
        return refusal
    }

    /// A coder's message with the path of the value: `model.entities[2].attributes[0].type`.
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

    /// Foundation's decoder on Linux does not report the offset of a syntax error; `JSONSerialization` does.
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
