import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

extension CompiledModelDecoder {
    private static let indexKeys: Set<String> = [
        "NSIndexName", "NSIndexElements", "NSPartialIndexPredicate", "NSEntity",
    ]
    private static let elementKeys: Set<String> = [
        "NSPropertyName", "NSIndexedProperty", "NSFetchIndexElementType", "NSAscending", "NSFetchIndexDescription",
    ]
    private static let expressionKeys = propertyKeys.union(["NSExpression", "NSExpressionType"])

    /// Reads all indexes, and merges the two forms in which the compiler writes some of them.
    ///
    /// - The flag `indexed` of a property is archived as `NSIsIndexed` (attributes only) and as an index with the
    ///   property's name, which has no entity in a `.mom`. Only the flag is kept.
    /// - For a fetch index over one attribute Core Data also sets `NSIsIndexed`, for one over several properties it
    ///   adds a compound index. Only the fetch index is kept: the store has no second index.
    /// - In a model with lists of indexes these are complete: `NSIsIndexed` alone creates nothing.
    mutating func readIndexes(
        of object: CompiledObject, into entity: inout EntityDescription
    ) throws(GranaryError) {
        entity.compoundIndexes = try groups("NSCompoundIndexes", of: object)
        let attributes = Self.places(entity.attributes.map(\.name))
        let relationships = Self.places(entity.relationships.map(\.name))
        var compounds = Set(entity.compoundIndexes)
        var repeated: Set<[String]> = []
        var flagged: Set<String> = []
        var covered: Set<String> = []
        for item in try items("NSFetchIndexDescriptions", of: object) {
            let archived = try unpack(item, "an index")
            guard let index = try fetchIndex(archived) else { continue }
            let names = index.compoundNames
            let property = index.elements.count == 1 ? index.elements.first?.propertyName : nil
            let hasEntity = archived.fields["NSEntity"] != nil
            if isCache || !hasEntity, Self.isPlain(index), property == index.name {
                if let place = attributes[index.name], entity.attributes[place].isIndexed {
                    flagged.insert(index.name)
                    continue
                }
                if let place = relationships[index.name] {
                    entity.relationships[place].isIndexed = true
                    continue
                }
            }
            if !hasEntity, names.count > 1, compounds.remove(names) != nil { continue }
            entity.fetchIndexes.append(index)
            guard hasEntity else { continue }
            if names.count > 1 { repeated.insert(names) }
            if let property { covered.insert(property) }
        }
        entity.compoundIndexes.removeAll { repeated.contains($0) }
        for (name, place) in attributes where !flagged.contains(name) && (hasIndexLists || covered.contains(name)) {
            entity.attributes[place].isIndexed = false
        }
    }

    static func places(_ names: [String]) -> [String: Int] {
        Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    }

    private static func isPlain(_ index: FetchIndexDescription) -> Bool {
        index.partialIndexPredicate == nil && index.notes.isEmpty
            && index.elements.allSatisfy { $0.isAscending && $0.kind == .binary }
    }

    /// Reads an index; nil, with a warning, if its predicate or one of its elements cannot be read.
    private mutating func fetchIndex(_ object: CompiledObject) throws(GranaryError) -> FetchIndexDescription? {
        guard let name = try text("NSIndexName", of: object) else { throw refusal("an index has no name") }
        var index = FetchIndexDescription(name: name, elements: [])
        if let item = object.fields["NSPartialIndexPredicate"] {
            switch try predicate(item) {
            case .node(let node, _): index.partialIndexPredicate = node.description
            case .refused(let reason):
                warn("the partial index \(quoted(name)) is omitted, since its predicate cannot be read: \(reason)")
                return nil
            }
        }
        for item in try items("NSIndexElements", of: object) {
            guard let element = try indexElement(try unpack(item, "an element of an index"), index: name) else {
                return nil
            }
            index.elements.append(element)
        }
        try keepUnknown(of: object, known: Self.indexKeys, &index.notes)
        return index
    }

    private mutating func indexElement(
        _ object: CompiledObject, index: String
    ) throws(GranaryError) -> FetchIndexDescription.Element? {
        var element = FetchIndexDescription.Element(propertyName: try text("NSPropertyName", of: object))
        element.isAscending = try flag("NSAscending", of: object)
        switch try integer("NSFetchIndexElementType", of: object) ?? 0 {
        case 0: element.kind = .binary
        case 1: element.kind = .rTree
        case let number:
            warn("the index \(quoted(index)) is omitted: there is no element type \(number)")
            return nil
        }
        try keepUnknown(of: object, known: Self.elementKeys, &element.notes)
        if let item = object.fields["NSIndexedProperty"] {
            guard try readIndexedProperty(item, into: &element, index: index) else { return nil }
        }
        guard element.propertyName != nil || element.expression != nil else {
            warn("the index \(quoted(index)) is omitted: an element has neither a property nor an expression")
            return nil
        }
        return element
    }

    /// Reads the property that an element contains itself: an expression with a name of its own, such as
    /// `expression1`, which is no property of the entity. Returns false, with a warning, if it cannot be read.
    private mutating func readIndexedProperty(
        _ item: KeyedArchive.Item, into element: inout FetchIndexDescription.Element, index: String
    ) throws(GranaryError) -> Bool {
        let property = try unpack(item, "the property of an index")
        guard property.isKind(of: "NSExpressionDescription") else {
            if element.propertyName == nil { element.propertyName = try text("NSPropertyName", of: property) }
            return true
        }
        guard let item = property.fields["NSExpression"] else {
            warn("the index \(quoted(index)) is omitted: an element has an expression without content")
            return false
        }
        switch try expression(item) {
        case .node(let node, _):
            element.propertyName = nil
            element.expression = node.description
            let type = try integer("NSExpressionType", of: property).flatMap(AttributeType.init(rawValue:))
            if let type, type != FetchIndexDescription.Element.defaultType(of: node) { element.expressionType = type }
        case .refused(let reason):
            warn("the index \(quoted(index)) is omitted, since an expression of it cannot be read: \(reason)")
            return false
        }
        if try !userInfo(of: property).isEmpty {
            warn("the user info of an expression in the index \(quoted(index)) is omitted")
        }
        try keepUnknown(of: property, known: Self.expressionKeys, &element.notes)
        return true
    }
}
