import GranaryBase
import GranaryModel
import GranaryPredicates

extension ModelTextWriter {
    func relationship(_ relationship: RelationshipDescription, entity: String, isUnique: Bool) -> ModelTextNode {
        let place = [entity, relationship.name]
        let inverse = impliedInverses.contains(place) ? nil : relationship.inverseName
        var long = ModelTextMembers<ModelRelationshipKey>()
        let destination = relationship.destinationEntityName
        let isShort = Self.isName(destination) && relationship.minCount >= 0 && relationship.maxCount >= 0
        var text = relationship.isToMany ? "[\(destination)]" : destination
        if isShort {
            if !relationship.isOptional { text += "!" }
            let maximum = relationship.isToMany ? 0 : 1
            if relationship.minCount != 0 || relationship.maxCount != maximum {
                let upper = relationship.maxCount == maximum && relationship.isToMany ? "" : "\(relationship.maxCount)"
                text += " \(relationship.minCount)...\(upper)"
            }
            if let inverse { text += " <-> \(ShortForm.quoted(inverse))" }
            if relationship.deleteRule != .nullify { text += " \(Self.name(of: relationship.deleteRule))" }
            if isUnique { text += " unique" }
            for (key, path) in ModelRelationshipKey.flags where relationship[keyPath: path] {
                text += " \(key.rawValue)"
            }
            if relationship.isSyncable != syncable.contains(.relationships) {
                text += relationship.isSyncable ? " syncable" : " not-syncable"
            }
        } else {
            long.add(.destination, destination)
            long.add(.required, if: !relationship.isOptional)
            if relationship.minCount != 0 { long.add(.minimumCount, .plain("\(relationship.minCount)")) }
            if relationship.maxCount != 1 { long.add(.maximumCount, .plain("\(relationship.maxCount)")) }
            long.add(.inverse, inverse)
            if relationship.deleteRule != .nullify { long.add(.deleteRule, Self.name(of: relationship.deleteRule)) }
            long.add(.unique, if: isUnique)
            for (key, path) in ModelRelationshipKey.flags { long.add(key, if: relationship[keyPath: path]) }
            if relationship.isSyncable != syncable.contains(.relationships) {
                long.add(.syncable, .flag(relationship.isSyncable))
            }
        }
        if deniedInverses.contains(place) { long.add(.inverse, .plain("null")) }
        long.add(.renamedFrom, relationship.renamingIdentifier)
        long.add(.hashModifier, relationship.versionHashModifier)
        long.add(.userInfo, userInfo: relationship.userInfo)
        long.add(.notes, notes: relationship.notes)
        if !isShort { return .flow(long.members) }
        if long.members.isEmpty { return .text(text) }
        return .flow([.init(ModelRelationshipKey.to.rawValue, .text(text))] + long.members)
    }

    private static func name(of rule: RelationshipDescription.DeleteRule) -> String {
        ModelTextNames.deleteRules.first { $0.rule == rule }?.name ?? "nullify"
    }

    /// Whether a name can stand in a short form: letters, digits and `_`.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy { scalar in
                switch scalar {
                case "a"..."z", "A"..."Z", "0"..."9", "_": true
                default: scalar.value > 0xA0
                }
            }
    }

    // MARK: Fetch requests

    func fetchedProperty(_ property: FetchedPropertyDescription) -> ModelTextNode {
        var members = ModelTextMembers<ModelFetchedPropertyKey>()
        let request = fetchRequest(property.fetchRequest, name: ModelTextNames.fetchedPropertyRequest)
        members.add(.request, request)
        members.add(.required, if: !property.isOptional)
        if property.isSyncable != syncable.contains(.fetchedProperties) {
            members.add(.syncable, .flag(property.isSyncable))
        }
        members.add(.renamedFrom, property.renamingIdentifier)
        members.add(.hashModifier, property.versionHashModifier)
        members.add(.userInfo, userInfo: property.userInfo)
        members.add(.notes, notes: property.notes)
        if members.members.count == 1, case .text = request { return request }
        return .flow(members.members)
    }

    /// - Parameter name: the name of the request that its place implies.
    func fetchRequest(_ request: FetchRequestTemplate, name: String) -> ModelTextNode {
        var short = FetchRequestTemplate(
            name: name, entityName: request.entityName, predicateFormat: request.predicateFormat)
        if short == request, !request.entityName.contains(" ") {
            guard let predicate = request.predicateFormat else { return .text(request.entityName) }
            return .text("\(request.entityName) WHERE \(predicate)")
        }
        var members = ModelTextMembers<ModelFetchRequestKey>()
        if request.name != name { members.add(.name, request.name) }
        members.add(.entity, request.entityName)
        members.add(.predicate, request.predicateFormat)
        if !request.sortDescriptors.isEmpty { members.add(.sort, .list(request.sortDescriptors.map(sort))) }
        if request.resultType != .managedObjects {
            members.add(.result, ModelTextNames.results.first { $0.type == request.resultType }?.name)
        }
        if request.fetchLimit != 0 { members.add(.limit, .plain("\(request.fetchLimit)")) }
        if request.fetchBatchSize != 0 { members.add(.batchSize, .plain("\(request.fetchBatchSize)")) }
        for (key, path) in ModelFetchRequestKey.flags where request[keyPath: path] != short[keyPath: path] {
            members.add(key, .flag(request[keyPath: path]))
        }
        members.add(.notes, notes: request.notes)
        short.notes = [:]
        return .flow(members.members)
    }

    private func sort(_ sort: ObjectSortDescriptor) -> ModelTextNode {
        let comparison = ModelTextNames.comparisons.first { $0.comparison == sort.comparison }?.name
        var text = ShortForm.quoted(sort.keyPath)
        if !sort.isAscending { text += " descending" }
        if sort.comparison != .standard, let comparison { text += " \(comparison)" }
        return .text(text)
    }

    // MARK: Indexes

    func index(_ index: FetchIndexDescription) -> ModelTextNode {
        let elements = ModelTextNode.list(index.elements.map(element))
        guard index.partialIndexPredicate != nil || !index.notes.isEmpty else { return elements }
        var members = ModelTextMembers<ModelIndexKey>()
        members.add(.elements, elements)
        members.add(.predicate, index.partialIndexPredicate)
        members.add(.notes, notes: index.notes)
        return .flow(members.members)
    }

    private func element(_ element: FetchIndexDescription.Element) -> ModelTextNode {
        if let name = element.propertyName, element.expression == nil, element.expressionType == nil,
            element.notes.isEmpty
        {
            var text = ShortForm.quoted(name)
            if !element.isAscending { text += " descending" }
            if element.kind == .rTree { text += " rtree" }
            return .text(text)
        }
        var members = ModelTextMembers<ModelIndexElementKey>()
        members.add(.property, element.propertyName)
        members.add(.expression, element.expression)
        members.add(.expressionType, element.expressionType.map(ModelTextNames.name))
        if element.kind == .rTree { members.add(.kind, "rtree") }
        members.add(.descending, if: !element.isAscending)
        members.add(.notes, notes: element.notes)
        return .flow(members.members)
    }
}
