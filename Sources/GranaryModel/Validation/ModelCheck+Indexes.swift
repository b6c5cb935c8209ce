import GranaryBase

extension ModelCheck {
    mutating func checkConstraints(of entity: EntityDescription, members: [String: Member]) {
        var seen: Set<[String]> = []
        for constraint in entity.uniquenessConstraints {
            if Set(constraint).count < constraint.count || !seen.insert(constraint).inserted {
                report(
                    .modelDuplicate,
                    "the uniqueness constraint on \(quoted(constraint.joined(separator: ", "))) repeats a property "
                        + "or another constraint", entity.name)
            }
            if constraint.isEmpty { report(.modelRule, "a uniqueness constraint names no property", entity.name) }
            for property in constraint {
                switch members[property]?.kind {
                case .stored?: break
                case .notStored?:
                    report(
                        .modelRule, "a uniqueness constraint needs a stored attribute or to-one relationship",
                        entity.name, property)
                case nil:
                    report(
                        .modelReference, "a uniqueness constraint names \(quoted(property)), which is no property",
                        entity.name, property)
                }
            }
        }
    }

    mutating func checkIndexes(of entity: EntityDescription, members: [String: Member]) {
        var names: Set<String> = []
        for index in entity.fetchIndexes {
            checkIdentifier(index.name, what: "an index's name", entity: entity.name, property: nil)
            if !names.insert(index.name).inserted {
                report(.modelDuplicate, "the index name \(quoted(index.name)) occurs twice", entity.name)
            }
            for case let property? in index.elements.map(\.propertyName) where members[property] == nil {
                report(
                    .modelReference,
                    "the index \(quoted(index.name)) names \(quoted(property)), which is no property",
                    entity.name, property)
            }
            for element in index.elements where (element.propertyName == nil) == (element.expression == nil) {
                report(
                    .modelRule,
                    "an element of the index \(quoted(index.name)) has "
                        + (element.expression == nil ? "neither a property nor" : "both a property and")
                        + " an expression; it needs one of them", entity.name)
            }
            for property in index.predicateProperties where members[property] == nil {
                report(
                    .modelReference,
                    "the predicate of the index \(quoted(index.name)) names \(quoted(property)), which is no property; "
                        + "Core Data does not create such an index", entity.name, property, severity: .warning)
            }
        }
        for index in entity.compoundIndexes {
            for property in index where members[property] == nil {
                report(
                    .modelReference, "a compound index names \(quoted(property)), which is no property", entity.name,
                    property)
            }
        }
    }

    mutating func checkConfigurationsAndTemplates() {
        var seen: Set<String> = []
        for configuration in model.configurations {
            if !seen.insert(configuration.name).inserted {
                report(.modelDuplicate, "the configuration \(quoted(configuration.name)) occurs twice")
            }
            for name in configuration.entityNames where tree.index(of: name) == nil {
                report(
                    .modelReference,
                    "the configuration \(quoted(configuration.name)) names \(quoted(name)), which is no entity")
            }
        }
        var templates: Set<String> = []
        for template in model.fetchRequestTemplates {
            checkPredicate(of: template)
            if !templates.insert(template.name).inserted {
                report(.modelDuplicate, "the fetch request \(quoted(template.name)) occurs twice")
            }
            if tree.index(of: template.entityName) == nil {
                report(
                    .modelReference,
                    "the fetch request \(quoted(template.name)) is for \(quoted(template.entityName)), which is no "
                        + "entity")
            }
        }
    }
}
