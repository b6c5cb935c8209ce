import GranaryBase
import GranaryModel
import GranaryYAML

extension ModelTextReader {
    /// The words of a relationship's short form.
    static let relationshipWords: [String] =
        ["<->", "unique"] + ModelTextNames.deleteRules.map(\.name) + ModelRelationshipKey.flags.map(\.key.rawValue)
        + ["syncable", "not-syncable"]

    func readRelationship(_ name: String, _ node: Int, entity: String) -> RelationshipDescription {
        var relationship = RelationshipDescription(name: name, destination: "")
        relationship.isOptional = true
        relationship.isSyncable = syncable.contains(.relationships)
        guard case .mapping = tree.content(node) else {
            readShort(&relationship, node)
            if relationship.inverseName != nil { statedInverses.insert([entity, name]) }
            return relationship
        }
        let members = mapping(node, "a relationship", ModelRelationshipKey.self)
        if let node = members[.to] {
            readShort(&relationship, node)
            if let other = members.keyNode(.destination) { report("to names the destination already", at: other) }
        } else if let node = members[.destination] {
            relationship.destinationEntityName = text(node) ?? ""
        } else {
            report("to is missing: the entity at the other end", at: node)
        }
        readLong(&relationship, members)
        if relationship.inverseName != nil || members[.inverse] != nil { statedInverses.insert([entity, name]) }
        return relationship
    }

    // MARK: The short form

    private func readShort(_ relationship: inout RelationshipDescription, _ node: Int) {
        guard let text = shortText(node), let form = shortForm(text, at: node), let head = head(form, at: node) else {
            return
        }
        if head.argument != nil {
            report(
                "a count follows the entity after a space: [\(head.name)] 1...5", at: node,
                offset: head.argumentOffset)
        }
        relationship.destinationEntityName = head.name
        relationship.isOptional = !head.isRequired
        relationship.maxCount = head.isList ? 0 : 1
        var words = form.words.dropFirst()
        while let word = words.popFirst() {
            if word.text == "<->", !word.isQuoted {
                guard let inverse = words.popFirst() else {
                    report("the inverse relationship after <-> is missing", at: node, offset: word.offset)
                    return
                }
                relationship.inverseName = inverse.text
            } else if !word.isQuoted, let range = ShortForm.range(word.text) {
                if let lower = range.lower { relationship.minCount = count(lower, node, word.offset) ?? 0 }
                if let upper = range.upper {
                    relationship.maxCount = count(upper, node, word.offset + range.upperOffset) ?? 0
                }
                if relationship.isToMany != head.isList {
                    report(
                        head.isList
                            ? "a relationship to at most one object is written without brackets: \(head.name)"
                            : "a relationship to several objects is written in brackets: [\(head.name)]",
                        at: node, offset: word.offset)
                }
            } else {
                readWord(&relationship, word, node)
            }
        }
    }

    /// A destination in brackets without quotes is a list of one text in YAML.
    private func shortText(_ node: Int) -> String? {
        guard case .list(let elements) = tree.content(node), elements.count == 1,
            case .text(let name, _) = tree.content(elements[0])
        else { return text(node) }
        return "[\(name)]"
    }

    private func count(_ text: String, _ node: Int, _ offset: Int) -> Int? {
        guard let count = Int32(text), count >= 0 else {
            report("\"\(Diagnostic.shortened(text))\" is not a number of objects", at: node, offset: offset)
            return nil
        }
        return Int(count)
    }

    private func readWord(_ relationship: inout RelationshipDescription, _ word: ShortForm.Word, _ node: Int) {
        if let rule = ModelTextNames.deleteRules.first(where: { $0.name == word.text }) {
            relationship.deleteRule = rule.rule
            return
        }
        if let flag = ModelRelationshipKey.flags.first(where: { $0.key.rawValue == word.text }) {
            relationship[keyPath: flag.path] = true
            return
        }
        switch word.text {
        case "unique":
            if uniqueProperties.last == relationship.name {
                report("unique is written twice", at: node, offset: word.offset)
            } else {
                uniqueProperties.append(relationship.name)
            }
        case "syncable": relationship.isSyncable = true
        case "not-syncable": relationship.isSyncable = false
        default: unknown(word, at: node, Self.relationshipWords)
        }
    }

    // MARK: The long form

    private func readLong(
        _ relationship: inout RelationshipDescription, _ members: KeyedMapping<ModelRelationshipKey>
    ) {
        if let isRequired = members[.required].flatMap(flag) { relationship.isOptional = !isRequired }
        if members[.unique].flatMap(flag) ?? false, uniqueProperties.last != relationship.name {
            uniqueProperties.append(relationship.name)
        }
        if members[.toMany].flatMap(flag) ?? false { relationship.maxCount = 0 }
        let counts = Int64(Int32.min)...Int64(Int32.max)
        if let count = members[.minimumCount].flatMap({ integer($0, counts) }) { relationship.minCount = Int(count) }
        if let count = members[.maximumCount].flatMap({ integer($0, counts) }) { relationship.maxCount = Int(count) }
        if let node = members[.inverse] { relationship.inverseName = isNull(node) ? nil : text(node) }
        if let node = members[.deleteRule], let name = choice(node, of: ModelTextNames.deleteRules.map(\.name)) {
            relationship.deleteRule = ModelTextNames.deleteRules.first { $0.name == name }?.rule ?? .nullify
        }
        for (key, path) in ModelRelationshipKey.flags { read(&relationship[keyPath: path], members[key], flag) }
        read(&relationship.isSyncable, members[.syncable], flag)
        relationship.renamingIdentifier = members[.renamedFrom].flatMap(text)
        relationship.versionHashModifier = members[.hashModifier].flatMap(text)
        relationship.userInfo = members[.userInfo].map(readUserInfo) ?? [:]
        relationship.notes = members[.notes].map(notes) ?? [:]
    }
}
