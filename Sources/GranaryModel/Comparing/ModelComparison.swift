import GranaryPredicates

/// Compares two versions of a model. The result is ``ModelDifferences``.
struct ModelComparison {
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    /// The corresponding entities.
    let entities: RenamePairs
    let oldTree: EntityTree
    let newTree: EntityTree
    /// The corresponding own properties of each older entity; nil if the entity was removed.
    let properties: [RenamePairs?]
    private(set) var changes: [ModelDifference] = []

    /// The subject of a change.
    struct Place {
        var entity: String?
        var property: String?
        var subject: ModelDifference.Subject
    }

    /// For changes that Apple's document on lightweight migration does not name.
    static let unnamed = ModelDifference.Migration.unsure(
        reason: "Apple's document on lightweight migration does not name this change")

    init(old: ManagedObjectModel, new: ManagedObjectModel) {
        self.old = old
        self.new = new
        let entities = RenamePairs(
            old: old.entities.map { RenamePairs.Item($0.name, $0.renamingIdentifier) },
            new: new.entities.map { RenamePairs.Item($0.name, $0.renamingIdentifier) })
        self.entities = entities
        oldTree = EntityTree(old.entities)
        newTree = EntityTree(new.entities)
        properties = old.entities.indices.map { place in
            entities.newOfOld[place].map { newPlace in
                RenamePairs(
                    old: old.entities[place].ownProperties.map(\.pairItem),
                    new: new.entities[newPlace].ownProperties.map(\.pairItem))
            }
        }
    }

    mutating func compare() {
        let merges = HierarchyMerges(entities: entities, old: oldTree, new: newTree)
        for place in new.entities.indices.sorted(by: { utf8Less(new.entities[$0].name, new.entities[$1].name) }) {
            let entity = new.entities[place]
            if let oldPlace = entities.oldOfNew[place] {
                compareEntity(oldPlace, place, merges)
            } else {
                add(Place(entity: entity.name, subject: .entity), "added", nil, nil, .inferred)
            }
        }
        let removed = old.entities.indices.filter { entities.newOfOld[$0] == nil }.map { old.entities[$0].name }
        for name in removed.sorted(by: utf8Less) {
            add(Place(entity: name, subject: .entity), "removed", nil, nil, .inferred)
        }
        compareWhole()
    }

    private mutating func compareEntity(_ oldPlace: Int, _ newPlace: Int, _ merges: HierarchyMerges) {
        let (from, to) = (old.entities[oldPlace], new.entities[newPlace])
        let place = Place(entity: to.name, subject: .entity)
        facet(place, "renamed", from.name, to.name, .inferred)
        let superentity = from.superentityName.map(newEntityName)
        if !Self.same(superentity, to.superentityName) {
            let migration: ModelDifference.Migration =
                merges.contains(newPlace)
                ? .needsMapping(reason: "hierarchies without a common entity cannot be merged")
                : .inferred
            add(place, "superentity", from.superentityName, to.superentityName, migration)
            addGained(newPlace)
        }
        facet(
            place, "isAbstract", from.isAbstract, to.isAbstract,
            to.isAbstract ? .inferredIfDataFits(check: "the entity must have no objects of its own") : .inferred)
        facet(place, "managedObjectClassName", from.managedObjectClassName, to.managedObjectClassName)
        facet(place, "versionHashModifier", from.versionHashModifier, to.versionHashModifier, .inferred)
        facet(place, "codeGenerationType", from.codeGenerationType, to.codeGenerationType, .granaryOnly)
        facet(place, "isSyncable", from.isSyncable, to.isSyncable, .granaryOnly)
        identifierFacet(place, (from.name, from.renamingIdentifier), (to.name, to.renamingIdentifier))
        userInfoFacets(place, from.userInfo, to.userInfo)
        compareProperties(oldPlace, newPlace)
        compareConstraints(oldPlace, newPlace)
        compareIndexes(oldPlace, newPlace)
    }

    /// The newer name of an older entity; the same name if it was removed.
    func newEntityName(_ name: String) -> String {
        guard let place = oldTree.index(of: name), let newPlace = entities.newOfOld[place] else { return name }
        return new.entities[newPlace].name
    }

    mutating func add(
        _ place: Place, _ what: String, _ from: String?, _ to: String?, _ migration: ModelDifference.Migration
    ) {
        changes.append(
            ModelDifference(
                entity: place.entity, property: place.property, subject: place.subject, what: what, from: from, to: to,
                migration: migration))
    }

    /// Compares text by bytes, as Core Data hashes names.
    static func same(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }
}

