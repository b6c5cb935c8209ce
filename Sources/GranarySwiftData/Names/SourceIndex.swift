import GranaryBase

/// All types of the sources by their names, with Swift's rules for finding a name from a place.
struct SourceIndex {
    private(set) var entries: [SourceTypeEntry] = []
    private(set) var ids: [String: [SourceTypeID]] = [:]
    let conditions: ConditionValues

    init(_ listing: SourceListing, conditions: ConditionValues) {
        self.conditions = conditions
        var extensions: [(declaration: SourceDeclaration, scope: [String])] = []
        for file in listing.files {
            add(file.declarations, in: [], file.path, isConditional: false, &extensions)
        }
        add(&extensions, listing)
    }

    subscript(id: SourceTypeID) -> SourceTypeEntry { entries[id.index] }

    /// The types that an entity can come from, in the order of the sources.
    var models: [SourceTypeID] { all { $0.isModel } }

    func all(where isWanted: (SourceTypeEntry) -> Bool) -> [SourceTypeID] {
        entries.indices.filter { isWanted(entries[$0]) }.map(SourceTypeID.init)
    }

    // Iterative, because sources determine the depth.
    private mutating func add(
        _ declarations: [SourceDeclaration], in scope: [String], _ file: String, isConditional: Bool,
        _ extensions: inout [(declaration: SourceDeclaration, scope: [String])]
    ) {
        var open = declarations.reversed().map { (declaration: $0, scope: scope, isConditional: isConditional) }
        while let (declaration, scope, outer) = open.popLast() {
            let holds = conditions.value(declaration.conditions)
            if holds == false { continue }
            let isConditional = outer || holds == nil
            if declaration.kind == .extension {
                var held = declaration
                held.conditions = isConditional ? declaration.conditions : []
                held.variables.removeAll { conditions.value($0.conditions) == false }
                extensions.append((held, [file]))
                continue
            }
            let path = scope + [declaration.name]
            let id = SourceTypeID(index: entries.count)
            // What `#if` excludes is not there.
            var declaration = declaration
            declaration.variables.removeAll { conditions.value($0.conditions) == false }
            declaration.cases.removeAll { conditions.value($0.conditions) == false }
            entries.append(
                SourceTypeEntry(path: path, file: file, declaration: declaration, isConditional: isConditional))
            ids[path.joined(separator: "."), default: []].append(id)
            open += declaration.members.reversed().map { ($0, path, isConditional) }
        }
    }

    /// Adds extensions to their types. A type can be declared in an extension that comes later, so this repeats until
    /// nothing new is found; extensions of types of the SDK keep their name.
    private mutating func add(
        _ extensions: inout [(declaration: SourceDeclaration, scope: [String])], _ listing: SourceListing
    ) {
        var open = extensions
        var isLast = false
        while !open.isEmpty {
            var rest: [(declaration: SourceDeclaration, scope: [String])] = []
            var nested: [(declaration: SourceDeclaration, scope: [String])] = []
            for item in open {
                let file = item.scope.first ?? ""
                let components = item.declaration.name.split(separator: ".").map(String.init)
                let target = find(components, from: []).ids
                guard let first = target.first else {
                    guard isLast else {
                        rest.append(item)
                        continue
                    }
                    add(item.declaration.members, in: components, file, isConditional: false, &nested)
                    continue
                }
                for id in target { entries[id.index].extensions.append(item.declaration) }
                add(
                    item.declaration.members, in: self[first].path, file,
                    isConditional: !item.declaration.conditions.isEmpty, &nested)
            }
            isLast = rest.count == open.count
            open = rest + nested
        }
    }
}
