#if PostgreSQL
    /// A constraint or an index that Citus does not take as it is: it must contain the distribution column, and a foreign key
    /// must lead to the same node.
    struct CitusChange {
        /// What is changed, by what the server knows of it.
        enum Part: Hashable {
            case primaryKey(table: String)
            case unique(table: String, columns: [String])
            case reference(table: String, column: String)
        }

        let part: Part
        /// With the names of the entity and of the constraint or relationship.
        let message: String
        /// Nil if the constraint would have to be dropped, which the plan does not do: it is refused.
        var replacement: String?

        /// The statements that make the change.
        ///
        /// - Parameter name: the name of the constraint or index.
        func sql(_ layout: StoreLayout, name: String) -> String {
            let quoted = SQLIdentifier.quoted(name)
            switch part {
            case .primaryKey(let table), .reference(let table, _):
                let addition = replacement.map { ", ADD \($0)" } ?? ""
                return "ALTER TABLE \(layout.qualified(table)) DROP CONSTRAINT \(quoted)\(addition);"
            case .unique:
                return "DROP INDEX \(layout.namespace).\(quoted);" + (replacement.map { " \($0);" } ?? "")
            }
        }
    }
#endif
