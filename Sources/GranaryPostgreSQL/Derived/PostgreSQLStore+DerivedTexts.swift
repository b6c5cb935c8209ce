#if PostgreSQL
    import GranaryCoordination

    extension PostgreSQLStore {
        /// Computes the text functions of derived attributes where they are missing. One can be the source of another.
        func completeDerivedTexts() throws {
            guard !derivedTexts.items.isEmpty, pendingKeys.isEmpty else { return }
            for _ in 0...DerivedPlan.chainLimit {
                var isComplete = true
                for item in derivedTexts.items {
                    while true {
                        let found = try connection.run(item.select, SQLParameters())
                        guard found.rowCount > 0 else { break }
                        isComplete = false
                        let rows = (0..<found.rowCount).map { (found.integer($0, 0) ?? 0, found.text($0, 1) ?? "") }
                        var parameters = SQLParameters(list: rows.map(\.0))
                        parameters.add(list: rows.map { item.function.apply($0.1) })
                        try connection.run(item.update, parameters)
                    }
                }
                if isComplete { return }
            }
        }
    }
#endif
