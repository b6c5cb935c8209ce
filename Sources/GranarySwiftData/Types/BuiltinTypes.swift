import GranaryModel

/// The attribute types of Swift's and Foundation's types, as public stores have them (`docs/swiftdata.md`).
enum BuiltinTypes {
    /// Types that stores confirm.
    private static let confirmed: [String: AttributeType] = [
        "String": .string, "Bool": .boolean, "Int": .integer64, "Int64": .integer64, "UInt64": .integer64,
        "Int32": .integer32, "UInt32": .integer32, "Int16": .integer16, "UInt8": .integer16, "Double": .double,
        "TimeInterval": .double, "Float": .float, "CGFloat": .float, "Date": .date, "Data": .binary, "UUID": .uuid,
        "Decimal": .decimal, "URL": .uri,
    ]
    /// Types for which no store is known, with the attribute types to try.
    private static let unconfirmed: [String: [AttributeType]] = [
        "Int8": [.integer16], "UInt16": [.integer16, .integer32], "UInt": [.integer64], "Float32": [.float],
        "Float64": [.double], "Float16": [.float], "Float80": [.double], "Character": [.string],
    ]
    /// The types of which an array is a Transformable, as stores confirm.
    static let arrayElements: Set<String> = ["String", "Bool", "Int", "Double"]
    /// The types of the values in a dictionary whose stores are known.
    static let dictionaryValues: Set<String> = ["Double", "Int", "Date"]

    /// The type without the name of its module.
    static func bareName(_ name: String) -> String {
        guard let dot = name.firstIndex(of: "."), SourceIndex.modules.contains(String(name[..<dot])) else {
            return name
        }
        return String(name[name.index(after: dot)...])
    }

    static func attributeType(_ name: String) -> AttributeType? { confirmed[bareName(name)] }

    /// The meaning of a type of Swift or of the SDK; nil for an unknown name.
    static func meaning(_ name: String) -> TypeMeaning? {
        let name = bareName(name)
        if let type = confirmed[name] { return .known(.attribute(type)) }
        if let types = unconfirmed[name] {
            return .unknown(
                "no known store tells how SwiftData stores \(name)", subject: name,
                candidates: types.map { .attribute($0) })
        }
        if name == "Color.Resolved" {
            let leaves = ["linearRed", "linearGreen", "linearBlue", "opacity"]
            return .known(
                .structure(
                    name: "ResolvedColor",
                    leaves.map { ShapeElement(name: $0, isOptional: false, shape: .attribute(.float)) }))
        }
        return nil
    }

    /// The shapes that a value of an unknown type can have: one attribute, or a composite of one element.
    static func allShapes(named property: String) -> [PropertyShape] {
        let types: [AttributeType] = [
            .string, .integer64, .double, .boolean, .date, .uuid, .binary, .integer32, .integer16, .float, .decimal,
            .uri,
        ]
        return types.map { .attribute($0) } + [.attribute(.transformable), .absent]
            + types.map { .rawEnum(name: property, $0, values: nil) }
    }
}
