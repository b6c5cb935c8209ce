import GranaryModel

/// The attributes of an entity whose values belong together: the names and e-mail address of a person, and the city,
/// country, postcode, region, time zone and coordinates of a place.
///
/// An entity can have several persons or places, such as `billingCity` and `shippingCity`. Two attributes belong
/// together if the other words of their names, such as `billing`, are equal. If there is only one city, the country and
/// the postcode belong to it. If there is only one name of a kind, the e-mail addresses belong to it.
struct RelatedAttributes {
    struct Member {
        let attribute: Schema.Attribute
        let kind: TextKind
        /// The other words of the name.
        let key: [String]
    }

    private let members: [Member]

    /// - Parameter specification: the user's generator of an attribute.
    init(of entity: Schema.Entity, _ specification: (Schema.Attribute) -> GeneratorSpecification?) {
        members = entity.attributes.compactMap { attribute in
            guard attribute.isGenerated else { return nil }
            let names = PropertyNames(attribute: attribute.name, entity: entity.name)
            let kind: TextKind
            switch (attribute.type, specification(attribute)) {
            case (.string, .text(let chosen)?): kind = chosen
            // The values of a list are names or cities too.
            case (.string, .list?), (.string, nil): kind = names.textKind
            case (.decimal, .text(let chosen)?), (.double, .text(let chosen)?), (.float, .text(let chosen)?):
                kind = chosen
            case (.decimal, nil), (.double, nil), (.float, nil):
                guard let found = names.coordinate else { return nil }
                kind = found
            default: return nil
            }
            let path = attribute.name.split(separator: ".").dropLast().map(String.init)
            return Member(attribute: attribute, kind: kind, key: path + names.words(without: kind))
        }
    }

    /// The attributes of a kind.
    func all(_ kind: TextKind) -> [Member] { members.filter { $0.kind == kind } }

    /// The attribute of a kind to which a member belongs; nil if there is none or if it is not clear which one.
    func leader(_ kind: TextKind, of member: Member) -> Schema.Attribute? {
        let all = all(kind)
        if all.count == 1 { return all[0].attribute }
        let equal = all.filter { $0.key == member.key }
        return equal.count == 1 ? equal[0].attribute : nil
    }

    /// The attributes whose texts are the names of the person with an address: first and last name, or the whole name.
    func names(of member: Member) -> [Schema.Attribute] {
        let parts = [TextKind.firstName, .lastName].compactMap { leader($0, of: member) }
        return parts.isEmpty ? [leader(.name, of: member)].compactMap { $0 } : parts
    }

    /// The kinds of values of a place. The first of them in an object leads the others.
    static let placeKinds: [TextKind] = [.city, .country, .postcode, .region, .timeZone, .latitude, .longitude]

    /// The groups of values of a place, with at least two of them.
    var places: [[TextKind: Schema.Attribute]] {
        let kinds = Self.placeKinds
        guard let first = kinds.first(where: { !all($0).isEmpty }) else { return [] }
        return all(first).compactMap { head in
            var group = [first: head.attribute]
            for kind in kinds where kind != first { group[kind] = follower(kind, of: head, among: all(first)) }
            return group.count > 1 ? group : nil
        }
    }

    /// The attribute of a kind that belongs to one of several heads.
    private func follower(_ kind: TextKind, of head: Member, among heads: [Member]) -> Schema.Attribute? {
        let all = all(kind)
        if let equal = all.first(where: { $0.key == head.key }) { return equal.attribute }
        return heads.count == 1 && all.count == 1 ? all[0].attribute : nil
    }
}
