import GranaryBase

/// The numbers of objects to which the objects of a to-many relationship are linked: `3`, `0..5`, `0..5 zipf`,
/// `0:50, 1..2:30, 3:20`.
package struct LinkCounts: Sendable, Hashable {
    /// Counts that are equally frequent, except for the distribution.
    struct Part: Sendable, Hashable {
        var range: ClosedRange<UInt64>
        let weight: UInt64
    }

    /// The key of a relationship's user info.
    static let key = "granary.count"
    /// The largest count.
    static let limit: UInt64 = 100_000_000

    /// In ascending order, without common counts.
    private(set) var parts: [Part]
    private let distribution: ValueDistribution

    init(_ text: String) throws(GeneratorSpecification.Problem) {
        let text = GeneratorSpecification.trimmed(text[...])
        if let items = try WeightedItems.items(text, example: "0:50, 1..2:30") {
            var parts: [Part] = []
            for item in items { parts.append(Part(range: try Self.range(item.text), weight: UInt64(item.weight))) }
            parts.sort { $0.range.lowerBound < $1.range.lowerBound }
            for (one, next) in zip(parts, parts.dropFirst()) where one.range.overlaps(next.range) {
                throw GeneratorSpecification.Problem(
                    message: "\(Self.text(one.range)) and \(Self.text(next.range)) have a common count")
            }
            (self.parts, distribution) = (parts, .uniform)
            return
        }
        let (range, rest) = GeneratorSpecification.split(text)
        parts = [Part(range: try Self.range(range), weight: 1)]
        distribution = rest.isEmpty ? .uniform : try ValueDistribution(text: String(rest))
    }

    private static func range(_ text: Substring) throws(GeneratorSpecification.Problem) -> ClosedRange<UInt64> {
        let bounds =
            text.firstRange(of: "..").map { [text[..<$0.lowerBound], text[$0.upperBound...]] } ?? [text, text]
        guard let lower = UInt64(bounds[0]), let upper = UInt64(bounds[1]), lower <= upper, upper <= limit else {
            throw GeneratorSpecification.Problem(
                message: "\"\(Diagnostic.shortened(String(text)))\" is not a number of objects; write 3, 0..5, "
                    + "0..5 zipf, or 0:50, 1..2:30, 3:20")
        }
        return lower...upper
    }

    private static func text(_ range: ClosedRange<UInt64>) -> String {
        range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)..\(range.upperBound)"
    }

    /// The only count; nil if there are several.
    var single: UInt64? {
        guard parts.count == 1, let part = parts.first, part.range.count == 1 else { return nil }
        return part.range.lowerBound
    }

    /// The counts that an end allows; nil if there are none.
    ///
    /// - Parameter others: the number of objects at the other end.
    func allowed(by end: LinkEnd, others: UInt64) -> LinkCounts? {
        let most = min(end.limit, others)
        var result = self
        result.parts = parts.flatMap { part -> [Part] in
            // A linked object needs `step` others, and one without links is allowed if none is needed.
            var ranges: [ClosedRange<UInt64>] = []
            if part.range.contains(0), end.must == 0, end.step > 1 || most == 0 { ranges.append(0...0) }
            let least = end.must == 0 && end.step <= 1 ? 0 : max(end.step, 1)
            let (lower, upper) = (max(part.range.lowerBound, least), min(part.range.upperBound, most))
            if lower <= upper, !(upper == 0 && !ranges.isEmpty) { ranges.append(lower...upper) }
            return ranges.map { Part(range: $0, weight: part.weight) }
        }
        return result.parts.isEmpty ? nil : result
    }

    var smallest: UInt64 { parts.first?.range.lowerBound ?? 0 }
    var largest: UInt64 { parts.last?.range.upperBound ?? 0 }

    /// The count of an object.
    func count(_ stream: RandomStream, _ number: UInt64) -> UInt64 {
        // The draws that a distribution uses are below 256.
        var place = stream.number(number, draw: 256, below: parts.reduce(0) { $0 + $1.weight })
        for part in parts {
            if place < part.weight {
                let size = part.range.upperBound - part.range.lowerBound + 1
                return part.range.lowerBound + distribution.index(stream, number, attempt: 0, size: size)
            }
            place -= part.weight
        }
        return smallest
    }

    /// The count nearest to `wanted` that is at least `count`, or at most it; nil if it would be `count` itself.
    func next(from count: UInt64, toward wanted: UInt64) -> UInt64? {
        var best = count
        for part in parts {
            let near = min(max(wanted, part.range.lowerBound), part.range.upperBound)
            if wanted > count ? near > best && near <= wanted : near < best && near >= wanted { best = near }
        }
        return best == count ? nil : best
    }

    /// The next larger or smaller count; nil if there is none.
    func neighbour(of count: UInt64, isLarger: Bool) -> UInt64? {
        if isLarger { return parts.first { $0.range.upperBound > count }.map { max($0.range.lowerBound, count + 1) } }
        return parts.last { $0.range.lowerBound < count }.map { min($0.range.upperBound, count - 1) }
    }
}
