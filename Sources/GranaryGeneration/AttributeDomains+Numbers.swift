import GranaryBase
import GranaryModel
import GranaryPredicates

/// Numbers and dates.
extension AttributeDomains {
    // MARK: Numbers that the user wants

    /// The domains of the numbers that a generator such as `number 1..5` chooses, those with the fewest decimals first.
    func numbers(_ wanted: GeneratedNumbers) -> [ValueDomain] {
        switch attribute.type {
        case .integer16, .integer32, .integer64:
            guard let (range, step) = wanted.multiples(scale: 0, limit: .max) else { return [] }
            return [NumberDomains.integers(range, step: step)]
        case .decimal, .double, .float:
            // Bounds without decimals say little about the decimals: more are used if whole numbers are too few.
            let isFree = wanted.scale == 0 && wanted.step == nil
            let domains = (isFree ? [0, 1, 2, 4] : [wanted.scale]).compactMap { scale in
                let limit = limit(ofWantedScale: scale)
                return wanted.multiples(scale: scale, limit: limit).map { scaled($0.range, scale, step: $0.step) }
            }
            // The last domain of Decimals consists of the bounds only.
            guard isFree, attribute.type != .decimal || wanted.lower == wanted.upper else { return domains }
            return domains + bitwise(NumberBound(value: wanted.lower), NumberBound(value: wanted.upper))
        default: return []
        }
    }

    /// The largest number that the user can ask for, times 10^`scale`: such numbers are all different in the type.
    private func limit(ofWantedScale scale: Int) -> Int64 {
        if attribute.type != .float { return 999_999_999_999_999 }
        return scale == 0 ? 1 << 24 : NumberDomains.floatLimit
    }

    /// Why the type does not hold the wanted numbers; nil if it does.
    func problem(of wanted: GeneratedNumbers) -> String? {
        let type = attribute.type
        if type.integerRange != nil {
            guard let step = wanted.step, step.exponent < 0 else { return nil }
            return "the step \(step) is not whole, and the type is \(type.name); give a whole step"
        }
        guard [.decimal, .double, .float].contains(type) else { return nil }
        if wanted.scale > GeneratedNumbers.maximumScale {
            return "numbers of \(wanted.scale) decimals are not generated; give at most "
                + "\(GeneratedNumbers.maximumScale) decimals"
        }
        let limit = limit(ofWantedScale: wanted.scale)
        guard wanted.multiples(scale: wanted.scale, limit: limit) == nil else { return nil }
        let range = "from \(wanted.lower) to \(wanted.upper)"
        if wanted.scale == 0 { return "a \(type.name) does not hold all numbers \(range); give a smaller range" }
        return "a \(type.name) does not hold \(wanted.scale) decimals of numbers \(range); "
            + "give a smaller range or fewer decimals"
    }

    // MARK: Numbers by rules and names

    /// The domains of integers by the attribute's rules and name.
    var integers: [ValueDomain] {
        guard let type = attribute.type.integerRange,
            let legal = NumberDomains.multiples(hints.lower, hints.upper, scale: 0, limit: .max),
            legal.overlaps(type)
        else { return [] }
        let range = legal.clamped(to: type)
        return [Self.believable(names.integers, in: range, width: 999), range].map { NumberDomains.integers($0) }
    }

    /// The part of a believable range that is allowed, or else a range of the allowed numbers nearest to 0.
    private static func believable(
        _ wanted: ClosedRange<Int64>, in legal: ClosedRange<Int64>, width: Int64
    ) -> ClosedRange<Int64> {
        if wanted.overlaps(legal) { return wanted.clamped(to: legal) }
        if legal.lowerBound > wanted.upperBound {
            let (end, overflow) = legal.lowerBound.addingReportingOverflow(width)
            return legal.lowerBound...(overflow ? legal.upperBound : min(end, legal.upperBound))
        }
        let (start, overflow) = legal.upperBound.subtractingReportingOverflow(width)
        return (overflow ? legal.lowerBound : max(start, legal.lowerBound))...legal.upperBound
    }

