import GranaryBase
import GranaryModel

/// Reads the stored properties, constraints and indexes of a class with `@Model`.
struct EntityReader {
    let index: SourceIndex
    let resolver: TypeResolver
    /// Types that the user has decided by property: `Trip.place`.
    var decided: [String: DecidedType] { resolver.decided }
    private(set) var problems: [Diagnostic] = []
    /// Likely readings that no store confirms.
    private(set) var warnings: [Diagnostic] = []

    /// Whether expected hashes can tell how inheritance and counts are stored.
    let triesVariants: Bool

    init(index: SourceIndex, resolver: TypeResolver, triesVariants: Bool) {
        self.index = index
        self.resolver = resolver
        self.triesVariants = triesVariants
    }

    mutating func read(_ id: SourceTypeID) -> SwiftDataEntity {
        let entry = index[id]
        var entity = SwiftDataEntity(id: id, name: entry.bareName, position: entry.position)
        check(entry)
        entity.parent = parent(of: entry)
        for variable in entry.declaration.variables {
            guard let property = property(variable, of: entry) else { continue }
            entity.properties.append(property)
            if property.isUnique { entity.constraints.append([property.name]) }
        }
        for macro in entry.macros where index.conditions.value(macro.conditions) != false {
            if index.conditions.value(macro.conditions) == nil {
                let names = ConditionValues.names(macro.conditions).joined(separator: ", ")
                refuse("#if decides whether #\(macro.name) counts", entry, at: macro.place, help: "-D \(names)")
            }
            switch macro.name {
            case "Unique": entity.constraints += lists(macro, entry)
            case "Index": entity.indexes += lists(macro, entry)
            default:
                guard index.conditions.defines["#" + macro.name] != false else { continue }
                refuse(
                    "#\(macro.name) can add stored properties, which the source does not show", entry,
                    at: macro.place, help: "-D '#\(macro.name)=0'")
            }
        }
        var seen: Set<[String]> = []
        entity.constraints.removeAll { !seen.insert($0).inserted }
        return entity
    }

    /// Refuses what the rules do not cover for a whole class.
    private mutating func check(_ entry: SourceTypeEntry) {
        if !entry.declaration.genericParameters.isEmpty {
            refuse("a generic class cannot be an entity", entry, at: entry.declaration.place)
        }
        for attribute in entry.declaration.attributes
        where !Self.knownClassAttributes.contains(attribute.name)
            && resolver.index.conditions.defines["@" + attribute.name] != false
        {
            refuse(
                "the macro @\(attribute.name) can add stored properties, which the source does not show", entry,
                at: attribute.place, help: "-D '@\(attribute.name)=0'")
        }
    }

    /// The class that a class inherits from. Without expected hashes it is refused.
    private mutating func parent(of entry: SourceTypeEntry) -> SourceTypeID? {
        for (place, type) in entry.declaration.inherited.enumerated() {
            guard case .named(let name, _) = type else { continue }
            let scope = Array(entry.path.dropLast())
            let found = index.find(name.split(separator: ".").map(String.init), from: scope).ids
            // In Swift the superclass comes first.
            if found.isEmpty, place == 0, !Self.knownProtocols.contains(BuiltinTypes.bareName(name)) {
                warn(
                    "\(name) is not declared in the given sources and is taken as a protocol", entry,
                    at: entry.declaration.place)
            }
            guard let parent = found.first(where: { index[$0].kind == .class }) else { continue }
            if triesVariants { return parent }
            refuse(
                index[parent].isModel
                    ? "the class inherits from \(name); no known store tells how SwiftData stores inheritance"
                    : "the class inherits from \(name), whose properties are not known to be stored", entry,
                at: entry.declaration.place, help: "--expect STORE")
        }
        return nil
    }

    /// Protocols of Swift and of the SDK that classes with `@Model` often name.
    private static let knownProtocols: Set<String> = [
        "Codable", "Comparable", "CustomDebugStringConvertible", "CustomStringConvertible", "Decodable", "Encodable",
        "Equatable", "Hashable", "Identifiable", "Observable", "ObservableObject", "PersistentModel", "Sendable",
        "Transferable",
    ]

    /// Attributes of a class that add no stored properties.
    private static let knownClassAttributes: Set<String> = [
        "Model", "SwiftData.Model", "available", "MainActor", "objc", "objcMembers", "Observable",
        "dynamicMemberLookup",
        "unchecked", "preconcurrency", "frozen", "usableFromInline", "retroactive",
    ]

    /// The property names in the arguments of `#Unique` and `#Index`: a list for each argument.
    private mutating func lists(_ macro: SourceMacro, _ entry: SourceTypeEntry) -> [[String]] {
        var lists: [[String]] = []
        for argument in macro.arguments {
            var value = argument.value
            if case .call(.member(nil, let kind), let inner) = value, let first = inner.first {
                if kind == "rtree" {
                    warn("an R-tree index is not created in stores", entry, at: macro.place)
                    continue
                }
                value = first.value
            }
            guard case .array(let elements) = value else {
                refuse("#\(macro.name) has an argument that is not a list of key paths", entry, at: macro.place)
                continue
            }
            var names: [String] = []
            for element in elements {
                guard case .keyPath(_, let components) = element, components.count == 1 else {
                    refuse("#\(macro.name) has a key path of several parts", entry, at: macro.place)
                    continue
                }
                names += components
            }
            if !names.isEmpty { lists.append(names) }
        }
        return lists
    }

    mutating func refuse(
        _ message: String, _ entry: SourceTypeEntry, property: String? = nil, at place: SourcePlace, help: String? = nil
    ) {
        problems.append(
            Diagnostic(
                .modelUndecided, message, at: SourcePosition(file: entry.file, place), entity: entry.bareName,
                property: property, help: help))
    }

    mutating func warn(
        _ message: String, _ entry: SourceTypeEntry, property: String? = nil, at place: SourcePlace
    ) {
        warnings.append(
            Diagnostic(
                .modelUndecided, message, severity: .warning, at: SourcePosition(file: entry.file, place),
                entity: entry.bareName, property: property))
    }
}
