import GranaryBase
import GranaryModel
import GranaryRecords

/// The keys by which a job finds the objects of its rows and of the objects nested in them.
extension ResolvedJob {
    /// Creates the indexes for the job's lookups and keys, before the store is read.
    func track(in keys: inout KeyIndexes) throws(GranaryError) {
        // The sidecar of a source can set the decimal separator.
        var lookupOptions = options
        if let sidecar = job.sources.lazy.compactMap(\.sidecar).first {
            lookupOptions.decimalSeparator = sidecar.applied(to: options).decimalSeparator
        }
        for entity in entities.imported.sorted() {
            var plan = ColumnPlan(entity: schema.entities[entity], schema: schema, options: lookupOptions)
            try plan.trackLookups(in: &keys)
            if findsByKey || options(for: schema.entities[entity]).key != nil {
                try trackKey(of: schema.entities[entity], in: &keys)
            }
        }
        try checkKey()
    }

    /// - Throws: ``GranaryError`` with code `usage` if the key of a job of several entities is that of none.
    private func checkKey() throws(GranaryError) {
        guard entity == nil, let names = options.key, !Self.isIdentifier(names) else { return }
        let fits = schema.entities.contains { entity in
            names.allSatisfy { entity.attribute(named: $0) != nil || entity.relationship(named: $0) != nil }
        }
        guard !fits else { return }
        let known = schema.entities.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
        let hint = names.count == 1 ? NearestText.hint(for: names[0], in: Array(Set(known)).sorted()) : ""
        throw GranaryError(
            .usage,
            "the key: no entity has \(names.count == 1 ? "the property" : "all the properties") "
                + names.map { "\"\(Diagnostic.shortened($0))\"" }.joined(separator: ", ") + hint)
    }

    /// Whether a key is the `$id` of an export.
    static func isIdentifier(_ key: [String]) -> Bool { key == [RecordTable.identifierColumn] }

    /// The natural key of nested objects in a relationship; nil for the entity's uniqueness constraint.
    func nestedKey(_ relationship: Schema.Relationship) -> [String]? {
        if options.nestedKeys.isEmpty { return nil }
        let name = LinkOwners.Relation(relationship)
        if let known = nestedKeys[name] { return known }
        let destination = options(for: schema.entities[relationship.destination])
        let key =
            options(for: schema.entities[relationship.owner]).nestedKeys[relationship.name]
            ?? (destination.hasEntityKey ? destination.key.flatMap { Self.isIdentifier($0) ? nil : $0 } : nil)
        nestedKeys[name] = .some(key)
        return key
    }

    /// - Throws: ``GranaryError`` with code `usage` for names that the model does not have.
    static func checkNestedKeys(_ options: ImportOptions, _ schema: Schema) throws(GranaryError) {
        for (key, attributes) in options.nestedKeys.sorted(by: { $0.key < $1.key }) {
            // The keys of entities are checked when they are tracked.
            if schema.isEntityKey(key) { continue }
            let name = schema.nameInEntity(key) ?? key
            let relationships = schema.entities.flatMap(\.relationships).filter { $0.name == name }
            guard !relationships.isEmpty else {
                let names = Set(schema.entities.flatMap(\.relationships).map(\.name)).sorted()
                throw GranaryError(
                    .usage,
                    "the key of objects in \"\(name)\": there is no relationship \"\(name)\""
                        + NearestText.hint(for: name, in: names))
            }
            for attribute in attributes {
                let fits = relationships.contains {
                    schema.entities[$0.destination].attribute(named: attribute)?.isPersistent ?? false
                }
                guard !fits else { continue }
                let destination = schema.entities[relationships[0].destination]
                throw GranaryError(
                    .usage,
                    "the key of objects in \"\(name)\": \(destination.name) has no attribute \"\(attribute)\""
                        + NearestText.hint(for: attribute, in: destination.attributes.map(\.name)))
            }
        }
    }

    private func trackKey(of entity: Schema.Entity, in keys: inout KeyIndexes) throws(GranaryError) {
        let isOwn = self.entity.map { $0.family.contains(entity.index) } ?? true
        let options = options(for: entity)
        if let key = options.key, Self.isIdentifier(key) {
            if linkRelationship != nil {
                throw GranaryError(.usage, "the key $id: the rows of a link file have no $id")
            }
            guard findsByKey else {
                throw GranaryError(
                    .usage, "the key $id finds stored objects, so it needs a conflict policy other than error",
                    help: "--on-conflict update")
            }
            identifiedEntities.insert(entity.index)
            guard let key = IdentifyingKey(of: entity, options, schema) else { return }
            indexNumbers[entity.index] = keys.track(
                owner: key.owner, slots: key.slots, names: key.names, isUnique: true)
            return
        }
        guard isOwn || options.hasEntityKey, let names = options.key else {
            return try trackNaturalKey(of: entity, isOwn: isOwn, in: &keys)
        }
        if Set(names).count < names.count { throw GranaryError(.usage, "the key names an attribute twice") }
        var slots: [Int] = []
        for name in names {
            switch IdentifyingKey.slot(of: name, in: entity, options, schema) {
            case .success(let slot): slots.append(slot)
            case .failure(let problem):
                // In a document of several entities the key applies to those with these properties.
                if self.entity == nil, !options.hasEntityKey {
                    return try trackNaturalKey(of: entity, isOwn: isOwn, in: &keys)
                }
                throw problem.usage("the key: ")
            }
        }
        indexNumbers[entity.index] = keys.track(
            owner: isOwn ? self.entity?.index ?? entity.index : entity.index, slots: slots, names: names, isUnique: true
        )
    }

