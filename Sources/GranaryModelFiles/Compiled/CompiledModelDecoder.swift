import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists

/// The state of ``CompiledModelReader``: what has been read, and the limits.
///
/// The archive's objects refer to each other in cycles. The decoder only follows references from model to entity to
/// property to element, and refers to other entities by name.
struct CompiledModelDecoder {
    /// The place of a problem.
    struct Place {
        var entity: String?
        var property: String?
    }

    /// A predicate or expression that was read. Each one is read once.
    enum Parsed<Node> {
        /// The node, and the length of its text, which is the cost of using it again.
        case node(Node, Int)
        case refused(String)
    }

    let archive: KeyedArchive
    let source: String
    /// Whether the archive is a store's model cache.
    var isCache = false
    /// Whether the entities have lists of fetch indexes, as in all models since 2017.
    var hasIndexLists = false
    var place = Place()
    var diagnostics = DiagnosticCollector()
    /// The properties that repeat inherited ones. Their warnings are reported for the inherited properties.
    var copies: Set<[String]> = []
    /// The names of all entities.
    var entityNames: [KeyedArchive.Item: String] = [:]
    /// The superentity of each entity that has one.
    var superentities: [String: String] = [:]
    var propertyCount = 0
    var composites: [CompositeDescription] = []
    /// The composite's name for each list of elements.
    var compositeNames: [[AttributeDescription]: String] = [:]
    /// The number of composites with the same base name; the next one gets a numeric suffix.
    var compositeNameCounts: [String: Int] = [:]
    var takenCompositeNames: Set<String> = []
    var predicates: [KeyedArchive.Item: Parsed<ObjectPredicate>] = [:]
    var expressions: [KeyedArchive.Item: Parsed<ObjectExpression>] = [:]
    /// The texts that were read: many objects can refer to one long text.
    var knownTexts: [KeyedArchive.Item: String] = [:]
    private var work = 0

    init(archive: KeyedArchive, source: String) {
        self.archive = archive
        self.source = source
    }

    /// Adds to the work done, and throws past the limit.
    mutating func charge(_ amount: Int) throws(GranaryError) {
        work += amount
        guard work <= CompiledModelReader.workLimit else {
            throw refusal(
                "the compiled model holds more than \(CompiledModelReader.workLimit) values, the limit",
                code: .limitExceeded)
        }
    }

    func refusal(_ message: String, code: Diagnostic.Code = .modelSyntax) -> GranaryError {
        GranaryError(
            Diagnostic(code, "\(source): \(message)", entity: place.entity, property: place.property))
    }

    mutating func warn(
        _ message: String, code: Diagnostic.Code = .modelUnknown, severity: Diagnostic.Severity = .warning
    ) {
        diagnostics.add(
            Diagnostic(code, message, severity: severity, entity: place.entity, property: place.property))
    }

    /// Reports something that is kept as a note, or that Granary's models do not contain.
    mutating func note(_ message: String) { warn(message, severity: .note) }

    func quoted(_ text: String) -> String { "\"\(Diagnostic.shortened(text))\"" }

    /// Keeps unknown fields as notes if they are plain values, and omits the others, with warnings.
    mutating func keepUnknown(
        of object: CompiledObject, known: Set<String>, _ notes: inout [String: String]
    ) throws(GranaryError) {
        for key in object.fields.keys.sorted() where !known.contains(key) {
            guard let item = object.fields[key] else { continue }
            // The model XML writes the note as an attribute, so its key must be an XML name.
            if let text = Self.plainText(try contents(item)), XMLSpelling.isName(key) {
                notes[key] = text
                warn("the key \(quoted(key)) of a compiled model is not known; it is kept as it is")
            } else {
                let type = try archive.className(of: item) ?? "no class"
                warn("the key \(quoted(key)) (\(Diagnostic.shortened(type))) of a compiled model is omitted")
            }
        }
    }

    /// A value that a note can hold.
    static func plainText(_ value: KeyedArchive.Value) -> String? {
        switch value {
        case .string(let value): value
        case .boolean(let value): value ? "YES" : "NO"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .real(let value), .date(let value): value.description
        case .decimal(let value): "\(value)"
        case .uuid(let value): value.uuidString
        case .url(let relative, nil): relative
        default: nil
        }
    }

    /// Sorted by name without regard to case.
    static func sorted<Description>(
        _ descriptions: [Description], by name: (Description) -> String
    ) -> [Description] {
        let keyed = descriptions.map { description in
            (key: name(description).lowercased(), name: name(description), description: description)
        }
        let ordered = keyed.sorted { left, right in
            left.key == right.key
                ? left.name.utf8.lexicographicallyPrecedes(right.name.utf8) : left.key < right.key
        }
        return ordered.map(\.description)
    }
}

extension CompiledModelDecoder {
    /// The name of the composite with an attribute's elements.
    ///
    /// An archive stores the elements in each attribute and gives them no name. Equal elements become one composite,
    /// named after the first attribute that uses them: `EventLocation` for the attribute `location` of `Event`. The
    /// name is not part of the version hash. The depth limit bounds the recursion, the work limit the breadth.
    mutating func compositeName(
        of object: CompiledObject, name: String, depth: Int
    ) throws(GranaryError) -> String {
        guard depth < CompositeFlattener.depthLimit else {
            throw refusal("a composite nests deeper than \(CompositeFlattener.depthLimit)", code: .modelInheritance)
        }
        var elements: [AttributeDescription] = []
        for item in try items("NSCompositeElements", of: object) {
            let element = try unpack(item, "an element of the composite")
            switch CompiledPropertyKind(element) {
            case .attribute?, .compositeAttribute?, .derivedAttribute?: break
            default: throw refusal("an element of the composite is of the class \(quoted(element.className))")
            }
            guard let name = try text("NSPropertyName", of: element) else {
                throw refusal("an element of the composite has no name")
            }
            let kind: CompiledPropertyKind =
                element.isKind(of: "NSCompositeAttributeDescription") ? .compositeAttribute : .attribute
            elements.append(try attribute(element, kind, name: name, depth: depth + 1))
        }
        if elements.isEmpty { warn("the composite has no elements", code: .modelReference) }
        if let known = compositeNames[elements] { return known }
        let composite = CompositeDescription(name: freeName(for: name), elements: elements)
        composites.append(composite)
        compositeNames[elements] = composite.name
        return composite.name
    }

    private mutating func freeName(for attribute: String) -> String {
        let base = (place.entity ?? "") + attribute.prefix(1).uppercased() + attribute.dropFirst()
        // Counting continues from the last number, since a hostile archive may have thousands of equal names.
        var number = compositeNameCounts[base, default: 0]
        var name = base
        repeat {
            number += 1
            name = number == 1 ? base : "\(base)\(number)"
        } while !takenCompositeNames.insert(name).inserted
        compositeNameCounts[base] = number
        return name
    }
}
