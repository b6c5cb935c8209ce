import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import StoreTestSupport
import Testing

@Suite("Transformers by name") struct AttributeTransformersTests {
    static func attribute(_ name: String) throws -> Schema.Attribute {
        try #require(TransformedModel.model.resolved().entity(named: "Thing")?.attribute(named: name))
    }

    @Test("The built-in ones are always there")
    func builtIn() {
        let names = [
            "NSKeyedUnarchiveFromData", "NSKeyedUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromData",
            "NSSecureUnarchiveFromDataTransformer", "NSSecureUnarchiveFromDataTransformerName",
        ]
        #expect(AttributeTransformers().names == names)
        let transformers: AttributeTransformers = [TransformedModel.point]
        #expect(transformers.names == names + ["PointTransformer"])
        #expect(transformers["PointTransformer"]?.name == "PointTransformer" && transformers["Point"] == nil)
    }

    @Test(
        "An attribute has the one that the model names, or Core Data's default",
        arguments: [
            ("list", "NSSecureUnarchiveFromData"), ("tags", "NSSecureUnarchiveFromData"),
            ("cleared", "NSSecureUnarchiveFromData"), ("old", "NSKeyedUnarchiveFromDataTransformerName"),
            ("point", "PointTransformer"),
        ])
    func ofAttribute(attribute: String, transformer: String) throws {
        let transformers = AttributeTransformers([TransformedModel.point])
        #expect(try transformers.transformer(for: Self.attribute(attribute)).name == transformer)
    }

    @Test("One that is not registered is named, with those that are")
    func missing() throws {
        let (color, name) = (try Self.attribute("color"), try Self.attribute("name"))
        let error = #expect(throws: GranaryError.self) {
            try AttributeTransformers([TransformedModel.point]).transformer(for: color)
        }
        #expect(error?.code == .usage)
        for part in ["\"ColorTransformer\"", "\"PointTransformer\"", "\"NSSecureUnarchiveFromData\""] {
            #expect(error?.message.contains(part) == true)
        }
        let near = AttributeTransformers([.keyedArchive(name: "ColourTransformer")])
        let hinted = #expect(throws: GranaryError.self) { try near.transformer(for: color) }
        #expect(hinted?.message.contains("did you mean \"ColourTransformer\"?") == true)
        #expect(throws: GranaryError.self) { try near.transformer(for: name) }
    }

    @Test("Of several with one name the last counts, before a built-in one too")
    func replaced() throws {
        let own = AttributeTransformer(
            name: "NSSecureUnarchiveFromData", encode: { (text: String) in Data(text.utf8) },
            decode: { data in String(decoding: data, as: UTF8.self) })
        let transformers: AttributeTransformers = [.secureUnarchiveFromData, own]
        #expect(try transformers["NSSecureUnarchiveFromData"]?.encode("x") == Data("x".utf8))
        #expect(transformers.names.count == 5)
    }

    @Test("A transformer takes values of its type only")
    func wrongType() throws {
        let point = TransformedModel.Point(x: 1, y: 2)
        let bytes = try TransformedModel.point.encode(point)
        #expect(try TransformedModel.point.decode(bytes) as? TransformedModel.Point == point)
        let error = #expect(throws: GranaryError.self) { try TransformedModel.point.encode("1, 2") }
        #expect(error?.code == .refused && error?.diagnostics.first?.code == .valueSyntax)
        #expect(error?.message.contains("String") == true && error?.message.contains("Point") == true)
    }
}
