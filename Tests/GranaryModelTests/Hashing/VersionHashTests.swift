import Foundation
import Testing

@testable import GranaryModel

/// What is in an entity's hash and what is not, by changing one thing of a model at a time.
@Suite struct VersionHashTests {
    private static let base = EntityDescription(
        "Book",
        [
            .attribute("title", .string, .required),
            .attribute("cover", .binary),
            .toMany("pages", "Page", inverse: "book"),
        ])

    private func hash(_ entity: EntityDescription, composites: [CompositeDescription] = []) throws -> Data? {
        var model = ManagedObjectModel(entities: [
            entity, EntityDescription("Page", [.toOne("book", "Book", inverse: "pages")]),
        ])
        model.composites = composites
        return try SchemaBuilder(model: model).build().versionHashes["Book"]
    }

    @Test(
        arguments: [
            { $0.managedObjectClassName = "Other" },
            { $0.userInfo = ["a": "b"] },
            { $0.renamingIdentifier = "Old" },
            { $0.fetchIndexes = [FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title")])] },
            { $0.compoundIndexes = [["title"]] },
            { $0.attributes.swapAt(0, 1) },
            { $0.attributes[0].defaultValue = "x" },
            { $0.attributes[0].maximumLength = 3 },
            { $0.attributes[0].regularExpression = "a" },
            { $0.attributes[0].isIndexed = true },
            { $0.attributes[0].isIndexedBySpotlight = true },
            { $0.attributes[0].usesScalarValueType = true },
            { $0.attributes[0].allowsCloudEncryption = true },
            { $0.attributes[0].renamingIdentifier = "old" },
            { $0.attributes.append(AttributeDescription(name: "shown", type: .undefined, isTransient: true)) },
            { $0.relationships[0].deleteRule = .cascade },
            {
                $0.fetchedProperties = [
                    FetchedPropertyDescription(name: "f", fetchRequest: .init(name: "f", entityName: "Page"))
                ]
            },
        ] as [@Sendable (inout EntityDescription) -> Void])
    func isNotHashed(_ change: @Sendable (inout EntityDescription) -> Void) throws {
        var changed = Self.base
        change(&changed)
        #expect(changed != Self.base)
        #expect(try hash(changed) == hash(Self.base))
    }

    @Test(
        arguments: [
            { $0.isAbstract = true },
            { $0.versionHashModifier = "2" },
            { $0.uniquenessConstraints = [["title"]] },
            { $0.attributes[0].name = "Title" },
            { $0.attributes[0].isOptional = true },
            { $0.attributes[0].type = .uri },
            { $0.attributes[0].isTransient = true },
            { $0.attributes[0].versionHashModifier = "2" },
            { $0.attributes[1].allowsExternalBinaryDataStorage = true },
            { $0.attributes[1].preservesValueInHistoryOnDeletion = true },
            { $0.attributes[0].derivationExpression = "pages.@count" },
            { $0.relationships[0].inverseName = nil },
            { $0.relationships[0].minCount = 1 },
            { $0.relationships[0].maxCount = 1 },
            { $0.relationships[0].maxCount = -1 },
            { $0.relationships[0].isOrdered = true },
            { $0.relationships[0].isOptional = false },
            { $0.relationships[0].destinationEntityName = "Book" },
            { $0.relationships[0].versionHashModifier = "2" },
        ] as [@Sendable (inout EntityDescription) -> Void])
    func isHashed(_ change: @Sendable (inout EntityDescription) -> Void) throws {
        var changed = Self.base
        change(&changed)
        #expect(try hash(changed) != hash(Self.base))
    }

    @Test func derivedAttributeIsItsExpressionOnly() throws {
        func derived(_ name: String, _ type: AttributeType, _ expression: String) throws -> Data? {
            try hash(EntityDescription("Book", [.attribute(name, type, .derived(expression))]))
        }
        #expect(try derived("n", .integer64, "pages.@count") == derived("m", .string, "pages.@count"))
        #expect(try derived("n", .integer64, "pages.@count") == derived("n", .integer64, "count:(pages)"))
        #expect(try derived("n", .integer64, "pages.@count") != derived("n", .integer64, "pages.@sum"))
        // Blanks that the printed form has not.
        #expect(try derived("n", .string, " canonical: ( name )") == derived("n", .string, "canonical:(name)"))
        #expect(try derived("n", .integer64, "pages.@count ") == derived("n", .integer64, "count:(pages)"))
        #expect(try derived("n", .string, "a + b") != derived("n", .string, "a+b"))
        #expect(try derived("n", .string, "a b") != derived("n", .string, "ab"))
    }

    @Test func compositeIsItsElementsByName() throws {
        let elements = [
            AttributeDescription(name: "x", type: .double), AttributeDescription(name: "a", type: .string),
        ]
        func composite(_ name: String, _ elements: [AttributeDescription]) throws -> Data? {
            try hash(
                EntityDescription("Book", [.attribute(name, .composite, .composite("Place"))]),
                composites: [CompositeDescription(name: "Place", elements: elements)])
        }
        #expect(try composite("from", elements) == composite("to", elements.reversed()))
        #expect(try composite("from", elements) != composite("from", [elements[0]]))
    }

    @Test func superentityIsHashedIntoItsSubentities() throws {
        func hash(_ parent: EntityDescription) throws -> Data? {
            let child = EntityDescription("Child", [.attribute("c", .string)], superentity: "Parent")
            return try SchemaBuilder(model: ManagedObjectModel(entities: [parent, child])).build()
                .versionHashes["Child"]
        }
        let plain = try hash(EntityDescription("Parent", [.attribute("a", .string)]))
        #expect(try hash(EntityDescription("Parent", [.attribute("b", .string)])) != plain)
        #expect(try hash(EntityDescription("Parent", [.attribute("a", .string)], isAbstract: true)) != plain)
    }
}

extension AttributeDescription {
    fileprivate init(name: String, type: AttributeType, isTransient: Bool) {
        self.init(name: name, type: type)
        self.isTransient = isTransient
    }
}
