#if PostgreSQL
    import Foundation
    import GranaryBase
    import GranaryCoordination
    import GranaryModel
    import GranaryPredicates

    /// Translates the predicates and orders of searches to SQL, as far as SQL gives exactly the results of the evaluation in
    /// memory. Constants become bound parameters.
    ///
    /// A function returns nil for what it cannot translate; the caller then evaluates that part in memory. SQL has three truth
    /// values, predicates have two: a condition that is NULL counts as false, and a negation is `IS NOT TRUE`.
    final class SearchSQL {
        /// The value of a column, and how it compares.
        struct Term {
            enum Kind: Equatable {
                case integer, decimal, real, text, date, uuid
                /// The key of an object of a hierarchy, by the index of its root.
                case object(root: Int)
            }

            let sql: String
            let kind: Kind
        }

        let schema: Schema
        let layout: StoreLayout
        /// The store's UUID: the objects of other stores are not in it.
        let identifier: String
        let entity: Schema.Entity
        var parameters = SQLParameters()
        /// The number of comparisons in the conditions.
        private(set) var comparisons = 0
        private var aliases = 0

        /// A statement has at most 65,535 parameters, and the depth of its expressions is limited by the server's stack.
        private static let comparisonLimit = 1_000
        static let listLimit = 10_000

        init(_ schema: Schema, _ layout: StoreLayout, identifier: String, entity: Schema.Entity) {
            self.schema = schema
            self.layout = layout
            self.identifier = identifier
            self.entity = entity
        }

        /// Adds a parameter and returns its name.
        func bind<Failure>(
            _ type: SQLType, _ body: (inout FieldBuffer) throws(Failure) -> Void
        ) throws(Failure) -> String {
            try parameters.add(type, body)
            return "$\(parameters.types.count)"
        }

        /// Counts a comparison; false if there are too many.
        func countComparison() -> Bool {
            comparisons += 1
            return comparisons <= Self.comparisonLimit
        }

        /// Runs `body`, and removes its parameters if it has no result.
        func attempt<Result>(_ body: () -> Result?) -> Result? {
            let (before, count) = (parameters, comparisons)
            if let result = body() { return result }
            (parameters, comparisons) = (before, count)
            return nil
        }

        // MARK: - Values

        /// The value at the end of a key path: an attribute or a to-one relationship, over to-one relationships.
        func term(_ path: String) -> Term? {
            if path == "SELF" || path == "self" { return key }
            return term(path, of: entity, alias: "t")
        }

        var key: Term { Term(sql: "t.\(PostgreSQLStore.key)", kind: .object(root: entity.root)) }

        private func term(_ path: String, of entity: Schema.Entity, alias: String) -> Term? {
            if let property = entity.property(named: path) { return term(property, of: entity, alias: alias) }
            guard let end = path.firstIndex(of: "."), let first = entity.relationship(named: String(path[..<end])),
                !first.isToMany, first.isPersistent,
                let reference = column(owner: first.owner, slot: first.slot, of: entity)
            else { return nil }
            aliases += 1
            // Each step of a path is a subquery in the one before.
            guard aliases <= 100 else { return nil }
            let (other, destination) = ("t\(aliases)", schema.entities[first.destination])
            guard let value = term(String(path[path.index(after: end)...]), of: destination, alias: other) else {
                return nil
            }
            let table = layout.qualified(layout.table(of: destination.index).name)
            return Term(
                sql: "(SELECT \(value.sql) FROM \(table) \(other) WHERE \(other).\(PostgreSQLStore.key) = "
                    + "\(alias).\(SQLIdentifier.quoted(reference.name)))", kind: value.kind)
        }

        private func term(_ property: Schema.Slot, of entity: Schema.Entity, alias: String) -> Term? {
            switch property {
            case .attribute(let index):
                let attribute = entity.attributes[index]
                guard attribute.isPersistent,
                    let column = column(owner: attribute.owner, slot: attribute.slot, of: entity)
                else { return nil }
                let name = "\(alias).\(SQLIdentifier.quoted(column.name))"
                switch attribute.type {
                case .integer16, .integer32, .integer64: return Term(sql: "\(name)::bigint", kind: .integer)
                // There is no cast from boolean to bigint.
                case .boolean: return Term(sql: "\(name)::integer::bigint", kind: .integer)
                case .decimal: return Term(sql: name, kind: .decimal)
                case .double: return Term(sql: name, kind: .real)
                case .float: return Term(sql: "\(name)::double precision", kind: .real)
                case .string, .uri: return Term(sql: "\(name) COLLATE \"C\"", kind: .text)
                case .date: return Term(sql: name, kind: .date)
                case .uuid: return Term(sql: name, kind: .uuid)
                case .binary, .transformable, .undefined, .objectID, .composite: return nil
                }
            case .relationship(let index):
                let relationship = entity.relationships[index]
                guard !relationship.isToMany, relationship.isPersistent,
                    let column = column(owner: relationship.owner, slot: relationship.slot, of: entity)
                else { return nil }
                return Term(
                    sql: "\(alias).\(SQLIdentifier.quoted(column.name))",
                    kind: .object(root: schema.entities[relationship.destination].root))
            }
        }

        private func column(owner: Int, slot: Int, of entity: Schema.Entity) -> EntityTable.Column? {
            let table = layout.table(of: entity.index)
            return table.column(of: owner, slot: slot).map { table.columns[$0] }
        }

        // MARK: - Orders

        /// The terms of an ORDER BY; nil if SQL cannot sort by one of them.
        func orderTerms(_ order: [ObjectSortDescriptor]) -> [String]? {
            var terms: [String] = []
            for descriptor in order {
                guard let term = term(descriptor.keyPath) else { return nil }
                if case .object = term.kind { return nil }
                if term.kind == .text, descriptor.comparison != .standard { return nil }
                terms.append("\(term.sql) \(descriptor.isAscending ? "ASC NULLS FIRST" : "DESC NULLS LAST")")
            }
            return terms
        }

        /// Joins conditions as a balanced tree, because the depth of an expression is limited.
        static func joined(_ conditions: ArraySlice<String>, _ word: String) -> String {
            guard conditions.count > 1 else { return conditions.first ?? (word == "AND" ? "true" : "false") }
            let middle = conditions.startIndex + conditions.count / 2
            return "(\(joined(conditions[..<middle], word)) \(word) \(joined(conditions[middle...], word)))"
        }
    }
#endif
