import GranaryBase
import GranaryCoordination
package import GranaryModel
import GranaryPredicates

/// Chooses for each uniqueness constraint the properties whose values make objects different.
struct UniquePlanner {
    let objects: GeneratedObjects
    let options: GenerationOptions
    let store: any StoreBackend
    var cancellation: Cancellation?
    /// Chooses domains.
    let domains: (Schema.Attribute, _ entity: Schema.Entity) -> AttributeDomains
    private(set) var groups: [UniqueGroup] = []
    private(set) var problems: [Diagnostic] = []
    /// The constraints with values that generators in code make. They are checked when the values are there.
    private(set) var checked: [Schema.UniquenessConstraint] = []
    /// The groups that determine attributes and relationships, by entity and slot. Subentities inherit them.
    private var owners: [[Int: Int]]

    init(
        objects: GeneratedObjects, options: GenerationOptions, store: any StoreBackend,
        domains: @escaping (Schema.Attribute, _ entity: Schema.Entity) -> AttributeDomains
    ) {
        self.objects = objects
        self.options = options
        self.store = store
        self.domains = domains
        owners = Array(repeating: [:], count: objects.schema.entities.count)
    }

    /// The groups of an entity, by the slots that they determine.
    func groups(of entity: Int) -> [Int: UniqueGroup] { owners[entity].mapValues { groups[$0] } }

    /// Whether the destinations of a relationship are determined by groups.
    func determines(_ relationship: Schema.Relationship) -> Bool {
        groups.contains { group in
            group.digits.contains {
                if case .destination(let other, _, _) = $0 { other === relationship } else { false }
            }
        }
    }

    mutating func run() throws {
        var constraints: [(scope: Int, constraint: Schema.UniquenessConstraint)] = []
        for entity in objects.schema.entities {
            for constraint in entity.uniquenessConstraints where constraint.owner == entity.index {
                constraints.append((scope(of: constraint, entity), constraint))
            }
        }
        // What holds for a hierarchy is decided before what holds for a part of it.
        for scope in objects.schema.entities {
            for (index, constraint) in constraints where index == scope.index {
                try plan(constraint, of: scope, constraint.owner)
            }
        }
    }

    /// The entity among whose objects the values of a constraint must be different: that which declares the last of the
    /// properties. The unique index of a subentity covers the whole table of its hierarchy.
    private func scope(of constraint: Schema.UniquenessConstraint, _ entity: Schema.Entity) -> Int {
        let owners = constraint.properties.map { property in
            switch property {
            case .attribute(let index): entity.attributes[index].owner
            case .relationship(let index): entity.relationships[index].owner
            }
        }
        return owners.max() ?? entity.index
    }

    /// The properties of a constraint that can be different.
    private struct Parts {
        var attributes: [Schema.Attribute] = []
        var relationships: [Schema.Relationship] = []
        var slots: Set<Int> = []
        /// Whether it has a one-to-one relationship, whose destinations are different anyway.
        var isOneToOne = false
    }

    private func parts(of constraint: Schema.UniquenessConstraint, _ entity: Schema.Entity) -> Parts {
        var parts = Parts()
        for property in constraint.properties {
            switch property {
            case .attribute(let index):
                let attribute = entity.attributes[index]
                parts.slots.insert(attribute.slot)
                guard attribute.isPersistent, attribute.description.derivationExpression == nil else { continue }
                parts.attributes.append(attribute)
            case .relationship(let index):
                let relationship = entity.relationships[index]
                parts.slots.insert(relationship.slot)
                guard relationship.isPersistent, !relationship.isToMany else { continue }
                parts.relationships.append(relationship)
                if let inverse = objects.schema.inverseRelationship(of: relationship), !inverse.isToMany {
                    parts.isOneToOne = true
                }
            }
        }
        return parts
    }

