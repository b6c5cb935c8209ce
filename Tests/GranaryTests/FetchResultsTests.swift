import Foundation
import Granary
import TestSupport
import Testing

/// Fetches by class and condition, dictionaries, batch requests, fetched properties and templates.
@Suite("Results of fetches and batch requests") struct FetchResultsTests {
    final class Book: ManagedObject {}

    private let container: PersistentContainer

    init() throws {
        var shelf = EntityDescription(
            "Shelf", [.attribute("name", .string), .toMany("books", "Book", inverse: "shelf")])
        shelf.fetchedProperties.append(
            FetchedPropertyDescription(
                name: "thick",
                fetchRequest: FetchRequestTemplate(
                    name: "thick", entityName: "Book", predicateFormat: "shelf == $FETCH_SOURCE AND pages > 15")))
        var book = EntityDescription(
            "Book",
            [.attribute("title", .string), .attribute("pages", .integer32), .toOne("shelf", "Shelf", inverse: "books")])
        book.managedObjectClassName = "Book"
        var model = ManagedObjectModel(entities: [shelf, book])
        model.fetchRequestTemplates = [
            FetchRequestTemplate(name: "thinner", entityName: "Book", predicateFormat: "pages < $pages")
        ]
        container = try PersistentContainer(model: model, store: .inMemory, classes: ["Book": Book.self])
        let context = container.makeContext()
        for name in ["low", "top"] {
            let shelf = try context.insert(into: "Shelf")
            try shelf.setValue(.string(name), forKey: "name")
            for pages in [10, 20] as [Int64] {
                let book = try context.insert(Book.self)
                try book.setValue(.string("\(name) \(pages)"), forKey: "title")
                try book.setValue(.integer(pages), forKey: "pages")
                try book.setObject(shelf, forKey: "shelf")
            }
        }
        try context.save()
    }

    @Test("Objects by class, condition and order")
    func conditions() throws {
        let context = container.makeContext()
        let books: [Book] = try context.fetch(
            Book.self, where: "pages > %@", 10, sort: "title:desc", limit: 5, offset: 0)
        #expect(books.map { $0["title"] } == ["top 20", "low 20"])
        let shelf = try #require(try context.first("Shelf", where: "name == %@", "top", sort: "name"))
        #expect(try context.fetch("Book", where: "shelf == %@", shelf, sort: "pages").count == 2)
        #expect(try context.fetch("Book", where: "shelf == %@", shelf.objectID).count == 2)
        #expect(try context.first(Book.self, sort: "pages:desc,title")?["title"] == "low 20")
        #expect(try context.count(Book.self, where: "pages == 10") == 2 && context.count("Book") == 4)
        let reference = shelf.objectID.predicateReference
        #expect(reference.uri == shelf.objectID.uriRepresentation.absoluteString)
        #expect(shelf.predicateExpression == .object(reference))
        #expect(shelf.objectID.predicateExpression == .object(reference))
        var request = FetchRequest<Book>(entityName: "Book")
        #expect(request.resultType == .managedObjects && FetchRequest(Book.self).entityName == nil)
        guard case .objects(let all) = try context.execute(request) else { throw CancellationError() }
        request.resultType = .managedObjectIDs
        guard case .objectIDs(let ids) = try context.execute(request) else { throw CancellationError() }
        request.resultType = .count
        guard case .count(4) = try context.execute(request) else { throw CancellationError() }
        #expect(all.map(\.objectID) == ids)
    }

    @Test("Dictionaries with columns, groups and aggregates")
    func dictionaries() throws {
        let context = container.makeContext()
        var request = FetchRequest("Book")
        request.resultType = .dictionaries
        var total = ExpressionDescription("total", try ObjectExpression(format: "sum:(pages)"))
        total.resultType = .double
        #expect(total.name == "total" && total.expression == .function("sum:", [.keyPath("pages")]))
        request.propertiesToFetch = ["shelf", .property("shelf.name"), .expression(total)]
        request.propertiesToGroupBy = ["shelf", "shelf.name"]
        request.havingPredicate = try ObjectPredicate("$total >= 30")
        request.sortDescriptors = [ObjectSortDescriptor("shelf.name", ascending: false)]
        guard case .dictionaries(let rows) = try context.execute(request) else { throw CancellationError() }
        #expect(rows.map(\.names) == [["shelf", "shelf.name", "total"], ["shelf", "shelf.name", "total"]])
        let first = try #require(rows.first)
        #expect(first["shelf.name"] == "top" && first["total"] == 30.0)
        #expect(try first[AttributeKey<Double>("total")] == 30)
        #expect(throws: GranaryError.self) { try first[AttributeKey<String>("total")] }
        let shelf = try #require(try context.first("Shelf", where: "name == 'top'"))
        #expect(first.objectID("shelf") == shelf.objectID && first.dictionary["total"] == .attribute(30.0))
        #expect(first.values.count == 3)
        request.propertiesToGroupBy = []
        request.havingPredicate = nil
        request.sortDescriptors = [ObjectSortDescriptor("pages")]
        request.propertiesToFetch = ["pages"]
        request.returnsDistinctResults = true
        #expect(try context.fetchDictionaries(request).map { $0["pages"] } == [10, 20])
    }

    @Test("Batch requests change the store")
    func batches() throws {
        let context = container.makeContext()
        let book = try #require(try context.first(Book.self, where: "title == 'low 10'"))
        #expect(book["pages"] == 10)
        var insertion = BatchInsertRequest("Book", objects: [["title": "new"]])
        insertion.resultType = .count
        insertion.affectedStores = nil
        #expect(insertion.entityName == "Book")
        let inserted = try context.execute(insertion)
        #expect(inserted.status && inserted.count == 1 && inserted.objectIDs.isEmpty)
        let one = BatchInsertRequest("Shelf", state: false) { isDone, attributes in
            defer { isDone = true }
            attributes["name"] = "made"
            return isDone
        }
        #expect(one.resultType == .statusOnly)
        #expect(try context.execute(one).count == 1)
        var update = BatchUpdateRequest("Book", propertiesToUpdate: ["pages": .constant(1)])
        update.predicate = try ObjectPredicate("pages == 10")
        update.propertiesToUpdate["title"] = .null
        update.includesSubentities = false
        update.affectedStores = nil
        update.resultType = .objectIDs
        #expect(update.entityName == "Book")
        let updated = try context.execute(update)
        #expect(updated.count == 2 && updated.objectIDs.count == 2 && book["pages"] == 10)
        try ManagedObjectContext.mergeChanges(from: updated.changes, into: [context])
        #expect(book["pages"] == 1)
        var deletion = BatchDeleteRequest(FetchRequest("Book", where: try ObjectPredicate("pages == 1")))
        deletion.fetchRequest.sortDescriptors = [ObjectSortDescriptor("title")]
        deletion.resultType = .objectIDs
        #expect(try context.execute(deletion).changes.deleted.count == 2)
        #expect(try container.makeContext().count("Book") == 3)
    }
}
