import Foundation
import GranaryBase
import GranaryFormats
import TestSupport
import Testing
@testable import GranaryImport
@testable import GranarySeedPlans

/// docs/seed-plan.schema.json, docs/seed-plans.md and the parser know the same keys.
@Suite struct PlanSchemaTests {
    private static let docs = Samples.root.deletingLastPathComponent().appending(path: "docs")

    private func schema() throws -> [String: Any] {
        let data = try Data(contentsOf: Self.docs.appending(path: "seed-plan.schema.json"))
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    private func keys(_ object: Any?) -> [String] {
        guard let object = object as? [String: Any], let properties = object["properties"] as? [String: Any] else {
            return []
        }
        return properties.keys.sorted()
    }

    @Test func theParserAndTheSchemaHaveTheSameKeys() throws {
        let schema = try schema()
        let parts = try #require(schema["$defs"] as? [String: Any])
        let store = PlanStoreKey.allCases
        #expect(keys(schema) == store.map(\.rawValue).sorted())
        #expect(
            keys(parts["store"])
                == store.filter { !PlanStoreKey.onlyAtTop.contains($0) }.map(\.rawValue).sorted())
        let imports = PlanImportKey.allCases
        #expect(keys(parts["import"]) == imports.map(\.rawValue).sorted())
        #expect(
            keys(parts["defaults"])
                == imports.filter { !PlanImportKey.notInDefaults.contains($0) }.map(\.rawValue).sorted())
        #expect(keys(parts["generate"]) == PlanGenerateKey.allCases.map(\.rawValue).sorted())
        #expect(keys(parts["subset"]) == PlanSubsetKey.allCases.map(\.rawValue).sorted())
        #expect(keys(parts["column"]) == PlanColumnKey.allCases.map(\.rawValue).sorted())
    }

    @Test func everyKeyIsDescribed() throws {
        let schema = try schema()
        let parts = try #require(schema["$defs"] as? [String: Any])
        for part in [schema as Any] + Array(parts.values) {
            let object = try #require(part as? [String: Any])
            #expect(object["additionalProperties"] as? Bool == false)
            for (name, property) in try #require(object["properties"] as? [String: Any]) {
                let text = (property as? [String: Any])?["description"] as? String
                #expect(!(text ?? "").isEmpty, "\(name)")
            }
        }
    }

    @Test func everyKeyStandsInTheManual() throws {
        let manual = try String(contentsOf: Self.docs.appending(path: "seed-plans.md"), encoding: .utf8)
        let keys =
            PlanStoreKey.allCases.map(\.rawValue) + PlanImportKey.allCases.map(\.rawValue)
            + PlanColumnKey.allCases.map(\.rawValue) + PlanGenerateKey.allCases.map(\.rawValue)
            + PlanSubsetKey.allCases.map(\.rawValue)
        for key in keys { #expect(manual.contains("`\(key)`"), "\(key)") }
    }

    /// Choices that the schema lists are those that the parser takes.
    @Test func theChoicesAreTheParsers() throws {
        let parts = try #require(try schema()["$defs"] as? [String: Any])
        let imports = try #require((parts["import"] as? [String: Any])?["properties"] as? [String: Any])
        func choices(_ key: String) -> Set<String> {
            Set((imports[key] as? [String: Any])?["enum"] as? [String] ?? [])
        }
        #expect(choices("format") == Set(DataFormat.allCases.map(\.rawValue)))
        #expect(choices("on-conflict") == Set(ImportOptions.ConflictPolicy.allCases.map(\.rawValue)))
        #expect(choices("binary") == Set(BinaryStyle.allCases.map(\.rawValue)))
    }
}