    /// The domains of numbers with decimals by the attribute's rules and name.
    var reals: [ValueDomain] {
        var result: [ValueDomain] = []
        for (scale, unit) in [(2, 100), (1, 10), (0, 1), (4, 10_000)] as [(Int, Int64)] {
            guard let legal = NumberDomains.multiples(hints.lower, hints.upper, scale: scale, limit: realLimit) else {
                continue
            }
            let wanted = names.reals.lowerBound * unit...names.reals.upperBound * unit
            let near = Self.believable(wanted, in: legal, width: 1000 * unit)
            result.append(scaled(near, scale, step: 1))
            result.append(scaled(legal, scale, step: 1))
        }
        return result + bitwise(hints.lower, hints.upper)
    }

    /// The largest number with decimals times the power of ten that makes it whole.
    private var realLimit: Int64 {
        switch attribute.type {
        case .decimal: NumberDomains.decimalLimit
        case .double: NumberDomains.doubleLimit
        default: NumberDomains.floatLimit
        }
    }

    private func scaled(_ range: ClosedRange<Int64>, _ scale: Int, step: Int64) -> ValueDomain {
        switch attribute.type {
        case .decimal: NumberDomains.decimals(range, scale: scale, step: step)
        case .double: NumberDomains.doubles(range, scale: scale, step: step)
        default: NumberDomains.floats(range, scale: scale, step: step)
        }
    }

    /// The domain for bounds between which there are no numbers with few decimals.
    private func bitwise(_ lower: NumberBound?, _ upper: NumberBound?) -> [ValueDomain] {
        switch attribute.type {
        case .double:
            let range = realBounds(lower, upper, .greatestFiniteMagnitude)
            return NumberDomains.allDoubles(range.first, range.last).map { [$0] } ?? []
        case .float:
            let range = realBounds(lower, upper, Double(Float.greatestFiniteMagnitude))
            return NumberDomains.allFloats(Float(range.first), Float(range.last)).map { [$0] } ?? []
        case .decimal:
            let bounds = [lower, upper].compactMap { $0?.value }
                .filter { keepsExactDecimals || $0.storedDouble.isExact }
            return bounds.isEmpty ? [] : [ValueDomain(bounds.map { AttributeValue.decimal($0.foundationDecimal) })]
        default: return []
        }
    }

    private func realBounds(
        _ lower: NumberBound?, _ upper: NumberBound?, _ greatest: Double
    ) -> (first: Double, last: Double) {
        let first = [lower?.value.nearestDouble, hints.lowerReal].compactMap { $0 }.max() ?? -greatest
        let last = [upper?.value.nearestDouble, hints.upperReal].compactMap { $0 }.min() ?? greatest
        return (max(first, -greatest), min(last, greatest))
    }

    // MARK: Dates

    /// The seconds of the years 1 to 9999.
    private static let calendar: ClosedRange<Int64> = -63_113_904_000...252_423_993_599

    /// The domains of dates by the attribute's rules and name.
    var dates: [ValueDomain] {
        var result: [ValueDomain] = []
        if let legal = NumberDomains.multiples(hints.lower, hints.upper, scale: 0, limit: Int64(1) << 50) {
            let (wanted, step) = names.dates
            let inside = legal.overlaps(Self.calendar) ? legal.clamped(to: Self.calendar) : legal
            let near = Self.believable(wanted, in: inside, width: 10 * 366 * 86_400)
            result.append(NumberDomains.dates(near, step: step))
            result.append(NumberDomains.dates(near, step: 1))
            result.append(NumberDomains.dates(inside, step: 1))
        }
        let (first, last) = realBounds(hints.lower, hints.upper, Double(Self.calendar.upperBound))
        return result + (NumberDomains.allDates(first, last).map { [$0] } ?? [])
    }
}
