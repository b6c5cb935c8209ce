/// Links whose numbers are given for the objects of both ends, as lists.
struct PairedLinks: ObjectLinks {
    private let forward: Lists
    private let backward: Lists

    /// The neighbours of each object, one list after the other.
    private struct Lists {
        var starts: [Int] = [0]
        var neighbours: [UInt32] = []

        func list(_ object: UInt64) -> [UInt64] {
            guard object < UInt64(starts.count - 1) else { return [] }
            let index = Int(object)
            return neighbours[starts[index]..<starts[index + 1]].map { UInt64($0) }
        }
    }

    /// Links each object of the first end, those with the largest counts before, to the objects of the second end that
    /// need the most links. If the counts have any solution, this finds one (Gale and Ryser, 1957).
    ///
    /// - Parameters:
    ///   - orders: the orders of objects with equal counts.
    /// - Returns: nil if no links have these counts.
    init?(_ first: [UInt32], _ second: [UInt32], _ orders: (first: Permutation, second: Permutation)) {
        let firstOrder = RankedOrder(descending: first, orders.first)
        let secondOrder = RankedOrder(descending: second, orders.second)
        // The needs of the second end by place, always in descending order.
        var needs = second.indices.map { second[secondOrder.object($0)] }
        var members = Array(repeating: [UInt32](), count: first.count)
        for rank in first.indices {
            let owner = firstOrder.object(rank)
            let count = Int(first[owner])
            guard count > 0 else { break }
            guard count <= needs.count, needs[count - 1] > 0 else { return nil }
            // Of the places with the smallest need that is used, the last ones are taken, so the order stays.
            let least = needs[count - 1]
            let start = needs[..<count].firstIndex(of: least) ?? count
            let end = Self.end(of: least, in: needs, from: count - 1)
            let places = Array(0..<start) + Array(end - (count - start)..<end)
            for place in places {
                needs[place] -= 1
                members[owner].append(UInt32(truncatingIfNeeded: secondOrder.object(place)))
            }
        }
        guard needs.allSatisfy({ $0 == 0 }) else { return nil }
        var (forward, backward) = (Lists(), Lists())
        var owners = Array(repeating: [UInt32](), count: second.count)
        for (owner, list) in members.enumerated() {
            forward.neighbours += list
            forward.starts.append(forward.neighbours.count)
            for member in list { owners[Int(member)].append(UInt32(truncatingIfNeeded: owner)) }
        }
        for list in owners {
            backward.neighbours += list
            backward.starts.append(backward.neighbours.count)
        }
        (self.forward, self.backward) = (forward, backward)
    }

    /// The end of the places with a need, which are consecutive.
    private static func end(of need: UInt32, in needs: [UInt32], from place: Int) -> Int {
        var (low, high) = (place + 1, needs.count)
        while low < high {
            let middle = (low + high) / 2
            if needs[middle] >= need { low = middle + 1 } else { high = middle }
        }
        return low
    }

    func second(of object: UInt64) -> [UInt64] { forward.list(object) }

    func first(of object: UInt64) -> [UInt64] { backward.list(object) }
}
