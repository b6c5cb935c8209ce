import GranaryBase

extension ModelCheck {
    /// Names of members of `NSObject` and `NSManagedObject`, which Core Data refuses for properties.
    fileprivate static let reservedNames: Set<String> = [
        "description", "debugDescription", "hash", "self", "superclass", "class", "zone", "isProxy", "retain",
        "release", "autorelease", "retainCount", "copy", "mutableCopy", "dealloc", "finalize", "init", "load",
        "initialize", "objectID", "entity", "managedObjectContext", "hasChanges", "hasPersistentChangedValues",
        "isInserted", "isUpdated", "isDeleted", "isFault", "faultingState", "observationInfo", "changedValues",
        "changedValuesForCurrentEvent", "awakeFromFetch", "awakeFromInsert", "willSave", "didSave",
        "willTurnIntoFault", "didTurnIntoFault", "prepareForDeletion",
    ]

    mutating func checkEntityNames() {
        var seen: [String: String] = [:]
        for entity in model.entities {
            checkIdentifier(entity.name, what: "an entity's name", entity: entity.name, property: nil)
            // Table names are upper-cased entity names.
            if let other = seen.updateValue(entity.name, forKey: entity.name.uppercased()) {
                let how = other == entity.name ? "occurs twice" : "and \(quoted(other)) differ only in case"
                report(.modelDuplicate, "the entity name \(quoted(entity.name)) \(how)", entity.name)
            }
        }
    }

    mutating func checkPropertyNames(of entity: EntityDescription, at index: Int) {
        var seen: Set<String> = []
        for property in entity.ownProperties {
            let name = property.name
            checkIdentifier(name, what: "a property's name", entity: entity.name, property: name)
            if Self.reservedNames.contains(name) {
                report(
                    .modelName, "\(quoted(name)) is a managed object's own property; choose another name",
                    entity.name, name)
            }
            if !seen.insert(name).inserted {
                report(.modelDuplicate, "the property name \(quoted(name)) occurs twice", entity.name, name)
            } else if let parent = tree.parents[index], let inherited = members[parent][name] {
                let owner = quoted(model.entities[inherited.owner].name)
                guard inherited.subject == property.subject else {
                    report(
                        .modelDuplicate,
                        "\(owner) declares \(quoted(name)) as \(Self.phrase(inherited.subject)), so it cannot be "
                            + "\(Self.phrase(property.subject)) here", entity.name, name)
                    continue
                }
                // Xcode's compiler accepts it; LoopKit's Modelv3 has one.
                report(
                    .modelDuplicate,
                    "the property is already inherited from \(owner); the inherited one is used, and the version hash "
                        + "may differ from Core Data's", entity.name, name, severity: .warning)
            }
        }
    }

    private static func phrase(_ subject: ModelDifference.Subject) -> String {
        subject == .fetchedProperty ? "a fetched property" : subject == .attribute ? "an attribute" : "a relationship"
    }

    /// Checks that a name consists of letters, digits and underscores, because names become SQL identifiers and key
    /// paths.
    mutating func checkIdentifier(_ name: String, what: String, entity: String?, property: String?) {
        guard let first = name.unicodeScalars.first else {
            report(.modelName, "\(what) is empty", entity, property)
            return
        }
        if !Self.isIdentifier(name, first: first) {
            report(
                .modelName, "\(quoted(name)) is not \(what): letters, digits and _ only, no digit first", entity,
                property)
        }
    }

    fileprivate static func isIdentifier(_ name: String, first: Unicode.Scalar) -> Bool {
        name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isXIDContinue }
            && (first == "_" || first.properties.isXIDStart)
    }
}

extension EntityDescription {
    /// Whether ``ManagedObjectModel/problems()`` accepts a name for a property.
    package static func mayHaveProperty(named name: String) -> Bool {
        guard let first = name.unicodeScalars.first else { return false }
        return ModelCheck.isIdentifier(name, first: first) && !ModelCheck.reservedNames.contains(name)
    }

    var propertyNames: [String] { ownProperties.map(\.name) }
}
