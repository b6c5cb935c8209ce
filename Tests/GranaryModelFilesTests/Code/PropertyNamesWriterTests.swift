import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryModelFiles

/// The names of properties for conditions in Swift. `ClassGeneratorTests` has those of whole classes.
@Suite("Names of properties in generated classes") struct PropertyNamesWriterTests {
    @Test("An extension names its properties for the property that the user's class overrides")
    func propertyNamesOfExtensions() throws {
        var entity = EntityDescription(
            "Root",
            [
                .attribute("func", .string), .attribute("hashValue", .string),
                .fetched("all", "Root", where: "func == nil"),
            ])
        entity.managedObjectClassName = "Root"
        entity.codeGenerationType = "category"
        let schema = try ManagedObjectModel(entities: [entity]).resolved()
        let generator = ClassGenerator(schema, modelName: "Company", form: .single, hasPrimitives: true)
        let text = try #require(generator.files().first).text
        #expect(
            text.contains(
                """
                /// - Note: for conditions in Swift the class overrides the class property `propertyNames` with \
                `propertyNames(of: Self.self, super.propertyNames)`.
                """))
        #expect(
            text.contains(
                """
                    static func propertyNames<Root_: Root>(
                        of type: Root_.Type, _ inherited: [AnyKeyPath: String]
                    ) -> [AnyKeyPath: String] {
                        var names = inherited
                        names[\\Root_.`func`] = "func"
                        names[\\Root_.hashValue_] = "hashValue"
                        return names
                    }
                """))
        #expect(!text.contains("override class"))
    }

    @Test("The elements of a composite are named, not the composite")
    func composites() throws {
        var place = AttributeDescription(name: "place", type: .composite)
        place.compositeName = "Place"
        var entity = EntityDescription("E", [.attribute(place)])
        entity.managedObjectClassName = "E"
        var model = ManagedObjectModel(entities: [entity])
        model.composites = [
            CompositeDescription(name: "Place", elements: [AttributeDescription(name: "x", type: .double)])
        ]
        let generator = ClassGenerator(try model.resolved(), modelName: "Company", form: .single)
        let text = try #require(generator.files().first).text
        #expect(text.contains("        names[\\Root.place.x] = \"place.x\"\n"))
        #expect(!text.contains("names[\\Root.place] "))
    }
}
