import Foundation

/// Writes the Swift source of an entity in `swiftdata-vectors.json`.
struct VectorSource {
    struct Property: Decodable {
        let kind: String
        let name: String
        let type: Int?
        let optional: Bool?
        let external: Bool?
        let swift: String?
        let swiftKind: String?
        let elements: [Property]?
        let dest: String?
        let max: Int?
        let deleteRule: Int?
        let inverse: String?
    }

    struct Entity: Decodable {
        let name: String
        let properties: [Property]
        let unique: [[String]]?
    }

    /// Types of attributes as Swift writes them, by the number of the type.
    private static let names: [Int: String] = [
        100: "Int16", 200: "Int32", 300: "Int", 400: "Decimal", 500: "Double", 600: "Float", 700: "String", 800: "Bool",
        900: "Date", 1000: "Data", 1100: "UUID", 1200: "URL", 1800: "[String]",
    ]

    let entity: Entity
    private var types: [String] = []
    private var others: [String: [String]] = [:]

    init(_ entity: Entity) { self.entity = entity }

    /// The class, the types that it uses, and classes at the other ends of its relationships.
    mutating func text() -> String {
        var lines: [String] = []
        for property in entity.properties { lines.append("    " + line(property)) }
        for constraint in entity.unique ?? [] {
            lines.append("    #Unique<\(entity.name)>([\(constraint.map { "\\." + $0 }.joined(separator: ", "))])")
        }
        let classes = others.sorted { $0.key < $1.key }.map { name, lines in
            "@Model final class \(name) {\n    var id: Int\n\(lines.map { "    \($0)\n" }.joined())}"
        }
        return (["@Model final class \(entity.name) {\n\(lines.joined(separator: "\n"))\n}"] + classes + types)
            .joined(separator: "\n\n") + "\n"
    }

    private mutating func line(_ property: Property) -> String {
        let mark = property.optional == true ? "?" : ""
        switch property.kind {
        case "rel": return relationship(property, mark)
        case "composite": return "var \(property.name): \(composite(property))\(mark)"
        default:
            let external = property.external == true ? "@Attribute(.externalStorage) " : ""
            // An array or a dictionary of Codable types is Binary too; the vectors have such types by name.
            return "\(external)var \(property.name): \(Self.names[property.type ?? 0] ?? "Data")\(mark)"
        }
    }

    private mutating func composite(_ property: Property) -> String {
        let elements = property.elements ?? []
        let name = property.name.prefix(1).uppercased() + property.name.dropFirst() + "Value"
        if elements.count == 1, elements[0].name == property.name, property.swiftKind?.contains("enum") == true {
            types.append("enum \(name): \(Self.names[elements[0].type ?? 0] ?? "String"), Codable { case a }")
        } else if property.swiftKind?.contains("enum") == true {
            types.append("enum \(name): Codable { case \(elements.map(\.name).joined(separator: ", ")) }")
        } else {
            // The elements of nested structs stand in one list. A name that occurs again is put into a nested struct.
            var groups: [[Property]] = []
            for element in elements {
                if let free = groups.firstIndex(where: { !$0.contains { $0.name == element.name } }) {
                    groups[free].append(element)
                } else {
                    groups.append([element])
                }
            }
            for (index, group) in groups.enumerated() {
                var lines = group.map { element in
                    "    var \(element.name): \(Self.names[element.type ?? 0] ?? "Data")\(element.optional == true ? "?" : "")"
                }
                if index + 1 < groups.count { lines.append("    var more\(index): \(name)More\(index + 1)") }
                let suffix = index == 0 ? "" : "More\(index)"
                types.append("struct \(name)\(suffix): Codable {\n\(lines.joined(separator: "\n"))\n}")
            }
        }
        return name
    }

    private mutating func relationship(_ property: Property, _ mark: String) -> String {
        let destination = property.dest ?? ""
        let isToMany = property.max != 1
        if destination != entity.name { others[destination, default: []] += [] }
        var arguments: [String] = []
        switch property.deleteRule {
        case 2: arguments.append("deleteRule: .cascade")
        case 3: arguments.append("deleteRule: .deny")
        default: break
        }
        if let inverse = property.inverse {
            arguments.append("inverse: \\\(destination).\(inverse)")
            let line = "var \(inverse): [\(entity.name)]"
            if destination != entity.name, !others[destination, default: []].contains(line) {
                others[destination, default: []].append(line)
            }
        }
        let annotation = arguments.isEmpty ? "" : "@Relationship(\(arguments.joined(separator: ", "))) "
        return "\(annotation)var \(property.name): \(isToMany ? "[\(destination)]" : destination)\(mark)"
    }
}
