#if PostgreSQL
    import Foundation
    import GranaryCoordination
    import GranaryModel
    import StoreTestSupport
    import TestSupport
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
            var refused: [String] = []
            var extended: [String] = []
        }

        static let cases = [
            Case(entities: [("A", []), ("B", [])], anchor: nil, tables: ["copy", "copy"]),
            Case(entities: [("A", ["b:B"]), ("B", [])], anchor: nil, tables: ["copy", "copy"]),
            Case(
                entities: [("Ward", []), ("Patient", ["ward:Ward!", "injury:Injury"]), ("Injury", ["=code"])],
                anchor: "Ward",
                tables: ["$id", "ward", "copy"], extended: ["Patient: the primary key gets ward"]),
            // The anchor is what most entities need, also through others.
            Case(
                entities: [("C", ["b:B!"]), ("B", ["a:A!"]), ("A", []), ("Z", [])], anchor: "A",
                tables: ["b.a", "a", "$id", "copy"],
                refused: [
                    "C: the key of the anchor is reached by b.a, so the table needs a column for it, which the layout does not have",
                    "C.b cannot be a foreign key, because its destination can be on another node",
                ], extended: ["B: the primary key gets a"]),
            // An uniqueness constraint needs the distribution column.
            Case(
                entities: [("A", ["=code"]), ("B", ["a:A!", "=name"]), ("D", ["a:A!", "=a,name"])], anchor: "A",
                tables: ["$id", "a", "a"],
                refused: [
                    "A: the uniqueness constraint (code) does not contain $id, so that Citus cannot check it"
                ],
                extended: [
                    "B: the primary key gets a",
                    "B: the uniqueness constraint (name) gets a: Citus checks it among the objects with the same a, and only "
                        + "Granary among all",
                    "D: the primary key gets a",
                ]),
            // A copy on each node cannot refer to a row that is on one.
            Case(
                entities: [("A", []), ("B", ["a:A!"]), ("R", ["b:B"])], anchor: "A", tables: ["$id", "a", "copy"],
                refused: ["R.b cannot be a foreign key, because its destination can be on another node"],
                extended: ["B: the primary key gets a"]),
            Case(
                entities: [("A", ["r:R-"]), ("B", ["a:A!", "q:R-"]), ("R", ["s:R-"])], anchor: "A",
                tables: ["$id", "a", "copy"], joinTables: ["owner", "owner.a", "copy"],
                refused: [
                    "B.q: the key of the anchor is reached by owner.a, so the table needs a column for it, which the layout does "
                        + "not have",
                    "B.q: the owner cannot be a foreign key, because it can be on another node",
                    "A.r: that a member has one owner does not contain the owner, so that Citus cannot check it",
                ], extended: ["B: the primary key gets a"]),
            // A cycle ends.
            Case(
                entities: [("A", ["b:B!"]), ("B", ["a:A!"])], anchor: "A", tables: ["$id", "a"],
                refused: ["A.b cannot be a foreign key, because its destination can be on another node"],
                extended: ["B: the primary key gets a"]),
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
            #expect(plan.missingColumns + plan.changes.filter { $0.replacement == nil }.map(\.message) == test.refused)
            #expect(plan.changes.filter { $0.replacement != nil }.map(\.message) == test.extended)
        }

        @Test func theTextIsSQL() throws {
            let (plan, schema) = try plan(Self.cases[2])
            #expect(
                plan.text(schema, CitusNames([.primaryKey(table: "Patient"): ["key"]])) == """
                    -- Citus: the tables are distributed by the key of Ward.
                    -- Granary has not run with distributed tables; the store itself uses tables of the coordinator.
                    -- extended: Patient: the primary key gets ward
                    ALTER TABLE "app"."Patient" DROP CONSTRAINT "key", ADD PRIMARY KEY ("$id", "ward");
                    SELECT create_reference_table('"app"."granary_store"');
                    SELECT create_reference_table('"app"."Injury"');
                    SELECT create_distributed_table('"app"."Ward"', '$id');
                    SELECT create_distributed_table('"app"."Patient"', 'ward', colocate_with => '"app"."Ward"');

                    """)
        }
    }

    extension ServerTests {
        @Suite struct CitusNameTests {
            /// The statements without those of Citus run on any server, and leave what Citus takes.
            @Test func thePlanOfAStoreRuns() throws {
                let server = try PostgreSQLServer.required()
                let name = "citus_\(UUID().uuidString.prefix(8).lowercased())"
                var (ward, patient) = (
                    EntityDescription("Ward", [.attribute("code", .string), .toMany("staff", "Nurse", inverse: nil)]),
                    EntityDescription(
                        "Patient",
                        [.attribute("number", .integer32), .toOne("ward", "Ward", inverse: nil, .required)])
                )
                ward.uniquenessConstraints = [["code"]]
                patient.uniquenessConstraints = [["number"]]
                let visit = EntityDescription("Visit", [.toOne("patient", "Patient", inverse: nil)])
                let schema = try ManagedObjectModel(
                    entities: [ward, patient, visit, EntityDescription("Nurse", [.attribute("name", .string)])]
                ).resolved()
                let url = server.url(schema: name)
                try PostgreSQLStores.create(url, schema: schema).publish()
                let plan = try #require(try PostgreSQLStores.distributionPlan(url, schema: schema, engine: .citus))
                let lines = plan.split(separator: "\n").map(String.init)
                let title = "the uniqueness constraint"
                #expect(
                    Array(lines.dropFirst(2).prefix(10)) == [
                        "-- refused: Visit.patient cannot be a foreign key, because its destination can be on another node",
                        "-- ALTER TABLE \"\(name)\".\"Visit\" DROP CONSTRAINT \"Visit_patient_fkey\";",
                        "-- extended: Patient: the primary key gets ward",
                        "ALTER TABLE \"\(name)\".\"Patient\" DROP CONSTRAINT \"Patient_pkey\", ADD PRIMARY KEY (\"$id\", \"ward\");",
                        "-- extended: Patient: \(title) (number) gets ward: Citus checks it among the objects with the same ward, and "
                            + "only Granary among all",
                        "DROP INDEX \"\(name)\".\"Patient_number_idx\"; CREATE UNIQUE INDEX ON \"\(name)\".\"Patient\" (\"number\", \"ward\");",
                        "-- refused: Ward: \(title) (code) does not contain $id, so that Citus cannot check it",
                        "-- DROP INDEX \"\(name)\".\"Ward_code_idx\";",
                        "-- refused: Ward.staff: that a member has one owner does not contain the owner, so that Citus cannot check it",
                        "-- DROP INDEX \"\(name)\".\"Ward.staff_member_idx\";",
                    ])
                let statements = lines.filter { !$0.contains("SELECT create_") && !$0.hasSuffix("nodes.") }
                    .map { $0.replacing(/^-- (?=ALTER|DROP)/, with: "") }.filter { !$0.hasPrefix("--") }
                _ = try server.sql("BEGIN; \(statements.joined(separator: " ")) COMMIT")
                let unique = try server.sql(
                    """
                    SELECT indexrelid::regclass FROM pg_index WHERE indisunique AND indrelid IN (SELECT oid FROM pg_class
                    WHERE relnamespace = '\(name)'::regnamespace AND relname NOT LIKE 'granary%') ORDER BY 1
                    """)
                #expect(unique.split(separator: "\n").count == 5 + 1, "\(unique)")
            }
        }
    }
#endif
