import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Writes a model as the XML of an `.xcdatamodel` in Xcode's layout: four spaces per level, Xcode's attribute order, no
/// line break after the last tag.
///
/// Everything that the XML cannot represent (a predicate without a text form, user info that is not text, a control
/// character) is reported as a problem with its entity and property; nothing is omitted silently.
struct ModelXMLWriter {
    private var output: [UInt8] = []
    private var problems = DiagnosticCollector()
    private var indentation = 0
    private(set) var entity: String?
    private(set) var property: String?

    /// - Throws: ``GranaryError`` with code `refused` and a diagnostic for everything that the XML cannot represent.
    static func write(_ model: ManagedObjectModel, target: String) throws(GranaryError) -> [UInt8] {
        var writer = ModelXMLWriter()
        writer.append("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>")
        writer.write(model)
        let count = writer.problems.errorCount
        try writer.problems.throwIfAnyError(
            "\(target): the model XML cannot represent \(count) part\(count == 1 ? "" : "s") of this model; "
                + "an archive (.json, .plist) can")
        return writer.output
    }

    /// Runs `body`; problems that it finds concern this entity and property.
    mutating func at(entity: String?, property: String? = nil, _ body: (inout Self) -> Void) {
        let before = (self.entity, self.property)
        (self.entity, self.property) = (entity, property)
        body(&self)
        (self.entity, self.property) = before
    }

    /// Writes a description's element; `children` writes its child elements.
    mutating func element<D: ModelElement>(
        _ description: D, _ children: (inout Self, NoteExtras) -> Void = { _, _ in }
    ) {
        let extras = NoteExtras(description.notes)
        let attributes = description.writtenAttributes()
        if attributes == nil { problem("the model XML cannot represent this <\(D.elementName)>") }
        // The children are written as well, to report their problems.
        plain(D.elementName, attributes ?? [], "", extras) { writer in children(&writer, extras) }
    }

    /// Writes an element without a description, with the attributes and elements that the notes add to it.
    mutating func plain(
        _ name: String, _ attributes: [(name: String, text: String)], _ path: String, _ extras: NoteExtras,
        _ children: (inout Self) -> Void = { _ in }
    ) {
        newLine()
        append("<\(name)")
        for (attribute, text) in attributes { append(attribute, text) }
        for (attribute, text) in extras.attributes[path] ?? [] {
            guard !attributes.contains(where: { $0.name == attribute }) else {
                problem("the note \"\(path)/@\(attribute)\" repeats an attribute of <\(name)>")
                continue
            }
            append(attribute, text)
        }
        append(">")
        let before = output.count
        indentation += 1
        children(&self)
        for text in extras.elements[path] ?? [] { appendRaw(text) }
        indentation -= 1
        if output.count == before {
            output.removeLast()
            append("/>")
        } else {
            newLine()
            append("</\(name)>")
        }
    }

    mutating func problem(_ message: String) {
        problems.add(Diagnostic(.modelSyntax, message, entity: entity, property: property))
    }

    private mutating func append(_ text: String) { output.append(contentsOf: text.utf8) }

    private mutating func newLine() {
        append("\n")
        for _ in 0..<indentation { append("    ") }
    }

    private mutating func append(_ name: String, _ value: String) {
        guard XMLSpelling.isName(name) else {
            return problem("the note \"\(name)\" is not a valid name of an XML attribute")
        }
        append(" \(name)=\"")
        if let character = XMLSpelling.append(value, to: &output) {
            problem("\(name) contains the character \(character), which XML cannot represent")
        }
        append("\"")
    }

    /// Appends an element that a note holds. The note may have been changed, so the element is parsed first.
    private mutating func appendRaw(_ text: String) {
        var first = text.utf8.makeIterator()
        guard first.next() == UInt8(ascii: "<"), let second = first.next(), second != UInt8(ascii: "?"),
            second != UInt8(ascii: "!"),
            (try? XMLElementTree(Array(text.utf8), source: "", syntax: .modelSyntax))?.text(of: 0) == text
        else {
            return problem("the note \"\(Diagnostic.shortened(text))\" is not one XML element")
        }
        newLine()
        append(text)
    }
}

