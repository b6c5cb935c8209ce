#if PostgreSQL
    import GranaryModel
    import Testing

    @testable import GranaryPostgreSQL

    @Suite struct CitusPlanTests {
        /// Each entity with its to-one relationships; `!` marks the required ones, `-` a to-many without an inverse. A name
        /// with `=` is a uniqueness constraint.
        struct Case: Sendable {
            let entities: [(name: String, properties: [String])]
            let anchor: String?
            /// By table, in the order of names.
            let tables: [String]
            var joinTables: [String] = []
            var problems: [String] = []
        }

        static let cases = [
            Case(entities: [("A", []), ("B", [])], anchor: nil, tables: ["copy", "copy"]),
            Case(entities: [("A", ["b:B"]), ("B", [])], anchor: nil, tables: ["copy", "copy"]),
            Case(
                entities: [("Ward", []), ("Patient", ["ward:Ward!", "injury:Injury"]), ("Injury", ["=code"])],
                anchor: "Ward",
                tables: ["$id", "ward", "copy"]),
            // The anchor is what most entities need, also through others.
            Case(
                entities: [("C", ["b:B!"]), ("B", ["a:A!"]), ("A", []), ("Z", [])], anchor: "A",
                tables: ["b.a", "a", "$id", "copy"],
                problems: [
                    "C: the key of the anchor is reached by b.a, so the table needs a column for it, which the layout does not have",
                    "C.b cannot be a foreign key, because its destination can be on another node",
                ]),
            // An uniqueness constraint needs the distribution column.
            Case(
                entities: [("A", ["=code"]), ("B", ["a:A!", "=name"]), ("D", ["a:A!", "=a,name"])], anchor: "A",
                tables: ["$id", "a", "a"],
                problems: [
                    "A: the uniqueness constraint (code) does not contain $id, so that Citus cannot check it",
                    "B: the uniqueness constraint (name) does not contain a, so that Citus cannot check it",
                ]),
            // A copy on each node cannot refer to a row that is on one.
            Case(
                entities: [("A", []), ("B", ["a:A!"]), ("R", ["b:B"])], anchor: "A", tables: ["$id", "a", "copy"],
                problems: ["R.b cannot be a foreign key, because its destination can be on another node"]),
            Case(
                entities: [("A", ["r:R-"]), ("B", ["a:A!", "q:R-"]), ("R", ["s:R-"])], anchor: "A",
                tables: ["$id", "a", "copy"], joinTables: ["owner", "owner.a", "copy"]),
            // A cycle ends.
            Case(
                entities: [("A", ["b:B!"]), ("B", ["a:A!"])], anchor: "A", tables: ["$id", "a"],
                problems: ["A.b cannot be a foreign key, because its destination can be on another node"]),
        ]

        private func plan(_ test: Case) throws -> (CitusPlan, Schema) {
            let model = ManagedObjectModel(
                entities: test.entities.map { name, texts in
                    var properties: [PropertyDescription] = [.attribute("code", .string), .attribute("name", .string)]
                    for text in texts where !text.hasPrefix("=") {
                        let parts = text.split(separator: ":").map(String.init)
                        let target = String(parts[1].prefix { $0.isLetter })
                        properties.append(
                            text.hasSuffix("-")
                                ? .toMany(parts[0], target, inverse: nil)
                                : text.hasSuffix("!")
                                    ? .toOne(parts[0], target, inverse: nil, .required)
                                    : .toOne(parts[0], target, inverse: nil))
                    }
                    var entity = EntityDescription(name, properties)
                    entity.uniquenessConstraints = texts.filter { $0.hasPrefix("=") }.map {
                        $0.dropFirst().split(separator: ",").map(String.init)
                    }
                    return entity
                })
            let schema = try model.resolved()
            let layout = try StoreLayoutBuilder.layout(for: schema, namespace: "app")
            return (CitusPlan(layout, schema), schema)
        }

        private func text(_ placement: CitusPlan.Placement) -> String {
            switch placement {
            case .column(let name): name
            case .chain(let names): names.joined(separator: ".")
            case .reference: "copy"
            }
        }

        @Test(arguments: cases.indices) func tablesAreDistributedByWhatTheyNeed(index: Int) throws {
            let test = Self.cases[index]
            let (plan, schema) = try plan(test)
            #expect(plan.anchor.map { schema.entities[$0].name } == test.anchor)
            let layout = try StoreLayoutBuilder.layout(for: schema, namespace: "app")
            let placements = Dictionary(uniqueKeysWithValues: zip(layout.tables.map(\.name), plan.tables.map(text)))
            #expect(test.entities.map { placements[$0.name] } == test.tables)
            #expect(plan.joinTables.map(text) == test.joinTables)
            #expect(plan.problems == test.problems)
        }

        @Test func theTextIsSQL() throws {
            let (plan, schema) = try plan(Self.cases[2])
            #expect(
                plan.text(schema) == """
                    -- Citus: the tables are distributed by the key of Ward.
                    -- Granary has not run with distributed tables; the store itself uses tables of the coordinator.
                    SELECT create_reference_table('"app"."granary_store"');
                    SELECT create_reference_table('"app"."Injury"');
                    SELECT create_distributed_table('"app"."Ward"', '$id');
                    SELECT create_distributed_table('"app"."Patient"', 'ward', colocate_with => '"app"."Ward"');

                    """)
        }
    }
#endif
