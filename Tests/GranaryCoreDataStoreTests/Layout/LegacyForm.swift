import StoreTestSupport

/// The differences of stores by older frameworks from Granary's form, which is that of framework 1414.
///
/// Each rule converts Granary's form into the older one, so that the comparison is exact.
struct LegacyForm {
    /// The frameworks to which the rule applies.
    let frameworks: ClosedRange<Int>
    /// The text for docs/core-data-compatibility.md.
    let reason: String
    let apply: @Sendable (inout StoreSnapshot) -> Void

    static let all: [LegacyForm] = [
        LegacyForm(frameworks: 0...519, reason: "the table Z_MODELCACHE came with framework 637") {
            $0.remove("table Z_MODELCACHE")
        },
        LegacyForm(
            frameworks: 0...637, reason: "uniqueness was a constraint inside the table, named after its columns"
        ) { snapshot in
            for (key, sql) in snapshot.objects where sql.hasPrefix("CREATE UNIQUE INDEX") {
                let columns = Self.columns(of: sql)
                let table = "table " + Self.table(of: sql)
                let constraint =
                    ", CONSTRAINT \(columns.joined(separator: "_")) UNIQUE (\(columns.joined(separator: ", "))))"
                guard let created = snapshot.objects[table] else { continue }
                snapshot.objects[table] = created.dropLast(2) + constraint
                snapshot.remove(key)
            }
        },
        LegacyForm(
            frameworks: 0...866,
            reason: "an indexed attribute had an index named after table and column, without collation"
        ) { snapshot in
            for (key, sql) in snapshot.objects where key.hasPrefix("index Z_") && sql.hasSuffix(" COLLATE BINARY ASC)")
            {
                guard sql.hasPrefix("CREATE INDEX"), let column = Self.columns(of: sql).first else { continue }
                let table = Self.table(of: sql)
                let name = "\(table)_\(column)_INDEX"
                snapshot.remove(key)
                snapshot.objects["index \(name)"] = "CREATE INDEX \(name) ON \(table) (\(column))"
            }
        },
        LegacyForm(frameworks: 0...976, reason: "NSStoreModelVersionHashesDigest came with framework 977") {
            $0.metadata["NSStoreModelVersionHashesDigest"] = nil
        },
        LegacyForm(frameworks: 0...1326, reason: "NSStoreModelVersionChecksumKey came with framework 1327") {
            $0.metadata["NSStoreModelVersionChecksumKey"] = nil
        },
    ]

    static func apply(_ frameworkVersion: Int, to snapshot: inout StoreSnapshot) {
        for rule in all where rule.frameworks.contains(frameworkVersion) { rule.apply(&snapshot) }
    }

    /// `ZA` and `ZB` of `… ON ZT (ZA COLLATE BINARY ASC, ZB COLLATE BINARY ASC)`.
    private static func columns(of sql: String) -> [String] {
        (sql.split(separator: "(").last ?? "").split(separator: ",").compactMap { part in
            part.split(whereSeparator: { $0 == " " || $0 == ")" }).first.map(String.init)
        }
    }

    /// `ZT` of `… ON ZT (…)`.
    private static func table(of sql: String) -> String {
        let words = sql.split(separator: " ")
        guard let place = words.firstIndex(of: "ON"), place + 1 < words.count else { return "" }
        return String(words[place + 1])
    }
}

extension StoreSnapshot {
    mutating func remove(_ key: String) {
        objects[key] = nil
        order.removeAll { $0 == key }
    }
}
