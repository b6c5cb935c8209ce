import Foundation
import GranaryPredicates

/// The texts of a model's values in differences. Equal texts mean equal values.
enum FacetText {
    static func text(_ value: AttributeValue) -> String {
        switch value {
        case .integer(let value): "\(value)"
        case .boolean(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let value): value
        case .date(let value): date(value)
        case .binary(let value): binary(value)
        case .uuid(let value): value.uuidString
        case .uri(let value): value.absoluteString
        }
    }

    private static func date(_ date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        // Models can contain dates far outside the calendar, and ISO 8601 as formatted here omits fractions.
        guard seconds == seconds.rounded(), abs(seconds) < 200_000_000_000 else {
            return "\(seconds) seconds since 2001-01-01"
        }
        return date.formatted(.iso8601)
    }

    private static func binary(_ data: Data) -> String {
        guard data.count > 48 else { return data.base64EncodedString() }
        var digest = ContentDigest()
        digest.update(Array(data))
        return "\(data.count) bytes, SHA-256 \(digest.hexadecimal)"
    }

    static func text(_ names: [String]) -> String { names.joined(separator: ", ") }

    static func text(_ request: FetchRequestTemplate) -> String {
        var text = request.entityName
        if let predicate = request.predicateFormat { text += " where \(predicate)" }
        if !request.sortDescriptors.isEmpty {
            text += ", by " + request.sortDescriptors.map(self.text).joined(separator: ", ")
        }
        if request.fetchLimit > 0 { text += ", at most \(request.fetchLimit)" }
        if request.fetchBatchSize > 0 { text += ", in batches of \(request.fetchBatchSize)" }
        switch request.resultType {
        case .managedObjects: break
        case .managedObjectIDs: text += ", IDs"
        case .dictionaries: text += ", dictionaries"
        case .count: text += ", count"
        }
        let flags = [
            ("subentities", request.includesSubentities), ("property values", request.includesPropertyValues),
            ("pending changes", request.includesPendingChanges), ("as faults", request.returnsObjectsAsFaults),
            ("distinct", request.returnsDistinctResults),
        ]
        for (name, isSet) in flags where isSet { text += ", \(name)" }
        return text
    }

    private static func text(_ descriptor: ObjectSortDescriptor) -> String {
        let comparison = descriptor.comparison == .standard ? "" : " (\(descriptor.comparison.rawValue))"
        return descriptor.keyPath + (descriptor.isAscending ? "" : " descending") + comparison
    }

    /// `name` maps the name of an older property to its name in the newer version.
    static func text(_ index: FetchIndexDescription, name: (String) -> String = { $0 }) -> String {
        let elements = index.elements.map { element in
            let type = element.expressionType.map { " of type \($0.name)" } ?? ""
            let what = element.propertyName.map(name) ?? "expression \(element.expression ?? "")\(type)"
            return (element.kind == .rTree ? "R-tree of " : "") + what + (element.isAscending ? "" : " descending")
        }
        return elements.joined(separator: ", ") + (index.partialIndexPredicate.map { " where \($0)" } ?? "")
    }
}

extension FetchIndexDescription {
    /// The elements and the predicate as text, for reports.
    package var summary: String { FacetText.text(self) }
}