/// Each function adds a change for each value that differs.
extension ModelComparison {
    mutating func facet(
        _ place: Place, _ what: String, _ from: String?, _ to: String?, _ migration: ModelDifference.Migration = .none
    ) {
        if !Self.same(from, to) { add(place, what, from, to, migration) }
    }

    /// For Booleans and counts.
    mutating func facet<Value: Equatable & LosslessStringConvertible>(
        _ place: Place, _ what: String, _ from: Value?, _ to: Value?, _ migration: ModelDifference.Migration = .none
    ) {
        if from != to { add(place, what, from.map { "\($0)" }, to.map { "\($0)" }, migration) }
    }

    mutating func facet(_ place: Place, _ what: String, _ from: AttributeValue?, _ to: AttributeValue?) {
        if from != to { add(place, what, from.map(FacetText.text), to.map(FacetText.text), .none) }
    }

    mutating func userInfoFacets(_ place: Place, _ from: [String: UserInfoValue], _ to: [String: UserInfoValue]) {
        for key in Set(from.keys).union(to.keys).sorted(by: utf8Less) where from[key] != to[key] {
            var (before, now) = (from[key]?.description, to[key]?.description)
            // The text "1" and the number 1 look alike.
            if before == now {
                before = from[key].map { "\($0.kind) \($0)" }
                now = to[key].map { "\($0.kind) \($0)" }
            }
            add(place, "userInfo.\(key)", before, now, .none)
        }
    }

    /// Compares renaming identifiers. An identifier that only repeats what ``RenamePairs`` found is not a change.
    mutating func identifierFacet(
        _ place: Place, _ from: (name: String, identifier: String?), _ to: (name: String, identifier: String?)
    ) {
        let (older, newer) = (from.identifier ?? from.name, to.identifier ?? to.name)
        // The older name, or the name itself after the renaming was done everywhere.
        if newer == older || newer == from.name || newer == to.name { return }
        facet(place, "renamingIdentifier", from.identifier, to.identifier)
    }
}

extension ModelComparison {
    /// Compares uniqueness constraints. A constraint whose properties were only renamed is unchanged.
    mutating func compareConstraints(_ oldPlace: Int, _ newPlace: Int) {
        let entity = new.entities[newPlace]
        let place = Place(entity: entity.name, subject: .uniquenessConstraint)
        let before = old.entities[oldPlace].uniquenessConstraints.map { names in
            FacetText.text(names.map { newPropertyName($0, of: oldPlace) })
        }
        let now = entity.uniquenessConstraints.map(FacetText.text)
        let added = ModelDifference.Migration.inferredIfDataFits(
            check: "no two objects may have the same values in these properties")
        for name in Self.missing(now, in: before) { add(place, "added", nil, name, added) }
        for name in Self.missing(before, in: now) { add(place, "removed", name, nil, .inferred) }
    }

    /// Compares indexes. The version hash does not contain them, so a store gets new indexes only with another
    /// migration.
    mutating func compareIndexes(_ oldPlace: Int, _ newPlace: Int) {
        let (from, to) = (old.entities[oldPlace], new.entities[newPlace])
        let before = Dictionary(from.fetchIndexes.map { ($0.name, $0) }) { first, _ in first }
        let now = Dictionary(to.fetchIndexes.map { ($0.name, $0) }) { first, _ in first }
        for name in Set(before.keys).union(now.keys).sorted(by: utf8Less) {
            let place = Place(entity: to.name, property: name, subject: .index)
            let text = before[name].map { FacetText.text($0) { newPropertyName($0, of: oldPlace) } }
            listed(place, "elements", text, now[name].map { FacetText.text($0) })
        }
        let place = Place(entity: to.name, subject: .index)
        let compounds = from.compoundIndexes.map { names in
            FacetText.text(names.map { newPropertyName($0, of: oldPlace) })
        }
        let newCompounds = to.compoundIndexes.map(FacetText.text)
        for name in Self.missing(newCompounds, in: compounds) { add(place, "added", nil, name, .none) }
        for name in Self.missing(compounds, in: newCompounds) { add(place, "removed", name, nil, .none) }
    }

    /// Adds a change for a named item that was added, removed or changed.
    mutating func listed(
        _ place: Place, _ what: String, _ from: String?, _ to: String?, _ migration: ModelDifference.Migration = .none
    ) {
        facet(place, from == nil ? "added" : to == nil ? "removed" : what, from, to, migration)
    }

    /// The texts of `left` that are not in `right`, without duplicates, sorted.
    private static func missing(_ left: [String], in right: [String]) -> [String] {
        Set(left).subtracting(right).sorted(by: utf8Less)
    }
}
