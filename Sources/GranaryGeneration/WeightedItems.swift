import GranaryBase

/// Parts of a text with weights: `0:50, 1..2:30, 3..9:20`.
enum WeightedItems {
    /// The number of parts that a text can have.
    static let limit = 64
    /// The largest weight.
    static let largestWeight = 1_000_000

    /// The parts of a text and their weights; nil for a text that is one part without a weight.
    static func items(
        _ text: Substring, example: String
    ) throws(GeneratorSpecification.Problem) -> [(text: Substring, weight: Int)]? {
        guard text.contains(":") || text.contains(",") else { return nil }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count <= limit else {
            throw GeneratorSpecification.Problem(message: "at most \(limit) parts can have weights")
        }
        var items: [(text: Substring, weight: Int)] = []
        for part in parts {
            guard let colon = part.lastIndex(of: ":"),
                let weight = Int(GeneratorSpecification.trimmed(part[part.index(after: colon)...])),
                (0...largestWeight).contains(weight)
            else {
                throw GeneratorSpecification.Problem(
                    message: "\"\(Diagnostic.shortened(String(GeneratorSpecification.trimmed(part))))\" has no weight; "
                        + "write each part with one, such as \(example)")
            }
            if weight > 0 { items.append((GeneratorSpecification.trimmed(part[..<colon]), weight)) }
        }
        guard !items.isEmpty else { throw GeneratorSpecification.Problem(message: "all weights are 0") }
        return items
    }
}
