import GranaryBase
import GranaryCoordination
import GranaryModel

/// The final primary keys of rows. While records are read, each row has a provisional key. Rows that are not written
/// leave no gaps.
struct PrimaryKeyMap {
    /// For each root entity, the provisional keys of rows that are not written, in order.
    private var gone: [Int: [Int64]] = [:]
    /// The final keys of all new rows, in hierarchies in which `$id` determines keys.
    private var whole: [Int: [Int64: Int64]] = [:]
    /// The keys of objects that lookups create.
    private var made: [RowID: Int64] = [:]
    /// The highest primary key of each root entity with new rows.
    private(set) var last: [(root: Int, key: Int64)] = []

    /// - Parameter needed: the objects that lookups create and that accepted references mean, in order.
    init(
        _ primaryKeys: PrimaryKeys, before: PrimaryKeys, _ spool: RowSpool, _ rejected: RejectedRecordSet,
        needed: [RowID], schema: Schema
    ) throws {
        var keys = primaryKeys
        if rejected.count > 0 {
            var again = before
            try spool.forEach { batch in
                for (row, header) in batch.rows.rows.enumerated() where batch.origins[row].merge < 0 {
                    let root = schema.entities[Int(header.entity)].root
                    let isGone = rejected.contains(batch.origins[row].place)
                    guard primaryKeys.hasAsked(root: root) else {
                        if isGone { gone[root, default: []].append(header.key) }
                        continue
                    }
                    guard !isGone, let next = again.next(root: root) else { continue }
                    let asked = batch.origins[row].askedKey
                    let key = asked > 0 && again.take(asked, insteadOf: next, root: root) ? asked : next
                    whole[root, default: [:]][header.key] = key
                }
                again.beginRecord()
            }
            for (root, list) in gone { keys.giveBackLast(list.count, root: root) }
            for root in whole.keys { keys.replace(root: root, by: again) }
        }
        for object in needed { made[object] = keys.next(root: object.root) ?? object.key }
        last = keys.roundUp
    }

    /// Whether all final keys equal the provisional keys.
    var isIdentity: Bool { gone.isEmpty && whole.isEmpty && made.allSatisfy { $0.key.key == $0.value } }

    /// Returns the final key of an object. Stored objects keep their keys.
    func key(_ root: Int, _ provisional: Int64) -> Int64 {
        if let key = made[RowID(root: root, key: provisional)] { return key }
        if let keys = whole[root] { return keys[provisional] ?? provisional }
        guard let gone = gone[root] else { return provisional }
        // Minus the number of rows before it that are not written.
        return provisional - Int64(gone.partitioningIndex { $0 >= provisional })
    }

    /// Returns the provisional key of a written row: the reverse of ``key(_:_:)``.
    func provisional(_ root: Int, _ key: Int64) -> Int64 {
        if let keys = whole[root] { return keys.first { $0.value == key }?.key ?? key }
        guard let gone = gone[root] else { return key }
        // Plus the number of rows before it that are not written. For a row in `gone`, its index is that number.
        return key + Int64(gone.indices.partitioningIndex { gone[$0] - Int64($0) > key })
    }

    func id(_ row: RowID) -> RowID { RowID(root: row.root, key: key(row.root, row.key)) }
}
