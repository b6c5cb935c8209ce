#if PostgreSQL
    import Foundation
    import GranaryCoordination

    extension PostgreSQLStore: HistorySummarizing {
        func historySummary() throws -> HistorySummary? {
            guard layout.hasHistory else { return nil }
            return try reading {
                let transaction = layout.qualified(HistoryTables.transaction)
                let extent = try connection.query(
                    "SELECT count(*), min(\(Self.seconds)), max(\(Self.seconds)), (SELECT count(*) FROM "
                        + "\(layout.qualified(HistoryTables.change)) WHERE kind <> 'gone') FROM \(transaction)")
                let authors = try connection.query(
                    "SELECT DISTINCT substr(author, 1, 200) FROM \(transaction) WHERE author IS NOT NULL LIMIT 100")
                func date(_ column: Int) -> Date? {
                    extent.value(0, column).flatMap(BinaryValue.number).map(Date.init(timeIntervalSinceReferenceDate:))
                }
                return HistorySummary(
                    transactions: Int(clamping: extent.integer(0, 0) ?? 0),
                    changes: Int(clamping: extent.integer(0, 3) ?? 0), first: date(1), last: date(2),
                    authors: (0..<authors.rowCount).compactMap { authors.text($0, 0) }.sorted())
            }
        }
    }
#endif
