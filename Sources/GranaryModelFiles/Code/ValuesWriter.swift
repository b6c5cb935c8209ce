import GranaryModel

/// Writes the structure of an object's values, `Book.Values`.
struct ValuesWriter {
    /// The identifier of the structure.
    static let typeName = "Values"

    /// `public ` or nothing, before each declaration.
    private let access: String
    private(set) var names: TypeNames
    /// The entries of the list of properties. An entry's place is the property's index.
    private var entries: [String] = []

    init(access: String, names: TypeNames) {
        self.access = access
        self.names = names
    }

    /// A part of a structure.
    private struct Parts {
        var declarations: [String] = []
        /// The values from a source, without `try`.
        var reads: [(name: String, value: String)] = []
        var writes: [String] = []
    }

    /// Returns the lines of the structure, without indentation of the class.
    ///
    /// - Parameter properties: all properties of the class, also inherited ones.
    mutating func lines(_ properties: [PlannedProperty], entityName: String) -> [String] {
        let parts = parts(of: properties, path: "self.", scope: "")
        let string = names("String")
        let id = names("ManagedObjectID")
        var lines = [
            "/// The values of an object of the entity \(SwiftIdentifier.comment(entityName)) without the object.",
            "\(access)struct \(Self.typeName): \(names("ManagedObjectValues")) {",
            "    \(access)static let entityName: \(string) = \(SwiftIdentifier.literal(entityName))",
        ]
        let list = "    \(access)static let properties: [\(names("ValueProperty"))] = ["
        // Formatters accept no comma after a single element.
        let comma = entries.count == 1 ? "" : ","
        lines += entries.isEmpty ? [list + "]"] : [list] + entries.map { "        \($0)\(comma)" } + ["    ]"]
        lines += ["", "    \(access)let objectID: \(id)"]
        // An attribute of this name identifies the object as well.
        if !properties.contains(where: { $0.name == "id" && Self.isValue($0) }) {
            lines.append("    \(access)var id: \(id) { objectID }")
        }
        lines += parts.declarations.map { $0.isEmpty ? $0 : "    " + $0 }
        lines += [
            "", "    \(access)init(_ source: some \(names("ValueSource"))) throws {",
            "        self.objectID = try source.objectID()",
        ]
        for (name, value) in parts.reads {
            lines.append("        self.\(name) = \(value.contains("source.") ? "try " : "")\(value)")
        }
        lines += ["    }", ""]
        let write = "    \(access)func write(to encoder: inout \(names("ValueEncoder"))) throws {"
        lines += parts.writes.isEmpty ? [write + "}"] : [write] + parts.writes.map { "        " + $0 } + ["    }"]
        return lines + ["}"]
    }

    /// Whether a property is in the structure.
    private static func isValue(_ property: PlannedProperty) -> Bool {
        if property.isTransient { return false }
        switch property.kind {
        case .attribute(.value, _), .attribute(.seconds, _), .composite, .toOne: return true
        case .attribute, .primitive, .toMany, .fetched: return false
        }
    }

    // MARK: - Properties

    /// - Parameters:
    ///   - path: how a property of the structure is reached, with a dot at the end.
    ///   - scope: the structure that declares the types of composites, with a dot at the end.
    private mutating func parts(of properties: [PlannedProperty], path: String, scope: String) -> Parts {
        var parts = Parts()
        for property in properties {
            let name = SwiftIdentifier.text(property.name)
            guard Self.isValue(property) else {
                if let remark = Self.remark(property) { parts.declarations.append("// \(remark)") }
                continue
            }
            switch property.kind {
            case .attribute(let attribute, _): add(attribute, property, name, path, to: &parts)
            case .toOne:
                let index = addEntry("toOne", property, nil)
                parts.declarations.append("\(access)var \(name): \(names("ManagedObjectID"))?")
                parts.reads.append((name, "source.reference(\(index))"))
                parts.writes.append("try encoder.write(\(path)\(name), \(index))")
            case .composite(let typeName, let elements):
                // Recursion is bounded, because the planner limits how deep composites are nested.
                let inner = self.parts(of: elements, path: "\(path)\(name).", scope: "\(scope)\(typeName).")
                let arguments = inner.reads.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
                parts.declarations += ["\(access)var \(name): \(typeName)", ""]
                parts.declarations += structure(typeName, inner, property.key) + [""]
                parts.reads.append((name, "\(scope)\(typeName)(\(arguments))"))
                parts.writes += inner.writes
            case .primitive, .toMany, .fetched: break
            }
        }
        if parts.declarations.last == "" { parts.declarations.removeLast() }
        return parts
    }

    private mutating func add(
        _ attribute: AttributeAccess, _ property: PlannedProperty, _ name: String, _ path: String,
        to parts: inout Parts
    ) {
        switch attribute {
        case .value(let value, let isOptional):
            guard let kind = Self.kinds[value] else { return }
            let index = addEntry(isOptional ? "optional" : "required", property, kind.type)
            parts.declarations.append("\(access)var \(name): \(names(value))\(isOptional ? "?" : "")")
            parts.reads.append((name, "source.\(kind.method)(\(index))\(isOptional ? "" : " ?? .emptyValue")"))
            parts.writes.append("try encoder.write(\(path)\(name), \(index))")
        case .seconds:
            let index = addEntry("required", property, "date")
            parts.declarations.append("\(access)var \(name): \(names("TimeInterval"))")
            parts.reads.append((name, "source.date(\(index))?.timeIntervalSinceReferenceDate ?? 0"))
            parts.writes.append(
                "try encoder.write(\(names("Date"))(timeIntervalSinceReferenceDate: \(path)\(name)), \(index))")
        case .transformed, .anyTransformed, .untyped: break
        }
    }

    /// For each type of Swift the type of the attribute, and the method of a source that returns it.
    private static let kinds: [String: (type: String, method: String)] = [
        "Bool": ("boolean", "bool"), "Data": ("binary", "data"), "Date": ("date", "date"),
        "Decimal": ("decimal", "decimal"), "Double": ("double", "double"), "Float": ("float", "float"),
        "Int16": ("integer16", "int16"), "Int32": ("integer32", "int32"), "Int64": ("integer64", "int64"),
        "String": ("string", "string"), "URL": ("uri", "url"), "UUID": ("uuid", "uuid"),
    ]

    /// Adds a property to the list, and returns its index.
    private mutating func addEntry(_ form: String, _ property: PlannedProperty, _ type: String?) -> Int {
        let key = SwiftIdentifier.literal(property.key)
        entries.append(".\(form)(\(key)\(type.map { ", .\($0)" } ?? ""))")
        return entries.count - 1
    }

    private mutating func structure(_ typeName: String, _ parts: Parts, _ key: String) -> [String] {
        let lines = [
            "/// \(SwiftIdentifier.comment("The elements of `\(key)`."))",
            "\(access)struct \(typeName): \(names("Hashable")), \(names("Sendable")) {",
        ]
        return lines + parts.declarations.map { $0.isEmpty ? $0 : "    " + $0 } + ["}"]
    }

    /// Why a property is not in the structure.
    private static func remark(_ property: PlannedProperty) -> String? {
        let reason: String
        switch property.kind {
        case .attribute where property.isTransient: reason = "stores do not keep it"
        case .attribute: reason = "its type cannot be encoded"
        case .toMany: reason = "to-many"
        case .composite, .primitive, .toOne, .fetched: return nil
        }
        return SwiftIdentifier.comment("Without `\(property.key)`: \(reason).")
    }
}
