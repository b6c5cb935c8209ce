import Foundation
package import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranaryPredicates

/// Chooses the domain of an attribute from the user's generator, the attribute's rules and its name.
package struct AttributeDomains {
    let attribute: Schema.Attribute
    let names: PropertyNames
    let hints: RuleHints
    let specification: GeneratorSpecification?
    let lists: WordLists
    let stream: RandomStream
    let keepsExactDecimals: Bool
    /// Whether values at the edges of the rules are tried first.
    private let wantsEdges: Bool

    /// The maximum length of generated texts.
    static let longestText = 1 << 20

    package enum Result {
        case domain(ValueDomain)
        /// No value can be generated.
        case refused(Diagnostic.Code, String)
    }

    /// - Parameters:
    ///   - entity: the entity by whose name values are chosen.
    package init(
        _ attribute: Schema.Attribute, entity: String, specification: GeneratorSpecification?,
        options: GenerationOptions,
        keepsExactDecimals: Bool
    ) {
        self.attribute = attribute
        names = PropertyNames(attribute: attribute.name, entity: entity)
        hints = RuleHints(attribute.description)
        self.specification = specification
        lists = WordLists.of(options.locale)
        stream = RandomStream(seed: options.randomSeed, [entity, attribute.name, "domain"])
        self.keepsExactDecimals = keepsExactDecimals
        wantsEdges = options.edgeCases && specification == nil
    }

    /// The most believable domain with at least `count` different values, or else the largest one.
    ///
    /// - Parameter count: 0 if values need not be different.
    package func domain(for count: UInt64) -> Result {
        if let problem = unsupported { return problem }
        // All samples are in memory, so fewer long texts are tested.
        let most: UInt64 = count == 0 ? ValueDomain.listLimit : 65_536
        let samples = min(most, UInt64((1 << 28) / max(1, hints.minimumLength)))
        var best: ValueDomain?
        for candidate in candidates {
            guard candidate.isInjective || count == 0,
                let domain = candidate.accepted(by: attribute.validator, stream, samples: samples)
            else { continue }
            if domain.size >= max(count, 1) { return .domain(domain) }
            if domain.size > best?.size ?? 0 { best = domain }
        }
        if let best { return .domain(best) }
        return refusal
    }

    /// The reason why the type has no generator; nil if it has one.
    private var unsupported: Result? {
        switch attribute.type {
        case .objectID, .undefined, .composite:
            return .refused(.valueSyntax, "values of the type \(attribute.type.name) are not generated")
        case .transformable where Self.archive(of: 0, attribute.description.valueTransformerName, nil) == nil:
            let name = Diagnostic.shortened(attribute.description.valueTransformerName ?? "")
            return .refused(
                .valueSyntax, "values of the transformer \"\(name)\" are not generated, because it is not known")
        default: return nil
        }
    }

    private var refusal: Result {
        let rule = attribute.description
        if case .list? = specification {
            return .refused(.valuePredicate, "no value of the generator satisfies the attribute's type and rules")
        }
        if case .number(let wanted)? = specification, let problem = problem(of: wanted) {
            return .refused(.valueRange, problem)
        }
        if case .computed? = specification {
            return .refused(.modelRule, "values that are computed from other attributes cannot be unique")
        }
        if specification != nil {
            return .refused(.valuePredicate, "the generator has no value that satisfies the attribute's type and rules")
        }
        if hints.minimumLength > Self.longestText {
            return .refused(
                .limitExceeded,
                "texts of \(hints.minimumLength) characters are not generated; the limit is "
                    + "\(Self.longestText)")
        }
        if let expression = rule.regularExpression {
            return .refused(
                .valuePattern,
                "no text is generated for the regular expression \(Diagnostic.shortened(expression)) and the other rules; "
                    + "expressions of literals, classes, groups, alternatives, repetitions and anchors are supported, "
                    + "without look-around, back references and \\p")
        }
        if let predicate = rule.validationRules.first?.predicate {
            return .refused(
                .valuePredicate,
                "no value is generated for the validation predicate \(Diagnostic.shortened("\(predicate)"))")
        }
        return .refused(.valueRange, "no value satisfies the attribute's rules")
    }

    // MARK: Candidates

    /// The domains to try, the most believable first.
    private var candidates: [ValueDomain] {
        if let specification { return specified(specification) }
        if let list = hints.list {
            return [ValueDomain(list.compactMap { $0.converted(to: attribute.type) }.filter(isKept))]
        }
        if wantsEdges {
            let edges = EdgeValues(attribute: attribute, hints: hints).domains
            return edges + believable
        }
        return believable
    }

    /// The domains by the attribute's type, rules and name.
    private var believable: [ValueDomain] {
        switch attribute.type {
        case .integer16, .integer32, .integer64: return integers
        case .decimal, .double, .float: return reals
        case .string: return texts
        case .boolean: return [ValueDomain([.boolean(false), .boolean(true)])]
        case .date: return dates
        case .uuid: return [ValueDomain(size: ValueDomain.sizeLimit) { .uuid(UUIDBits.value(at: $0)) }]
        case .uri: return [uris(TextSource(.url, lists))]
        // SwiftData cannot decode other bytes as a collection, and the model does not tell a collection from `Data`.
        case .binary where attribute.mayHoldJSON: return [ValueDomain([.binary(Data("[]".utf8))])]
        case .binary: return [ValueDomain(size: ValueDomain.sizeLimit) { .binary(Self.bytes(of: $0)) }]
        case .transformable:
            let (name, type) = (attribute.description.valueTransformerName, attribute.description.valueClassName)
            return [ValueDomain(size: 1 << 32) { .binary(Self.archive(of: $0, name, type) ?? Data()) }]
        case .objectID, .undefined, .composite: return []
        }
    }

    /// Whether the store keeps all digits of the value.
    private func isKept(_ value: AttributeValue) -> Bool {
        guard !keepsExactDecimals, case .decimal(let number) = value else { return true }
        guard let exact = ExactDecimal(exactly: number) else { return false }
        return exact.int64 != nil || exact.storedDouble.isExact
    }

    private func specified(_ specification: GeneratorSpecification) -> [ValueDomain] {
        switch specification {
        case .text(let kind):
            switch attribute.type {
            case .decimal, .double, .float: return kind.isCoordinate ? [coordinates(kind)] : []
            case .string: return texts(kind)
            case .uri: return [uris(TextSource(kind, lists))]
            case .uuid where kind == .uuid:
                return [ValueDomain(size: ValueDomain.sizeLimit) { .uuid(UUIDBits.value(at: $0)) }]
            default: return []
            }
        case .number(let wanted): return numbers(wanted)
        case .date(let first, let last):
            guard attribute.type == .date else { return [] }
            let isDays = first % 86_400 == 0
            return [
                NumberDomains.dates(first...last, step: isDays ? 86_400 : 60),
                NumberDomains.dates(first...last, step: 1),
            ]
        case .list(let list): return listed(list)
        // Other values decide on these; ``ComputedColumn`` has them.
        case .computed: return []
        case .pattern(let source):
            return attribute.type == .string ? words(source, ignoresCase: false) : []
        }
    }

    /// The list; with frequencies first a domain in which a value has as many numbers as its percentage.
    private func listed(_ list: ListedValues) -> [ValueDomain] {
        let values = list.texts.map { AttributeValue(generatorText: $0, type: attribute.type) }
        let all = ValueDomain(values.compactMap { $0 }.filter(isKept))
        guard let weights = list.weights else { return [all] }
        let places = zip(values, weights).flatMap { value, weight -> [AttributeValue] in
            guard let value, isKept(value), value.withBorrowed({ attribute.validator.violations(of: $0).isEmpty })
            else { return [] }
            return Array(repeating: value, count: weight)
        }
        let count = UInt64(places.count)
        let weighted = ValueDomain(size: count, isInjective: false) { places[Int(min($0, count - 1))] }
        return places.isEmpty ? [all] : [weighted, all]
    }

    /// Coordinates near the places of the language.
    private func coordinates(_ kind: TextKind) -> ValueDomain {
        let (places, type) = (lists.places, attribute.type)
        return ValueDomain(size: UInt64(places.count) * Place.postcodeDraws, isInjective: false) { index in
            places[Int(index % UInt64(places.count))].value(kind, index / UInt64(places.count), type)
        }
    }

    private func numbers(_ wanted: GeneratedNumbers) -> [ValueDomain] {
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
    private func problem(of wanted: GeneratedNumbers) -> String? {
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

    // MARK: Numbers

    private var integers: [ValueDomain] {
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

    private var reals: [ValueDomain] {
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

    private var dates: [ValueDomain] {
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

    // MARK: Bytes

    /// Bytes that contain the number, so that different numbers give different bytes.
    private static func bytes(of index: UInt64) -> Data {
        var data = Data()
        let other = RandomStream.mixed(index &+ 1)
        for value in [RandomStream.mixed(index), other] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                data.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        return data
    }

    /// The archive of a list with the number; nil if the transformer is not known. `type` is the class of the values,
    /// such as SwiftData's `Array<Int>`.
    private static func archive(of index: UInt64, _ transformer: String?, _ type: String?) -> Data? {
        let list =
            switch type {
            case "Array<Int>": "[\(index)]"
            case "Array<Double>": "[\(index).5]"
            case "Array<Bool>": "[\(index % 2 == 0)]"
            default: "[\"generated\",\"\(index)\"]"
            }
        let json = Array(list.utf8)
        var bytes: [UInt8] = []
        do {
            try json.withUnsafeBufferPointer { text in
                try TransformedJSON.appendArchive(of: text, transformer: transformer, isHex: false, to: &bytes)
            }
        } catch { return nil }
        return Data(bytes)
    }

    private func uris(_ source: TextSource) -> ValueDomain {
        let (prefix, suffix) = (hints.prefix, hints.suffix)
        return ValueDomain(size: source.size) { index in
            let text = source.text(at: index)
            let isWhole = prefix.isEmpty || text.hasPrefix(prefix)
            let url = URL(string: (isWhole ? "" : prefix) + text + suffix)
            return url.map { AttributeValue.uri($0) } ?? .string(text)
        }
    }
}
