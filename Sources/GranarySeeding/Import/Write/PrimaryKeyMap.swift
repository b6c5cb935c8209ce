import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryModel

/// The primary keys that rows get when they are written. While an import is read, each row has a provisional one; a row
/// whose record is refused later leaves no gap.
struct PrimaryKeyMap {
    /// For each root entity, the provisional keys of rows that are not written, in order.
    private var gone: [Int: [Int64]] = [:]
    /// All new keys of hierarchies in which rows ask for keys (`$id`).
    private var whole: [Int: [Int64: Int64]] = [:]
    /// The objects that look-ups make.
    private var made: [RowID: Int64] = [:]
    /// For each root entity, the highest primary key, where rows were given one.
    private(set) var last: [(root: Int, key: Int64)] = []

    /// - Parameter needed: the objects that look-ups make and that accepted references mean, in order.
    init(
        _ primaryKeys: PrimaryKeys, before: PrimaryKeys, _ spool: RowSpool, _ refused: RefusedRecords,
        needed: [RowID], schema: Schema
    ) throws {
        var keys = primaryKeys
        if refused.count > 0 {
            var again = before
            try spool.forEach { batch in
                for (row, header) in batch.rows.rows.enumerated() where batch.origins[row].merge < 0 {
                    let root = schema.entities[Int(header.entity)].root
                    let isGone = refused.contains(batch.origins[row].place)
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

    /// Whether rows keep their provisional keys, those of made objects aside.
    var isIdentity: Bool { gone.isEmpty && whole.isEmpty && made.allSatisfy { $0.key.key == $0.value } }

    /// The key of an object: those that the store has keep theirs.
    func key(_ root: Int, _ provisional: Int64) -> Int64 {
        if let key = made[RowID(root: root, key: provisional)] { return key }
        if let keys = whole[root] { return keys[provisional] ?? provisional }
        guard let gone = gone[root] else { return provisional }
        // The rows before it that are not written.
        var low = 0
        var high = gone.count
        while low < high {
            let middle = (low + high) / 2
            if gone[middle] < provisional { low = middle + 1 } else { high = middle }
        }
        return provisional - Int64(low)
    }

    /// The provisional key of a row that is written; the reverse of ``key(_:_:)``.
    func provisional(_ root: Int, _ key: Int64) -> Int64 {
        if let keys = whole[root] { return keys.first { $0.value == key }?.key ?? key }
        guard let gone = gone[root] else { return key }
        var low = 0
        var high = gone.count
        // Of the rows that are not written, those before it: the one at `middle` has as many before it.
        while low < high {
            let middle = (low + high) / 2
            if gone[middle] - Int64(middle) <= key { low = middle + 1 } else { high = middle }
        }
        return key + Int64(low)
    }

    func id(_ row: RowID) -> RowID { RowID(root: row.root, key: key(row.root, row.key)) }
}
