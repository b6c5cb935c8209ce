import Foundation
import GranaryModel
import GranaryPropertyLists
import StoreTestSupport

/// Finds the differences between two stores of a model, with their reasons if known.
struct StoreComparison {
    private let ours: StoreSnapshot
    private let theirs: StoreSnapshot
    private(set) var differences: [StoreDifference] = []

    init(ours: StoreSnapshot, theirs: StoreSnapshot, headers: (ours: StoreHeader, theirs: StoreHeader), schema: Schema)
    {
        self.ours = ours
        self.theirs = theirs
        compareHeaders(headers.ours, headers.theirs)
        compareTexts("pragma", ours.pragmas, theirs.pragmas) { _, _, _ in .unexplained }
        compareObjects()
        compareOrder()
        compareEntities(schema)
        for key in Set(ours.metadata.keys).union(theirs.metadata.keys).sorted()
        where ours.metadata[key] != theirs.metadata[key] {
            let texts = (ours.metadata[key].map { "\($0)" }, theirs.metadata[key].map { "\($0)" })
            add(theirs.metadata[key] == nil ? .frameworkKey : .unexplained, key, texts.0, texts.1)
        }
        for key in Set(ours.hashes.keys).union(theirs.hashes.keys).sorted() where ours.hashes[key] != theirs.hashes[key]
        {
            add(.unexplained, "hash of \(key)", nil, nil)
        }
        for key in ours.userKeys.sorted() { add(.unexplained, key, "a value", nil) }
        for key in theirs.userKeys.sorted() { add(.userKey, key, nil, "a value") }
    }

    private mutating func add(_ kind: StoreDifference.Kind, _ subject: String, _ ours: String?, _ theirs: String?) {
        differences.append(StoreDifference(kind: kind, subject: subject, ours: ours, theirs: theirs))
    }

    private mutating func compareTexts(
        _ what: String, _ left: [String: String], _ right: [String: String],
        _ kind: (String, String?, String?) -> StoreDifference.Kind
    ) {
        for key in Set(left.keys).union(right.keys).sorted() where left[key] != right[key] {
            add(kind(key, left[key], right[key]), "\(what) \(key)", left[key], right[key])
        }
    }

    private mutating func compareHeaders(_ left: StoreHeader, _ right: StoreHeader) {
        if left.journal != right.journal {
            add(left.journal == 1 ? .journalMode : .unexplained, "journal", "\(left.journal)", "\(right.journal)")
        }
        for (field, other) in zip(left.fields, right.fields) where field.value != other.value {
            add(.unexplained, field.name, "\(field.value)", "\(other.value)")
        }
    }

    private mutating func compareObjects() {
        var (left, right) = (ours.objects, theirs.objects)
        // The index of the same attribute with its older name.
        for (key, sql) in left.sorted(by: { $0.key < $1.key }) where key.hasPrefix("index ") && right[key] == nil {
            guard let older = right.first(where: { left[$0.key] == nil && Self.isLegacyForm($0.value, of: sql) }) else {
                continue
            }
            add(.legacyIndex, key, sql, older.value)
            left[key] = nil
            right[older.key] = nil
        }
        let tables = theirs.objects
        compareTexts("object", left, right) { key, ours, theirs in
            switch (ours, theirs) {
            case (let ours?, let theirs?):
                // A migration kept the index's name and renamed its table.
                Self.isJoin(key) && ours.hasPrefix("CREATE INDEX") && SQLShape.table(ours) != SQLShape.table(theirs)
                    ? .joinTableName : Self.kind(ofTable: ours, theirs)
            case (let ours?, nil):
                if ours.hasPrefix("CREATE UNIQUE INDEX"),
                    tables["table " + SQLShape.table(ours)]?.contains(", CONSTRAINT ") == true
                {
                    .inlineUniqueness
                } else {
                    Self.isJoin(key) && right.keys.contains { Self.isJoin($0) && left[$0] == nil }
                        ? .joinTableName : .unexplained
                }
            case (nil, _):
                Self.isJoin(key) && left.keys.contains { Self.isJoin($0) && right[$0] == nil }
                    ? .joinTableName : .leftover
            }
        }
    }

    /// The names of join tables and their indexes begin with `Z_` and a number.
    private static func isJoin(_ key: String) -> Bool {
        guard let name = key.split(separator: " ").last, name.hasPrefix("Z_") else { return false }
        return name.dropFirst(2).first?.isNumber == true
    }

    private static func isLegacyForm(_ theirs: String, of ours: String) -> Bool {
        !ours.hasPrefix("CREATE UNIQUE") && !theirs.contains(" COLLATE ")
            && theirs.hasPrefix("CREATE INDEX \(SQLShape.table(ours))_")
            && SQLShape.table(theirs) == SQLShape.table(ours) && SQLShape.columns(theirs) == SQLShape.columns(ours)
    }

    private static func kind(ofTable ours: String, _ theirs: String) -> StoreDifference.Kind {
        guard ours.hasPrefix("CREATE TABLE") else { return .unexplained }
        if let constraint = theirs.range(of: ", CONSTRAINT "), String(theirs[..<constraint.lowerBound]) + " )" == ours {
            return .inlineUniqueness
        }
        return SQLShape.definitions(ours).sorted() == SQLShape.definitions(theirs).sorted()
            ? .appendedColumn : .unexplained
    }

    private mutating func compareOrder() {
        let (left, right) = (
            ours.order.filter { theirs.objects[$0] != nil }, theirs.order.filter { ours.objects[$0] != nil }
        )
        guard left != right else { return }
        func tables(_ order: [String]) -> [String] { order.filter { !$0.hasPrefix("index ") } }
        let bookkeeping = right.firstIndex(of: "table Z_PRIMARYKEY") ?? right.count
        let isRebuilt = right[bookkeeping...].contains {
            $0.hasPrefix("table Z") && !$0.hasPrefix("table Z_PRIMARYKEY") && !$0.hasPrefix("table Z_METADATA")
                && !$0.hasPrefix("table Z_MODELCACHE")
        }
        let (leftCore, rightCore) = (left.filter { !Self.isJoin($0) }, right.filter { !Self.isJoin($0) })
        let kind: StoreDifference.Kind =
            if isRebuilt { .rebuiltTables } else if tables(left) == tables(right) {
                .indexOrder
            } else if tables(leftCore) == tables(rightCore) {
                .joinTableOrder
            } else { .unexplained }
        add(kind, "order", left.joined(separator: ", "), right.joined(separator: ", "))
    }

    private mutating func compareEntities(_ schema: Schema) {
        let known = Dictionary(schema.entities.map { ("\($0.number)", $0) }) { first, _ in first }
        for (left, right) in zip(ours.entities, theirs.entities) where left != right {
            let fields = right.split(separator: "|").map(String.init)
            let entity = fields.first.flatMap { known[$0] }
            let isRenamed = fields.count == 3 && entity?.description.renamingIdentifier == fields[1]
            add(isRenamed ? .renamedEntity : .unexplained, "Z_PRIMARYKEY", left, right)
        }
        if ours.entities.count != theirs.entities.count {
            add(.unexplained, "Z_PRIMARYKEY", "\(ours.entities)", "\(theirs.entities)")
        }
    }
}
