import TestSupport

/// What an import of nodes comes to, worked out the slow and obvious way: rows are looked at one by one, and then again
/// and again until no more of them is rejected.
///
/// A node has a key (which may be NULL), a size, a `next` and a set of `friends`. Bad rows stay out (keep-good).
struct ImportTwin {
    /// A row of the file. `isShort` and `size` are the faults of its own; the others come from the rows around.
    struct Row {
        var code: String?
        var size: String
        var next: String?
        var friends: [String]
        var isShort = false

        var text: String {
            let fields = [code ?? "", size, next ?? "", friends.joined(separator: ";")]
            return fields.prefix(isShort ? 3 : 4).joined(separator: ",")
        }

        var hasFault: Bool { isShort || !(size.isEmpty || Int(size).map { (0...100).contains($0) } ?? false) }
    }

    struct Node: Equatable {
        var code: String?
        var size: String
        var next: String?
        var friends: Set<String>

        init(_ row: Row) {
            code = row.code
            size = row.size
            next = row.next
            friends = Set(row.friends)
        }

        var text: String {
            [code ?? "", size, next ?? "", friends.sorted().joined(separator: ";")].joined(separator: ",")
        }
    }

    /// The nodes with a key, and those without.
    private(set) var nodes: [String: Node] = [:]
    private(set) var nameless: [Node] = []
    private(set) var rejected: Set<Int> = []
    private(set) var created = 0
    private(set) var updated = 0
    private(set) var unchanged = 0

    /// Every node as a line, sorted.
    var lines: [String] { (Array(nodes.values) + nameless).map(\.text).sorted() }

    /// Imports rows; those of keys that are there change them where `updates`, and are rejected otherwise.
    mutating func load(_ rows: [Row], updates: Bool) {
        rejected = []
        (created, updated, unchanged) = (0, 0, 0)
        // Which row has a key first: it keeps it, good or bad.
        var holders: [String: Int] = [:]
        for (index, row) in rows.enumerated() {
            if row.hasFault { rejected.insert(index) }
            guard !row.isShort else { continue }
            guard let code = row.code else {
                // Without a key nobody can say which node it is.
                if updates { rejected.insert(index) }
                continue
            }
            if holders[code] != nil || (!updates && nodes[code] != nil) {
                rejected.insert(index)
            } else {
                holders[code] = index
            }
        }
        var count = -1
        while count != rejected.count {
            count = rejected.count
            for (index, row) in rows.enumerated() where !rejected.contains(index) {
                for target in row.friends + [row.next].compactMap({ $0 }) where nodes[target] == nil {
                    if holders[target].map({ rejected.contains($0) }) ?? true { rejected.insert(index) }
                }
            }
        }
        for (index, row) in rows.enumerated() where !rejected.contains(index) {
            let node = Node(row)
            guard let code = row.code else {
                nameless.append(node)
                created += 1
                continue
            }
            if let before = nodes.updateValue(node, forKey: code) {
                if before == node { unchanged += 1 } else { updated += 1 }
            } else {
                created += 1
            }
        }
    }
}

extension ImportTwin {
    private static let codes = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]

    /// Random rows with random faults: most keys are used once, most references lead somewhere.
    static func rows(_ count: Int, faults: Int, _ generator: inout SeededGenerator) -> [Row] {
        var unused = codes.shuffled(using: &generator)
        return (0..<count).map { _ in
            func happens(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &generator) < percent }
            func anyCode() -> String { codes[Int.random(in: 0..<codes.count, using: &generator)] }
            var row = Row(code: nil, size: "\(Int.random(in: 0...5, using: &generator))", next: nil, friends: [])
            if !happens(faults) { row.code = happens(faults) ? anyCode() : unused.popLast() ?? anyCode() }
            if happens(10) { row.size = "" }
            if happens(40) { row.next = anyCode() }
            for _ in 0..<Int.random(in: 0...2, using: &generator) where happens(40) { row.friends.append(anyCode()) }
            if happens(faults) { row.next = "none" }
            if happens(faults) { row.friends.append("none") }
            if happens(faults) { row.size = "x" }
            if happens(faults) { row.size = "101" }
            row.isShort = happens(faults)
            return row
        }
    }
}
