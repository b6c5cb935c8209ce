import Foundation
import Granary

/// The programs of docs/fetching.md.
enum FetchingDocument {
    static func requests(_ context: ManagedObjectContext) throws -> [String?] {
        var request = FetchRequest("Book", where: try ObjectPredicate("pages > %@ AND author.name == %@", 100, "Ann"))
        request.sortDescriptors = [ObjectSortDescriptor("published", ascending: false), ObjectSortDescriptor("title")]
        request.fetchLimit = 20
        request.fetchOffset = 0
        let books = try context.fetch(request)

        let count = try context.count(for: request)
        let ids = try context.fetchObjectIDs(request)
        print(count, ids.count)
        return try books.map { try $0.string(forKey: "title") }
    }

    static func short(_ context: ManagedObjectContext) throws -> Int {
        let long = try context.fetch("Book", where: "pages > %@", 300, sort: "title")
        let first = try context.first("Book", where: "title BEGINSWITH %@", "A", sort: "title")
        let count = try context.count("Book", where: "author.name == %@", "Ann")
        print(long.count, first as Any)
        return count
    }

    static func prefetch(_ context: ManagedObjectContext) throws {
        var request = FetchRequest("Book")
        request.relationshipKeyPathsForPrefetching = ["author"]
        for book in try context.fetch(request) {
            print(try book.object(forKey: "author")?.string(forKey: "name") ?? "-")
        }
    }

    static func enumerate(_ context: ManagedObjectContext) throws -> Int64 {
        var request = FetchRequest("Book")
        request.fetchBatchSize = 1_000
        var pages: Int64 = 0
        try context.enumerate(request) { book in pages += try book.integer(forKey: "pages") ?? 0 }
        return pages
    }

    static func dictionaries(_ context: ManagedObjectContext) throws -> [FetchedRow] {
        var request = FetchRequest("Book")
        request.propertiesToFetch = ["title", "author.name"]
        request.returnsDistinctResults = true
        request.sortDescriptors = [ObjectSortDescriptor("title")]
        let rows = try context.fetchDictionaries(request)
        for row in rows { print(row) }  // title: "Trees", author.name: "Ann"
        return rows
    }

    static func groups(_ context: ManagedObjectContext) throws -> [FetchedRow] {
        var request = FetchRequest("Book", where: try ObjectPredicate("price > 0"))
        request.propertiesToFetch = [
            "author.name",
            .expression(ExpressionDescription("count", try ObjectExpression("@count"))),
            .expression(ExpressionDescription("total", try ObjectExpression("sum:(price)"))),
            .expression(ExpressionDescription("mean", try ObjectExpression("average:(pages)"), resultType: .double)),
        ]
        request.propertiesToGroupBy = ["author.name"]
        request.havingPredicate = try ObjectPredicate("$count > 1")
        request.sortDescriptors = [ObjectSortDescriptor("total", ascending: false)]
        for row in try context.fetchDictionaries(request) {
            let total: Decimal? = try row[AttributeKey("total")]
            print(row["author.name"] ?? "-", total ?? 0)
        }
        return try context.fetchDictionaries(request)
    }

    static func template(_ model: ManagedObjectModel, _ context: ManagedObjectContext) throws -> Int {
        let request = try model.fetchRequestFromTemplate(
            withName: "concertsOf", substitutionVariables: ["band": "The Fetchers"])
        return try context.fetch(request).count
    }

    static func batches(_ context: ManagedObjectContext) throws -> [Int] {
        let insertion = BatchInsertRequest(
            "Book", objects: [["title": "Java", "pages": 90, "price": nil], ["title": "Sumatra", "pages": 120]])
        let inserted = try context.execute(insertion).count

        let update = BatchUpdateRequest(
            "Book", where: try ObjectPredicate("pages < 100"),
            propertiesToUpdate: ["pages": try ObjectExpression("pages + 10")])
        let updated = try context.execute(update).count

        var deletion = BatchDeleteRequest(FetchRequest("Book", where: try ObjectPredicate("price == nil")))
        deletion.resultType = .objectIDs
        let result = try context.execute(deletion)
        try ManagedObjectContext.mergeChanges(from: result.changes, into: [context])
        return [inserted, updated, result.count]
    }

    static func many(_ context: ManagedObjectContext) throws -> Int {
        let request = BatchInsertRequest("Book", state: 0) { number, attributes in
            guard number < 10_000 else { return true }
            attributes["title"] = .string("Book \(number)")
            number += 1
            return false
        }
        return try context.execute(request).count
    }
}
