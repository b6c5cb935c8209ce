import GranaryModel
package import GranaryPredicates

/// The values that are generated for an attribute, numbered from 0.
package struct ValueDomain: Sendable {
    /// The maximum of ``size``; more values are not counted.
    package static let sizeLimit: UInt64 = 1 << 62

    /// The number of values.
    package let size: UInt64
    /// Whether different numbers give different values, so that a bijection of the numbers gives unique values.
    let isInjective: Bool
    private let make: @Sendable (UInt64) -> AttributeValue

    init(size: UInt64, isInjective: Bool = true, _ make: @escaping @Sendable (UInt64) -> AttributeValue) {
        self.size = min(size, Self.sizeLimit)
        self.isInjective = isInjective
        self.make = make
    }

    /// A list of values. Equal values are removed.
    init(_ values: [AttributeValue]) {
        var seen: Set<AttributeValue> = []
        let list = values.filter { seen.insert($0).inserted }
        self.init(size: UInt64(list.count)) { list[Int(min($0, UInt64(list.count) - 1))] }
    }

    /// The values of several domains, each as frequent as its weight.
    ///
    /// - Parameter parts: with weights whose sum is at most 2^26.
    init(weighted parts: [(domain: ValueDomain, weight: UInt64)]) {
        let draws: UInt64 = 36
        let sum = parts.reduce(0) { $0 + $1.weight }
        self.init(size: sum << draws, isInjective: false) { index in
            var place = index >> draws
            let offset = index & (1 << draws - 1)
            let part = parts.first { part in
                if place < part.weight { return true }
                place -= part.weight
                return false
            }
            guard let domain = (part ?? parts.last)?.domain else { return .integer(0) }
            // The product is below 2^98, so the quotient is below the size.
            let (high, low) = offset.multipliedFullWidth(by: domain.size)
            return domain.value(at: high << (64 - draws) | low >> draws)
        }
    }

    package func value(at index: UInt64) -> AttributeValue { make(index) }

    /// Domains of up to this size are tested value by value.
    static let listLimit: UInt64 = 4096
    /// The number of values of a larger domain that are tested.
    private static let probes: UInt64 = 256

    /// The domain without values that break the attribute's rules.
    ///
    /// A large domain is tested by samples. If one breaks a rule, the result is a list of the samples that do not.
    ///
    /// - Parameter samples: the maximum number of samples.
    /// - Returns: nil if no tested value satisfies the rules.
    func accepted(by validator: AttributeValidator, _ stream: RandomStream, samples: UInt64) -> ValueDomain? {
        guard size > 0 else { return nil }
        func isValid(_ value: AttributeValue) -> Bool {
            value.withBorrowed { validator.violations(of: $0).isEmpty }
        }
        if size <= Self.listLimit {
            let values = (0..<size).map(value)
            let valid = values.filter(isValid)
            if valid.count == values.count { return self }
            return valid.isEmpty ? nil : ValueDomain(valid)
        }
        let order = Permutation(count: size, stream)
        // The ends are tested too, because bounds are most likely wrong there.
        let ends = [0, size - 1].map(value)
        let tested = (0..<Self.probes).map { value(at: order($0)) }
        if (ends + tested).allSatisfy(isValid) { return self }
        let more = (Self.probes..<min(size, max(samples, Self.probes))).map { value(at: order($0)) }
        let valid = (ends + tested + more).filter(isValid)
        return valid.isEmpty ? nil : ValueDomain(valid)
    }
}
