import Foundation
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

/// Derived attributes as objects of a context have them: STO-07 (docs/core-data/behaviours.md#sto-stores-and-values)
/// and DIS-9 (docs/core-data/behaviours.md#disagreements).
@Suite("Derived values of objects") struct DerivedValueTests {
    static let computing: [StoreFactory] =
        [.sqliteInTheMaking, .sqlitePublished, .sqliteOpened, .sqliteWithHistory, .ofConfiguration]
        + StoreFactory.derivingPostgreSQL
    static let others: [StoreFactory] = [.inMemory, .archive, .archiveReopened]

    @Test("STO-07: counts and sums are there after each save, and can be asked for", arguments: computing)
    func countsAndSums(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ArticleModel.model, factory)
        let context = container.makeContext()
        let author = try context.insert(into: "Author")
        for words in [20, 22] as [Int64] { _ = try context.article(words, by: author) }
        try context.save()
        #expect(author["articlesCount"] == 2 && author["totalWords"] == 42 && !context.hasChanges)
        #expect(try context.authors("articlesCount", 2) == [author])
        #expect(try context.authors("totalWords", 42) == [author])

        let third = try context.article(8, by: author)
        // Nothing is worked out before the save.
        #expect(author["articlesCount"] == 2)
        try context.save()
        #expect(author["articlesCount"] == 3 && author["totalWords"] == 50 && !context.hasChanges)
        #expect(try context.authors("articlesCount", 2) == [])

        try context.delete(third)
        try context.save()
        #expect(author["articlesCount"] == 2 && author["totalWords"] == 42)
        #expect(try context.authors("articlesCount", 2) == [author])
        #expect(try container.stored(author.objectID, "articlesCount") == 2)
        #expect(try container.stored(author.objectID, "totalWords") == 42)

        try author.setValue("Zo\u{eb}", forKey: "name")
        try context.save()
        #expect(author["canonicalName"] == "zoe" && author["articlesCount"] == 2)
    }

    @Test("STO-07: an object that was not saved itself has its new values", arguments: computing)
    func cleanOwners(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ArticleModel.model, factory)
        let context = container.makeContext()
        let publisher = try context.insert(into: "Publisher")
        let author = try context.insert(into: "Author")
        try author.setObject(publisher, forKey: "publisher")
        let article = try context.article(20, by: author)
        try context.save()
        #expect(publisher["articlesCount"] == 1)
        // The article and its author are written.
        let second = try context.article(22, by: author)
        #expect(!publisher.hasChanges)
        try context.save()
        #expect(publisher["articlesCount"] == 2)
        // The article alone.
        try article.setValue(30, forKey: "wordCount")
        #expect(!author.hasChanges)
        try context.save()
        #expect(author["totalWords"] == 52 && article["wordCount"] == 30)
        try context.delete(second)
        try context.save()
        #expect(publisher["articlesCount"] == 1 && author["totalWords"] == 30)
        // What the store has worked out is no change that another save could run into.
        try publisher.setObjects([], forKey: "authors")
        try context.save()
        #expect(publisher["articlesCount"] == 0)
        #expect(try container.stored(publisher.objectID, "articlesCount") == 0)
    }

    @Test("STO-07: a change that was not saved stays where the store works out another value", arguments: computing)
    func unsavedOwners(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ArticleModel.model, factory)
        let context = container.makeContext()
        let author = try context.insert(into: "Author")
        let article = try context.article(20, by: author)
        try context.save()
        let other = container.makeContext()
        try other.lookUpObject(with: article.objectID)?.setValue(30, forKey: "wordCount")
        try author.setValue("Ann", forKey: "name")
        try other.save()
        #expect(author["name"] == "Ann" && author.isUpdated)
        // The row's version is the same: no conflict.
        try context.save()
        #expect(author["name"] == "Ann" && author["totalWords"] == 30)
    }

    @Test("STO-07: now() moves with each save of its object", arguments: computing)
    func now(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ArticleModel.model, factory)
        let context = container.makeContext()
        let start = Date(timeIntervalSinceNow: -60)
        let (memo, other) = (try context.insert(into: "Memo"), try context.insert(into: "Memo"))
        try context.save()
        let first = try #require(try memo.date(forKey: "changed"))
        #expect(first > start)
        try other.setValue("other", forKey: "text")
        try context.save()
        #expect(try memo.date(forKey: "changed") == first)
        try memo.setValue("changed", forKey: "text")
        try context.save()
        let second = try #require(try memo.date(forKey: "changed"))
        #expect(second > first)
        #expect(try container.stored(memo.objectID, "changed") == .date(second))
    }

    @Test("DIS-9: other stores take a model with derived attributes, and leave them empty", arguments: others)
    func otherStores(_ factory: StoreFactory) throws {
        let container = try PersistentContainer(ArticleModel.model, factory)
        let context = container.makeContext()
        let author = try context.insert(into: "Author")
        let memo = try context.insert(into: "Memo")
        try author.setValue("Ann", forKey: "name")
        for words in [20, 22] as [Int64] { _ = try context.article(words, by: author) }
        try context.save()
        #expect(author["articlesCount"] == nil && author["canonicalName"] == nil && memo["changed"] == nil)
        #expect(author["name"] == "Ann")
        #expect(try author.objects(forKey: "articles").count == 2)
        #expect(try context.authors("articlesCount", 2) == [])
        #expect(try context.authors("name", "Ann") == [author])
        #expect(try container.stored(author.objectID, "totalWords") == nil)
        #expect(try container.stored(author.objectID, "name") == "Ann")
    }
}
