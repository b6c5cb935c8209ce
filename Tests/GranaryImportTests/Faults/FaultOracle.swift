import GranaryBase
@testable import GranaryImport

/// Decides which records have to be rejected: by their own values, as duplicates, and because of the records that they refer to.
enum FaultOracle {
    private static let groups = Set(FaultModel.groups.map { FaultContents.bytes(ofText: Array($0.utf8)) })
    private static let tags = Set(FaultModel.tags.map { FaultContents.bytes(ofText: Array($0.utf8)) })
    private static let badges = Set(FaultModel.badges.map { FaultContents.bytes(ofInteger: Int64($0)) })

    /// - Parameter report: tells only of what the twin cannot read.
    static func judge(_ records: inout [FaultRecord], _ columns: [FaultColumn], _ report: ImportReport) {
        guard let code = columns.firstIndex(of: .code) else { return }
        let rejected = Set(
            report.diagnostics.filter { $0.property == "link" && $0.code == .valueSyntax }.compactMap(\.position?.line))
        // A bad row holds its key all the same, but no badge.
        var holders: [[UInt8]: Int] = [:]
        for index in records.indices {
            guard let row = records[index].row else {
                records[index].isBad = true
                continue
            }
            for cell in row.cells {
                switch cell.reading {
                case .bad: records[index].isBad = true
                case .uncertain where !rejected.isDisjoint(with: records[index].lines): records[index].isBad = true
                default: break
                }
            }
            if case .value(let key) = row.cells[code].reading {
                if holders[key] == nil { holders[key] = index } else { records[index].isBad = true }
            }
        }
        let children = follow(&records, columns, holders)
        spread(&records, children)
        if let badge = columns.firstIndex(of: .badge) { share(&records, badge) }
        spread(&records, children)
    }

    /// Of the good records with the same badge the first one has it, and the others are rejected.
    private static func share(_ records: inout [FaultRecord], _ badge: Int) {
        var taken: Set<[UInt8]> = []
        for index in records.indices where !records[index].isBad {
            guard case .keys(let keys)? = records[index].row?.cells[badge].reading else { continue }
            for key in keys where !taken.insert(key).inserted { records[index].isBad = true }
        }
    }

    /// Looks every reference up; gives back who refers to which record.
    private static func follow(
        _ records: inout [FaultRecord], _ columns: [FaultColumn], _ holders: [[UInt8]: Int]
    ) -> [Int: [Int]] {
        var children: [Int: [Int]] = [:]
        for index in records.indices {
            guard let row = records[index].row else { continue }
            for (column, cell) in zip(columns, row.cells) {
                guard case .keys(let keys) = cell.reading else { continue }
                for key in keys {
                    let isFound: Bool
                    switch column {
                    case .group: isFound = groups.contains(key)
                    case .tags: isFound = tags.contains(key)
                    case .badge: isFound = badges.contains(key)
                    default:
                        isFound = holders[key] != nil
                        if let holder = holders[key] { children[holder, default: []].append(index) }
                    }
                    if !isFound { records[index].isBad = true }
                }
            }
        }
        return children
    }

    /// Who refers to a rejected record is rejected, to the last.
    private static func spread(_ records: inout [FaultRecord], _ children: [Int: [Int]]) {
        var open = records.indices.filter { records[$0].isBad }
        while let next = open.popLast() {
            for child in children[next] ?? [] where !records[child].isBad {
                records[child].isBad = true
                open.append(child)
            }
        }
    }
}
