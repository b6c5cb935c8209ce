import GranaryBase

/// The values of the generator `one of`, with their frequencies if they have any.
package struct ListedValues: Sendable, Hashable {
    let texts: [String]
    /// The percentages, whose sum is 100; nil if all values are equally frequent.
    let weights: [Int]?

    /// `red, green`, or `red 70%, green 30%`.
    ///
    /// Only a list whose items all have a percentage has frequencies: `10% off, 20% off` are texts.
    init(_ items: [String]) throws(GeneratorSpecification.Problem) {
        let parts = items.map(Self.weighted)
        guard parts.allSatisfy({ $0 != nil }) else {
            (texts, weights) = (items, nil)
            return
        }
        let found = parts.compactMap { $0 }
        let sum = found.reduce(0) { $0 + $1.weight }
        guard sum == 100 else {
            throw GeneratorSpecification.Problem(
                message: "the percentages of \"one of\" have the sum \(sum); it must be 100")
        }
        (texts, weights) = (found.map(\.text), found.map(\.weight))
    }

    private static func weighted(_ item: String) -> (text: String, weight: Int)? {
        guard item.hasSuffix("%"), let space = item.lastIndex(of: " "), space > item.startIndex,
            let weight = Int(item[item.index(after: space)...].dropLast()), (0...100).contains(weight)
        else { return nil }
        return (String(item[..<space].reversed().drop { $0 == " " }.reversed()), weight)
    }
}
