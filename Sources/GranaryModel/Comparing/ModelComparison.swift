/// Compares two versions of a model; ``ModelDifferences`` is what comes of it.
struct ModelComparison {
    let old: ManagedObjectModel
    let new: ManagedObjectModel
    /// Which entities are the same.
    let entities: RenamePairs
    let oldTree: EntityTree
    let newTree: EntityTree
    /// For each older entity that is still there which of its own properties are the same.
    let properties: [RenamePairs?]
    private(set) var changes: [ModelDifference] = []

    /// What a change is about.
    struct Place {
        var entity: String?
        var property: String?
        var subject: ModelDifference.Subject
    }

    /// What Apple's document on lightweight migration does not name.
    static let unnamed = ModelDifference.Migration.lightweight(
        warning: "Apple's document on lightweight migration does not name this change")
    static let lightweight = ModelDifference.Migration.lightweight(warning: nil)

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
                add(Place(entity: entity.name, subject: .entity), "added", nil, nil, Self.lightweight)
            }
        }
        let removed = old.entities.indices.filter { entities.newOfOld[$0] == nil }.map { old.entities[$0].name }
        for name in removed.sorted(by: utf8Less) {
            add(Place(entity: name, subject: .entity), "removed", nil, nil, Self.lightweight)
        }
        compareWhole()
    }

    private mutating func compareEntity(_ oldPlace: Int, _ newPlace: Int, _ merges: HierarchyMerges) {
        let (from, to) = (old.entities[oldPlace], new.entities[newPlace])
        let place = Place(entity: to.name, subject: .entity)
        facet(place, "renamed", from.name, to.name, Self.lightweight)
        let superentity = from.superentityName.map(newEntityName)
        if !Self.same(superentity, to.superentityName) {
            let migration: ModelDifference.Migration =
                merges.contains(newPlace)
                ? .needsMapping(reason: "two hierarchies that had no entity in common cannot be merged into one")
                : Self.lightweight
            add(place, "superentity", from.superentityName, to.superentityName, migration)
            addGained(newPlace)
        }
        facet(place, "isAbstract", from.isAbstract, to.isAbstract, Self.unnamed)
        facet(place, "managedObjectClassName", from.managedObjectClassName, to.managedObjectClassName)
        facet(place, "versionHashModifier", from.versionHashModifier, to.versionHashModifier, Self.lightweight)
        facet(place, "codeGenerationType", from.codeGenerationType, to.codeGenerationType, .granaryOnly)
        facet(place, "isSyncable", from.isSyncable, to.isSyncable, .granaryOnly)
        identifierFacet(place, (from.name, from.renamingIdentifier), (to.name, to.renamingIdentifier))
        userInfoFacets(place, from.userInfo, to.userInfo)
        compareProperties(oldPlace, newPlace)
        compareConstraints(oldPlace, newPlace)
        compareIndexes(oldPlace, newPlace)
    }

    /// The name that an older entity has now; its own where it is gone.
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

    /// By bytes, as Core Data hashes names.
    static func same(_ left: String?, _ right: String?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?): left.utf8.elementsEqual(right.utf8)
        default: false
        }
    }
}
