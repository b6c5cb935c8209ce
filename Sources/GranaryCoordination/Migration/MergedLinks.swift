import GranaryBase
import GranaryModel

/// What becomes of the links of dropped duplicates: they lead to and from the objects that stay, as far as these are free.
///
/// Memory holds the links of the dropped objects, about 100 bytes for each.
struct MergedLinks {
    typealias Object = ObjectReplacements.Object

    /// The references of kept objects that are not those in the store, by to-one and key; nil for none. All other
    /// references to dropped objects lead to those that stay.
    private(set) var references: [LinkLayout.ID: [Int64: Object?]] = [:]
    /// The lists of dropped owners, by to-many and the key of the owner that stays.
    private(set) var lists: [LinkLayout.ID: [Int64: [Link]]] = [:]
    /// The owners of the members that stay in the place of others, by to-one, or by to-many without an inverse.
    private var owners: [LinkLayout.ID: [Int64: Object]] = [:]
    /// The objects whose lists or references change, by relationship.
    private(set) var changed: [LinkLayout.ID: KeySet] = [:]
    private(set) var problems = MigrationProblems()

    private let source: any StoreBackend
    private let mapping: ModelMapping
    private let replacements: ObjectReplacements
    private let kept: [Int: KeySet]
    private let cancellation: Cancellation?
    private var schema: Schema { mapping.old }

    private static let batchRows = 1000

    init(
        _ source: any StoreBackend, _ mapping: ModelMapping, _ replacements: ObjectReplacements,
        _ cancellation: Cancellation?
    ) throws {
        self.source = source
        self.mapping = mapping
        self.replacements = replacements
        self.cancellation = cancellation
        kept = replacements.keptObjects()
        try readReferences()
        for entity in schema.entities {
            for relationship in entity.relationships
            where relationship.owner == entity.index && relationship.isToMany && concerns(relationship) {
                try cancellation?.check()
                let layout = LinkLayout(relationship, schema: schema)
                if layout.inverse == nil {
                    try readExclusiveLists(relationship)
                } else {
                    try readLists(layout)
                }
            }
        }
    }

    /// Whether one of the ends has dropped objects.
    func concerns(_ relationship: Schema.Relationship) -> Bool {
        relationship.isPersistent
            && [relationship.owner, relationship.destination].contains {
                replacements.dropped[schema.entities[$0].root] != nil
            }
    }

    // MARK: To-ones

    /// One reference in a row.
    private struct Reference {
        let owner: Object
        let member: Object
    }

    /// One end of a one-to-one.
    private struct End: Hashable {
        let id: LinkLayout.ID
        let object: Object

        init(_ id: LinkLayout.ID, _ object: Object) {
            self.id = id
            self.object = object
        }
    }

    private mutating func readReferences() throws {
        // References of dropped objects, and all of one-to-ones that have to do with replaced objects.
        var waiting: [LinkLayout.ID: [Reference]] = [:]
        var layouts: [LinkLayout.ID: LinkLayout] = [:]
        for root in schema.entities where root.root == root.index {
            let toOnes = schema.entities[root.family].map { entity in
                entity.relationships.filter { !$0.isToMany && concerns($0) }
                    .map { LinkLayout($0, schema: schema) }
            }
            for layout in toOnes.joined() { layouts[layout.id] = layout }
            guard toOnes.contains(where: { !$0.isEmpty }) else { continue }
            try source.read(entities: root.family, batchSize: Self.batchRows) { batch in
                try cancellation?.check()
                for row in batch.rows.indices {
                    let owner = Object(entity: Int(batch.rows[row].entity), key: batch.rows[row].key)
                    for layout in toOnes[owner.entity - root.index] {
                        guard case .reference(let key, let entity) = batch[row, layout.slot] else { continue }
                        let reference = Reference(owner: owner, member: Object(entity: Int(entity), key: key))
                        if read(reference, layout) { waiting[layout.id, default: []].append(reference) }
                    }
                }
                return true
            }
        }
        for (id, references) in waiting.sorted(by: { ($0.key.owner, $0.key.slot) < ($1.key.owner, $1.key.slot) }) {
            guard let layout = layouts[id], let inverse = layout.inverse else { continue }
            if inverse.isToMany {
                for reference in references { inherit(reference, layout, inverse) }
            } else {
                pair(references, layout, inverse)
            }
        }
    }

