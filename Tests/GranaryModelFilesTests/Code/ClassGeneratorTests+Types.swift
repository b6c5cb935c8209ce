import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryModelFiles

/// The types of generated properties.
extension ClassGeneratorTests {
    /// The type of an attribute, whether it is optional and a scalar, and the type of its property.
    private static let types: [(AttributeType, Bool, Bool?, String)] = [
        (.integer16, true, nil, "Int16?"), (.integer16, true, false, "Int16?"), (.integer16, true, true, "Int16"),
        (.integer32, false, nil, "Int32"), (.integer64, false, true, "Int64"), (.double, true, true, "Double"),
        (.float, true, nil, "Float?"), (.boolean, true, true, "Bool"), (.boolean, false, false, "Bool"),
        (.decimal, true, nil, "Decimal?"), (.decimal, false, nil, "Decimal"), (.string, true, nil, "String?"),
        (.string, false, nil, "String"), (.date, true, false, "Date?"), (.date, true, true, "TimeInterval"),
        (.binary, true, nil, "Data?"), (.uuid, false, nil, "UUID"), (.uri, true, nil, "URL?"),
        (.transformable, false, nil, "(any Sendable)?"),
    ]

    @Test("The types of properties follow the model", arguments: types)
    func propertyTypes(_ type: AttributeType, _ isOptional: Bool, _ isScalar: Bool?, _ expected: String) throws {
        var attribute = AttributeDescription(name: "x", type: type)
        attribute.isOptional = isOptional
        attribute.usesScalarValueType = isScalar
        let generator = try Self.generator([Self.entity("E", [.attribute(attribute)], class: "E")])
        #expect(try Self.text(generator, "_E.swift").contains("    var x: \(expected) {\n"))
    }

    @Test(
        "The value class of a Transformable becomes a type of Swift if it is one of property lists",
        arguments: [
            ("[Int64]", "[Int64]?"), ("NSString", "String?"), ("[String: [Double]]", "[String: [Double]]?"),
            ("Set<String>", "Set<String>?"), ("Color", "(any Sendable)?"), ("[Color]", "(any Sendable)?"),
            ("[[[[[Int]]]]]", "(any Sendable)?"), ("", "(any Sendable)?"),
        ])
    func transformables(_ valueClass: String, _ expected: String) throws {
        var attribute = AttributeDescription(name: "x", type: .transformable)
        attribute.valueClassName = valueClass
        let generator = try Self.generator([Self.entity("E", [.attribute(attribute)], class: "E")])
        #expect(try Self.text(generator, "_E.swift").contains("    var x: \(expected) {\n"))
    }

    @Test("A derived attribute cannot be set")
    func derived() throws {
        var attribute = AttributeDescription(name: "lower", type: .string)
        attribute.isOptional = true
        attribute.derivationExpression = "lowercase:(name)"
        let generator = try Self.generator([
            Self.entity("E", [.attribute("name", .string), .attribute(attribute)], class: "E")
        ])
        #expect(
            try Self.text(generator, "_E.swift").contains("    var lower: String? { typedValue(forKey: \"lower\") }\n"))
    }

    @Test("A composite is a structure of its elements")
    func composites() throws {
        var place = AttributeDescription(name: "place", type: .composite)
        place.compositeName = "Place"
        place.isOptional = true
        let composite = CompositeDescription(
            name: "Place", elements: [AttributeDescription(name: "x", type: .double)])
        let generator = try Self.generator(
            [Self.entity("E", [.attribute(place)], class: "E")], composites: [composite])
        let text = try Self.text(generator, "_E.swift")
        #expect(text.contains("        names[\\Root.place.x] = \"place.x\"\n"))
        #expect(
            text.contains(
                """
                    var place: PlaceElements { PlaceElements(managedObject: self) }

                    /// Access to the elements of `place` of one object.
                    struct PlaceElements: CompositeElements {
                        let managedObject: ManagedObject

                        /// The attribute `place.x`: Double.
                        var x: Double? {
                            get { managedObject.typedValue(forKey: "place.x") }
                            nonmutating set { managedObject.setTypedValue(newValue, forKey: "place.x") }
                        }
                    }
                """), "\(text)")
    }

    @Test("An enumeration of SwiftData is one value")
    func enumerations() throws {
        var attribute = AttributeDescription(name: "glass", type: .composite)
        attribute.compositeName = "Glass"
        var element = AttributeDescription(name: "glass", type: .string)
        element.isOptional = true
        var model = ManagedObjectModel(entities: [Self.entity("E", [.attribute(attribute)], class: "E")])
        model.composites = [CompositeDescription(name: "Glass", elements: [element])]
        model.versionIdentifiers = ["1.0.0"]
        let text = try Self.text(ClassGenerator(try model.resolved(), modelName: "E", form: .twoFiles), "_E.swift")
        #expect(text.contains("        names[\\Root.glass] = \"glass\"\n"), "\(text)")
        #expect(text.contains("    var glass: String? {\n"), "\(text)")
    }
}
