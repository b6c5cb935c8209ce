import GranaryCoordination

/// Which of the objects that a selection finds are chosen.
struct SubsetChoice: Sendable {
    let sample: SubsetOptions.Sample?
    /// The number from which samples are computed.
    let seed: UInt64

    func chosen(_ objects: [(entity: Int, key: Int64)]) -> [(entity: Int, key: Int64)] {
        guard let sample else { return objects }
        let count: Int
        switch sample {
        case .count(let number): count = max(0, number)
        case .percent(let share):
            // At least one of some, so that a small table is not lost.
            let exact = Double(objects.count) * min(max(share, 0), 100) / 100
            count = min(objects.count, Int(exact.rounded(.up)))
        }
        guard count < objects.count else { return objects }
        // Each object has a number that depends on its key alone: a larger sample contains the smaller one.
        return objects.map { (object: $0, rank: rank($0.key)) }
            .sorted { ($0.rank, $0.object.key) < ($1.rank, $1.object.key) }
            .prefix(count).map(\.object)
    }

    private func rank(_ key: Int64) -> UInt64 {
        var value = UInt64(bitPattern: key) &+ seed &* 0x9e37_79b9_7f4a_7c15 &+ 0x9e37_79b9_7f4a_7c15
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }
}
