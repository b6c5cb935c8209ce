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
        case .length(let lengths): return attribute.type == .string ? [sized(lengths)] : []
        case .weighted(let weighted): return self.weighted(weighted)
        // Other values decide on these; ``ComputedColumn`` has them.
        case .computed: return []
        case .pattern(let source):
            return attribute.type == .string ? words(source, ignoresCase: false) : []
        }
    }

    /// Ranges with frequencies, without those that a rule excludes; then a range that contains all of them, for unique
    /// values.
    private func weighted(_ ranges: WeightedSpecification) -> [ValueDomain] {
        let parts = ranges.parts.compactMap { part -> (domain: ValueDomain, weight: UInt64)? in
            let domains = specified(part.specification).lazy.compactMap {
                $0.accepted(by: attribute.validator, stream, samples: ValueDomain.listLimit)
            }
            return domains.first.map { (domain: $0, weight: part.weight) }
        }
        return (parts.isEmpty ? [] : [ValueDomain(weighted: parts)]) + specified(ranges.whole)
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
}
