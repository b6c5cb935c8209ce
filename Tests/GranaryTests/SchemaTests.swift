import Granary
import Testing

/// The resolved form of a model.
@Suite("Schema") struct SchemaTests {
    @Test("A schema resolves inheritance, inverses and names")
    func schema() throws {
        var book = EntityDescription(
            "Book",
            [
                .attribute("title", .string), .attribute("draft", .string, .transient),
                .toMany("pages", "Page", inverse: "book"),
            ], unique: [["title"]])
        book.userInfo = ["icon": "book"]
        let model = ManagedObjectModel(entities: [
            book, EntityDescription("Novel", [.attribute("genre", .string)], superentity: "Book"),
            EntityDescription("Page", [.toOne("book", "Book", inverse: "pages")]),
        ])
        let container = try PersistentContainer(model: model, store: .inMemory)
        let schema: Schema = container.schema
        #expect(
            schema.model == model && schema.versionHashes.mapValues(\.count) == ["Book": 32, "Novel": 32, "Page": 32])
        let parent = try #require(schema.entity(named: "Book"))
        let novel: Schema.Entity = try #require(schema.entity(named: "Novel"))
        #expect(novel.superentity == parent.index && novel.root == parent.index && parent.superentity == nil)
        #expect(parent.hasSubentities && !novel.hasSubentities)
        #expect(parent.family == parent.index..<parent.index + 2 && parent.userInfo == ["icon": "book"])
        let title = try #require(novel.attribute(named: "title"))
        #expect(title.owner == parent.index && title.isPersistent && title.type == .string)
        #expect(novel.attribute(named: "draft")?.isPersistent == false)
        #expect(novel.property(named: "title") == .attribute(0))
        let pages: Schema.Relationship = try #require(novel.relationship(named: "pages"))
        let page = try #require(schema.entity(named: "Page"))
        #expect(novel.property(named: "pages") == .relationship(0) && novel.property(named: "x") == nil)
        #expect(pages.isToMany && pages.isPersistent && pages.destination == page.index && pages.owner == parent.index)
        #expect(pages.name == "pages" && pages.description.inverseName == "book")
        #expect(pages.inverse?.owner == page.index && pages.inverse?.relationship == 0)
        let inverse: Schema.Inverse = try #require(pages.inverse)
        let slot: Schema.Slot = try #require(page.property(named: "book"))
        #expect(slot == .relationship(inverse.relationship))
        let constraint: Schema.UniquenessConstraint = try #require(novel.uniquenessConstraints.first)
        #expect(constraint.names == ["title"] && constraint.owner == parent.index)
        #expect(constraint.properties == [.attribute(0)])
    }
}
