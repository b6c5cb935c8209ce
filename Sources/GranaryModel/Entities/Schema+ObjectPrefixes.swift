extension Schema {
    /// The beginnings of the names of objects, one after the other: `ENTITY/p` for each entity.
    package struct ObjectPrefixes: Sendable {
        package private(set) var bytes: [UInt8] = []
        /// The range in ``bytes`` for each entity.
        package private(set) var ranges: [Range<Int>] = []

        init(_ entities: [Entity]) {
            for entity in entities {
                let start = bytes.count
                bytes.append(contentsOf: "\(entity.name)/p".utf8)
                ranges.append(start..<bytes.count)
            }
        }
    }
}
