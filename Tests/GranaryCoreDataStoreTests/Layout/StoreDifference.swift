import StoreTestSupport

/// A difference between a store that Granary created and a store that Core Data created for the same model.
struct StoreDifference: Hashable, Sendable, CustomStringConvertible {
    /// The known reasons. A difference gets a reason only if the code can verify it.
    enum Kind: String, CaseIterable, Sendable {
        case journalMode, frameworkKey, userKey, indexOrder, inlineUniqueness, legacyIndex, rebuiltTables
        case appendedColumn, renamedEntity, joinTableName, joinTableOrder, leftover, unexplained

        /// The frameworks whose stores may have the difference; nil for none.
        var frameworks: ClosedRange<Int>? {
            switch self {
            case .journalMode, .userKey, .rebuiltTables, .renamedEntity, .joinTableName, .joinTableOrder, .leftover:
                0...Int.max
            // `isAllowed` has the limits for digest and checksum.
            case .frameworkKey: 0...1326
            case .indexOrder: 0...866
            case .inlineUniqueness: 0...637
            case .legacyIndex: 0...866
            case .appendedColumn: 637...Int.max
            case .unexplained: nil
            }
        }

        /// The text for docs/core-data-compatibility.md.
        var reason: String {
            switch self {
            case .journalMode: "the app's store is in WAL mode; a new one of Granary's is one file in DELETE mode"
            case .frameworkKey: "the digest came with framework 977, the checksum with 1327"
            case .userKey: "the app has put values of its own into the metadata"
            case .indexOrder: "older frameworks may make indexes last of all"
            case .inlineUniqueness: "uniqueness was a constraint inside the table"
            case .legacyIndex: "an indexed attribute had an index named after table and column, without collation"
            case .rebuiltTables: "a migration has made tables anew, behind the others"
            case .appendedColumn: "the same columns in another order: a migration has appended them, or `Z_FOK` columns"
            case .renamedEntity: "Z_PRIMARYKEY keeps the name that the entity had before a migration"
            case .joinTableName: "which side names a table of links between one entity's objects is not known"
            case .joinTableOrder: "the order of the join tables of one entity follows a hash; nothing depends on it"
            case .leftover: "an index or table that the model does not explain, of a migration or of the app"
            case .unexplained: "–"
            }
        }
    }

    let kind: Kind
    /// The object, key or field.
    let subject: String
    let ours: String?
    let theirs: String?

    var description: String { "\(kind.rawValue) \(subject): \(ours ?? "nothing") instead of \(theirs ?? "nothing")" }

    func isAllowed(_ framework: Int) -> Bool {
        guard kind.frameworks?.contains(framework) == true else { return false }
        guard kind == .frameworkKey else { return true }
        return switch subject {
        case "NSStoreModelVersionHashesDigest": framework < 977
        case "NSStoreModelVersionChecksumKey": framework < 1327
        default: false
        }
    }

    /// `journalMode, legacyIndex × 2`
    static func summary(_ differences: [StoreDifference]) -> String {
        Kind.allCases.compactMap { kind in
            let count = differences.filter { $0.kind == kind }.count
            return count == 0 ? nil : count == 1 ? kind.rawValue : "\(kind.rawValue) × \(count)"
        }.joined(separator: ", ")
    }
}
