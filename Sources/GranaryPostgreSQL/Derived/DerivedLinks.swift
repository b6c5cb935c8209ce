#if PostgreSQL
    import GranaryCoordination
    import GranaryModel

    /// The links of a to-many relationship that a derived attribute aggregates.
    struct DerivedLinks {
        /// The column with the owner's key, with an alias: `m` for a row of a member, `j` for one of a join table.
        let owner: String
        private let members: String
        private let membersName: String
        private let reference: String?
        private let join: (name: String, table: String, own: String, other: String)?

        private static let key = PostgreSQLStore.key
        private static let before = StatementTriggers.before
        private static let after = StatementTriggers.after

        init?(_ relationship: Schema.Relationship, _ layout: StoreLayout) {
            switch layout.place(of: relationship) {
            case .reference(let table, let column, _)?:
                let name = SQLIdentifier.quoted(layout.tables[table].columns[column].name)
                membersName = layout.tables[table].name
                reference = name
                owner = "m.\(name)"
                join = nil
            case .join(let index, let isForward)?:
                let table = layout.joinTables[index]
                let (own, other) =
                    isForward ? (JoinTable.owner, JoinTable.member) : (JoinTable.member, JoinTable.owner)
                membersName = layout.table(of: relationship.destination).name
                reference = nil
                owner = "j.\(own)"
                join = (table.name, layout.qualified(table.name), own, other)
            case nil: return nil
            }
            members = layout.qualified(membersName)
        }

        /// The FROM clause with a row for each link.
        func rows(hasMembers: Bool) -> String {
            guard let join else { return "\(members) m" }
            return "\(join.table) j" + (hasMembers ? " JOIN \(members) m ON m.\(Self.key) = j.\(join.other)" : "")
        }

        /// The changes after which values are computed again: the table, the operation, and the query for the keys of the
        /// owners.
        ///
        /// - Parameter changed: the condition that the aggregated attribute has changed; nil for a count.
        func changes(of changed: String?) -> [(table: String, operation: String, keys: String)] {
            if let reference {
                let (old, new) = ("o.\(reference)", "n.\(reference)")
                let condition = "\(old) IS DISTINCT FROM \(new)" + (changed.map { " OR \($0)" } ?? "")
                return [
                    (membersName, "INSERT", "SELECT \(new) FROM \(Self.after) n WHERE \(new) IS NOT NULL"),
                    (membersName, "DELETE", "SELECT \(old) FROM \(Self.before) o WHERE \(old) IS NOT NULL"),
                    (
                        membersName, "UPDATE",
                        "SELECT v.key FROM \(Self.both) CROSS JOIN LATERAL (VALUES (\(old)), (\(new))) v(key) "
                            + "WHERE v.key IS NOT NULL AND (\(condition))"
                    ),
                ]
            }
            guard let join else { return [] }
            var changes: [(table: String, operation: String, keys: String)] = [
                (join.name, "INSERT", "SELECT n.\(join.own) FROM \(Self.after) n"),
                (join.name, "DELETE", "SELECT o.\(join.own) FROM \(Self.before) o"),
            ]
            guard let changed else { return changes }
            let owners = "SELECT j.\(join.own) FROM \(join.table) j JOIN"
            changes += [
                (membersName, "INSERT", "\(owners) \(Self.after) n ON j.\(join.other) = n.\(Self.key)"),
                (
                    membersName, "UPDATE",
                    "\(owners) \(Self.after) n ON j.\(join.other) = n.\(Self.key) JOIN \(Self.before) o ON o.\(Self.key) = "
                        + "n.\(Self.key) WHERE \(changed)"
                ),
            ]
            return changes
        }

        /// How the changes of a statement add to the value of each owner: the table, the operation, and the query for the
        /// columns `key`, an owner, and `value`. Nil for a sum over a join table: a deleted member has no row any more.
        ///
        /// - Parameters:
        ///   - number: the number that a member adds, from the alias of its row; nil for a count.
        ///   - changed: as for ``changes(of:)``.
        func additions(
            of number: ((_ alias: String) -> String)?, changed: String?
        ) -> [(table: String, operation: String, rows: String)]? {
            func value(_ alias: String) -> String { number.map { "coalesce(\($0(alias)), 0)" } ?? "1" }
            func sums(_ key: String, _ value: String, _ rows: String) -> String {
                "SELECT \(key) AS key, sum(\(value)) AS value FROM \(rows) GROUP BY 1"
            }
            if let reference {
                let (old, new) = ("o.\(reference)", "n.\(reference)")
                let condition = "\(old) IS DISTINCT FROM \(new)" + (changed.map { " OR \($0)" } ?? "")
                let both =
                    "\(Self.both) CROSS JOIN LATERAL (VALUES (\(old), -\(value("o"))), (\(new), \(value("n")))) v(key, value) WHERE "
                    + "v.key IS NOT NULL AND (\(condition))"
                return [
                    (membersName, "INSERT", sums(new, value("n"), "\(Self.after) n WHERE \(new) IS NOT NULL")),
                    (membersName, "DELETE", sums(old, "-\(value("o"))", "\(Self.before) o WHERE \(old) IS NOT NULL")),
                    (membersName, "UPDATE", sums("v.key", "v.value", both)),
                ]
            }
            guard let join, number == nil else { return nil }
            return [
                (join.name, "INSERT", sums("n.\(join.own)", "1", "\(Self.after) n")),
                (join.name, "DELETE", sums("o.\(join.own)", "-1", "\(Self.before) o")),
            ]
        }

        private static var both: String { "\(before) o JOIN \(after) n ON n.\(key) = o.\(key)" }
    }
#endif