    private func trackNaturalKey(
        of entity: Schema.Entity, isOwn: Bool, in keys: inout KeyIndexes
    ) throws(GranaryError) {
        let options = options(for: entity)
        for (key, names) in self.options.nestedKeys where !isOwn && !schema.isEntityKey(key) {
            let name = schema.nameInEntity(key) ?? key
            let isDestination = schema.entities.contains { other in
                other.relationship(named: name)?.destination == entity.index
            }
            let attributes = names.compactMap { entity.attribute(named: $0) }
            guard isDestination, attributes.count == names.count else { continue }
            indexNumbers[entity.index] = keys.track(
                owner: entity.index, slots: attributes.map(\.slot), names: names, isUnique: true)
            return
        }
        guard let key = IdentifyingKey(of: entity, options, schema) else {
            guard isOwn, self.entity != nil else { return }
            throw missingKey(of: entity, help: "--key ATTRIBUTE").usage()
        }
        indexNumbers[entity.index] = keys.track(owner: key.owner, slots: key.slots, names: key.names, isUnique: true)
    }

    /// Why rows of an entity cannot be matched with stored objects.
    func missingKey(of entity: Schema.Entity, help: String) -> IdentifyingKey.Problem {
        IdentifyingKey.missing(entity, options(for: entity), schema, help: help)
    }

    /// Whether nested objects in a relationship need a key that neither the model nor an option gives them. In a to-one
    /// relationship, the object of the stored parent needs none.
    func isKeyless(_ relationship: Schema.Relationship) -> Bool {
        relationship.isToMany && nestedKey(relationship) == nil
            && IdentifyingKey(
                of: schema.entities[relationship.destination], options(for: schema.entities[relationship.destination]),
                schema) == nil
    }

    /// The options with which a row updates the object that has its unique key; nil if there are none.
    ///
    /// - Parameter keyless: the relationships with nested objects that need a key too.
    func updatingOptions(
        _ keyIndex: KeyIndexes.KeyIndex, _ entity: Schema.Entity, keyless: [String]
    ) -> String? {
        guard options.onConflict == .error, linkRelationship == nil else { return nil }
        let isOwn = self.entity.map { $0.family.contains(entity.index) } ?? true
        let options = options(for: entity)
        // The records around a nested object need a key too.
        if !isOwn, options.key == nil, self.entity.flatMap({ IdentifyingKey(of: $0, options, schema) }) == nil {
            return nil
        }
        let names = isOwn ? options.key : nil
        let nested = isOwn ? keyless.compactMap { OptionHelp.option("key", $0 + "=ATTRIBUTE") } : []
        let update = (["--on-conflict update"] + nested).joined(separator: " ")
        if names ?? IdentifyingKey(of: entity, options, schema)?.names == keyIndex.names { return update }
        let canBeKey = keyIndex.names.allSatisfy { name in
            if case .success = IdentifyingKey.slot(of: name, in: entity, options, schema) { true } else { false }
        }
        guard isOwn, canBeKey else { return nil }
        return OptionHelp.option("key", keyIndex.names.joined(separator: ",")).map { "\($0) \(update)" }
    }

    /// The to-one relationships in which a nested object without a key is the object of its stored parent.
    var owningRelationships: [Schema.Relationship] {
        guard findsByKey, linkRelationship == nil else { return [] }
        return entities.nested.sorted().flatMap { schema.entities[$0].relationships }.filter { relationship in
            !relationship.isToMany && relationship.isPersistent
                && schema.entities[relationship.destination].family.contains { indexNumbers[$0] == nil }
        }
    }

    /// Notes which keys the job can change, after all indexes are created.
    func noteUpdates(in keys: inout KeyIndexes) {
        guard options.onConflict == .update || options.onConflict == .replace else { return }
        for (entity, indexNumber) in indexNumbers { keys.noteUpdates(of: entity, indexNumber: indexNumber) }
        // A row with an `$id` can change all keys of its object.
        for entity in identifiedEntities { keys.noteUpdates(of: entity, indexNumber: -1) }
    }
}
