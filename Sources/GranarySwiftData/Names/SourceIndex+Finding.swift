extension SourceIndex {
    /// What a name means at a place.
    enum Found {
        /// Types of that name: several if two files declare it, or if `#if` decides.
        case types([SourceTypeID])
        /// A typealias for a type without a name, such as `[String]`, with the names around the typealias.
        case alias(SourceType, scope: [String])
        /// Typealiases that name each other.
        case cycle
        case nothing

        var ids: [SourceTypeID] {
            guard case .types(let ids) = self else { return [] }
            return ids
        }
    }

    /// The modules whose names can precede those of their types.
    static let modules: Set<String> = [
        "Swift", "Foundation", "SwiftData", "SwiftUI", "CoreGraphics", "CoreLocation", "UIKit", "AppKit",
    ]
    /// The maximum number of typealiases on the way to a type.
    private static let aliasLimit = 64

    /// The first part of a name with dots that is neither a type nor a module of the SDK: it is the module of the
    /// sources, or that of other sources.
    func module(in name: String, from scope: [String]) -> String? {
        let parts = name.split(separator: ".").map(String.init)
        guard let first = parts.first, parts.count > 1, !Self.modules.contains(first),
            findFirst([first], from: scope) == nil
        else { return nil }
        return first
    }

    /// Finds the type that a name with dots means inside the types of `scope`: the innermost type that has the first
    /// part, then its members. A name that starts with that of an unknown module is found without it.
    func find(_ components: [String], from scope: [String]) -> Found {
        var components = components
        var scope = scope
        // The type of the last typealias, which can be one of Swift or of the SDK.
        var alias: (type: SourceType, scope: [String])?
        for _ in 0..<Self.aliasLimit {
            guard let (found, rest) = findFirst(components, from: scope) else {
                // The name of the app's own module is not known here.
                guard components.count > 1, !Self.modules.contains(components[0]),
                    findFirst([components[0]], from: scope) == nil
                else {
                    return alias.map { .alias($0.type, scope: $0.scope) } ?? .nothing
                }
                components.removeFirst()
                scope = []
                continue
            }
            let typealiases = found.filter { self[$0].kind == .typealias }
            guard let first = typealiases.first, typealiases.count == found.count else {
                return rest.isEmpty ? .types(found) : .nothing
            }
            // `#if` or two files decide which typealias is meant.
            guard typealiases.count == 1 else { return rest.isEmpty ? .types(found) : .nothing }
            let outside = Array(self[first].path.dropLast())
            switch self[first].declaration.aliased {
            case .named(let name, let arguments)? where arguments.isEmpty:
                alias = rest.isEmpty ? (.named(name, []), outside) : nil
                components = name.split(separator: ".").map(String.init) + rest
                // `typealias Trip = Trip` in a type means the outer one.
                scope = components.first == self[first].bareName ? Array(outside.dropLast()) : outside
            case let type? where rest.isEmpty: return .alias(type, scope: outside)
            default: return .nothing
            }
        }
        return .cycle
    }

    /// The types of the longest part of the name that is known, and the rest of the name, which begins behind a
    /// typealias.
    private func findFirst(
        _ components: [String], from scope: [String]
    ) -> (found: [SourceTypeID], rest: [String])? {
        guard let name = components.first else { return nil }
        for length in stride(from: scope.count, through: 0, by: -1) {
            var path = Array(scope.prefix(length)) + [name]
            guard var found = ids[path.joined(separator: ".")] else { continue }
            for (index, next) in components.enumerated().dropFirst() {
                if found.allSatisfy({ self[$0].kind == .typealias }) { return (found, Array(components[index...])) }
                path.append(next)
                guard let inner = ids[path.joined(separator: ".")] else { return nil }
                found = inner
            }
            return (found, [])
        }
        return nil
    }
}
