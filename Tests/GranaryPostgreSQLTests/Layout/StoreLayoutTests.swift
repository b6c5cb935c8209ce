#if PostgreSQL
    import GranaryModel
    import StoreTestSupport
    import Testing

    @testable import GranaryPostgreSQL

    /// Names of tables and columns.
    @Suite struct StoreLayoutTests {
        @Test(arguments: [
            ("id", "\"id\""), ("a\"b", "\"a\"\"b\""), ("id\"; DROP TABLE x; --", "\"id\"\"; DROP TABLE x; --\""),
            ("a\\b'c", "\"a\\b'c\""),
        ])
        func namesAreQuoted(name: String, quoted: String) {
            #expect(SQLIdentifier.quoted(name) == quoted)
        }

        @Test func literalsAreQuoted() {
            #expect(SQLIdentifier.literal("it's \\'; DROP") == "'it''s \\''; DROP'")
        }

        @Test func longNamesAreShortenedToDifferentOnes() {
            let fits = String(repeating: "a", count: 63)
            #expect(SQLIdentifier.shortened(fits) == fits)
            let (first, second) = (SQLIdentifier.shortened(fits + "1"), SQLIdentifier.shortened(fits + "2"))
            #expect(first != second)
            #expect(first.utf8.count == 63 && first.hasPrefix(String(repeating: "a", count: 54) + "~"))
            // Characters are not cut.
            let wide = SQLIdentifier.shortened(String(repeating: "ä", count: 40))
            #expect(wide.utf8.count <= 63 && wide.hasPrefix("ä") && !wide.contains("\u{fffd}"))
        }

        @Test func equalNamesGetNumbers() {
            var names = SQLNames()
            let long = String(repeating: "b", count: 70)
            #expect([names.take("x"), names.take("x"), names.take("X"), names.take("x")] == ["x", "x~2", "X", "x~3"])
            let taken = Set([names.take(long), names.take(long), names.take(long)])
            #expect(taken.count == 3 && taken.allSatisfy { $0.utf8.count <= 63 })
        }

        private func layout(_ model: ManagedObjectModel) throws -> StoreLayout {
            try StoreLayoutBuilder.layout(for: try model.resolved(), namespace: "public")
        }

        @Test func attributesMayHaveTheNamesOfTheLayout() throws {
            let model = ManagedObjectModel(entities: [
                EntityDescription("granary_store", [.attribute("id", .string), .attribute("version", .integer16)]),
                EntityDescription(
                    "A",
                    [
                        .attribute("when", .date), .attribute("owner", .string), .attribute("member", .string),
                        .toMany("bs", "B", inverse: "as", .ordered),
                    ]),
                EntityDescription("B", [.toMany("as", "A", inverse: "bs"), .toMany("cs", "A", inverse: nil)]),
            ])
            let layout = try layout(model)
            #expect(layout.tables.map(\.name) == ["A", "B", "granary_store~2"])
            #expect(layout.tables[0].columns.map(\.name) == ["member", "owner", "when$seconds"])
            #expect(layout.tables[0].columns.map(\.time) == [nil, nil, "when"])
            #expect(layout.joinTables.map(\.name) == ["A.bs", "B.cs"])
            #expect(layout.joinTables.map(\.isExclusive) == [false, true])
            #expect(layout.joinTables.map(\.hasMemberOrder) == [true, false])
        }

        @Test func theOrderOfDeclarationsDoesNotMatter() throws {
            var model = ConformanceModel.model
            let names = try layout(model).tables.map { $0.columns.map(\.name) }
            for index in model.entities.indices {
                model.entities[index].attributes.reverse()
                model.entities[index].relationships.reverse()
            }
            #expect(try layout(model).tables.map { $0.columns.map(\.name) } == names)
        }

        @Test func tooManyColumnsAreRefused() throws {
            let attributes = (0..<1600).map { PropertyDescription.attribute("a\($0)", .string) }
            let model = ManagedObjectModel(entities: [EntityDescription("Wide", attributes)])
            #expect(throws: (any Error).self) { try layout(model) }
        }
    }
#endif
