import GranaryBase
import Testing

@testable import GranaryModel
@testable import GranaryPredicates

/// Models made to be slow or large: each test would run for minutes, or out of memory, if a step were quadratic.
@Suite struct ModelSizeTests {
    private func chain(_ count: Int, _ properties: (Int) -> [PropertyDescription]) -> [EntityDescription] {
        (0..<count).map { index in
            EntityDescription(
                "E\(index)", properties(index), superentity: index == 0 ? nil : "E\(index - 1)")
        }
    }

    @Test func aChainOfTenThousandEntities() throws {
        let last = 9_999
        let entities = chain(10_000) { index in
            switch index {
            case 0: [.attribute("name", .string), .toMany("all", "E\(last)", inverse: "first")]
            case last: [.toOne("first", "E0", inverse: "all")]
            default: []
            }
        }
        let schema = try ManagedObjectModel(entities: entities.reversed()).resolved()
        #expect(schema.entities.count == 10_000)
        #expect(schema.entities[0].family == 0..<10_000)
        #expect(schema.entities[last].attributes.map(\.name) == ["name"])
        #expect(schema.entities[last].root == 0)
    }

    @Test func aCycleOfTenThousandEntities() throws {
        var entities = chain(10_000) { _ in [.attribute("a", .string)] }
        entities[0].superentityName = "E9999"
        let error = try #require(throws: GranaryError.self) { try ManagedObjectModel(entities: entities).resolved() }
        #expect(error.message == "the model has 10000 problems")
    }

    @Test func aChainWithPropertiesPastTheLimit() throws {
        let entities = chain(2_000) { [.attribute("a\($0)", .string)] }
        let problems = ManagedObjectModel(entities: entities).problems()
        #expect(problems.map(\.code) == [.limitExceeded])
        #expect(problems[0].message == "the entities have more than 500000 properties, inherited ones included")
        // Just below it is well.
        #expect(try ManagedObjectModel(entities: Array(entities.prefix(300))).resolved().entities[299].slotCount == 300)
    }

    @Test func tenThousandEntitiesOfAThousandAttributes() {
        let attributes = (0..<1_000).map { AttributeDescription(name: "a\($0)", type: .string) }
        let entities = (0..<10_000).map { index in
            var entity = EntityDescription(name: "E\(index)")
            entity.attributes = attributes
            return entity
        }
        #expect(ManagedObjectModel(entities: entities).problems().map(\.code) == [.limitExceeded])
    }

    @Test func uniquenessConstraintsAreInheritedToo() {
        var entities = chain(2_000) { $0 == 0 ? [.attribute("a", .string), .attribute("b", .string)] : [] }
        entities[0].uniquenessConstraints = (0..<500).map { $0 % 2 == 0 ? ["a"] : ["b"] }
        #expect(ManagedObjectModel(entities: entities).problems().map(\.code) == [.limitExceeded])
    }

    @Test func moreEntitiesThanThereAreNumbers() {
        let entities = (0...16_000).map { EntityDescription(name: "E\($0)") }
        #expect(ManagedObjectModel(entities: entities).problems().map(\.code) == [.limitExceeded])
        #expect(ManagedObjectModel(entities: entities.dropLast()).problems().isEmpty)
    }

    @Test func manyRelationshipsAtTheEndOfAChain() throws {
        var entities = chain(3_000) { _ in [] }
        entities[2_999].relationships = (0..<2_000).map {
            RelationshipDescription(name: "r\($0)", destination: "E2999", inverse: "r\($0)")
        }
        let schema = try ManagedObjectModel(entities: entities).resolved()
        #expect(schema.entities[2_999].relationships.allSatisfy { $0.inverse?.owner == 2_999 })
    }

    private func composites(levels: Int, width: Int) -> [CompositeDescription] {
        (0..<levels).map { level in
            CompositeDescription(
                name: "C\(level)",
                elements: (0..<width).map { index in
                    var element = AttributeDescription(
                        name: "e\(index)", type: level + 1 < levels ? .composite : .double)
                    element.compositeName = level + 1 < levels ? "C\(level + 1)" : nil
                    return element
                })
        }
    }

    private func model(_ composites: [CompositeDescription]) -> ManagedObjectModel {
        var model = ManagedObjectModel(entities: [
            EntityDescription("E", [.attribute("c", .composite, .composite("C0"))])
        ])
        model.composites = composites
        return model
    }

    @Test func compositesThatMultiply() throws {
        let problems = model(composites(levels: 16, width: 10)).problems()
        #expect(problems.allSatisfy { $0.code == .limitExceeded })
        #expect(problems.first?.entity == "C0")
        #expect(try model(composites(levels: 2, width: 30)).resolved().entities[0].slotCount == 900)
    }

    @Test func compositesThatMultiplyToNothing() {
        var all = composites(levels: 16, width: 10)
        all[15].elements = []
        #expect(model(all).problems().contains { $0.code == .limitExceeded })
    }

    @Test func compositesAreSixteenDeepAtMost() throws {
        #expect(try model(composites(levels: 16, width: 1)).resolved().entities[0].slotCount == 1)
        let problems = model(composites(levels: 17, width: 1)).problems()
        #expect(problems.map(\.code) == [.modelInheritance])
        #expect(problems.map(\.entity) == ["C0"])
        #expect(model(composites(levels: 10_000, width: 1)).problems().count == 9_984)
    }

    @Test func problemsPastTheLimitAreCounted() throws {
        let attributes = (0..<20_000).map { AttributeDescription(name: "a\($0)", type: .undefined) }
        var entity = EntityDescription(name: "E")
        entity.attributes = attributes
        let model = ManagedObjectModel(entities: [entity])
        #expect(model.problems().count == 10_000)
        let error = try #require(throws: GranaryError.self) { try model.resolved() }
        #expect(error.message == "the model has 20000 problems")
    }

    @Test func aLongNameIsCutInMessages() throws {
        let name = String(repeating: "n", count: 100_000)
        let problems = ManagedObjectModel(entities: [
            EntityDescription(name, [.toOne("a", name + "x", inverse: nil), .attribute("a", .string)])
        ]).problems()
        #expect(problems.count == 2)
        #expect(problems.allSatisfy { $0.message.utf8.count < 300 })
    }

    @Test func aPredicateOfManyLevelsIsRefused() {
        let deep = (0..<5_000).reduce(ObjectPredicate.constant(true)) { inner, _ in .and([inner]) }
        let list = (0..<5_000).reduce(ObjectExpression.null) { inner, _ in .list([inner]) }
        #expect(deep.isTooDeep)
        #expect(ObjectPredicate.compare(list, .equal, .null).isTooDeep)
        #expect(ObjectPredicate.between(.null, lower: .null, upper: list).isTooDeep)
    }
}
