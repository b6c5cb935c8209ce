import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Reads a model from the XML of an `.xcdatamodel`.
///
/// bytes → elements (``XMLElementTree``) → descriptions (``ModelElement``), collecting problems → one error with all
/// problems. An unknown attribute becomes a note, an unknown element a note with its XML, each with a warning.
/// `<elements>`, the editor's drawing, is ignored, and so are comments and empty `<userInfo/>`.
struct ModelXMLReader {
    /// The place of a problem until its line is determined.
    struct Place {
        var element: Int
        var entity: String?
        var property: String?
    }

    let tree: XMLElementTree
    private var found: [(offset: Int, diagnostic: Diagnostic)] = []
    private var unknownCounts: [String: Int] = [:]

    /// Reads the bytes of a `contents` file.
    ///
    /// - Throws: ``GranaryError`` with code `refused` and all problems with their lines and columns.
    static func read(
        _ bytes: [UInt8], source: String, diagnostics: inout DiagnosticCollector
    ) throws(GranaryError) -> ManagedObjectModel {
        let tree = try XMLElementTree(bytes, source: source, syntax: .modelSyntax)
        var reader = ModelXMLReader(tree: tree)
        let model = reader.model()
        var own = DiagnosticCollector()
        own.add(contentsOf: reader.located())
        diagnostics.add(contentsOf: own.diagnostics)
        try own.throwIfAnyError("\(source): the model has \(own.errorCount) problem\(own.errorCount == 1 ? "" : "s")")
        return model
    }

    private init(tree: XMLElementTree) { self.tree = tree }

    private mutating func model() -> ManagedObjectModel {
        let root = Place(element: 0)
        guard tree.elements[0].name == ManagedObjectModel.elementName else {
            problem(root, "the root element is <\(tree.elements[0].name)>, not <model>: this is not a Core Data model")
            return ManagedObjectModel()
        }
        var model = description(ManagedObjectModel.self, root)
        for child in tree.elements[0].children {
            let place = Place(element: child)
            switch tree.elements[child].name {
            case EntityDescription.elementName: model.entities.append(entity(child))
            case CompositeDescription.elementName: model.composites.append(composite(place))
            case ConfigurationDescription.elementName: model.configurations.append(configuration(place))
            case FetchRequestTemplate.elementName: model.fetchRequestTemplates.append(fetchRequest(place))
            case "elements": break
            default: keepUnknown(place, "", in: 0, &model.notes)
            }
        }
        return model
    }

    /// Reads the attributes of an element. Attributes that the description does not reproduce become notes.
    mutating func description<D: ModelElement>(_ type: D.Type, _ place: Place) -> D {
        let element = tree.elements[place.element]
        var attributes = ElementAttributes(element.attributes)
        var result = D(&attributes)
        for fault in attributes.problems {
            let message = fault.attribute == nil ? "<\(element.name)> \(fault.message)" : fault.message
            problem(
                place, message, attribute: fault.attribute, value: fault.value,
                code: fault.isWarning ? .modelDefault : .modelSyntax, severity: fault.isWarning ? .warning : .error)
        }
        let own = result.attributeTexts
        for (name, text) in element.attributes where own[name]?.utf8.elementsEqual(text.utf8) != true {
            result.notes[name] = text
        }
        let known = Self.unused.union(D.attributeNames)
        for name in element.attributes.keys.sorted() where !known.contains(name) { unknown(place, attribute: name) }
        refuseText(place)
        return result
    }

    /// Attributes that Xcode writes but that do not affect the model.
    private static let unused: Set<String> = ["coreSpotlightDisplayNameExpression"]

    private mutating func unknown(_ place: Place, attribute name: String) {
        problem(
            place,
            "the attribute \"\(Diagnostic.shortened(name))\" of <\(tree.elements[place.element].name)> is not known; "
                + "it is kept as it is", attribute: name, code: .modelUnknown, severity: .warning)
    }

    /// Reads an element of a list. Returns its known attributes; the others become notes under `path`.
    mutating func plain(
        _ place: Place, _ path: String, known: [String], _ notes: inout [String: String]
    ) -> [String?] {
        let element = tree.elements[place.element]
        for (name, text) in element.attributes where !known.contains(name) {
            notes[NoteExtras.key(path, attribute: name)] = text
            unknown(place, attribute: name)
        }
        refuseText(place)
        return known.map { name in
            if element.attributes[name] == nil { problem(place, "<\(element.name)> has no attribute \"\(name)\"") }
            return element.attributes[name]
        }
    }

    /// Keeps the XML of an unknown element as a note.
    mutating func keepUnknown(_ place: Place, _ path: String, in parent: Int, _ notes: inout [String: String]) {
        let name = tree.elements[place.element].name
        let number = unknownCounts["\(parent)/\(name)", default: 0] + 1
        unknownCounts["\(parent)/\(name)"] = number
        notes[NoteExtras.key(path, element: name, number: number)] = tree.text(of: place.element)
        problem(
            place, "<\(name)> in <\(tree.elements[parent].name)> is not known; it is kept as it is",
            code: .modelUnknown,
            severity: .warning)
    }

    mutating func problem(
        _ place: Place, _ message: String, attribute: String? = nil, value: String? = nil,
        code: Diagnostic.Code = .modelSyntax, severity: Diagnostic.Severity = .error
    ) {
        // More problems do not help the user, and finding each one's line takes time.
        guard found.count < 10_000 else { return }
        let diagnostic = Diagnostic(
            code, message, severity: severity, field: attribute, entity: place.entity, property: place.property,
            value: value)
        found.append((tree.offset(of: place.element, attribute: attribute), diagnostic))
    }

    private mutating func refuseText(_ place: Place) {
        guard tree.elements[place.element].hasText else { return }
        problem(place, "<\(tree.elements[place.element].name)> contains text, which has no meaning in a model")
    }

    /// The problems in the order of the file, with lines and columns.
    private func located() -> [Diagnostic] {
        let ordered = found.sorted { $0.offset < $1.offset }
        return zip(ordered, tree.positions(at: ordered.map(\.offset))).map { found, position in
            var diagnostic = found.diagnostic
            diagnostic.position = position
            return diagnostic
        }
    }
}
