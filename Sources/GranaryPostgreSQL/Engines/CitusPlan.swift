#if PostgreSQL
    import GranaryModel

    /// How the tables of a store would be distributed over the nodes of Citus: which table by what column, and which tables
    /// every node has.
    ///
    /// The rows of an object and of all objects that need it are on one node. So one entity is chosen, the anchor: the one
    /// that most other entities reach by chains of required to-one relationships.
    struct CitusPlan {
        enum Placement: Hashable {
            /// The column has the key of the anchor.
            case column(String)
            /// The anchor is the end of a chain of to-one relationships, so that the table has no column with its key.
            case chain([String])
            /// Each node has a copy.
            case reference
        }

        /// The root entity whose key distributes the tables; nil if no entity needs another one.
        let anchor: Int?
        /// By the indices of the layout's tables.
        let tables: [Placement]
        let joinTables: [Placement]
        /// The tables that the layout would have to change, each with its names.
        let missingColumns: [String]
        /// The constraints that Citus does not take as they are.
        let changes: [CitusChange]

        private let layout: StoreLayout

        init(_ layout: StoreLayout, _ schema: Schema) {
            self.layout = layout
            let roots = layout.tables.map(\.root)
            let chains = roots.map { Self.chains(to: $0, roots, schema) }
            let reached = chains.map { $0.count { $0 != nil } }
            // The anchor reaches itself. Of equal ones the first by name is chosen, which is the first table.
            let best = reached.indices.max { (reached[$0], -$0) < (reached[$1], -$1) }
            let chosen = best.flatMap { reached[$0] > 1 ? $0 : nil }
            anchor = chosen.map { roots[$0] }
            var tables = [Placement](repeating: .reference, count: roots.count)
            if let chosen {
                for (index, chain) in chains[chosen].enumerated() {
                    guard let chain else { continue }
                    switch chain.count {
                    case 0: tables[index] = .column(EntityTable.key)
                    case 1:
                        let name = layout.tables[index].columns.first {
                            $0.content == .reference && $0.property == chain[0]
                        }
                        tables[index] = .column(name?.name ?? chain[0])
                    default: tables[index] = .chain(chain)
                    }
                }
            }
            self.tables = tables
            joinTables = layout.joinTables.map { join in
                let owner = layout.tables.firstIndex { $0.root == join.ownerRoot }.map { tables[$0] } ?? .reference
                let member = layout.tables.firstIndex { $0.root == join.memberRoot }.map { tables[$0] } ?? .reference
                switch (owner, member) {
                case (.column(EntityTable.key), _): return .column(JoinTable.owner)
                case (_, .column(EntityTable.key)): return .column(JoinTable.member)
                case (.reference, .reference): return .reference
                case (.reference, .column(let name)): return .chain([JoinTable.member, name])
                case (.reference, .chain(let names)): return .chain([JoinTable.member] + names)
                case (.column(let name), _): return .chain([JoinTable.owner, name])
                case (.chain(let names), _): return .chain([JoinTable.owner] + names)
                }
            }
            let found = Changes(layout: layout, schema: schema, tables: tables, joinTables: joinTables)
            (changes, missingColumns) = (found.all, found.missingColumns)
        }

        /// For each root entity the shortest chain of required to-one relationships to another one; nil if there is none.
        private static func chains(to anchor: Int, _ roots: [Int], _ schema: Schema) -> [[String]?] {
            var chains: [Int: [String]] = [anchor: []]
            var isGrowing = true
            while isGrowing {
                isGrowing = false
                var next = chains
                for root in roots where chains[root] == nil {
                    for relationship in required(root, schema) {
                        guard let rest = chains[schema.entities[relationship.destination].root] else { continue }
                        next[root] = [relationship.name] + rest
                        isGrowing = true
                        break
                    }
                }
                chains = next
            }
            return roots.map { chains[$0] }
        }

        /// The to-one relationships that every object of a hierarchy has. A distribution column is never NULL.
        private static func required(_ root: Int, _ schema: Schema) -> [Schema.Relationship] {
            schema.entities[root].relationships
                .filter { $0.owner == root && $0.isPersistent && !$0.isToMany && !$0.description.isOptional }
                .sorted { utf8Less($0.name, $1.name) }
        }

        /// The plan as SQL for psql. What is refused is a comment, and so is the statement that gives it up.
        ///
        /// - Parameter names: those that the server gave to constraints and indexes.
        func text(_ schema: Schema, _ names: CitusNames) -> String {
            var names = names
            var lines: [String] = []
            let anchorTable = anchor.map { layout.table(of: $0).name }
            if let anchor {
                lines.append("-- Citus: the tables are distributed by the key of \(schema.entities[anchor].name).")
            } else {
                lines.append(
                    "-- Citus: no entity has a required to-one relationship, so each node has a copy of all tables.")
            }
            lines.append(
                "-- Granary has not run with distributed tables; the store itself uses tables of the coordinator.")
            lines += missingColumns.map { "-- refused: \($0)" }
            for change in changes {
                let isRefused = change.replacement == nil
                lines.append("-- \(isRefused ? "refused" : "extended"): \(change.message)")
                guard let name = names.take(change.part) else { continue }
                lines.append((isRefused ? "-- " : "") + change.sql(layout, name: name))
            }
            lines.append("SELECT create_reference_table(\(SQLIdentifier.literal(layout.storeTable)));")
            let all = Array(zip(layout.tables.map(\.name), tables)) + zip(layout.joinTables.map(\.name), joinTables)
            // Reference tables first: others refer to them. Then the anchor, beside which the others are placed.
            func order(_ item: (String, Placement)) -> Int {
                item.1 == .reference ? 0 : item.0 == anchorTable ? 1 : 2
            }
            for step in 0...2 {
                for (name, placement) in all where order((name, placement)) == step {
                    let table = SQLIdentifier.literal(layout.qualified(name))
                    switch placement {
                    case .reference: lines.append("SELECT create_reference_table(\(table));")
                    case .column(let column):
                        let beside =
                            step == 2
                            ? ", colocate_with => \(SQLIdentifier.literal(layout.qualified(anchorTable ?? "")))" : ""
                        lines.append(
                            "SELECT create_distributed_table(\(table), \(SQLIdentifier.literal(column))\(beside));")
                    case .chain(let names):
                        lines.append("-- \(layout.qualified(name)): by \(names.joined(separator: ".")), see above")
                    }
                }
            }
            return lines.map { $0.replacing("\n", with: " ") + "\n" }.joined()
        }
    }
#endif