    /// - Parameters:
    ///   - entity: the entity among whose objects the values must be different.
    ///   - declaring: the index of the entity that declares the constraint.
    private mutating func plan(
        _ constraint: Schema.UniquenessConstraint, of entity: Schema.Entity, _ declaring: Int
    ) throws {
        guard objects.count(ofFamily: declaring) > 0 else { return }
        let count = objects.count(ofFamily: entity.index)
        let parts = parts(of: constraint, objects.schema.entities[declaring])
        if hasCustomValues(parts.attributes, entity) {
            checked.append(constraint)
            return
        }
        let known = owners[entity.index]
        // A part of the properties is already unique.
        if parts.isOneToOne
            || groups.indices.contains(where: { index in
                !groups[index].digits.isEmpty
                    && groups[index].digits.allSatisfy { parts.slots.contains($0.slot) && known[$0.slot] == index }
            })
        {
            return
        }
        let free = parts.attributes.filter { known[$0.slot] == nil }
        let stored = objects.storedCount(ofFamily: entity.index)
        guard !reportRefusals(free, entity) else { return }
        // As for attributes: a destination that another group determines cannot be chosen again.
        let destinations = parts.relationships.filter { known[$0.slot] == nil }
        let digits = digits(free, destinations, count: count + stored, entity)
        let optional = free.filter(\.description.isOptional).map(\.slot)
        // An optional attribute of a type without a generator is NULL.
        if digits.isEmpty, !optional.isEmpty { return }
        let nullSlot = optional.first { slot in digits.contains { $0.slot == slot } } ?? optional.first
        let group = UniqueGroup(constraint, digits, nullSlot: nullSlot, start: stored)
        let room = try room(of: group, count: count, stored: stored, parts, entity)
        guard room >= count || nullSlot != nil else {
            problems.append(problem(constraint, entity, count: count, room: room))
            return
        }
        for attribute in digits.compactMap(\.attribute) { reportGenerators(of: attribute, entity) }
        for digit in digits {
            for member in entity.family { owners[member][digit.slot] = groups.count }
        }
        groups.append(group)
    }

    /// Whether code makes the values of one of the attributes. It must make those of all objects of the entity.
    private mutating func hasCustomValues(_ attributes: [Schema.Attribute], _ entity: Schema.Entity) -> Bool {
        let settings = AttributeSettings(schema: objects.schema, options: options)
        let kinds = objects.kinds.filter { entity.family.contains($0.entity.index) }
        let custom = attributes.filter { attribute in kinds.contains { settings.isCustom(attribute, $0.entity) } }
        for attribute in custom {
            guard let other = kinds.first(where: { !settings.isCustom(attribute, $0.entity) }) else { continue }
            problems.append(
                Diagnostic(
                    .modelRule,
                    "\(attribute.name) must be unique among all objects of \(entity.name), so one generator makes its "
                        + "values; set the generator of \(entity.name).\(attribute.name)",
                    entity: other.entity.name, property: attribute.name))
        }
        return !custom.isEmpty
    }

    /// Reports required attributes for which no value is generated.
    private mutating func reportRefusals(_ attributes: [Schema.Attribute], _ entity: Schema.Entity) -> Bool {
        var isRefused = false
        for attribute in attributes where !attribute.description.isOptional {
            let namer = namer(of: attribute, entity)
            guard case .refused(let code, let message) = domains(attribute, namer).domain(for: 1) else { continue }
            isRefused = true
            problems.append(
                Diagnostic(
                    code, message, entity: entity.name, property: attribute.name, coreDataCode: code.coreDataCode))
        }
        return isRefused
    }

    /// The entity whose generator applies to a unique attribute. It is `entity`, except if the generators of all
    /// generated objects are the same and differ from that of `entity`: then it is the entity of the first of these
    /// objects.
    private func namer(of attribute: Schema.Attribute, _ entity: Schema.Entity) -> Schema.Entity {
        let settings = AttributeSettings(schema: objects.schema, options: options)
        let kinds = objects.kinds.filter { entity.family.contains($0.entity.index) }
        guard let first = kinds.first?.entity else { return entity }
        let text = settings.text(attribute, first)
        guard text != settings.text(attribute, entity),
            kinds.allSatisfy({ settings.text(attribute, $0.entity) == text })
        else { return entity }
        return first
    }

