/// A random number generator without state: each number is computed from the seed, names and two counters.
///
/// A value's numbers therefore depend neither on other values nor on the order in which values are generated.
package struct RandomStream: Sendable {
    private let key: UInt64

    /// The stream of a seed and the names of what is generated, such as an entity and a property.
    package init(seed: UInt64, _ names: [String]) {
        self = names.reduce(RandomStreamNames(seed: seed)) { $0.adding($1) }.stream
    }

    init(key: UInt64) { self.key = key }

    /// The number at a place.
    package func number(_ index: UInt64, draw: UInt64 = 0) -> UInt64 {
        let first = Self.mixed(key &+ index &* 0x9E37_79B9_7F4A_7C15)
        return Self.mixed(first ^ (key &+ draw &* 0xD1B5_4A32_D192_ED03))
    }

    /// The number at a place, from 0 to below `limit`; 0 for the limit 0.
    package func number(_ index: UInt64, draw: UInt64 = 0, below limit: UInt64) -> UInt64 {
        number(index, draw: draw).multipliedFullWidth(by: limit).high
    }

    /// The random numbers of one object, for code that makes values.
    func generator(_ index: UInt64) -> GeneratedRandomNumbers {
        GeneratedRandomNumbers(stream: self, index: index)
    }

    /// The finaliser of SplitMix64, a bijection.
    package static func mixed(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
