#if PostgreSQL
    import Foundation
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import GranaryPostgreSQL

    @Suite struct RuleCommentTests {
        @Test(arguments: [
            ("plain", "A.plain: String"),
            (
                "name",
                "A.name: String; checked by Granary, not by the server: length 1 to 80 in UTF-16 units, matches the ICU pattern "
                    + "[a-z']+"
            ), ("age", "A.age: Integer 16; checked by Granary, not by the server: required, at most 120"),
            ("when$seconds", "A.when: Date, in seconds since 2001-01-01 00:00:00 UTC"),
            ("count", "A.count: Integer 64; derived from plain.length"),
        ])
        func theCommentHasTheRules(column: String, comment: String) throws {
            guard let server = PostgreSQLServer.usable else { return }
            var entity = EntityDescription(
                "A",
                [.attribute("plain", .string), .attribute("when", .date), .attribute("count", .integer64)])
            var name = AttributeDescription(name: "name", type: .string)
            (name.minimumLength, name.maximumLength, name.regularExpression) = (1, 80, "[a-z']+")
            var age = AttributeDescription(name: "age", type: .integer16)
            age.maximumValue = .integer(120)
            entity.attributes += [name, age]
            // Both are required, but only a column outside of uniqueness constraints is NOT NULL.
            entity.uniquenessConstraints = [["age"]]
            for index in entity.attributes.indices where entity.attributes[index].name == "count" {
                entity.attributes[index].derivationExpression = "plain.length"
            }
            let schema = try ManagedObjectModel(entities: [entity]).resolved()
            let namespace = "rules\(UUID().uuidString.prefix(8).lowercased())"
            try PostgreSQLStores.create(server.url(schema: namespace), schema: schema).publish()
            let sql =
                "SELECT col_description(attrelid, attnum) FROM pg_attribute WHERE attrelid = '\(namespace).\"A\"'::regclass "
                + "AND attname = '\(column)'"
            #expect(try server.sql(sql) == comment)
        }
    }
#endif