    /// Reports generators that cannot be used, because the values of an attribute are unique among the objects of an
    /// entity and its subentities, so one generator makes all of them.
    private mutating func reportGenerators(of attribute: Schema.Attribute, _ entity: Schema.Entity) {
        let settings = AttributeSettings(schema: objects.schema, options: options)
        let used = settings.text(attribute, namer(of: attribute, entity))
        for kind in objects.kinds where entity.family.contains(kind.entity.index) {
            guard settings.text(attribute, kind.entity) != used else { continue }
            let place = "\(entity.name).\(attribute.name)"
            problems.append(
                Diagnostic(
                    .modelRule,
                    "\(attribute.name) must be unique among all objects of \(entity.name), so one generator makes its "
                        + "values, and \(kind.entity.name) cannot have another; set the generator of \(place)",
                    entity: kind.entity.name, property: attribute.name, help: "--generator '\(place)=GENERATOR'"))
        }
    }

    private func problem(
        _ constraint: Schema.UniquenessConstraint, _ entity: Schema.Entity, count: UInt64, room: UInt64
    ) -> Diagnostic {
        let names = constraint.names.joined(separator: ", ")
        let found = room == 1 ? "1 object" : "\(room) objects"
        return Diagnostic(
            .uniqueDuplicate,
            "\(names) must be unique, and there are different values for only \(found); \(count) are to be generated. "
                + "The largest count is \(room)", entity: entity.name, property: names,
            coreDataCode: Diagnostic.Code.uniqueDuplicate.coreDataCode)
    }

    // MARK: Digits

    /// The fewest properties that have enough different values, the most believable ones first.
    private func digits(
        _ attributes: [Schema.Attribute], _ relationships: [Schema.Relationship], count: UInt64, _ entity: Schema.Entity
    ) -> [UniqueGroup.Digit] {
        let small = attributes.compactMap { attribute in domain(attribute, entity, 1).map { (attribute, $0) } }
        if let one = small.first(where: { $0.1.size >= count }) { return [digit(one, entity)] }
        if UniqueGroup.size(of: small.map(\.1.size)) >= count, !small.isEmpty { return small.map { digit($0, entity) } }
        let large = attributes.compactMap { attribute in domain(attribute, entity, count).map { (attribute, $0) } }
        if let one = large.first(where: { $0.1.size >= count }) { return [digit(one, entity)] }
        if UniqueGroup.size(of: large.map(\.1.size)) >= count, !large.isEmpty { return large.map { digit($0, entity) } }
        let destinations = relationships.compactMap { destination($0, entity, count) }
        return destinations + large.map { digit($0, entity) }
    }

    private func domain(_ attribute: Schema.Attribute, _ entity: Schema.Entity, _ count: UInt64) -> ValueDomain? {
        let namer = namer(of: attribute, entity)
        guard case .domain(let domain) = domains(attribute, namer).domain(for: count), domain.isInjective else {
            return nil
        }
        return domain
    }

    private func digit(_ part: (Schema.Attribute, ValueDomain), _ entity: Schema.Entity) -> UniqueGroup.Digit {
        if let address = address(part.0, entity) { return address }
        let stream = RandomStream(seed: options.randomSeed, [entity.name, part.0.name, "unique"])
        return .attribute(part.0, part.1, Permutation(count: part.1.size, stream))
    }

    /// An e-mail address of persons with names as a digit; nil if the attribute is something else.
    private func address(_ attribute: Schema.Attribute, _ entity: Schema.Entity) -> UniqueGroup.Digit? {
        guard attribute.type == .string, RuleHints(attribute.description).list == nil else { return nil }
        let settings = AttributeSettings(schema: objects.schema, options: options)
        var names: [Int32: [Int]] = [:]
        for kind in objects.kinds where entity.family.contains(kind.entity.index) {
            let related = RelatedAttributes(of: kind.entity) { settings.setting($0, kind.entity).specification }
            let member = related.all(.email).first { $0.attribute.slot == attribute.slot }
            let found = member.map { related.names(of: $0) } ?? []
            if !found.isEmpty { names[Int32(kind.entity.index)] = found.map(\.slot) }
        }
        let stream = RelatedColumns.addressStream(options.randomSeed, entity, attribute)
        // Some numbers more than objects, because stored objects can have some of the addresses.
        let size = 2 * (objects.count(ofFamily: entity.index) + objects.storedCount(ofFamily: entity.index)) + 1000
        let lists = WordLists.of(options.locale)
        guard !names.isEmpty, let address = PersonAddress(attribute, lists, stream, size: size) else { return nil }
        return .address(attribute, address, names: names)
    }

