import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates

extension ModelTextWriter {
    func entity(_ entity: EntityDescription) throws -> ModelTextNode {
        var members = ModelTextMembers<ModelEntityKey>()
        members.add(.superentity, entity.superentityName)
        members.add(.isAbstract, if: entity.isAbstract)
        members.add(.className, entity.managedObjectClassName)
        members.add(.codeGeneration, entity.codeGenerationType)
        members.add(.renamedFrom, entity.renamingIdentifier)
        members.add(.hashModifier, entity.versionHashModifier)
        if entity.isSyncable != syncable.contains(.entities) { members.add(.syncable, .flag(entity.isSyncable)) }
        // Constraints of one property at the start of the list are words of the properties, if they are in their order.
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        var unique: [String] = []
        var place = 0
        for constraint in entity.uniquenessConstraints {
            guard constraint.count == 1, let found = names[place...].firstIndex(of: constraint[0]) else { break }
            unique.append(constraint[0])
            place = found + 1
        }
        if !entity.attributes.isEmpty {
            members.add(.attributes, try attributes(entity.attributes, entity: entity.name, unique: Set(unique)))
        }
        if !entity.relationships.isEmpty {
            members.add(
                .relationships,
                .block(
                    entity.relationships.map {
                        ModelTextNode.Member(
                            $0.name, relationship($0, entity: entity.name, isUnique: unique.contains($0.name)),
                            comment: comments["\(entity.name).\($0.name)"])
                    }))
        }
        if !entity.fetchedProperties.isEmpty {
            members.add(
                .fetchedProperties, .block(entity.fetchedProperties.map { .init($0.name, fetchedProperty($0)) }))
        }
        let constraints = entity.uniquenessConstraints.dropFirst(unique.count)
        if !constraints.isEmpty { members.add(.unique, .list(constraints.map { .texts($0) })) }
        if !entity.fetchIndexes.isEmpty {
            members.add(.indexes, .block(entity.fetchIndexes.map { .init($0.name, index($0)) }))
        }
        if !entity.compoundIndexes.isEmpty {
            members.add(.compoundIndexes, .list(entity.compoundIndexes.map { .texts($0) }))
        }
        members.add(.userInfo, userInfo: entity.userInfo)
        members.add(.notes, notes: entity.notes)
        return .block(members.members)
    }

    // MARK: Attributes

    func attributes(
        _ attributes: [AttributeDescription], entity: String?, unique: Set<String>
    ) throws -> ModelTextNode {
        .block(
            try attributes.map { attribute in
                ModelTextNode.Member(
                    attribute.name, try self.attribute(attribute, isUnique: unique.contains(attribute.name)),
                    comment: entity.flatMap { comments["\($0).\(attribute.name)"] })
            })
    }

    private func attribute(_ attribute: AttributeDescription, isUnique: Bool) throws -> ModelTextNode {
        var long = ModelTextMembers<ModelAttributeKey>()
        let short = try shortForm(attribute, isUnique: isUnique, &long)
        long.add(.pattern, attribute.regularExpression)
        long.add(.derived, attribute.derivationExpression)
        long.add(.valueClass, attribute.valueClassName)
        if !attribute.validationRules.isEmpty {
            long.add(.rules, .list(try attribute.validationRules.map(rule)))
        }
        long.add(.renamedFrom, attribute.renamingIdentifier)
        long.add(.hashModifier, attribute.versionHashModifier)
        long.add(.userInfo, userInfo: attribute.userInfo)
        long.add(.notes, notes: attribute.notes)
        if long.members.isEmpty { return .text(short) }
        return .flow([.init(ModelAttributeKey.type.rawValue, .text(short))] + long.members)
    }

    /// The short form; what it cannot say is added to the long form.
    private func shortForm(
        _ attribute: AttributeDescription, isUnique: Bool, _ long: inout ModelTextMembers<ModelAttributeKey>
    ) throws -> String {
        var text = ModelTextNames.name(of: attribute.type)
        if attribute.type == .string, attribute.minimumLength != nil || attribute.maximumLength != nil {
            text +=
                "(\(attribute.minimumLength.map(String.init) ?? "")...\(attribute.maximumLength.map(String.init) ?? ""))"
        } else {
            long.add(.minimumLength, attribute.minimumLength.map(String.init))
            long.add(.maximumLength, attribute.maximumLength.map(String.init))
        }
        text += argument(attribute.compositeName, attribute.type == .composite, .composite, &long)
        text += argument(attribute.valueTransformerName, attribute.type == .transformable, .transformer, &long)
        if !attribute.isOptional { text += "!" }
        let type = attribute.type
        let bounds = [attribute.minimumValue, attribute.maximumValue]
        let texts = bounds.map { value in value.flatMap { ModelTextValue.text($0, type) } }
        let hasRange = [.integer16, .integer32, .integer64, .decimal, .double, .float, .date].contains(type)
        if bounds.contains(where: { $0 != nil }), hasRange,
            zip(bounds, texts).allSatisfy({ ($0 == nil) == ($1 == nil) })
        {
            text += " \(texts[0] ?? "")...\(texts[1] ?? "")"
        } else {
            if let value = bounds[0] { long.add(.minimum, try self.value(value, type)) }
            if let value = bounds[1] { long.add(.maximum, try self.value(value, type)) }
        }
        if isUnique { text += " unique" }
        for (key, path) in ModelAttributeKey.flags where attribute[keyPath: path] { text += " \(key.rawValue)" }
        if attribute.usesScalarValueType != scalars[type] {
            switch attribute.usesScalarValueType {
            case true?: text += " scalar"
            case false?: text += " object"
            case nil: long.add(.scalar, .plain("null"))
            }
        }
        if attribute.isSyncable != syncable.contains(.attributes) {
            text += attribute.isSyncable ? " syncable" : " not-syncable"
        }
        if let value = attribute.defaultValue {
            if let word = ModelTextValue.text(value, type), ShortForm.isWord(word) {
                text += " = \(word)"
            } else {
                long.add(.defaultValue, try self.value(value, type))
            }
        }
        return text
    }

    /// A name in parentheses after the type, if it can be there.
    private func argument(
        _ name: String?, _ isPossible: Bool, _ key: ModelAttributeKey,
        _ long: inout ModelTextMembers<ModelAttributeKey>
    ) -> String {
        guard let name else { return "" }
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        if isPossible, isPlain, !name.isEmpty { return "(\(name))" }
        long.add(key, name)
        return ""
    }

    private func value(_ value: AttributeValue, _ type: AttributeType) throws -> ModelTextNode {
        if let text = ModelTextValue.text(value, type) { return .text(text) }
        return .flow([.init(ModelEncodedKey.encoded.rawValue, .text(try Self.json(value)))])
    }

    private func rule(_ rule: ValidationRule) throws -> ModelTextNode {
        var members = ModelTextMembers<ModelRuleKey>()
        let text = rule.predicate.isTooDeep ? nil : rule.predicate.description
        if let text, let read = try? PredicateFormat.predicate(text), read == rule.predicate {
            if rule.message.isEmpty { return .text(text) }
            members.add(.predicate, text)
        } else {
            members.add(.encoded, .text(try Self.json(rule.predicate)))
        }
        if !rule.message.isEmpty { members.add(.message, rule.message) }
        return .flow(members.members)
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
