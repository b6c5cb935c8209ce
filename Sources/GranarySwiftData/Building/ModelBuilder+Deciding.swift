import GranaryBase
import GranaryModel

extension ModelBuilder {
    /// Settles what is undecided in the entities, superclasses first.
    mutating func decide(_ entities: inout [SwiftDataEntity], _ describer: inout EntityDescriber) {
        var open = Array(entities.indices)
        var places: [SourceTypeID: Int] = [:]
        for (place, entity) in entities.enumerated() { places[entity.id] = place }
        var decided: Set<Int> = []
        while !open.isEmpty {
            let ready = open.filter { entity in
                entities[entity].parent.flatMap { places[$0] }.map(decided.contains) ?? true
            }
            guard let first = ready.first ?? open.first else { break }
            // Only classes that inherit from each other are left.
            if ready.isEmpty {
                let entity = entities[first]
                problems.append(
                    Diagnostic(
                        .modelUndecided, "the class inherits from itself", at: entity.position, entity: entity.name))
                return
            }
            for entity in ready {
                let parent = entities[entity].parent.flatMap { id in
                    places[id].map { entities[$0] } ?? superclasses[id]
                }
                decide(&entities[entity], inheriting: parent, &describer)
            }
            decided.formUnion(ready)
            open.removeAll(where: decided.contains)
        }
    }

    /// Settles the undecided properties and the superclass of an entity with the expected hash, or reports each.
    private mutating func decide(
        _ entity: inout SwiftDataEntity, inheriting parent: SwiftDataEntity?, _ describer: inout EntityDescriber
    ) {
        let undecided = entity.properties.filter(\.isUndecided)
        guard !undecided.isEmpty || parent != nil else { return }
        if let parent, parent.properties.contains(where: \.isUndecided) {
            // An entity reports its own.
            if !index[parent.id].isModel {
                for property in parent.properties where property.isUndecided { report(property, parent) }
            }
            return
        }
        if let expected = options.expectedHashes {
            let layouts = parent.map { InheritanceLayout.all(of: $0, isEntity: index[$0.id].isModel) } ?? [.alone]
            switch VariantSearch(expected: expected).search(entity, in: layouts, describer: &describer) {
            case .found(let layout, let chosen):
                for (property, variant) in chosen { choose(variant, property, &entity) }
                if parent != nil { choose(layout, &entity) }
                return
            case .differs:
                let message =
                    expected[entity.name] == nil
                    ? "the expected hashes have no such entity"
                    : parent == nil
                        ? "no way of storing the undecided properties has the expected hash"
                        : "no way of storing the class and its superclass has the expected hash"
                problems.append(Diagnostic(.modelUndecided, message, at: entity.position, entity: entity.name))
            case .tooMany:
                problems.append(
                    Diagnostic(
                        .modelUndecided,
                        "the undecided properties can be stored in more than \(VariantSearch.limit) ways; decide some of "
                            + "them with --type", at: entity.position, entity: entity.name))
            }
        }
        for property in undecided { report(property, entity) }
    }

    private mutating func choose(_ layout: InheritanceLayout, _ entity: inout SwiftDataEntity) {
        entity.superentity = layout.superentity
        if layout.superentity != nil {
            entity.inherited = layout.properties
        } else {
            entity.properties += layout.properties
            entity.constraints += layout.ownConstraints
        }
        messages.append(
            Diagnostic(
                .modelUndecided, "the expected hash settles it: \(layout.text)", severity: .note,
                at: entity.position, entity: entity.name))
    }

    private mutating func choose(
        _ variant: PropertyVariants.Variant, _ property: Int, _ entity: inout SwiftDataEntity
    ) {
        let found = entity.properties[property]
        entity.properties[property].meaning.shape = variant.shape
        entity.properties[property].inverse = variant.inverse
        entity.properties[property].inverseQuestion = nil
        if !variant.hasCounts { entity.properties[property] = entity.properties[property].withoutCounts }
        entity.properties[property].areCountsUndecided = false
        var what: [String] = []
        if found.meaning.shape == nil { what.append(variant.shape.text) }
        if found.inverseQuestion != nil { what.append(variant.inverse.map { "the inverse \($0)" } ?? "no inverse") }
        if found.areCountsUndecided { what.append(variant.hasCounts ? "the counts are stored" : "no counts") }
        messages.append(
            Diagnostic(
                .modelUndecided, "the expected hash settles it: \(what.joined(separator: ", "))", severity: .note,
                at: found.position, entity: entity.name, property: found.name))
    }

    private mutating func report(_ property: SwiftDataProperty, _ entity: SwiftDataEntity) {
        let name = "\(entity.name).\(property.name)"
        let message =
            property.meaning.question ?? property.inverseQuestion ?? "no known store tells how its counts are stored"
        let help =
            property.inverseQuestion != nil
            ? property.meaning.subject
            : property.meaning.candidates.isEmpty && property.meaning.subject == nil
                ? nil : "--type '\(property.meaning.subject ?? name)=…' (\(DecidedType.forms)), or --expect STORE"
        problems.append(
            Diagnostic(
                .modelUndecided, message, at: property.position, entity: entity.name, property: property.name,
                help: help))
    }
}

extension PropertyShape {
    /// The shape in words, for messages.
    fileprivate var text: String {
        switch self {
        case .attribute(let type, _): type.name
        case .rawEnum(_, let type, _): "an enum with raw values of type \(type.name)"
        case .caseEnum: "an enum without raw values"
        case .structure(_, let elements): "a composite of \(elements.map(\.name).joined(separator: ", "))"
        case .toOne: "a to-one relationship"
        case .toMany: "a to-many relationship"
        case .absent: "not stored"
        }
    }
}
