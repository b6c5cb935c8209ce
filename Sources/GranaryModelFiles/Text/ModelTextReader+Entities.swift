import GranaryBase
import GranaryModel
import GranaryYAML

extension ModelTextReader {
    func readEntity(_ name: String, _ node: Int) -> EntityDescription {
        let members = mapping(node, "an entity", ModelEntityKey.self)
        var entity = EntityDescription(name: name)
        entity.managedObjectClassName = members[.className].flatMap(text)
        entity.superentityName = members[.superentity].flatMap(text)
        entity.codeGenerationType = members[.codeGeneration].flatMap(text)
        entity.renamingIdentifier = members[.renamedFrom].flatMap(text)
        entity.versionHashModifier = members[.hashModifier].flatMap(text)
        read(&entity.isAbstract, members[.isAbstract], flag)
        entity.isSyncable = syncable.contains(.entities)
        read(&entity.isSyncable, members[.syncable], flag)
        uniqueProperties = []
        entity.attributes = members[.attributes].map(readAttributes) ?? []
        if let node = members[.relationships] {
            entity.relationships = pairs(node, "relationships by their names").map {
                readRelationship($0.name, $0.value, entity: name)
            }
        }
        entity.uniquenessConstraints = uniqueProperties.map { [$0] }
        if let node = members[.unique] { entity.uniquenessConstraints += lists(node) }
        if let node = members[.compoundIndexes] { entity.compoundIndexes = lists(node) }
        if let node = members[.fetchedProperties] {
            entity.fetchedProperties = pairs(node, "fetched properties by their names").map(readFetchedProperty)
        }
        if let node = members[.indexes] {
            entity.fetchIndexes = pairs(node, "indexes by their names").map(readIndex)
        }
        entity.userInfo = members[.userInfo].map(readUserInfo) ?? [:]
        entity.notes = members[.notes].map(notes) ?? [:]
        return entity
    }

    /// Reads a list of names, or of lists of names that belong together.
    private func lists(_ node: Int) -> [[String]] {
        guard case .list(let elements) = tree.content(node) else { return text(node).map { [[$0]] } ?? [] }
        return elements.map(list)
    }

    // MARK: Inverses

    /// Sets the inverse of each relationship that states none and that another one names as its inverse. A
    /// relationship that two others name gets none.
    func addInverses(_ model: inout ManagedObjectModel) {
        let places = Dictionary(model.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
        var found: [[Int]: String?] = [:]
        for entity in model.entities {
            for relationship in entity.relationships {
                guard let inverse = relationship.inverseName,
                    let place = place(of: inverse, in: relationship.destinationEntityName, model, places),
                    !statedInverses.contains([model.entities[place[0]].name, inverse])
                else { continue }
                found[place] = found[place] == nil ? .some(relationship.name) : .some(nil)
            }
        }
        for (place, name) in found {
            guard let name else { continue }
            model.entities[place[0]].relationships[place[1]].inverseName = name
        }
    }

    /// The indexes of an entity and its own relationship with a name, searched from an entity upwards.
    private func place(
        of name: String, in entity: String, _ model: ManagedObjectModel, _ places: [String: Int]
    ) -> [Int]? {
        var current: String? = entity
        // An entity can inherit from itself.
        for _ in 0..<model.entities.count {
            guard let index = current.flatMap({ places[$0] }) else { return nil }
            let relationships = model.entities[index].relationships
            if let found = relationships.firstIndex(where: { $0.name == name }) { return [index, found] }
            current = model.entities[index].superentityName
        }
        return nil
    }

    // MARK: Indexes

    private func readIndex(_ name: String, _ node: Int) -> FetchIndexDescription {
        var index = FetchIndexDescription(name: name, elements: [])
        var elements = node
        if case .mapping = tree.content(node) {
            let members = mapping(node, "an index", ModelIndexKey.self)
            index.partialIndexPredicate = members[.predicate].flatMap(text)
            index.notes = members[.notes].map(notes) ?? [:]
            guard let list = members[.elements] else {
                report("elements is missing: the properties of the index", at: node)
                return index
            }
            elements = list
        }
        if case .list(let nodes) = tree.content(elements) {
            index.elements = nodes.map(readIndexElement)
        } else {
            index.elements = [readIndexElement(elements)]
        }
        return index
    }

    /// Reads `PROPERTY`, `PROPERTY descending`, or a mapping.
    private func readIndexElement(_ node: Int) -> FetchIndexDescription.Element {
        guard case .mapping = tree.content(node) else {
            guard let text = text(node), let (name, words) = nameAndWords(text, at: node) else {
                return FetchIndexDescription.Element(propertyName: nil)
            }
            var element = FetchIndexDescription.Element(propertyName: name)
            for word in words {
                switch word.text {
                case "descending": element.isAscending = false
                case "rtree": element.kind = .rTree
                default: unknown(word, at: node, ["descending", "rtree"])
                }
            }
            return element
        }
        let members = mapping(node, "an element of an index", ModelIndexElementKey.self)
        var element = FetchIndexDescription.Element(propertyName: members[.property].flatMap(text))
        element.expression = members[.expression].flatMap(text)
        if element.propertyName == nil, element.expression == nil {
            report("property or expression is missing", at: node)
        }
        if let node = members[.expressionType], let name = text(node) {
            element.expressionType = type(named: name, at: node, offset: nil)
        }
        if let node = members[.kind], choice(node, of: ["binary", "rtree"]) == "rtree" { element.kind = .rTree }
        if let isDescending = members[.descending].flatMap(flag) { element.isAscending = !isDescending }
        element.notes = members[.notes].map(notes) ?? [:]
        return element
    }

    // MARK: Short forms

    func shortForm(_ text: String, at node: Int) -> ShortForm? {
        do throws(ShortForm.Problem) { return try ShortForm(text) } catch {
            report(error.message, at: node, offset: error.offset)
            return nil
        }
    }

    func head(_ form: ShortForm, at node: Int) -> ShortForm.Head? {
        do throws(ShortForm.Problem) { return try form.head() } catch {
            report(error.message, at: node, offset: error.offset)
            return nil
        }
    }

    /// Splits a short form with a name at its start that can have quotes.
    func nameAndWords(_ text: String, at node: Int) -> (name: String, words: ArraySlice<ShortForm.Word>)? {
        guard let form = shortForm(text, at: node) else { return nil }
        guard let first = form.words.first else {
            report("a name is missing", at: node)
            return nil
        }
        return (first.text, form.words.dropFirst())
    }

    func unknown(_ word: ShortForm.Word, at node: Int, _ known: [String]) {
        report(
            "\"\(Diagnostic.shortened(word.text))\" is unknown here\(NearestText.hint(for: word.text, in: known)); "
                + "known words are \(known.joined(separator: ", "))",
            at: node, offset: word.offset, code: .modelUnknown)
    }
}
