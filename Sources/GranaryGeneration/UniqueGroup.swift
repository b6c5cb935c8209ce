import GranaryBase
import GranaryCoordination
import GranaryModel

/// The values of the properties of a uniqueness constraint. Each object gets the next number, and the number determines
/// the values by a bijection, so that no two objects get the same values.
final class UniqueGroup {
    enum Digit {
        case attribute(Schema.Attribute, ValueDomain, Permutation)
        /// An e-mail address. The number in it makes it unique. It contains the names of the object, which are set
        /// before it.
        case address(Schema.Attribute, PersonAddress, names: [Int32: [Int]])
        /// A to-one relationship, whose destination is part of what is unique.
        case destination(Schema.Relationship, ObjectSpan, Permutation)

        var size: UInt64 {
            switch self {
            case .attribute(_, let domain, _): domain.size
            case .address(_, let address, _): address.size
            case .destination(_, let span, _): span.count
            }
        }

        var slot: Int {
            switch self {
            case .attribute(let attribute, _, _), .address(let attribute, _, _): attribute.slot
            case .destination(let relationship, _, _): relationship.slot
            }
        }

        /// Nil for a relationship.
        var attribute: Schema.Attribute? {
            switch self {
            case .attribute(let attribute, _, _), .address(let attribute, _, _): attribute
            case .destination: nil
            }
        }
    }

    let constraint: Schema.UniquenessConstraint
    /// The properties that the number determines. The first one changes fastest.
    let digits: [Digit]
    /// The number of different values, at most 2^62.
    let size: UInt64
    /// The slot of an optional property that is NULL after all values are used: NULL is never equal to NULL.
    let nullSlot: Int?
    /// The number of the first object, which continues after the stored objects.
    private let start: UInt64
    private var used: UInt64 = 0
    /// The number of the current object; nil before the first one.
    private(set) var current: UInt64?

    init(_ constraint: Schema.UniquenessConstraint, _ digits: [Digit], nullSlot: Int?, start: UInt64) {
        self.constraint = constraint
        self.digits = digits
        self.nullSlot = nullSlot
        size = Self.size(of: digits.map(\.size))
        self.start = size > 0 ? start % size : 0
    }

    /// The product of the sizes, at most 2^62.
    static func size(of sizes: [UInt64]) -> UInt64 {
        sizes.reduce(1) { min(ValueDomain.sizeLimit, LinkDegrees.product($0, $1)) }
    }

    /// Whether a value follows from other values of the object.
    var hasAddress: Bool {
        digits.contains { if case .address = $0 { true } else { false } }
    }

    /// Takes the next number.
    ///
    /// - Returns: false if all were used, and the number is one that was used before.
    func advance() -> Bool {
        let isNew = used < size
        current = size > 0 ? (start + used % size) % size : nil
        used += 1
        return isNew
    }

    /// Starts again with the first number.
    func reset() {
        used = 0
        current = nil
    }

    /// The number of each digit's value for the current number.
    var places: [UInt64] {
        guard var rest = current else { return [] }
        var before: UInt64 = 0
        return digits.map { digit in
            let size = max(1, digit.size)
            let place = rest % size
            rest /= size
            // The sum with the digit before is a bijection too, and all digits change from one object to the next.
            defer { before = place }
            let sum = (place + before) % size
            switch digit {
            case .attribute(_, _, let order), .destination(_, _, let order): return order(sum)
            case .address: return sum
            }
        }
    }
}
