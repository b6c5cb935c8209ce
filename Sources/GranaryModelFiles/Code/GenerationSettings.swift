package import Foundation
package import GranaryBase
package import GranaryModel

/// What the plugin generates for a model, from a file beside it: `{"access": "public", "entities": ["Book"]}`.
///
/// `Library.granary.json` is for the model Library. `granary.json` is for all models in its folder that have no such
/// file. The plugin names the same files as inputs.
package struct GenerationSettings: Sendable, Equatable {
    /// The access level of the declarations.
    package var access = GeneratedAccess.internal
    /// The names of the entities that get classes; nil for all.
    package var entities: Set<String>?
    /// The file; nil if there is none.
    private(set) var path: String?

    private static let file = "granary.json"
    private static let limit = 1 << 20

    /// Reads the file beside a model.
    ///
    /// - Throws: ``GranaryError`` with code `refused` if it is not such a file, or `unreadable`.
    package init(besides model: URL) throws(GranaryError) {
        let folder = model.deletingLastPathComponent()
        let own = "\(ModelTextFile.modelName(model)).\(Self.file)"
        let paths = [own, Self.file].map { folder.appending(path: $0).path(percentEncoded: false) }
        guard let path = paths.first(where: { FileKind($0) != .missing }) else { return }
        self.path = path
        let bytes = try ByteSource(path: path).readAll(limit: Self.limit)
        do {
            let members = try JSONDecoder().decode(Members.self, from: Data(bytes))
            access = members.access
            entities = members.entities.map { Set($0) }
        } catch let error as GranaryError {
            throw GranaryError(error.code, "\(path): \(error.message)")
        } catch {
            throw GranaryError(
                .refused,
                "\(path): is not an object of JSON, such as {\"access\": \"public\", \"entities\": [\"Book\"]}")
        }
    }

    /// Checks that the model has the entities.
    ///
    /// - Throws: ``GranaryError`` with code `refused` for an unknown entity.
    package func check(_ schema: Schema) throws(GranaryError) {
        let names = schema.entities.map(\.name)
        for name in (entities ?? []).sorted() where !names.contains(name) {
            throw GranaryError(
                .refused,
                "\(path ?? Self.file): the model has no entity \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: names) + "; its entities are " + names.joined(separator: ", "))
        }
    }

    private struct Members: Decodable {
        var access = GeneratedAccess.internal
        var entities: [String]?

        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }

            init?(intValue: Int) { nil }
        }

        private static let known = ["access", "entities"]

        init(from decoder: any Decoder) throws {
            let members = try decoder.container(keyedBy: Key.self)
            let unknown = members.allKeys.map(\.stringValue).sorted().first { !Self.known.contains($0) }
            if let unknown {
                throw GranaryError(
                    .refused,
                    "\"\(Diagnostic.shortened(unknown))\" is no setting"
                        + NearestText.hint(for: unknown, in: Self.known) + "; the settings are access and entities")
            }
            if members.contains(Key(stringValue: "access")) {
                let text = try? members.decode(String.self, forKey: Key(stringValue: "access"))
                guard let access = text.flatMap({ GeneratedAccess(rawValue: $0) }) else {
                    throw GranaryError(.refused, "access must be \"internal\", \"package\" or \"public\"")
                }
                self.access = access
            }
            if members.contains(Key(stringValue: "entities")) {
                let names = try? members.decode([String].self, forKey: Key(stringValue: "entities"))
                guard let names, !names.isEmpty else {
                    throw GranaryError(
                        .refused, "entities must be a list of names of entities, such as [\"Book\", \"Author\"]")
                }
                entities = names
            }
        }
    }
}
