import GranaryBase

/// Determines the inverses of relationships: the named ones, and those that stores show SwiftData to infer.
///
/// SwiftData infers an inverse in three confirmed shapes, and in five it does not (docs/swiftdata.md). Any other pair
/// without `inverse:` is a question.
struct InverseRules {
    let index: SourceIndex
    /// The user's decisions: `Trip.guests` to `Person.trips` or to `none`.
    let decided: [String: String]
    private(set) var entities: [SwiftDataEntity]
    private(set) var problems: [Diagnostic] = []
    private var places: [SourceTypeID: Int]
    /// Relationships whose inverse, or whose lack of one, is settled: entity and property.
    private var settled: Set<[Int]> = []

    init(_ entities: [SwiftDataEntity], index: SourceIndex, decided: [String: String]) {
        self.entities = entities
        self.index = index
        self.decided = decided
        places = Dictionary(entities.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func settle() {
        for entity in entities.indices {
            for property in entities[entity].properties.indices { settleNamed(entity, property) }
        }
        for entity in entities.indices {
            for property in entities[entity].properties.indices { infer(entity, property) }
        }
    }

    private subscript(entity: Int, property: Int) -> SwiftDataProperty {
        get { entities[entity].properties[property] }
        set { entities[entity].properties[property] = newValue }
    }

    /// Sets both ends of an inverse that the source or the user names.
    private mutating func settleNamed(_ entity: Int, _ property: Int) {
        let relationship = self[entity, property]
        guard let destination = relationship.destination, let other = places[destination] else { return }
        let subject = "\(entities[entity].name).\(relationship.name)"
        if let text = decided[subject] {
            settled.insert([entity, property])
            let name = text.split(separator: ".").last.map(String.init) ?? text
            if text != "none" { pair(entity, property, other, name, "--inverse \(subject)=\(text)") }
        } else if let inverse = relationship.explicitInverse {
            if case .named(let root, _)? = inverse.type, root.split(separator: ".").last ?? "" != entities[other].name {
                problems.append(
                    Diagnostic(
                        .modelInverse,
                        "inverse: names a property of \(root), and the relationship leads to \(entities[other].name)",
                        at: relationship.position, entity: entities[entity].name, property: relationship.name))
                return
            }
            pair(entity, property, other, inverse.name, "inverse:")
        }
    }

    private mutating func pair(_ entity: Int, _ property: Int, _ other: Int, _ name: String, _ source: String) {
        guard let target = entities[other].properties.firstIndex(where: { $0.name == name }),
            self[other, target].destination == entities[entity].id
        else {
            problems.append(
                Diagnostic(
                    .modelInverse,
                    "\(source) names \(entities[other].name).\(name), which is not a relationship to "
                        + entities[entity].name, at: self[entity, property].position, entity: entities[entity].name,
                    property: self[entity, property].name))
            return
        }
        self[entity, property].inverse = name
        self[other, target].inverse = self[entity, property].name
        settled.insert([entity, property])
        settled.insert([other, target])
    }

    /// The relationships from an entity to another that no inverse settles.
    private func open(from entity: Int, to other: SourceTypeID) -> [Int] {
        entities[entity].properties.indices.filter { property in
            self[entity, property].destination == other && !settled.contains([entity, property])
        }
    }

    private mutating func infer(_ entity: Int, _ property: Int) {
        guard !settled.contains([entity, property]), let destination = self[entity, property].destination,
            let other = places[destination]
        else { return }
        let here = open(from: entity, to: destination)
        let there = open(from: other, to: entities[entity].id)
        // Nothing at the other end can be the inverse.
        guard !there.isEmpty else { return }
        guard entity != other else { return ask(entity, property, other, there, "a relationship of a class to itself") }
        guard here.count == 1, there.count == 1, let target = there.first else {
            // A class whose several relationships meet one list at the other end: not inferred.
            if isAmbiguousList(here.map { self[entity, $0] }, there.map { self[other, $0] }) { return }
            return ask(entity, property, other, there, "several relationships")
        }
        switch isInferred(self[entity, property], self[other, target]) {
        case true?: pair(entity, property, other, self[other, target].name, "inference")
        case false?: settled.formUnion([[entity, property], [other, target]])
        case nil: ask(entity, property, other, there, "this pair of relationships")
        }
    }

    /// Two optional to-one relationships and one list (ScoreKeep's Game.vteam and Game.hteam beside Team.games).
    private func isAmbiguousList(_ first: [SwiftDataProperty], _ second: [SwiftDataProperty]) -> Bool {
        let (ones, lists) = first.count > second.count ? (first, second) : (second, first)
        return lists.count == 1 && ones.count > 1
            && lists.allSatisfy { $0.isToMany && !$0.meaning.isOptional && !$0.isAnnotated }
            && ones.allSatisfy { !$0.isToMany && $0.meaning.isOptional && !$0.isAnnotated }
    }

    /// Whether SwiftData infers that two relationships, the only ones between two classes, are inverses; nil if no known
    /// store tells.
    private func isInferred(_ first: SwiftDataProperty, _ second: SwiftDataProperty) -> Bool? {
        if !first.isToMany, !second.isToMany {
            let arePlain = !first.isAnnotated && !second.isAnnotated
            return arePlain && first.meaning.isOptional && second.meaning.isOptional ? true : nil
        }
        guard first.isToMany != second.isToMany else { return nil }
        let (list, one) = first.isToMany ? (first, second) : (second, first)
        switch (list.isAnnotated, list.meaning.isOptional, one.isAnnotated, one.meaning.isOptional) {
        case (false, false, false, true): return true
        case (true, true, false, true): return true
        case (false, false, false, false): return false
        case (true, false, true, true), (true, false, false, true): return false
        default: return nil
        }
    }

    private mutating func ask(_ entity: Int, _ property: Int, _ other: Int, _ there: [Int], _ what: String) {
        let name = "\(entities[entity].name).\(self[entity, property].name)"
        let candidates = there.map { self[other, $0].name }
        self[entity, property].inverseCandidates = [""] + candidates
        self[entity, property].inverseQuestion =
            "no known store tells whether SwiftData infers an inverse for \(what)"
        self[entity, property].meaning.subject =
            "--inverse \(name)=\(entities[other].name).\(candidates.first ?? ""), or --inverse \(name)=none"
    }
}
