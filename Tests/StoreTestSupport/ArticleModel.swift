package import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
package import GranaryModel
package import GranaryPredicates

/// Authors with derived attributes of their articles, and publishers with one that is derived from those.
package enum ArticleModel {
    package static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Article", [.attribute("wordCount", .integer64), .toOne("author", "Author", inverse: "articles")]),
        EntityDescription(
            "Author",
            [
                .attribute("name", .string), .attribute("canonicalName", .string, .derived("canonical:(name)")),
                .attribute("articlesCount", .integer64, .derived("articles.@count")),
                .attribute("totalWords", .integer64, .derived("articles.wordCount.@sum")),
                .toMany("articles", "Article", inverse: "author"),
                .toOne("publisher", "Publisher", inverse: "authors"),
            ]),
        EntityDescription("Memo", [.attribute("text", .string), .attribute("changed", .date, .derived("now()"))]),
        EntityDescription(
            "Publisher",
            [
                .attribute("articlesCount", .integer64, .derived("authors.articlesCount.@sum")),
                .toMany("authors", "Author", inverse: "publisher"),
            ]),
    ])
}

/// Short-hands for objects of ``ArticleModel``.
extension ManagedObjectContext {
    package func article(_ words: Int64, by author: ManagedObject) throws -> ManagedObject {
        let article = try insert(into: "Article")
        try article.setValue(.integer(words), forKey: "wordCount")
        try article.setObject(author, forKey: "author")
        return article
    }

    /// The authors with that value in an attribute.
    package func authors(_ key: String, _ value: AttributeValue) throws -> [ManagedObject] {
        try fetch(FetchRequest("Author", where: .compare(.keyPath(key), .equal, .constant(value))))
    }
}
