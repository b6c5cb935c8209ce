import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension CompiledModelDecoder {
    private static let requestKeys: Set<String> = [
        "NSEntity", "NSPredicate", "NSFetchLimit", "NSFetchOffset", "NSBatchSize", "NSResultType", "NSAllocationType",
        "NSHasFetchRequestFlags", "NSFetchRequestFlags", "NSSortDescriptors", "NSValuesToFetch", "NSValuesToGroupBy",
        "NSHavingPredicate", "NSRelationshipKeyPathsForPrefetching",
    ]

    private static let standardFlags: Int64 = 30

    mutating func fetchRequest(
        _ item: KeyedArchive.Item, name: String, entityName: String? = nil
    ) throws(GranaryError) -> FetchRequestTemplate {
        let object = try unpack(item, "a fetch request")
        guard object.isKind(of: "NSFetchRequest") else {
            throw refusal("a fetch request is of the class \(quoted(object.className))")
        }
        var request = FetchRequestTemplate(name: name, entityName: entityName ?? "")
        if let entity = object.fields["NSEntity"] { request.entityName = try self.entityName(of: entity, "NSEntity") }
        if let item = object.fields["NSPredicate"] {
            switch try predicate(item) {
            case .node(let node, _): request.predicateFormat = node.description
            case .refused(let reason):
                request.notes["NSPredicate"] = try archive.className(of: item) ?? ""
                warn("the predicate of a fetch request cannot be read: \(reason)")
            }
        }
        request.fetchLimit = try integer("NSFetchLimit", of: object) ?? 0
        request.fetchBatchSize = try integer("NSBatchSize", of: object) ?? 0
        let number = try integer("NSResultType", of: object) ?? 0
        guard let result = FetchRequestTemplate.ResultType(rawValue: number) else {
            throw refusal("there is no result type \(number) of a fetch request")
        }
        request.resultType = result
        try readFlags(of: object, into: &request)
        try readOrder(of: object, into: &request)
        try noteRest(of: object, into: &request)
        try keepUnknown(of: object, known: Self.requestKeys, &request.notes)
        return request
    }

    private mutating func readFlags(
        of object: CompiledObject, into request: inout FetchRequestTemplate
    ) throws(GranaryError) {
        // Absent if all flags have the values of a new request.
        let number = try integer("NSFetchRequestFlags", of: object).map { Int64($0) } ?? Self.standardFlags
        let flags = FetchRequestFlags(rawValue: number)
        request.returnsDistinctResults = flags.contains(.returnsDistinctResults)
        request.includesSubentities = flags.contains(.includesSubentities)
        request.includesPropertyValues = flags.contains(.includesPropertyValues)
        request.returnsObjectsAsFaults = flags.contains(.returnsObjectsAsFaults)
        request.includesPendingChanges = flags.contains(.includesPendingChanges)
        if number & ~FetchRequestFlags.all.rawValue != 0 {
            request.notes["NSFetchRequestFlags"] = String(number)
            warn("NSFetchRequestFlags \(number) has bits that are not known; it is kept as it is")
        }
    }

    /// Reads the order. One that has no descriptors here is noted as ``SortDescriptorNode/text``.
    private mutating func readOrder(
        of object: CompiledObject, into request: inout FetchRequestTemplate
    ) throws(GranaryError) {
        var nodes: [SortDescriptorNode] = []
        for item in try items("NSSortDescriptors", of: object) {
            try charge(4)
            do throws(GranaryError) {
                nodes.append(try SortDescriptorNode(item, in: archive))
            } catch {
                warn("a sort descriptor of a fetch request is omitted: \(error.message)")
            }
        }
        guard !nodes.isEmpty else { return }
        let descriptors = nodes.compactMap(\.descriptor)
        guard descriptors.count < nodes.count else {
            request.sortDescriptors = descriptors
            return
        }
        request.notes["NSSortDescriptors"] = nodes.map(\.text).joined(separator: ", ")
        note("the order of a fetch request is kept as a note, but not used")
    }

    private mutating func noteRest(
        of object: CompiledObject, into request: inout FetchRequestTemplate
    ) throws(GranaryError) {
        for key in ["NSFetchOffset", "NSAllocationType"] {
            if let number = try integer(key, of: object), number != 0 { request.notes[key] = String(number) }
        }
        if let item = object.fields["NSHavingPredicate"] {
            request.notes["NSHavingPredicate"] = try predicateText(item)
        }
        for key in ["NSValuesToFetch", "NSValuesToGroupBy", "NSRelationshipKeyPathsForPrefetching"] {
            var names: [String] = []
            for item in try items(key, of: object) {
                if case .string(let text) = try contents(item) {
                    names.append(text)
                } else if let name = try text("NSPropertyName", of: try unpack(item, "a value of \(key)")) {
                    names.append(name)
                } else {
                    warn("an element of \(key) is omitted")
                }
            }
            if !names.isEmpty { request.notes[key] = names.joined(separator: ", ") }
        }
    }
}
