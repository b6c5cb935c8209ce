import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelBuilder {
    /// Adds a fetch request; `entity` and `property` are where it stands, for messages.
    mutating func fetchRequest(
        _ request: FetchRequestTemplate, _ entity: String, _ property: String
    ) -> PropertyListValue {
        let null = KeyedArchiveBuilder.null
        let target = reference(toEntity: request.entityName)
        if target == nil {
            problem(
                .modelReference, "its entity \"\(Diagnostic.shortened(request.entityName))\" is not there", entity,
                property)
        }
        return builder.add(
            classNames: ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
            fields: [
                PropertyListEntry("NSEntity", target ?? null),
                PropertyListEntry("NSPredicate", predicate(request.predicateFormat, nil, entity, property)),
                PropertyListEntry("NSSortDescriptors", sortDescriptors(of: request)),
                PropertyListEntry("NSFetchLimit", .integer(Int64(request.fetchLimit))),
                PropertyListEntry("NSFetchOffset", .integer(0)),
                PropertyListEntry("NSBatchSize", .integer(Int64(request.fetchBatchSize))),
                PropertyListEntry("NSResultType", .integer(Int64(request.resultType.rawValue))),
                PropertyListEntry("NSAllocationType", .integer(0)),
                PropertyListEntry("NSHasFetchRequestFlags", .boolean(true)),
                PropertyListEntry("NSFetchRequestFlags", .integer(FetchRequestFlags(request).rawValue)),
                PropertyListEntry("NSValuesToFetch", null),
                PropertyListEntry("NSValuesToGroupBy", null),
                PropertyListEntry("NSHavingPredicate", null),
                PropertyListEntry("NSRelationshipKeyPathsForPrefetching", null),
            ])
    }

    /// Templates have no order; that of a request that was read from an archive is a note.
    private mutating func sortDescriptors(of request: FetchRequestTemplate) -> PropertyListValue {
        let texts = (request.notes["NSSortDescriptors"] ?? "").split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        let nodes = texts.compactMap { SortDescriptorNode($0) }
        guard !nodes.isEmpty, nodes.count == texts.count else { return KeyedArchiveBuilder.null }
        var references: [PropertyListValue] = []
        for node in nodes { references.append(node.add(to: &builder)) }
        return builder.addArray(references)
    }

    /// A predicate of its text; an emptied field of the editor is none.
    mutating func predicate(
        _ format: String?, _ what: String?, _ entity: String, _ property: String?
    ) -> PropertyListValue {
        guard let format, !format.isEmpty else { return KeyedArchiveBuilder.null }
        do throws(GranaryError) {
            return try PredicateArchiveWriter.add(PredicateFormat.predicate(format), to: &builder)
        } catch {
            let subject = what.map { "the predicate \($0)" } ?? "its predicate"
            problem(.modelSyntax, "\(subject) cannot be compiled: \(error.message)", entity, property)
            return KeyedArchiveBuilder.null
        }
    }
}
