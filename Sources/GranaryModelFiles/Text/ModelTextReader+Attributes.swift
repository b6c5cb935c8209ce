import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryYAML

extension ModelTextReader {
    /// The words of an attribute's short form, in the order in which they are written.
    static let attributeWords: [String] =
        ["unique"] + ModelAttributeKey.flags.map(\.key.rawValue) + ["scalar", "object", "syncable", "not-syncable"]

    func readAttributes(_ node: Int) -> [AttributeDescription] {
        pairs(node, "attributes by their names").map(readAttribute)
    }

    private func readAttribute(_ name: String, _ node: Int) -> AttributeDescription {
        var attribute = AttributeDescription(name: name, type: .undefined)
        attribute.isOptional = true
        attribute.isSyncable = syncable.contains(.attributes)
        guard case .mapping = tree.content(node) else {
            readShort(&attribute, node)
            return attribute
        }
        let members = mapping(node, "an attribute", ModelAttributeKey.self)
        if let node = members[.type] {
            readShort(&attribute, node)
        } else {
            report("type is missing, such as string or integer64", at: node)
        }
        readLong(&attribute, members)
        return attribute
    }

    // MARK: The short form

    private func readShort(_ attribute: inout AttributeDescription, _ node: Int) {
        guard let text = text(node), let form = shortForm(text, at: node), let head = head(form, at: node) else {
            return
        }
        if head.isList {
            report("an attribute has one value; a list is of type transformable", at: node)
            return
        }
        guard let type = type(named: head.name, at: node, offset: form.words[0].offset) else { return }
        attribute.type = type
        attribute.isOptional = !head.isRequired
        attribute.usesScalarValueType = scalars[type]
        if let argument = head.argument { readArgument(&attribute, argument, node, head.argumentOffset) }
        var words = form.words.dropFirst()
        while let word = words.popFirst() {
            if word.text == "=", !word.isQuoted {
                guard let value = words.popFirst() else {
                    report("the default value after = is missing", at: node, offset: word.offset)
                    return
                }
                attribute.defaultValue = self.value(value.text, type, node, value.offset)
            } else if !word.isQuoted, ShortForm.range(word.text) != nil {
                readRange(&attribute, word, node)
            } else {
                readWord(&attribute, word, node)
            }
        }
    }

    /// Reads what is in parentheses after the type.
    private func readArgument(_ attribute: inout AttributeDescription, _ text: String, _ node: Int, _ offset: Int) {
        switch attribute.type {
        case .string:
            guard let range = ShortForm.range(text) else {
                report("the length is a range, such as string(...3) or string(2...3)", at: node, offset: offset)
                return
            }
            attribute.minimumLength = range.lower.flatMap { length($0, node, offset) }
            attribute.maximumLength = range.upper.flatMap { length($0, node, offset + range.upperOffset) }
        case .composite: attribute.compositeName = text
        case .transformable: attribute.valueTransformerName = text
        default:
            report(
                "only string, composite and transformable have parentheses; a range follows the type after a space, "
                    + "such as integer16 0...100", at: node, offset: offset)
        }
    }

    private func length(_ text: String, _ node: Int, _ offset: Int) -> Int? {
        guard let length = Int(text), length >= 0 else {
            report("\"\(Diagnostic.shortened(text))\" is not a length", at: node, offset: offset)
            return nil
        }
        return length
    }

