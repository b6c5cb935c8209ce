import GranaryModel
import Testing

@testable import GranaryModelFiles

@Suite("Stages of a staged migration") struct StagedMigrationPlanTests {
    private static func stages(_ versions: [PropertyDescription]...) -> [StagedMigrationPlan.Stage] {
        let chain = ModelVersionChain(
            versions.enumerated().map { index, properties in
                let person = EntityDescription("Person", [.attribute("name", .string)] + properties)
                return .init(name: "V\(index + 1)", model: ManagedObjectModel(entities: [person]))
            })
        return StagedMigrationPlan(chain, through: versions.count - 1).stages
    }

    private static let text = PropertyDescription.attribute("note", .string)
    private static let number = PropertyDescription.attribute("note", .integer32)
    private static let age = PropertyDescription.attribute("age", .integer16)
    private static let size = PropertyDescription.attribute("size", .integer16)
    private static let code = PropertyDescription.attribute("code", .string, .required)

    @Test("One lightweight stage has all versions, if each is inferred to the last one")
    func lightweight() {
        #expect(Self.stages([], [Self.age], [Self.age, Self.size]) == [.lightweight([0, 1, 2])])
    }

    @Test("Two lightweight stages in a row would be one, so a custom stage divides them")
    func divided() {
        #expect(
            Self.stages([Self.text], [], [Self.number]) == [.lightweight([0]), .custom(from: 1, to: 2)])
        #expect(
            Self.stages([Self.text], [], [Self.number], [Self.number, Self.age]) == [
                .lightweight([0]), .custom(from: 1, to: 2), .lightweight([3]),
            ])
    }

    @Test("A step that depends on data, or needs a mapping, is a custom stage")
    func custom() {
        #expect(
            Self.stages([], [Self.age], [Self.age, Self.code], [Self.age, Self.code, Self.size]) == [
                .lightweight([0]), .custom(from: 1, to: 2), .lightweight([3]),
            ])
        #expect(Self.stages([Self.text], [Self.number]) == [.custom(from: 0, to: 1)])
    }

    @Test("Adjacent custom stages share a version")
    func adjacent() {
        #expect(
            Self.stages([], [Self.code], [Self.code, Self.text], [Self.code, Self.number]) == [
                .custom(from: 0, to: 1), .custom(from: 1, to: 2), .custom(from: 2, to: 3),
            ])
    }

    @Test("The names of versions become names of Swift")
    func names() throws {
        let names = ["default", "init", "Shop 2", "Shop-2"]
        let chain = ModelVersionChain(
            names.enumerated().map { index, name in
                let person = EntityDescription("Person", [.attribute("a\(index)", .string)])
                return .init(name: name, model: ManagedObjectModel(entities: [person]))
            })
        let generator = try StagedMigrationGenerator(chain, modelName: "My Shop")
        #expect(generator.cases == ["default", "init_", "Shop_2", "Shop_2_"])
        #expect(generator.file().name == "My Shop+Migration.swift")
        #expect(generator.text.contains("\nenum My_ShopMigration {\n"))
        #expect(generator.text.contains("        case `default` = \""))
    }
}
