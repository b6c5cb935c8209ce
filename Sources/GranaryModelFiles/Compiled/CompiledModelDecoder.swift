import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// The work of ``CompiledModelReader``: what is known so far, and how far it may go.
///
/// The archive's objects hold each other in circles. Nothing here follows a reference further than its class has
/// parts: model → entity → property → element, and other entities only by name.
struct CompiledModelDecoder {
    /// What a problem is about.
    struct Place {
        var entity: String?
        var property: String?
    }

    /// A predicate or expression, read once however often it is referred to.
    enum Parsed<Node> {
        /// The node, and the length of its text: what it costs to use it again.
        case node(Node, Int)
        case refused(String)
    }

    let archive: KeyedArchive
    let source: String
    /// Whether it is the model that a store keeps of itself.
    var isCache = false
    var place = Place()
    var diagnostics = DiagnosticCollector()
    /// The properties that only repeat inherited ones; what is to be said of them is said of those.
    var copies: Set<[String]> = []
    /// The names of all entities.
    var entityNames: [KeyedArchive.Item: String] = [:]
    /// The superentity of each entity that has one.
    var superentities: [String: String] = [:]
    var propertyCount = 0
    var composites: [CompositeDescription] = []
    /// The name that each list of elements was given.
    var compositeNames: [[AttributeDescription]: String] = [:]
    /// How many composites wanted a name: the next one gets a number behind it.
    var compositeNameCounts: [String: Int] = [:]
    var takenCompositeNames: Set<String> = []
    var predicates: [KeyedArchive.Item: Parsed<PredicateNode>] = [:]
    var expressions: [KeyedArchive.Item: Parsed<ExpressionNode>] = [:]
    /// Each text once: many objects can refer to one long text.
    var knownTexts: [KeyedArchive.Item: String] = [:]
    private var work = 0

    init(archive: KeyedArchive, source: String) {
        self.archive = archive
        self.source = source
    }

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

    /// Tells of what is kept as a note, or is no part of a model here.
    mutating func note(_ message: String) { warn(message, severity: .note) }

    func quoted(_ text: String) -> String { "\"\(Diagnostic.shortened(text))\"" }

    /// Keeps the fields that are not known, as notes where they are plain values.
    mutating func keepUnknown(
        of object: CompiledObject, known: Set<String>, _ notes: inout [String: String]
    ) throws(GranaryError) {
        for key in object.fields.keys.sorted() where !known.contains(key) {
            guard let item = object.fields[key] else { continue }
            // A note has to be a name of XML too, where it is an attribute.
            if let text = Self.plainText(try contents(item)), XMLSpelling.isName(key) {
                notes[key] = text
                warn("the key \(quoted(key)) of a compiled model is not known; it is kept as it is")
            } else {
                let type = try archive.className(of: item) ?? "no class"
                warn("the key \(quoted(key)) (\(Diagnostic.shortened(type))) of a compiled model is left out")
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