    private func readRange(_ attribute: inout AttributeDescription, _ word: ShortForm.Word, _ node: Int) {
        guard let range = ShortForm.range(word.text) else { return }
        switch attribute.type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: break
        case .string:
            report("the length of a string is in parentheses: string(\(word.text))", at: node, offset: word.offset)
            return
        default:
            report("only numbers and dates have a range", at: node, offset: word.offset)
            return
        }
        attribute.minimumValue = range.lower.flatMap { value($0, attribute.type, node, word.offset) }
        attribute.maximumValue = range.upper.flatMap {
            value($0, attribute.type, node, word.offset + range.upperOffset)
        }
    }

    private func readWord(_ attribute: inout AttributeDescription, _ word: ShortForm.Word, _ node: Int) {
        if let flag = ModelAttributeKey.flags.first(where: { $0.key.rawValue == word.text }) {
            attribute[keyPath: flag.path] = true
            return
        }
        switch word.text {
        case "unique":
            if uniqueProperties.last == attribute.name {
                report("unique is written twice", at: node, offset: word.offset)
            } else {
                uniqueProperties.append(attribute.name)
            }
        case "scalar": attribute.usesScalarValueType = true
        case "object": attribute.usesScalarValueType = false
        case "syncable": attribute.isSyncable = true
        case "not-syncable": attribute.isSyncable = false
        default: unknown(word, at: node, Self.attributeWords)
        }
    }

    // MARK: Values

    /// Reads the text of a value: a date in ISO 8601 or in seconds since 2001, binary data in base64.
    private func value(_ text: String, _ type: AttributeType, _ node: Int, _ offset: Int) -> AttributeValue? {
        guard let value = ModelTextValue.value(text, type) else {
            report("\"\(Diagnostic.shortened(text))\" is not \(type.phrase)", at: node, offset: offset)
            return nil
        }
        return value
    }

    private func value(_ node: Int, _ type: AttributeType) -> AttributeValue? {
        if case .mapping = tree.content(node) { return encoded(node, AttributeValue.self) }
        return text(node).flatMap { value($0, type, node, 0) }
    }

    // MARK: The long form

    private func readLong(_ attribute: inout AttributeDescription, _ members: KeyedMapping<ModelAttributeKey>) {
        if let isRequired = members[.required].flatMap(flag) { attribute.isOptional = !isRequired }
        if members[.unique].flatMap(flag) ?? false, uniqueProperties.last != attribute.name {
            uniqueProperties.append(attribute.name)
        }
        for (key, path) in ModelAttributeKey.flags { read(&attribute[keyPath: path], members[key], flag) }
        read(&attribute.isSyncable, members[.syncable], flag)
        if let node = members[.scalar] { attribute.usesScalarValueType = isNull(node) ? nil : flag(node) }
        let type = attribute.type
        if let node = members[.defaultValue] { attribute.defaultValue = value(node, type) }
        if let node = members[.minimum] { attribute.minimumValue = value(node, type) }
        if let node = members[.maximum] { attribute.maximumValue = value(node, type) }
        if let node = members[.minimumLength] { attribute.minimumLength = integer(node, 0...Int64.max).map { Int($0) } }
        if let node = members[.maximumLength] { attribute.maximumLength = integer(node, 0...Int64.max).map { Int($0) } }
        attribute.regularExpression = members[.pattern].flatMap(text)
        attribute.derivationExpression = members[.derived].flatMap(text)
        if let node = members[.transformer] { attribute.valueTransformerName = text(node) }
        attribute.valueClassName = members[.valueClass].flatMap(text)
        if let node = members[.composite] { attribute.compositeName = text(node) }
        if let node = members[.rules] { attribute.validationRules = elements(node).compactMap(readRule) }
        attribute.renamingIdentifier = members[.renamedFrom].flatMap(text)
        attribute.versionHashModifier = members[.hashModifier].flatMap(text)
        attribute.userInfo = members[.userInfo].map(readUserInfo) ?? [:]
        attribute.notes = members[.notes].map(notes) ?? [:]
    }

    private func readRule(_ node: Int) -> ValidationRule? {
        guard case .mapping = tree.content(node) else {
            return predicate(node).map { ValidationRule(predicate: $0, message: "") }
        }
        let members = mapping(node, "a rule", ModelRuleKey.self)
        let predicate: ObjectPredicate? =
            if let node = members[.encoded] { decoded(node) } else { members[.predicate].flatMap(predicate) }
        guard let predicate else {
            if members[.encoded] == nil, members[.predicate] == nil { report("predicate is missing", at: node) }
            return nil
        }
        return ValidationRule(predicate: predicate, message: members[.message].flatMap(text) ?? "")
    }

    private func predicate(_ node: Int) -> ObjectPredicate? {
        guard let text = text(node) else { return nil }
        do throws(GranaryError) {
            return try PredicateFormat.predicate(text)
        } catch {
            report("the predicate cannot be read: \(error.message)", at: node, value: text)
            return nil
        }
    }
}