    /// - Returns: whether the reference is decided when all are known.
    private mutating func read(_ reference: Reference, _ layout: LinkLayout) -> Bool {
        let (owner, member) = (reference.owner, reference.member)
        if let inverse = layout.inverse, !inverse.isToMany {
            // A one-to-one is read from one of its ends.
            let id = (layout.id.owner, layout.id.slot)
            guard id <= (inverse.id.owner, inverse.id.slot), !layout.isOwnInverse || owner.key <= member.key else {
                return false
            }
            return isReplaced(owner) || isReplaced(member)
        }
        guard !replacements.isDropped(owner) else { return layout.inverse != nil }
        let target = replacements.object(for: member)
        if layout.inverse != nil, isReplaced(owner) { owners[layout.id, default: [:]][owner.key] = target }
        guard target != member else { return false }
        if isKind(target, layout.relationship.destination) {
            note(.turnedLinks, owner, layout.relationship)
        } else {
            setReference(layout, owner, nil)
            note(.droppedLinks, owner, layout.relationship)
        }
        return false
    }

    /// The object that stays takes the reference of a dropped one if it has none itself.
    private mutating func inherit(_ reference: Reference, _ layout: LinkLayout, _ inverse: LinkLayout.End) {
        let owner = replacements.object(for: reference.owner)
        let member = replacements.object(for: reference.member)
        let isPossible = isKind(owner, layout.relationship.owner) && isKind(member, layout.relationship.destination)
        let present = owners[layout.id]?[owner.key]
        guard isPossible, present == nil || present == member else {
            return note(.droppedLinks, member, inverse.relationship)
        }
        if present == nil {
            owners[layout.id, default: [:]][owner.key] = member
            setReference(layout, owner, member)
        }
        note(.turnedLinks, member, inverse.relationship)
    }

    /// Decides the partners of a one-to-one: links of kept objects stay, and the others are turned if both ends are free.
    private mutating func pair(_ references: [Reference], _ layout: LinkLayout, _ inverse: LinkLayout.End) {
        // By relationship, which can be its own inverse.
        var partners: [LinkLayout.ID: [Int64: Object]] = [:]
        func isOfKept(_ reference: Reference) -> Bool {
            !replacements.isDropped(reference.owner) && !replacements.isDropped(reference.member)
        }
        for reference in references where isOfKept(reference) {
            partners[layout.id, default: [:]][reference.owner.key] = reference.member
            partners[inverse.id, default: [:]][reference.member.key] = reference.owner
        }
        var ends: Set<End> = []
        for reference in references where !isOfKept(reference) {
            let owner = replacements.object(for: reference.owner)
            let member = replacements.object(for: reference.member)
            let isPossible =
                isKind(owner, layout.relationship.owner) && isKind(member, layout.relationship.destination)
            let (first, second) = (partners[layout.id]?[owner.key], partners[inverse.id]?[member.key])
            let isFree = first == nil && second == nil || first == member
            if isPossible, isFree {
                partners[layout.id, default: [:]][owner.key] = member
                partners[inverse.id, default: [:]][member.key] = owner
            }
            let kind = isPossible && isFree ? MigrationProblem.Kind.turnedLinks : .droppedLinks
            if replacements.isDropped(reference.owner) {
                note(kind, member, inverse.relationship)
            } else {
                note(kind, owner, layout.relationship)
            }
            ends.insert(End(layout.id, owner))
            ends.insert(End(inverse.id, member))
            if !replacements.isDropped(reference.owner) { ends.insert(End(layout.id, reference.owner)) }
            if !replacements.isDropped(reference.member) { ends.insert(End(inverse.id, reference.member)) }
        }
        let other = LinkLayout(inverse.relationship, schema: schema)
        for end in ends {
            setReference(end.id == layout.id ? layout : other, end.object, partners[end.id]?[end.object.key])
        }
    }

    private mutating func setReference(_ layout: LinkLayout, _ owner: Object, _ member: Object?) {
        references[layout.id, default: [:]].updateValue(member, forKey: owner.key)
        changed[layout.id, default: KeySet()].insert(owner.key)
        guard member == nil, let new = mapping.newEntity(of: owner.entity) else { return }
        // The row does not show that it had a reference.
        let isRequired = mapping.new.entities[new].relationships.contains { relationship in
            guard let source = mapping.entities[owner.entity]?.relationship(at: relationship.slot) else { return false }
            return LinkLayout.ID(source) == layout.id && !relationship.isToMany && !relationship.description.isOptional
        }
        if isRequired { add(.missingObject, owner, layout.relationship) }
    }

    // MARK: Lists

