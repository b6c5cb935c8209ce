import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryYAML

extension ModelTextReader {
    /// Reads `ENTITY`, `ENTITY WHERE PREDICATE`, or a mapping.
    func readFetchRequest(_ node: Int, name: String) -> FetchRequestTemplate {
        var request = FetchRequestTemplate(name: name, entityName: "")
        guard case .mapping = tree.content(node) else {
            guard let text = text(node) else { return request }
            let separator = " WHERE "
            let parts = text.split(separator: separator, maxSplits: 1, omittingEmptySubsequences: false)
            request.entityName = String(parts[0])
            if parts.count == 2 { request.predicateFormat = String(parts[1]) }
            return request
        }
        let members = mapping(node, "a fetch request", ModelFetchRequestKey.self)
        if let name = members[.name].flatMap(text) { request.name = name }
        if let node = members[.entity] {
            request.entityName = text(node) ?? ""
        } else {
            report("entity is missing: the entity to fetch", at: node)
        }
        request.predicateFormat = members[.predicate].flatMap(text)
        if let node = members[.sort] { request.sortDescriptors = elements(node).compactMap(readSort) }
        if let node = members[.result], let name = choice(node, of: ModelTextNames.results.map(\.name)) {
            request.resultType = ModelTextNames.results.first { $0.name == name }?.type ?? .managedObjects
        }
        if let limit = members[.limit].flatMap({ integer($0, 0...Int64.max) }) { request.fetchLimit = Int(limit) }
        if let size = members[.batchSize].flatMap({ integer($0, 0...Int64.max) }) { request.fetchBatchSize = Int(size) }
        for (key, path) in ModelFetchRequestKey.flags { read(&request[keyPath: path], members[key], flag) }
        request.notes = members[.notes].map(notes) ?? [:]
        return request
    }

    /// Reads `KEY`, `KEY descending`, `KEY descending localized`, or a mapping.
    private func readSort(_ node: Int) -> ObjectSortDescriptor? {
        let names = ModelTextNames.comparisons.map(\.name)
        guard case .mapping = tree.content(node) else {
            guard let text = text(node), let (key, words) = nameAndWords(text, at: node) else { return nil }
            var sort = ObjectSortDescriptor(key)
            for word in words {
                if word.text == "descending" {
                    sort.isAscending = false
                } else if let found = ModelTextNames.comparisons.first(where: { $0.name == word.text }) {
                    sort.comparison = found.comparison
                } else {
                    unknown(word, at: node, ["descending"] + names)
                }
            }
            return sort
        }
        let members = mapping(node, "an order", ModelSortKey.self)
        guard let key = members[.key].flatMap(text) else {
            report("key is missing", at: node)
            return nil
        }
        var sort = ObjectSortDescriptor(key)
        if let isDescending = members[.descending].flatMap(flag) { sort.isAscending = !isDescending }
        if let node = members[.comparison], let name = choice(node, of: names) {
            sort.comparison = ModelTextNames.comparisons.first { $0.name == name }?.comparison ?? .standard
        }
        return sort
    }

    func readFetchedProperty(_ name: String, _ node: Int) -> FetchedPropertyDescription {
        let requestName = ModelTextNames.fetchedPropertyRequest
        var property = FetchedPropertyDescription(
            name: name, fetchRequest: FetchRequestTemplate(name: requestName, entityName: ""))
        property.isSyncable = syncable.contains(.fetchedProperties)
        guard case .mapping = tree.content(node) else {
            property.fetchRequest = readFetchRequest(node, name: requestName)
            return property
        }
        let members = mapping(node, "a fetched property", ModelFetchedPropertyKey.self)
        if let node = members[.request] {
            property.fetchRequest = readFetchRequest(node, name: requestName)
        } else {
            report("request is missing: the fetch request", at: node)
        }
        if let isRequired = members[.required].flatMap(flag) { property.isOptional = !isRequired }
        read(&property.isSyncable, members[.syncable], flag)
        property.renamingIdentifier = members[.renamedFrom].flatMap(text)
        property.versionHashModifier = members[.hashModifier].flatMap(text)
        property.userInfo = members[.userInfo].map(readUserInfo) ?? [:]
        property.notes = members[.notes].map(notes) ?? [:]
        return property
    }

    // MARK: User info

    func readUserInfo(_ node: Int) -> [String: UserInfoValue] {
        var values: [String: UserInfoValue] = [:]
        for (name, value) in pairs(node, "keys and values") { values[name] = userInfoValue(value, depth: 0) }
        return values
    }

    /// Reads a text, a plain number, `true`, `false`, a list, or a mapping with one member, which names the kind.
    private func userInfoValue(_ node: Int, depth: Int) -> UserInfoValue? {
        guard depth < UserInfoValue.depthLimit else {
            report("user info nests deeper than \(UserInfoValue.depthLimit) levels, the limit", at: node)
            return nil
        }
        switch tree.content(node) {
        case .text(_, let isPlain):
            guard let text = text(node) else { return nil }
            return isPlain ? ModelTextValue.plain(text) : .string(text)
        case .list(let elements):
            return .array(elements.compactMap { userInfoValue($0, depth: depth + 1) })
        case .mapping(let members):
            let kinds = ["real", "date", "binary", "dictionary"]
            guard members.count == 1, let member = members.first, kinds.contains(tree.name(member.key)) else {
                report("a mapping in user info has one member: \(kinds.joined(separator: ", "))", at: node)
                return nil
            }
            return userInfoValue(of: tree.name(member.key), member.value, depth: depth)
        }
    }

    private func userInfoValue(of kind: String, _ node: Int, depth: Int) -> UserInfoValue? {
        if kind == "dictionary" {
            var values: [String: UserInfoValue] = [:]
            for (name, value) in pairs(node, "keys and values") {
                values[name] = userInfoValue(value, depth: depth + 1)
            }
            return .dictionary(values)
        }
        guard let text = text(node) else { return nil }
        switch kind {
        case "real":
            if let number = Double(text) { return .real(number) }
            report("\"\(Diagnostic.shortened(text))\" is not a number", at: node)
        case "date":
            if case .date(let date)? = ModelTextValue.value(text, .date) { return .date(date) }
            report("\"\(Diagnostic.shortened(text))\" is not a date", at: node)
        default:
            if case .binary(let data)? = ModelTextValue.value(text, .binary) { return .binary(data) }
            report("\"\(Diagnostic.shortened(text))\" is not base64", at: node)
        }
        return nil
    }
}
