import Foundation
import TestSupport

@testable import GranaryModel
@testable import GranaryPredicates
@testable import StoreTestSupport

/// Models with every field of every description set at random; not sound ones.
struct RandomModel {
    var random: SeededGenerator

    init(seed: Int) { random = SeededGenerator(seed: UInt64(seed)) }

    mutating func model() -> ManagedObjectModel {
        var model = ManagedObjectModel(entities: many { $0.entity() })
        model.composites = many { CompositeDescription(name: $0.text(), elements: $0.many { $0.attribute() }) }
        for index in model.composites.indices { model.composites[index].notes = notes() }
        model.configurations = many { maker in
            var configuration = ConfigurationDescription(name: maker.text(), entityNames: maker.many { $0.text() })
            configuration.notes = maker.notes()
            return configuration
        }
        model.fetchRequestTemplates = many { $0.template() }
        model.versionIdentifiers = many { $0.text() }
        model.notes = notes()
        return model
    }

    private mutating func entity() -> EntityDescription {
        var entity = EntityDescription(name: text())
        entity.managedObjectClassName = maybe { $0.text() }
        entity.isAbstract = flag()
        entity.superentityName = maybe { $0.text() }
        entity.attributes = many { $0.attribute() }
        entity.relationships = many { $0.relationship() }
        entity.fetchedProperties = many { $0.fetchedProperty() }
        entity.uniquenessConstraints = many { $0.many { $0.text() } }
        entity.fetchIndexes = many { $0.index() }
        entity.compoundIndexes = many { $0.many { $0.text() } }
        entity.codeGenerationType = maybe { $0.text() }
        entity.isSyncable = flag()
        entity.renamingIdentifier = maybe { $0.text() }
        entity.versionHashModifier = maybe { $0.text() }
        entity.userInfo = userInfo()
        entity.notes = notes()
        return entity
    }

    private mutating func index() -> FetchIndexDescription {
        var index = FetchIndexDescription(
            name: text(),
            elements: many { maker in
                var element = FetchIndexDescription.Element(propertyName: maker.maybe { $0.text() })
                element.expression = maker.maybe { $0.text() }
                element.expressionType = maker.maybe { _ in .double }
                element.kind = maker.flag() ? .rTree : .binary
                element.isAscending = maker.flag()
                element.notes = maker.notes()
                return element
            })
        index.partialIndexPredicate = maybe { $0.text() }
        index.notes = notes()
        return index
    }

    private mutating func attribute() -> AttributeDescription {
        var attribute = AttributeDescription(
            name: text(), type: AttributeType.allCases.randomElement(using: &random) ?? .string)
        attribute.isOptional = flag()
        attribute.isTransient = flag()
        attribute.isIndexed = flag()
        attribute.defaultValue = maybe { $0.value() }
        attribute.allowsExternalBinaryDataStorage = flag()
        attribute.preservesValueInHistoryOnDeletion = flag()
        attribute.allowsCloudEncryption = flag()
        attribute.isIndexedBySpotlight = flag()
        attribute.isStoredInExternalRecord = flag()
        attribute.minimumLength = maybe { $0.number() }
        attribute.maximumLength = maybe { $0.number() }
        attribute.minimumValue = maybe { $0.value() }
        attribute.maximumValue = maybe { $0.value() }
        attribute.regularExpression = maybe { $0.text() }
        attribute.validationRules = many { maker in
            var predicates = RandomPredicate(random: maker.random)
            let predicate = predicates.predicate(depth: 3)
            maker.random = predicates.random
            return ValidationRule(predicate: predicate, message: maker.text())
        }
        attribute.valueTransformerName = maybe { $0.text() }
        attribute.valueClassName = maybe { $0.text() }
        attribute.compositeName = maybe { $0.text() }
        attribute.derivationExpression = maybe { $0.text() }
        attribute.usesScalarValueType = maybe { $0.flag() }
        attribute.isSyncable = flag()
        attribute.renamingIdentifier = maybe { $0.text() }
        attribute.versionHashModifier = maybe { $0.text() }
        attribute.userInfo = userInfo()
        attribute.notes = notes()
        return attribute
    }

    private mutating func relationship() -> RelationshipDescription {
        var relationship = RelationshipDescription(name: text(), destination: text(), inverse: maybe { $0.text() })
        relationship.isOptional = flag()
        relationship.isTransient = flag()
        relationship.minCount = number()
        relationship.maxCount = number()
        relationship.isOrdered = flag()
        relationship.deleteRule = RelationshipDescription.DeleteRule.allCases.randomElement(using: &random) ?? .deny
        relationship.isIndexed = flag()
        relationship.isIndexedBySpotlight = flag()
        relationship.isStoredInExternalRecord = flag()
        relationship.isSyncable = flag()
        relationship.renamingIdentifier = maybe { $0.text() }
        relationship.versionHashModifier = maybe { $0.text() }
        relationship.userInfo = userInfo()
        relationship.notes = notes()
        return relationship
    }

