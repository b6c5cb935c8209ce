import GranaryBase
import GranaryModel
import GranaryPropertyLists

extension CompiledModelBuilder {
    /// Adds a fetch request; `entity` and `property` are its place, for messages.
    mutating func fetchRequest(
        _ request: FetchRequestTemplate, _ entity: String, _ property: String
    ) -> PropertyListValue {
        let null = KeyedArchiveBuilder.null
        let target = reference(toEntity: request.entityName)
        if target == nil {
            problem(
                .modelReference, "its entity \"\(Diagnostic.shortened(request.entityName))\" does not exist", entity,
                property)
        }
        let notes = request.notes
        let otherFlags = (Self.number("NSFetchRequestFlags", notes) ?? 0) & ~FetchRequestFlags.all.rawValue
        return builder.add(
            classNames: ["NSFetchRequest", "NSPersistentStoreRequest", "NSObject"],
            fields: [
                PropertyListEntry("NSEntity", target ?? null),
                PropertyListEntry("NSPredicate", predicate(request.predicateFormat, nil, entity, property)),
                PropertyListEntry("NSSortDescriptors", sortDescriptors(of: request)),
                PropertyListEntry("NSFetchLimit", .integer(Int64(request.fetchLimit))),
                PropertyListEntry("NSFetchOffset", .integer(Self.number("NSFetchOffset", notes) ?? 0)),
                PropertyListEntry("NSBatchSize", .integer(Int64(request.fetchBatchSize))),
                PropertyListEntry("NSResultType", .integer(Int64(request.resultType.rawValue))),
                PropertyListEntry("NSAllocationType", .integer(Self.number("NSAllocationType", notes) ?? 0)),
                PropertyListEntry("NSHasFetchRequestFlags", .boolean(true)),
                PropertyListEntry("NSFetchRequestFlags", .integer(FetchRequestFlags(request).rawValue | otherFlags)),
                PropertyListEntry("NSValuesToFetch", keptNames("NSValuesToFetch", notes)),
                PropertyListEntry("NSValuesToGroupBy", keptNames("NSValuesToGroupBy", notes)),
                PropertyListEntry("NSHavingPredicate", keptPredicate(notes["NSHavingPredicate"])),
                PropertyListEntry(
                    "NSRelationshipKeyPathsForPrefetching",
                    keptNames("NSRelationshipKeyPathsForPrefetching", notes)),
            ])
    }

    /// A note holds an order that was read from an archive and that ``FetchRequestTemplate`` cannot describe.
    private mutating func sortDescriptors(of request: FetchRequestTemplate) -> PropertyListValue {
        let texts = (request.notes["NSSortDescriptors"] ?? "").split(separator: ",").map {
            String($0.drop { $0 == " " })
        }
        let noted = texts.compactMap { SortDescriptorNode($0) }
        let isNoted = request.sortDescriptors.isEmpty && noted.count == texts.count
        let nodes = isNoted ? noted : request.sortDescriptors.map { SortDescriptorNode($0) }
        guard !nodes.isEmpty else { return KeyedArchiveBuilder.null }
        var references: [PropertyListValue] = []
        for node in nodes { references.append(node.add(to: &builder)) }
        return builder.addArray(references)
    }

    /// Adds the predicate of a text; an empty text, which the editor writes for a cleared field, is no predicate.
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

    // MARK: Notes of the reader

    static func number(_ key: String, _ notes: [String: String]) -> Int64? { notes[key].flatMap { Int64($0) } }

    /// Adds the predicate of a note; null if the text is not in the predicate language, such as a class name.
    mutating func keptPredicate(_ format: String?) -> PropertyListValue {
        guard let format, let node = try? PredicateFormat.predicate(format),
            let reference = try? PredicateArchiveWriter.add(node, to: &builder)
        else { return KeyedArchiveBuilder.null }
        return reference
    }

    private mutating func keptNames(_ key: String, _ notes: [String: String]) -> PropertyListValue {
        guard let text = notes[key] else { return KeyedArchiveBuilder.null }
        var references: [PropertyListValue] = []
        for name in text.split(separator: ",") { references.append(builder.addText(String(name.drop { $0 == " " }))) }
        return builder.addArray(references)
    }
}
