/// The destination of a link in terms of the second store, so that destinations of both stores can be compared.
struct LinkTarget: Hashable {
    enum Kind: UInt64 {
        /// An object of the second store. An object of the first store that is paired with it has the same target.
        case common
        /// An object that only the first store has.
        case onlyInA
        /// An object of an entity that only the first model has.
        case foreignInA
        /// An object of an entity that only the second model has.
        case foreignInB
    }

    let kind: Kind
    /// The number of the entity in the plan; for foreign objects its index in the schema.
    let entity: Int
    let key: Int64

    func hash(seed: UInt64) -> UInt64 {
        let start = ListDigest.mix(seed << 32 | kind.rawValue)
        return ListDigest.mix(
            ListDigest.mix(start ^ UInt64(bitPattern: Int64(entity))) ^ UInt64(bitPattern: key))
    }
}