    private mutating func fetchedProperty() -> FetchedPropertyDescription {
        var property = FetchedPropertyDescription(name: text(), fetchRequest: template())
        property.isOptional = flag()
        property.isSyncable = flag()
        property.renamingIdentifier = maybe { $0.text() }
        property.versionHashModifier = maybe { $0.text() }
        property.userInfo = userInfo()
        property.notes = notes()
        return property
    }

    private mutating func template() -> FetchRequestTemplate {
        var template = FetchRequestTemplate(name: text(), entityName: text(), predicateFormat: maybe { $0.text() })
        template.resultType =
            [.managedObjects, .managedObjectIDs, .dictionaries, .count].randomElement(using: &random) ?? .count
        template.fetchLimit = number()
        template.fetchBatchSize = number()
        if flag() {
            template.sortDescriptors = [ObjectSortDescriptor(text(), ascending: flag(), comparison: .localized)]
        }
        template.includesSubentities = flag()
        template.includesPropertyValues = flag()
        template.includesPendingChanges = flag()
        template.returnsObjectsAsFaults = flag()
        template.returnsDistinctResults = flag()
        template.notes = notes()
        return template
    }
}

extension RandomModel {
    mutating func value() -> AttributeValue {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .integer([0, -1, .max, .min].randomElement(using: &random) ?? 0)
        case 1: .boolean(flag())
        case 2: .float([0.1, -3.4e38, 1e-37].randomElement(using: &random) ?? 0)
        case 3: .double([0.1, 1e300, .leastNonzeroMagnitude, 123_456_789.123].randomElement(using: &random) ?? 0)
        case 4:
            .decimal(
                ["0.10", "-99999999999999999999999999999999999999", "1e-100", "5e127"].randomElement(using: &random)
                    .flatMap { Decimal(string: $0) } ?? 0)
        case 5: .string(text())
        case 6:
            .date(Date(timeIntervalSinceReferenceDate: [0, -1.5, 700_000_000.125].randomElement(using: &random) ?? 0))
        case 7: .binary(Data(many { UInt8.random(in: 0...255, using: &$0.random) }))
        case 8:
            .uuid(
                UUID(
                    uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8.random(in: 0...255, using: &random))
                ))
        default: .uri(URL(filePath: "/a b/\(number())"))
        }
    }

    private mutating func flag() -> Bool { Bool.random(using: &random) }

    private mutating func number() -> Int { [0, 1, -1, 7, 1 << 40].randomElement(using: &random) ?? 0 }

    /// No composed "é" beside the decomposed one: Foundation's binary property lists make one text of the two.
    private mutating func text() -> String {
        ["", "a", "name", "ß", "e\u{301}", "a\"b\\c\n", "😀", "x y"].randomElement(using: &random) ?? ""
    }

    private mutating func notes() -> [String: String] {
        Dictionary(many { ($0.text(), $0.text()) }) { first, _ in first }
    }

    private mutating func userInfo() -> [String: UserInfoValue] {
        Dictionary(many { ($0.text(), $0.userInfoValue(depth: 3)) }) { first, _ in first }
    }

    private mutating func userInfoValue(depth: Int) -> UserInfoValue {
        switch Int.random(in: 0...(depth > 0 ? 9 : 7), using: &random) {
        case 0: .boolean(flag())
        case 1: .integer([0, 1, .min, .max].randomElement(using: &random) ?? 0)
        case 2: .real([0, 1, -0.5, 1e300, .infinity].randomElement(using: &random) ?? 0)
        case 3: .date(Date(timeIntervalSinceReferenceDate: [0, 1, -1e10].randomElement(using: &random) ?? 0))
        case 4: .binary(Data([UInt8]("abc".utf8).prefix(Int.random(in: 0...3, using: &random))))
        case 8: .array(many { $0.userInfoValue(depth: depth - 1) })
        case 9: .dictionary(Dictionary(many { ($0.text(), $0.userInfoValue(depth: depth - 1)) }) { first, _ in first })
        default: .string(text())
        }
    }

    private mutating func maybe<T>(_ make: (inout Self) -> T) -> T? { flag() ? make(&self) : nil }

    private mutating func many<T>(_ make: (inout Self) -> T) -> [T] {
        (0..<Int.random(in: 0...2, using: &random)).map { _ in make(&self) }
    }
}
