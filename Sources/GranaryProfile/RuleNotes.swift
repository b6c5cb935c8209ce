import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

/// What a profile says about the rules of an attribute: which are nearly broken, and which others would hold.
struct RuleNotes {
    private let attribute: Schema.Attribute
    private let profile: PropertyProfile
    private let numbers: ClosedRange<Double>?
    private let empty: Int
    private let edged: Int

    /// A bound that is used to this part is nearly broken.
    private static let nearly = 0.9
    /// With fewer values, nothing is said about what the model could require.
    private static let fewest = 20

    init(
        _ attribute: Schema.Attribute, _ profile: PropertyProfile, numbers: ClosedRange<Double>?, empty: Int, edged: Int
    ) {
        self.attribute = attribute
        self.profile = profile
        self.numbers = numbers
        self.empty = empty
        self.edged = edged
    }

    var all: [String] { presence + lengths + range + uniqueness }

    private var presence: [String] {
        var notes: [String] = []
        let isText = attribute.type == .string
        if profile.values == 0, profile.nulls > 0 { notes.append("no object has a value") }
        if isText, empty > 0 {
            notes.append("\(CountText.count(empty, "value")) \(empty == 1 ? "is" : "are") empty")
        }
        if edged > 0 {
            notes.append(
                "\(CountText.count(edged, "value")) \(edged == 1 ? "begins or ends" : "begin or end") with white space")
        }
        if profile.isOptional, profile.nulls == 0, profile.values >= Self.fewest {
            notes.append("no value is NULL, although the attribute is optional")
        }
        return notes
    }

    private var lengths: [String] {
        guard let limit = attribute.description.maximumLength, let longest = profile.maximumLength, limit > 0,
            Double(longest) >= Double(limit) * Self.nearly, longest <= limit
        else { return [] }
        return ["the longest value has \(longest) of at most \(CountText.count(limit, "character"))"]
    }

    private var range: [String] {
        guard let numbers else { return [] }
        var notes: [String] = []
        if let minimum = attribute.description.minimumValue.flatMap(Self.number), numbers.lowerBound == minimum {
            notes.append("the smallest value is the minimum of the model")
        }
        if let maximum = attribute.description.maximumValue.flatMap(Self.number), numbers.upperBound == maximum {
            notes.append("the largest value is the maximum of the model")
        }
        let largest: Double? =
            switch attribute.type {
            case .integer16: Double(Int16.max)
            case .integer32: Double(Int32.max)
            case .integer64: Double(Int64.max)
            default: nil
            }
        let magnitude = max(abs(numbers.lowerBound), abs(numbers.upperBound))
        if let largest, magnitude >= largest * Self.nearly, magnitude <= largest + 1 {
            let share = Int((magnitude / largest * 100).rounded())
            notes.append("the values use \(share) % of the range of \(attribute.type.name)")
        }
        return notes
    }

    private var uniqueness: [String] {
        guard profile.isExact, profile.values >= Self.fewest, attribute.type != .boolean else { return [] }
        if profile.distinct == 1 { return ["all values are equal"] }
        let repeated = profile.values - profile.distinct
        if repeated > 0, repeated * 100 <= profile.values {
            return [
                "nearly all values differ: \(CountText.count(repeated, "value")) occur\(repeated == 1 ? "s" : "") again"
            ]
        }
        return []
    }

    private static func number(_ value: AttributeValue) -> Double? {
        switch value {
        case .integer(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): ExactDecimal(exactly: number)?.nearestDouble
        case .date(let date): date.timeIntervalSinceReferenceDate
        default: nil
        }
    }
}
