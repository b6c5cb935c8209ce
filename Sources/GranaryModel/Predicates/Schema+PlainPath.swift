extension Schema {
    /// A key path with the names that attributes have in the schema: the raw value of an enumeration of SwiftData is
    /// `glass` here, `glass.rawValue` in Swift, and `glass.glass` in Core Data.
    func plainPath(_ path: String, from kind: ExpressionKind) -> String {
        guard model.isSwiftData, path.utf8.contains(UInt8(ascii: ".")), case .object(var entity?) = kind.element else {
            return path
        }
        let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for (index, key) in keys.enumerated() {
            if let attribute = entity.attribute(named: keys[index...].joined(separator: ".")) {
                return (keys[..<index] + [attribute.name]).joined(separator: ".")
            }
            if let relationship = entity.relationship(named: key) {
                entity = entities[relationship.destination]
            } else if !key.hasPrefix("@"), key.lowercased() != "self" {
                return path
            }
        }
        return path
    }
}
