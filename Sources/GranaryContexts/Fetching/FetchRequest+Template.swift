public import GranaryBase
import GranaryCoordination
public import GranaryModel
public import GranaryPredicates

extension ManagedObjectModel {
    /// The fetch request template with a name; nil if there is none. (`fetchRequestTemplate(forName:)`)
    public func fetchRequestTemplate(named name: String) -> FetchRequestTemplate? {
        fetchRequestTemplates.first { $0.name == name }
    }

    /// Returns the request of a template, with values for the variables of its predicate.
    /// (`fetchRequestFromTemplate(withName:substitutionVariables:)`)
    ///
    /// ```swift
    /// let request = try model.fetchRequestFromTemplate(withName: "byName", substitutionVariables: ["name": "Ann"])
    /// ```
    /// - Parameter variables: the values by the variables' names, without `$`; nil is NULL.
    /// - Throws: ``GranaryError`` with code `usage` if there is no such template, its predicate is invalid, or a
    ///   variable has no value.
    public func fetchRequestFromTemplate(
        withName name: String, substitutionVariables variables: [String: (any PredicateArgument)?] = [:]
    ) throws(GranaryError) -> FetchRequest<ManagedObject> {
        guard let template = fetchRequestTemplate(named: name) else {
            throw GranaryError(
                .usage,
                "the model has no fetch request template \"\(Diagnostic.shortened(name))\""
                    + NearestText.hint(for: name, in: fetchRequestTemplates.map(\.name)))
        }
        var request = try FetchRequest(template)
        request.predicate = request.predicate?.substituting(variables.mapValues { $0?.predicateExpression ?? .null })
        let missing = request.predicate?.unboundVariables ?? []
        guard missing.isEmpty else {
            let names = missing.map { "$\($0)" }.joined(separator: ", ")
            throw GranaryError(
                .usage, "the fetch request template \"\(Diagnostic.shortened(name))\" needs values for \(names)")
        }
        return request
    }
}

extension FetchRequest where Object == ManagedObject {
    /// The request of a template, whose predicate may have variables.
    ///
    /// - Throws: ``GranaryError`` with code `usage` for an invalid predicate.
    init(_ template: FetchRequestTemplate) throws(GranaryError) {
        var predicate: ObjectPredicate?
        // The editor writes an empty text for a cleared field.
        if let format = template.predicateFormat, !format.isEmpty { predicate = try ObjectPredicate(format: format) }
        self.init(template.entityName, where: predicate)
        sortDescriptors = template.sortDescriptors
        if sortDescriptors.isEmpty, let note = template.notes["NSSortDescriptors"] {
            sortDescriptors = ObjectSortDescriptor.descriptors(inNote: note)
        }
        resultType = template.resultType
        fetchLimit = template.fetchLimit
        fetchOffset = template.notes["NSFetchOffset"].flatMap { Int($0) } ?? 0
        fetchBatchSize = template.fetchBatchSize
        includesSubentities = template.includesSubentities
        includesPendingChanges = template.includesPendingChanges
        returnsObjectsAsFaults = template.returnsObjectsAsFaults
        returnsDistinctResults = template.returnsDistinctResults
    }
}

extension ObjectSortDescriptor {
    /// The order that a reader of compiled models has noted: `name:asc:compare:, age:desc:compare:`.
    fileprivate static func descriptors(inNote note: String) -> [ObjectSortDescriptor] {
        note.split(separator: ",").compactMap { (text) -> ObjectSortDescriptor? in
            let parts = text.drop { $0 == " " }.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count >= 2, !parts[0].isEmpty else { return nil }
            let selector = parts.count > 2 ? parts[2] : ""
            let comparison = Comparison.allCases.first { selector.hasPrefix($0.rawValue) }
            return ObjectSortDescriptor(
                String(parts[0]), ascending: parts[1] != "desc", comparison: comparison ?? .standard)
        }
    }
}

extension ObjectPredicate {
    /// The variables that no subquery gives a value, sorted.
    fileprivate var unboundVariables: [String] {
        var used: Set<String> = []
        var bound: Set<String> = []
        for part in parts {
            switch part {
            case .expression(.variable(let name)): used.insert(name)
            case .expression(.subquery(_, let name, _)): bound.insert(name)
            case .expression, .predicate: break
            }
        }
        return used.subtracting(bound).sorted()
    }
}