extension ModelXMLWriter {
    mutating func write(_ model: ManagedObjectModel) {
        element(model) { writer, _ in
            for entity in model.entities {
                writer.at(entity: entity.name) { $0.write(entity) }
            }
            for composite in model.composites {
                writer.at(entity: composite.name) { writer in
                    writer.element(composite) { writer, _ in
                        for attribute in composite.elements { writer.write(attribute) }
                    }
                }
            }
            for request in model.fetchRequestTemplates { writer.write(request) }
            for configuration in model.configurations {
                writer.element(configuration) { writer, extras in
                    for (index, name) in configuration.entityNames.enumerated() {
                        writer.plain("memberEntity", [("name", name)], "/memberEntity[\(index + 1)]", extras)
                    }
                }
            }
        }
    }

    private mutating func write(_ entity: EntityDescription) {
        element(entity) { writer, extras in
            for attribute in entity.attributes { writer.write(attribute) }
            for relationship in entity.relationships {
                writer.at(entity: entity.name, property: relationship.name) { writer in
                    writer.element(relationship) { $0.write(userInfo: relationship.userInfo, $1) }
                }
            }
            for property in entity.fetchedProperties {
                writer.at(entity: entity.name, property: property.name) { writer in
                    writer.element(property) { writer, extras in
                        writer.write(property.fetchRequest)
                        writer.write(userInfo: property.userInfo, extras)
                    }
                }
            }
            for index in entity.fetchIndexes {
                writer.element(index) { writer, _ in
                    for element in index.elements { writer.element(element) }
                }
            }
            writer.write("compoundIndexes", "compoundIndex", "index", entity.compoundIndexes, extras)
            writer.write(
                "uniquenessConstraints", "uniquenessConstraint", "constraint", entity.uniquenessConstraints, extras)
            writer.write(userInfo: entity.userInfo, extras)
        }
    }

    private mutating func write(_ request: FetchRequestTemplate) {
        if !request.sortDescriptors.isEmpty {
            problem("the model XML cannot represent the order of the fetch request \"\(request.name)\"")
        }
        element(request)
    }

    private mutating func write(_ attribute: AttributeDescription) {
        let attribute = EncodedDefault.moved(attribute)
        at(entity: entity, property: attribute.name) { writer in
            let entries = ValidationRuleEntries.entries(of: attribute.validationRules, beside: attribute.userInfo)
            guard let entries else {
                writer.problem("the model XML cannot represent this validation predicate")
                return
            }
            writer.element(attribute) { $0.write(userInfo: entries, $1) }
        }
    }

    /// SwiftData's notes on an enumeration as text: `EnumType` is true, and `enum` has the names of the cases, which the
    /// elements have too.
    private static func enumerationText(_ key: String, _ value: UserInfoValue) -> String? {
        switch (key, value) {
        case ("EnumType", .boolean(let flag)): "\(flag)"
        case ("enum", .array(let names)): names.compactMap(\.string).joined(separator: ",")
        default: nil
        }
    }

    /// Xcode's XML holds text only.
    private mutating func write(userInfo: [String: UserInfoValue], _ extras: NoteExtras) {
        let path = "/userInfo"
        guard !userInfo.isEmpty || extras.attributes[path] != nil || extras.elements[path] != nil else { return }
        plain("userInfo", [], path, extras) { writer in
            for (index, entry) in userInfo.sorted(by: { $0.key < $1.key }).enumerated() {
                guard let text = entry.value.string ?? Self.enumerationText(entry.key, entry.value) else {
                    writer.problem(
                        "the model XML cannot represent the value of \"\(Diagnostic.shortened(entry.key))\" in the user "
                            + "info, which is of the kind \(entry.value.kind); user info in XML is text")
                    continue
                }
                let attributes = [(name: "key", text: entry.key), (name: "value", text: text)]
                writer.plain("entry", attributes, "\(path)/entry[\(index + 1)]", extras)
            }
        }
    }

    private mutating func write(
        _ list: String, _ group: String, _ member: String, _ groups: [[String]], _ extras: NoteExtras
    ) {
        let path = "/\(list)"
        guard !groups.isEmpty || extras.attributes[path] != nil || extras.elements[path] != nil else { return }
        plain(list, [], path, extras) { writer in
            for (index, names) in groups.enumerated() {
                let groupPath = "\(path)/\(group)[\(index + 1)]"
                writer.plain(group, [], groupPath, extras) { writer in
                    for (index, name) in names.enumerated() {
                        writer.plain(member, [("value", name)], "\(groupPath)/\(member)[\(index + 1)]", extras)
                    }
                }
            }
        }
    }
}
