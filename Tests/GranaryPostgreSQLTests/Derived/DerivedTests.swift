#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryContexts
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    extension ServerTests {
        /// Derived attributes of PostgreSQL stores, as far as they differ from those of SQLite stores. What they have in
        /// common is tested with both kinds: `DerivedProgramTests` and `DerivedValueTests`.
        @Suite struct DerivedTests {
            private let server: PostgreSQLServer
            private let name = "d\(UUID().uuidString.prefix(8).lowercased())"
            private var url: String { server.url(schema: name) }

            init() throws { server = try PostgreSQLServer.required() }

            private static let model = ManagedObjectModel(entities: [
                EntityDescription(
                    "Author",
                    [
                        .attribute("name", .string), .toMany("books", "Book", inverse: "author"),
                        .attribute("plain", .string, .derived("canonical:(name)")),
                        .attribute("bookCount", .integer64, .derived("books.@count")),
                        .attribute("pages", .integer64, .derived("books.pages.@sum")),
                        .attribute("changed", .date, .derived("now()")),
                    ]),
                EntityDescription(
                    "Book",
                    [
                        .attribute("pages", .integer64), .toOne("author", "Author", inverse: "books"),
                        .attribute("authorName", .string, .derived("uppercase:(author.name)")),
                        .attribute("copies", .integer16, .derived("author.pages")),
                    ]),
            ])

            private func container() throws -> PersistentContainer {
                try PersistentContainer(model: Self.model, store: .postgresql(url))
            }

            private func sql(_ text: String) throws -> String {
                try server.sql("SET search_path = \"\(name)\"; \(text)")
            }

            @Test func otherProgramsHaveTheValuesExceptTextFunctions() throws {
                let context = try container().makeContext()
                _ = try sql("INSERT INTO \"Author\" (name) VALUES ('Zo\u{eb}'), ('Ann')")
                _ = try sql("INSERT INTO \"Book\" (author, pages) VALUES (1, 20), (1, 22), (2, 7), (NULL, 1)")
                _ = try sql("UPDATE \"Book\" SET author = 2 WHERE pages = 22; DELETE FROM \"Book\" WHERE pages = 7")
                let query =
                    "SELECT \"$id\", plain, \"bookCount\", pages, changed > now() - interval '1 minute' FROM \"Author\" ORDER BY 1"
                #expect(try sql(query) == "1||1|20|t\n2||1|22|t")
                #expect(try sql("SELECT \"authorName\", copies FROM \"Book\" ORDER BY \"$id\"") == "|20\n|22\n|")
                // The next transaction of Granary computes them.
                try context.insert(into: "Author")
                try context.save()
                #expect(try sql(query) == "1|zoe|1|20|t\n2|ann|1|22|t\n3||0|0|t")
                #expect(
                    try sql("SELECT \"authorName\", copies FROM \"Book\" ORDER BY \"$id\"") == "ZO\u{cb}|20\nANN|22\n|")
            }

            @Test func aValueThatDoesNotFitIsRefused() throws {
                let context = try container().makeContext()
                let author = try context.insert(into: "Author")
                let book = try context.insert(into: "Book")
                try book.setObject(author, forKey: "author")
                try book.setValue(32_767, forKey: "pages")
                try context.save()
                #expect(author["pages"] == 32_767 && book["copies"] == 32_767)
                try book.setValue(40_000, forKey: "pages")
                let error = #expect(throws: (any Error).self) { try context.save() }
                #expect("\(String(describing: error))".contains("smallint out of range"))
                #expect(try sql("SELECT pages FROM \"Author\"") == "32767")
            }

            /// The rows of the list are not read: a value that is wrong stays wrong by the same amount.
            @Test func countsAndSumsGetTheDifference() throws {
                _ = try container()
                _ = try sql(
                    "INSERT INTO \"Author\" (name) VALUES ('A'), ('B'); INSERT INTO \"Book\" (author, pages) VALUES (1, 1), (1, NULL)"
                )
                _ = try sql("UPDATE \"Author\" SET \"bookCount\" = 100, pages = 1000 WHERE \"$id\" = 1")
                func values() throws -> String {
                    try sql("SELECT \"bookCount\", pages FROM \"Author\" ORDER BY \"$id\"")
                }
                _ = try sql("INSERT INTO \"Book\" (author, pages) VALUES (1, 20), (1, 30), (2, 5), (NULL, 7)")
                #expect(try values() == "102|1050\n1|5")
                _ = try sql("UPDATE \"Book\" SET author = 3 - author, pages = pages + 1 WHERE pages IN (20, 5)")
                #expect(try values() == "102|1036\n1|21")
                _ = try sql("DELETE FROM \"Book\" WHERE pages IS NULL OR pages > 25")
                #expect(try values() == "100|1006\n1|21")
            }

            @Test func sessionsThatAddMembersAtTheSameTimeLoseNone() throws {
                let model = ManagedObjectModel(entities: [
                    EntityDescription(
                        "Author",
                        [
                            .toMany("books", "Book", inverse: "author"),
                            .attribute("count", .integer64, .derived("books.@count")),
                        ]),
                    EntityDescription("Book", [.toOne("author", "Author", inverse: "books")]),
                ])
                _ = try PersistentContainer(model: model, store: .postgresql(url))
                _ = try sql("INSERT INTO \"Author\" DEFAULT VALUES")
                let other = try PostgreSQLConnection(try ConnectionText(url), lockTimeout: .seconds(30))
                try other.execute("BEGIN; INSERT INTO \"\(name)\".\"Book\" (author) VALUES (1)")
                let (server, name) = (server, name)
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    _ = try? server.sql("INSERT INTO \"\(name)\".\"Book\" (author) VALUES (1)")
                    done.signal()
                }
                let waiting =
                    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%\(name)%'"
                for _ in 0..<600 {
                    guard try server.sql(waiting) == "0" else { break }
                    Thread.sleep(forTimeInterval: 0.02)
                }
                try other.execute("COMMIT")
                #expect(done.wait(timeout: .now() + 30) == .success)
                #expect(try sql("SELECT count FROM \"Author\"") == "2")
            }

            @Test func membersOfANewObjectCountOnce() throws {
                let model = ManagedObjectModel(entities: [
                    EntityDescription(
                        "Node",
                        [
                            .attribute("size", .integer32), .toOne("parent", "Node", inverse: "children"),
                            .toMany("children", "Node", inverse: "parent"),
                            .attribute("count", .integer16, .derived("children.@count")),
                            .attribute("total", .decimal, .derived("children.size.@sum")),
                        ])
                ])
                _ = try PersistentContainer(model: model, store: .postgresql(url))
                _ = try sql("INSERT INTO \"Node\" (size, parent) VALUES (1, NULL), (2, 1), (3, 1), (4, 2)")
                let values = "SELECT count, total FROM \"Node\" ORDER BY \"$id\""
                #expect(try sql(values) == "2|5\n1|4\n0|0\n0|0")
                _ = try sql("DELETE FROM \"Node\" WHERE \"$id\" IN (2, 4)")
                #expect(try sql(values) == "1|3\n0|0")
            }

            @Test func aCopyKeepsTheTimesOfSaves() throws {
                let schema = try Self.model.resolved()
                let source = try PostgreSQLStores.create(url, schema: schema)
                try source.publish()
                _ = try sql("INSERT INTO \"Author\" (name) VALUES ('Ann')")
                _ = try sql("UPDATE \"Author\" SET \"changed$seconds\" = 7")
                let other = "c\(UUID().uuidString.prefix(8).lowercased())"
                for isPublished in [true, false] {
                    let copy = try PostgreSQLStores.create(server.url(schema: other), schema: schema)
                    if isPublished { try copy.publish() }
                    try StoreCopy(source: source, destination: copy).run()
                    try copy.publish()
                    let seconds = "SELECT \"changed$seconds\" < 8, plain FROM \"\(other)\".\"Author\""
                    #expect(try server.sql(seconds) == "t|ann")
                    _ = try server.sql("UPDATE \"\(other)\".\"Author\" SET \"$version\" = 2")
                    #expect(try server.sql(seconds) == "f|ann")
                    try PostgreSQLStores.destroy(server.url(schema: other))
                }
            }
        }
    }
#endif
