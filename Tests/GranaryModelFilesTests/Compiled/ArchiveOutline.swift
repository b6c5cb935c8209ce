import GranaryPropertyLists
import Testing

/// A compiled model as lines by path, `.NSEntities/Car.NSProperties/owner.NSMaxCount`: what two archives are compared
/// by, whatever the order of their objects.
///
/// Classes, containers, keys, and whether a value is inline or an object of its own are all in the lines. An entity,
/// property or index is followed where it belongs, and named wherever else it is referred to.
struct ArchiveOutline {
    private(set) var lines: [String: String] = [:]
    private let objects: [PropertyListValue]

    init(_ bytes: [UInt8]) throws {
        let list = try PropertyList.read(bytes, source: "archive")
        objects = try #require(list["$objects"]?.array)
        let root = try #require(list["$top"]?["root"])
        walk(root, "", isHome: true)
    }

    /// What is not the same, a line each.
    static func differences(_ ours: ArchiveOutline, _ real: ArchiveOutline) -> [String] {
        let differences = Set(ours.lines.keys).union(real.lines.keys).compactMap { path -> String? in
            let (left, right) = (ours.lines[path] ?? "absent", real.lines[path] ?? "absent")
            return left == right ? nil : "\(path): \(left), really \(right)"
        }
        return differences.sorted()
    }

    private func object(_ reference: PropertyListValue?) -> PropertyListValue? {
        guard case .uid(let number)? = reference, number > 0, number < UInt64(objects.count) else { return nil }
        return objects[Int(number)]
    }

    private func classNames(of object: PropertyListValue) -> [String] {
        (self.object(object["$class"])?["$classes"]?.array ?? []).compactMap(\.string)
    }

    private mutating func walk(_ value: PropertyListValue, _ path: String, isHome: Bool = false) {
        guard case .uid = value else {
            lines[path] = "inline \(value)"
            return
        }
        guard let object = object(value) else {
            lines[path] = "nil"
            return
        }
        guard case .dictionary(let fields) = object else {
            lines[path] = "object \(object)"
            return
        }
        let names = classNames(of: object)
        if !isHome, let name = name(of: object, names) {
            lines[path] = "the \(name)"
            return
        }
        lines[path] = names.joined(separator: " ")
        let members = object["NS.objects"]?.array ?? []
        switch names.first {
        case "NSDictionary", "NSMutableDictionary":
            let isHome = path.hasSuffix("NSEntities") || path.hasSuffix("NSProperties")
            for (key, member) in zip(object["NS.keys"]?.array ?? [], members) {
                walk(member, "\(path)/\(self.object(key)?.string ?? "?")", isHome: isHome)
            }
        case "NSArray", "NSMutableArray":
            let isHome = [".values", "NSFetchIndexDescriptions", "NSIndexElements", "NSCompositeElements"]
                .contains { path.hasSuffix($0) }
            for (index, member) in members.enumerated() { walk(member, "\(path)[\(index)]", isHome: isHome) }
        case "NSSet":
            let texts = members.map { member in
                self.object(member).map { name(of: $0, classNames(of: $0)) ?? "\($0)" } ?? "nil"
            }
            lines[path] = "NSSet {\(texts.sorted().joined(separator: ", "))}"
        default:
            for field in fields where field.key != "$class" { walk(field.value, "\(path).\(field.key)") }
        }
    }

    /// What others call an object of the model; nil for what is only part of one.
    private func name(of object: PropertyListValue, _ classNames: [String]) -> String? {
        if classNames.contains("NSManagedObjectModel") { return "model" }
        if classNames.contains("NSEntityDescription") { return self.object(object["NSEntityName"])?.string ?? "?" }
        if classNames.contains("NSFetchIndexDescription") {
            return "index \(self.object(object["NSIndexName"])?.string ?? "?")"
        }
        guard classNames.contains("NSPropertyDescription") else { return nil }
        let entity = self.object(object["NSEntity"]).flatMap { self.object($0["NSEntityName"])?.string }
        return "\(entity ?? "?").\(self.object(object["NSPropertyName"])?.string ?? "?")"
    }
}
