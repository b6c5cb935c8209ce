import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Collects what a generator needs to make values like those of an attribute, without the values.
struct AttributeFit {
    let attribute: Schema.Attribute
    /// The most decimals that numbers are fitted with.
    private static let mostDecimals = 4
    /// The number of values that tell how many decimals there are.
    private static let decimalProbes = 1000

    private var count = 0
    private var nulls = 0
    private var trues = 0
    private var sample: FittedSample
    /// Numbers with decimals, until it is known how many there are.
    private var decimals = 0
    private var probes = 0

    init(_ attribute: Schema.Attribute, _ entity: Schema.Entity) {
        self.attribute = attribute
        sample = FittedSample([entity.name, attribute.name])
    }

    /// Numbers are kept with this many decimals, of which superfluous ones are removed at the end.
    private var unit: Double { attribute.type == .date ? 1 : 10_000 }

    mutating func add(_ row: Int, _ batch: borrowing RowBatch) throws {
        count += 1
        // The content of a file beside the store is not read.
        if batch.externalFile(row: row, slot: attribute.slot) != nil { return }
        try batch.withValue(row: row, of: attribute) { value in
            switch value {
            case .null: nulls += 1
            case .boolean(let flag): trues += flag ? 1 : 0
            case .integer(let number): sample.add(number)
            case .float(let number): add(Double("\(number)") ?? Double(number))
            case .double(let number): add(number)
            case .date(let seconds): add(day: seconds)
            case .decimal(let number): add(number.nearestDouble)
            case .text(let bytes): sample.add(Int64(UTF8Text.utf16Count(in: bytes)))
            case .uri, .uuid, .binary: break
            }
        }
    }

    private mutating func add(_ number: Double) {
        let scaled = (number * unit).rounded()
        guard scaled.magnitude <= Double(FittedRanges.limit) else { return }
        sample.add(Int64(scaled))
        guard probes < Self.decimalProbes else { return }
        probes += 1
        var (value, found) = (Int64(scaled), Self.mostDecimals)
        while found > 0, value % 10 == 0 {
            value /= 10
            found -= 1
        }
        decimals = max(decimals, found)
    }

    private mutating func add(day seconds: Double) {
        let day = (seconds / 86_400).rounded(.down)
        guard day.magnitude <= 4_000_000 else { return }
        sample.add(Int64(day))
    }

    // MARK: Result

    /// The percentage of NULL; nil if too few objects tell it, or if none is allowed.
    var nullPercent: Int? {
        guard attribute.description.isOptional, count >= FittedRanges.group else { return nil }
        return (nulls * 200 + count) / (2 * count)
    }

    /// The generators to try, the most exact first; none if too few values tell how others are.
    ///
    /// - Parameters:
    ///   - withBounds: whether the smallest and the largest number or date are contained.
    ///   - isBelievable: whether the name of the attribute chooses better texts than those of a length.
    func generators(withBounds: Bool, isBelievable: Bool) -> [String] {
        let found = count - nulls
        guard found >= FittedRanges.group else { return [] }
        switch attribute.type {
        case .boolean:
            let percent = (trues * 200 + found) / (2 * found)
            return ["one of true \(percent)%, false \(100 - percent)%"]
        case .integer16, .integer32, .integer64:
            let ranges = FittedRanges(sample.values, .decimal, withBounds: withBounds)
            return ranges.map { ["number " + $0.text { "\($0)" }] } ?? []
        case .decimal, .double, .float:
            return Set([decimals, min(decimals, 2), 0]).sorted(by: >).compactMap { scale in
                numbers(scale, withBounds: withBounds)
            }
        case .date:
            return FittedRanges(sample.values, .days, withBounds: withBounds).map {
                ["date " + $0.text { CivilDays.text(ofDay: $0) }]
            } ?? []
        case .string:
            guard !isBelievable else { return [] }
            return FittedRanges(sample.values, .decimal).map { ["text " + $0.text { "\($0)" }] } ?? []
        default: return []
        }
    }

    private func numbers(_ scale: Int, withBounds: Bool) -> String? {
        let divisor = (scale..<Self.mostDecimals).reduce(Int64(1)) { product, _ in product * 10 }
        let values = sample.values.map { value -> Int64 in
            let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
            return remainder < 0 ? quotient - 1 : quotient
        }
        return FittedRanges(values, .decimal, withBounds: withBounds).map { ranges in
            "number " + ranges.text { Self.text($0, decimals: scale) }
        }
    }

    /// A number of units of the last decimal.
    private static func text(_ number: Int64, decimals: Int) -> String {
        guard decimals > 0 else { return "\(number)" }
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, decimals + 1 - digits.utf8.count)) + digits
        return (number < 0 ? "-" : "") + padded.dropLast(decimals) + "." + padded.suffix(decimals)
    }
}
