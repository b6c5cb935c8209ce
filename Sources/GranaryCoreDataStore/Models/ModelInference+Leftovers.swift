import GranaryBase
import GranaryCoordination

extension ModelInference {
    /// What of the tables has no place in the model, a warning each; at most 1,001.
    func leftovers(_ layout: StoreLayout) -> [Diagnostic] {
        var used: [String: Set<String>] = [:]
        for table in layout.tables { used[table.name] = ColumnName.system.union(table.columns.map(\.name)) }
        for join in layout.joinTables {
            used[join.name] = Set([join.firstColumn, join.secondColumn] + join.orderColumns)
        }
        var found: [Diagnostic] = []
        for name in tableNames {
            guard let columns = present[name], !StoreLayout.bookkeepingTables.contains(name) else { continue }
            if let used = used[name] {
                let rest = columns.filter { !used.contains($0) }
                for column in rest {
                    found.append(warning("the column \(Self.shown("\(name).\(column)")) is left out"))
                }
            } else if name.hasPrefix("Z") {
                found.append(warning("the table \(Self.shown(name)) is left out"))
            }
            if found.count >= 1000 {
                found.append(warning("what else is left out is not named"))
                break
            }
        }
        return found
    }

    private func warning(_ message: String) -> Diagnostic {
        Diagnostic(.storeLayout, message + ": no property of the inferred model is for it", severity: .warning)
    }

    private static func shown(_ name: String) -> String { Diagnostic.shortened(name) }
}
