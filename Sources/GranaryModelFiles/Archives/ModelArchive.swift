import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// A model in a file of its own: `{"granaryModel": 1, "model": {…}}` as JSON or as a property list.
///
/// The first member says what the file is, whatever its name, and which version of the form it has. An archive
/// holds every part of a model, also what Xcode's XML cannot.
struct ModelArchive: Codable {
    /// The form that this release writes. It reads all forms up to this one.
    static let version = 1
    /// How deep values may stand in each other; only validation predicates nest at all.
    static let depth = 256
    /// The bytes of an archive.
    static let bytes = 64 << 20

    /// How much a property list may hold to be looked at as one of ours, or as a compiled model in XML.
    static let limits: PropertyListLimits = {
        var limits = PropertyListLimits.standard
        limits.depth = depth
        limits.treeSize = 2_000_000
        return limits
    }()

    static let marker = CodingKeys.granaryModel.stringValue

    var granaryModel = Self.version
    var model: ManagedObjectModel

    /// What must be there before the rest makes sense.
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

    /// The list is read by our own bounded reader and handed to Foundation's decoder anew: on bytes as they come
    /// from outside that decoder overflows the stack.
    static func readPropertyList(_ list: PropertyListValue, source: String) throws(GranaryError) -> ManagedObjectModel {
        guard let version = list[marker]?.integer, let version = Int(exactly: version) else {
            throw GranaryError(
                Diagnostic(
                    .modelSyntax, "\(source): is a property list, but no archive of a model: it has no \"\(marker)\""))
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

    /// Whether a property list calls itself an archive of a model.
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
