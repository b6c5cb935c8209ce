import Foundation
import GranaryYAML
import TestSupport
import Testing

@testable import GranaryModelFiles

/// docs/model.schema.json, docs/model-text.md and the reader know the same keys.
struct ModelTextSchemaTests {
    private static let docs = Samples.root.deletingLastPathComponent().appending(path: "docs")

    private static let keys: [(part: String?, keys: [String])] = [
        (nil, ModelTextKey.allCases.map(\.rawValue)),
        ("entity", ModelEntityKey.allCases.map(\.rawValue)),
        ("attribute", ModelAttributeKey.allCases.map(\.rawValue)),
        ("relationship", ModelRelationshipKey.allCases.map(\.rawValue)),
        ("fetchedProperty", ModelFetchedPropertyKey.allCases.map(\.rawValue)),
        ("fetchRequest", ModelFetchRequestKey.allCases.map(\.rawValue)),
        ("sort", ModelSortKey.allCases.map(\.rawValue)),
        ("index", ModelIndexKey.allCases.map(\.rawValue)),
        ("indexElement", ModelIndexElementKey.allCases.map(\.rawValue)),
        ("composite", ModelCompositeKey.allCases.map(\.rawValue)),
        ("configuration", ModelConfigurationKey.allCases.map(\.rawValue)),
        ("rule", ModelRuleKey.allCases.map(\.rawValue)),
    ]

    private func parts() throws -> (schema: [String: Any], parts: [String: Any]) {
        let data = try Data(contentsOf: Self.docs.appending(path: "model.schema.json"))
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        return (schema, try #require(schema["$defs"] as? [String: Any]))
    }

    /// The long form of a part.
    private func object(_ name: String?) throws -> [String: Any] {
        let (schema, parts) = try parts()
        guard let name else { return schema }
        return try #require(parts["\(name)Object"] as? [String: Any], "\(name)")
    }

    @Test func theReaderAndTheSchemaHaveTheSameKeys() throws {
        for (part, keys) in Self.keys {
            let properties = try #require(try object(part)["properties"] as? [String: Any])
            #expect(properties.keys.sorted() == keys.sorted(), "\(part ?? "the top")")
        }
    }

    @Test func everyKeyIsDescribed() throws {
        for (part, _) in Self.keys {
            let object = try object(part)
            #expect(object["additionalProperties"] as? Bool == false)
            for (name, property) in try #require(object["properties"] as? [String: Any]) {
                #expect(((property as? [String: Any])?["description"] as? String ?? "") != "", "\(name)")
            }
        }
    }

    @Test func everyKeyAndWordStandsInTheManual() throws {
        let manual = try String(contentsOf: Self.docs.appending(path: "model-text.md"), encoding: .utf8)
        let words =
            Self.keys.flatMap(\.keys) + ModelTextReader.attributeWords + ModelTextReader.relationshipWords
            + ModelTextNames.types.map(\.name) + ModelTextNames.comparisons.map(\.name)
            + ModelTextNames.results.map(\.name)
        for word in words { #expect(manual.contains("`\(word)`"), "\(word)") }
    }
}