    /// Reads the lists of dropped owners.
    private mutating func readLists(_ layout: LinkLayout) throws {
        let relationship = layout.relationship
        let root = schema.entities[relationship.owner].root
        guard let dropped = replacements.dropped[root], let inverse = layout.inverse else { return }
        let isMain = (layout.id.owner, layout.id.slot) <= (inverse.id.owner, inverse.id.slot)
        var found: [(owner: Object, link: Link)] = []
        try dropped.forEachBatch(of: Self.batchRows) { keys in
            try source.readLinks(of: relationship, owners: keys) { link in
                guard let owner = replacements.object(forKey: link.owner, root: root) else { return }
                found.append((owner, link))
            }
        }
        for (owner, link) in found {
            let member = Object(entity: link.entity, key: link.destination)
            let isPossible = isKind(owner, relationship.owner)
            if isPossible {
                lists[layout.id, default: [:]][owner.key, default: []].append(link)
                changed[layout.id, default: KeySet()].insert(owner.key)
            }
            // The rows of a to-one show the same links. A link between two dropped objects is read twice.
            guard inverse.isToMany,
                !replacements.isDropped(member) || (layout.isOwnInverse ? link.owner <= link.destination : isMain)
            else { continue }
            note(
                isPossible ? .turnedLinks : .droppedLinks, replacements.object(for: member), inverse.relationship)
        }
    }

    /// Reads the lists of a to-many without an inverse. Each member has one owner.
    private mutating func readExclusiveLists(_ relationship: Schema.Relationship) throws {
        let id = LinkLayout.ID(relationship)
        let root = schema.entities[relationship.owner].root
        var waiting: [(owner: Object, member: Object)] = []
        var entities = OwnerEntities(of: relationship, in: source)
        try source.readLinks(of: relationship, owners: nil) { link in
            let entity = try entities.entity(of: link.owner) ?? relationship.owner
            let owner = replacements.object(for: Object(entity: entity, key: link.owner))
            let member = Object(entity: link.entity, key: link.destination)
            let isInherited = replacements.isDropped(link.owner, root: root)
            if isInherited {
                guard isKind(owner, relationship.owner) else {
                    return note(.droppedLinks, replacements.object(for: member), relationship)
                }
                lists[id, default: [:]][owner.key, default: []].append(link)
            }
            if replacements.isDropped(member) { return waiting.append((owner, member)) }
            if isReplaced(member) { owners[id, default: [:]][member.key] = owner }
            if isInherited { note(.turnedLinks, owner, relationship) }
        }
        for (owner, dropped) in waiting {
            let member = replacements.object(for: dropped)
            let present = owners[id]?[member.key]
            guard isKind(member, relationship.destination), present == nil || present?.key == owner.key else {
                note(.droppedLinks, owner, relationship)
                continue
            }
            owners[id, default: [:]][member.key] = owner
            note(.turnedLinks, owner, relationship)
        }
    }

    /// The members of a list of a kept owner, with those of the dropped owners that it stands for.
    ///
    /// - Parameter own: the links in the store.
    func list(_ layout: LinkLayout, owner: Int64, own: [Link]) -> [Link] {
        let relationship = layout.relationship
        let inherited = lists[layout.id]?[owner] ?? []
        let root = schema.entities[relationship.destination].root
        guard !inherited.isEmpty || own.contains(where: { replacements.isDropped($0.destination, root: root) }) else {
            return own
        }
        var seen = KeySet()
        var result: [Link] = []
        for link in own + inherited {
            var link = Link(owner: owner, entity: link.entity, destination: link.destination)
            if let member = replacements.object(forKey: link.destination, root: root),
                replacements.isDropped(link.destination, root: root)
            {
                guard isKind(member, relationship.destination), isOwner(owner, of: member, layout) else { continue }
                link.entity = member.entity
                link.destination = member.key
            }
            if seen.insert(link.destination) { result.append(link) }
        }
        return layout.isOrdered ? result : result.sorted { $0.destination < $1.destination }
    }

    /// Whether an object that stays in the place of others is a member of the list of this owner.
    private func isOwner(_ owner: Int64, of member: Object, _ layout: LinkLayout) -> Bool {
        guard let inverse = layout.inverse else { return owners[layout.id]?[member.key]?.key == owner }
        return inverse.isToMany || owners[inverse.id]?[member.key]?.key == owner
    }

    // MARK: Support

    private func isReplaced(_ object: Object) -> Bool {
        replacements.isDropped(object)
            || kept[schema.entities[object.entity].root]?.contains(object.key) ?? false
    }

    private func isKind(_ object: Object, _ entity: Int) -> Bool { schema.entity(object.entity, isKindOf: entity) }

    private mutating func note(_ kind: MigrationProblem.Kind, _ object: Object, _ relationship: Schema.Relationship) {
        changed[LinkLayout.ID(relationship), default: KeySet()].insert(object.key)
        add(kind, object, relationship)
    }

    private mutating func add(_ kind: MigrationProblem.Kind, _ object: Object, _ relationship: Schema.Relationship) {
        // What belongs to an object that is dropped for another reason is reported there.
        guard let new = mapping.newEntity(of: object.entity) else { return }
        let schema = schema
        problems.add(
            kind, entity: mapping.new.entities[new].name, property: relationship.name,
            object: schema.objectName(entity: object.entity, key: object.key))
    }
}
