import GranaryBase
import GranaryModel
import GranaryPredicates

/// Plans the values of an entity that belong together: places, whole names and e-mail addresses.
struct RelatedColumns {
    /// The domain of an attribute that shares its numbers with other attributes.
    struct Shared {
        let domain: ValueDomain
        let values: RandomStream
        let distribution: ValueDistribution
    }

    private let entity: Schema.Entity
    private let related: RelatedAttributes
    private let settings: AttributeSettings
    private let lists: WordLists
    /// The number of objects with the stored ones.
    private let count: UInt64
    /// The slots whose values must be unique.
    private let unique: Set<Int>
    /// The domains by slot.
    private(set) var shared: [Int: Shared] = [:]
    /// The rules of followers, with their leaders, by slot.
    private(set) var rules: [Int: (rule: Follower.Rule, leaders: [Schema.Attribute])] = [:]

    /// - Parameter unique: the slots whose values must be unique.
    init(_ kind: GeneratedObjects.Kind, unique: Set<Int>, _ settings: AttributeSettings) {
        let entity = kind.entity
        self.entity = entity
        count = kind.stored + kind.count
        self.unique = unique
        self.settings = settings
        lists = WordLists.of(settings.options.locale)
        related = RelatedAttributes(of: entity) { settings.setting($0, entity).specification }
        for group in related.places { planPlace(group) }
        planPersons()
    }

    /// The stream of an attribute's addresses.
    static func addressStream(_ seed: UInt64, _ entity: Schema.Entity, _ attribute: Schema.Attribute) -> RandomStream {
        RandomStream(seed: seed, [entity.name, attribute.name, "address"])
    }

    /// Whether the attribute has values of its kind and no other wishes or rules choose them.
    private func isPlain(_ attribute: Schema.Attribute) -> Bool {
        guard !unique.contains(attribute.slot), !settings.options.edgeCases else { return false }
        switch settings.setting(attribute, entity).specification {
        case .text?: return true
        case nil: return RuleHints(attribute.description).list == nil
        case .number?, .date?, .list?, .pattern?, .length?, .weighted?, .computed?: return false
        }
    }

    // MARK: Places

    private mutating func planPlace(_ group: [TextKind: Schema.Attribute]) {
        var members = RelatedAttributes.placeKinds.compactMap { kind in group[kind].map { (kind: kind, attribute: $0) }
        }
        let city = group[.city]
        if let city, !isPlain(city) {
            let places = Dictionary(lists.places.map { ($0.city, $0) }) { first, _ in first }
            for (kind, attribute) in members where kind != .city && isPlain(attribute) {
                rules[attribute.slot] = (.place(kind, places), [city])
            }
        }
        members.removeAll { !isPlain($0.attribute) }
        // The rules of a postcode can exclude all places, such as those of another country.
        while members.count > 1 {
            let places = lists.places.filter { place in members.allSatisfy { Self.fits(place, $0.kind, $0.attribute) } }
            if !places.isEmpty { return share(places, members) }
            members.removeLast()
        }
    }

    private mutating func share(_ places: [Place], _ members: [(kind: TextKind, attribute: Schema.Attribute)]) {
        let draws = Place.postcodeDraws
        let leader = members[0].attribute
        let values = RandomStream(seed: settings.options.randomSeed, [entity.name, leader.name])
        for (kind, attribute) in members {
            // Equal numbers mean equal places.
            let type = attribute.type
            let domain = ValueDomain(size: UInt64(places.count) * draws, isInjective: false) { index in
                let place = places[Int(min(index / draws, UInt64(places.count) - 1))]
                return place.value(kind, index % draws, type)
            }
            shared[attribute.slot] = Shared(
                domain: domain, values: values, distribution: settings.setting(leader, entity).distribution)
        }
    }

    private static func fits(_ place: Place, _ kind: TextKind, _ attribute: Schema.Attribute) -> Bool {
        (0..<UInt64(kind == .postcode || kind.isCoordinate ? 16 : 1)).allSatisfy { draw in
            place.value(kind, draw, attribute.type).withBorrowed {
                attribute.validator.violations(of: $0).isEmpty
            }
        }
    }

    // MARK: Persons

    private mutating func planPersons() {
        for member in related.all(.name) {
            let names = related.names(of: member)
            // Without both parts, the names of the member are the member itself.
            guard names.count == 2 else { continue }
            if isPlain(member.attribute) {
                rules[member.attribute.slot] = (.wholeName(lists.writing), names)
                continue
            }
            // A whole name that is unique or from a list cannot follow from its parts, so they follow from it.
            for (part, rule) in zip(names, [Follower.Rule.firstName(lists.writing), .lastName(lists.writing)])
            where isPlain(part) && rules[part.slot] == nil {
                rules[part.slot] = (rule, [member.attribute])
            }
        }
        for member in related.all(.email) where isPlain(member.attribute) {
            let names = related.names(of: member)
            let stream = Self.addressStream(settings.options.randomSeed, entity, member.attribute)
            guard !names.isEmpty, let address = PersonAddress(member.attribute, lists, stream, size: count) else {
                continue
            }
            rules[member.attribute.slot] = (.address(address), names)
        }
    }
}
