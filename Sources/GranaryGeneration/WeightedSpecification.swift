import GranaryBase

/// Ranges of numbers, dates or lengths with frequencies: `1..5:70, 6..10:30`.
package struct WeightedSpecification: Sendable, Hashable {
    struct Part: Sendable, Hashable {
        var specification: GeneratorSpecification
        let weight: UInt64
    }

    private(set) var parts: [Part]
    /// One range from the lowest to the highest bound. An array, because a struct cannot contain itself.
    private let hull: [GeneratorSpecification]

    var whole: GeneratorSpecification { hull.first ?? .length(0...0) }

    /// - Parameter parts: of one kind.
    init(_ parts: [Part]) throws(GeneratorSpecification.Problem) {
        guard var whole = parts.first?.specification else {
            throw GeneratorSpecification.Problem(message: "a range is needed")
        }
        var scale = 0
        for part in parts {
            switch (whole, part.specification) {
            case (.number(let one), .number(let other)):
                scale = max(scale, one.scale, other.scale)
                whole = .number(
                    GeneratedNumbers(
                        lower: min(one.lower, other.lower), upper: max(one.upper, other.upper), scale: scale,
                        step: one.step == other.step ? one.step : nil))
            case (.date(let first, let last), .date(let from, let to)): whole = .date(min(first, from), max(last, to))
            case (.length(let one), .length(let other)):
                whole = .length(min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound))
            default: throw GeneratorSpecification.Problem(message: "the ranges are of different kinds")
            }
        }
        // All numbers have as many decimals as the most exact bound.
        self.parts = parts.map { part in
            guard case .number(var numbers) = part.specification else { return part }
            numbers.scale = scale
            return Part(specification: .number(numbers), weight: part.weight)
        }
        hull = [whole]
    }
}