    /// A relationship as a digit; nil if it cannot be one, because its destinations limit the number of their objects
    /// in a way that the digit does not keep.
    private func destination(
        _ relationship: Schema.Relationship, _ entity: Schema.Entity, _ count: UInt64
    ) -> UniqueGroup.Digit? {
        let span = objects.span(ofFamily: relationship.destination)
        guard span.count > 0,
            objects.count(ofFamily: relationship.owner) == objects.count(ofFamily: entity.index)
        else { return nil }
        if let inverse = objects.schema.inverseRelationship(of: relationship) {
            let end = LinkEnd(inverse)
            // The objects are spread evenly, so the counts differ by at most one.
            let least = count / span.count
            let most = least + (count % span.count == 0 ? 0 : 1)
            let isKept = least >= end.must && (least == 0 || least >= end.step) && most <= end.limit
            guard end.isFree || isKept && objects.storedCount(ofFamily: entity.index) == 0 else { return nil }
        }
        let stream = RandomStream(seed: options.randomSeed, [entity.name, relationship.name, "unique"])
        return .destination(relationship, span, Permutation(count: span.count, stream))
    }

    // MARK: Room

    /// The number of objects that can get different values. Exact if it is less than the count.
    private func room(
        of group: UniqueGroup, count: UInt64, stored: UInt64, _ parts: Parts, _ entity: Schema.Entity
    ) throws -> UInt64 {
        guard !group.digits.isEmpty else { return 0 }
        // A value can be in use only by a stored object.
        guard stored > 0, group.size < count + stored else { return group.size }
        guard Set(group.digits.map(\.slot)) == parts.slots,
            let concrete = objects.kinds.first(where: { entity.family.contains($0.entity.index) })
        else { return group.size }
        defer { group.reset() }
        var free: UInt64 = 0
        while group.advance() {
            try cancellation?.check()
            var batch = RowBatch()
            let row = batch.appendRow(
                entity: concrete.entity.index, key: concrete.firstKey, version: 1,
                slotCount: concrete.entity.slotCount)
            group.fill(row, of: &batch)
            if try store.keys(matching: group.constraint, in: batch, row: row).isEmpty { free += 1 }
        }
        return free
    }
}

extension UniqueGroup {
    /// Sets the cells of the current number. Addresses are last, because the names can be values of the same number.
    func fill(_ row: Int, of batch: inout RowBatch) {
        let places = places
        for (digit, place) in zip(digits, places) {
            switch digit {
            case .attribute(let attribute, let domain, _):
                domain.value(at: place).withBorrowed { batch.set($0, row: row, slot: attribute.slot) }
            case .destination(let relationship, let span, _):
                let object = span[place]
                batch[row, relationship.slot] = .reference(key: object.key, entity: object.entity)
            case .address: break
            }
        }
        for case (.address(let attribute, let address, let names), let place) in zip(digits, places) {
            let text = address.address(of: batch.texts(row, names[batch.rows[row].entity] ?? []), place)
            text.withUnsafeBufferPointer { batch.set(.text($0), row: row, slot: attribute.slot) }
        }
    }
}

extension Schema {
    /// The inverse of a relationship; nil if there is none or if it does not lead back.
    package func inverseRelationship(of relationship: Schema.Relationship) -> Schema.Relationship? {
        guard let inverse = relationship.inverse else { return nil }
        let found = entities[inverse.owner].relationships[inverse.relationship]
        guard let back = found.inverse, back.owner == relationship.owner,
            entities[back.owner].relationships[back.relationship].slot == relationship.slot
        else { return nil }
        return found
    }
}
