package import GranaryBase
package import GranaryModel
import GranaryRecords

/// A model for the files that were profiled, with its evidence. It is a proposal: nothing is imported.
package struct ModelProposal {
    /// How the files are read, for the commands.
    package struct Options: Sendable {
        /// The path of the model.
        package var modelPath: String

        package init(modelPath: String) { self.modelPath = modelPath }
    }

    package private(set) var model = ManagedObjectModel()
    /// The evidence of entities and properties, by `Entity` and `Entity.property`.
    package private(set) var comments: [String: String] = [:]
    /// The commands that import the files, each file after those that it refers to.
    package private(set) var commands: [String] = []
    /// What the proposal could not express.
    package private(set) var warnings: [Diagnostic] = []

    private let profiler: SourceProfiler
    private let options: Options
    private var names: [String] = []
    private var taken: [Set<String>] = []
    /// The name of the property of each column, by profile and column.
    private var properties: [[Int]: String] = [:]
    private var references: [[Int]: (profile: Int, column: Int)] = [:]
    private var keys: [Int?] = []

    /// Reads the sources a second time, to find references.
    ///
    /// - Throws: ``GranaryError`` as reading throws.
    package init(
        _ profiler: SourceProfiler, options: Options, cancellation: Cancellation? = nil
    ) throws(GranaryError) {
        self.profiler = profiler
        self.options = options
        var entityNames: Set<String> = []
        // The names in the document or in options come first: the commands have them.
        names = profiler.profiles.map { _ in "" }
        for isNamed in [true, false] {
            for (index, profile) in profiler.profiles.enumerated() where profile.isNamed == isNamed {
                let isUsable = profile.isNamed && EntityDescription.mayHaveProperty(named: profile.baseName)
                let name = isUsable ? profile.baseName : ProposedNames.entity(profile.baseName)
                names[index] = ProposedNames.free(name, &entityNames)
            }
        }
        taken = profiler.profiles.map { _ in [] }
        chooseReferences(try ReferenceFinder.references(in: profiler, cancellation: cancellation))
        for profile in profiler.profiles.indices { addEntity(profile) }
        for profile in profiler.profiles.indices { addRelationships(profile) }
        for profile in profiler.profiles.indices { addConstraints(profile) }
        addCommands()
    }

    // MARK: Keys and references

    private mutating func chooseReferences(_ found: [ReferenceFinder.Reference]) {
        var candidates: [(from: [Int], target: (profile: Int, column: Int))] = found.map {
            ([$0.profile, $0.column], $0.target)
        }
        for (profile, entity) in profiler.profiles.enumerated() {
            for (column, target) in entity.declared.sorted(by: { $0.key < $1.key }) {
                candidates.append(([profile, column], target))
            }
        }
        var counts: [[Int]: Int] = [:]
        for candidate in candidates { counts[[candidate.target.profile, candidate.target.column], default: 0] += 1 }
        keys = profiler.profiles.indices.map { profile in
            let entity = profiler.profiles[profile]
            let referenced = entity.order.max { (counts[[profile, $0]] ?? 0, $1) < (counts[[profile, $1]] ?? 0, $0) }
            if let referenced, counts[[profile, referenced]] != nil { return referenced }
            if entity.isDeclared { return entity.declaredKeys.first { $0.count == 1 }?.first }
            return key(of: entity)
        }
        for candidate in candidates where keys[candidate.target.profile] == candidate.target.column {
            // The key of an entity stays an attribute, unless its values were asked to be objects.
            if keys[candidate.from[0]] == candidate.from[1] {
                guard profiler.profiles[candidate.target.profile].valuesOf != nil else { continue }
                keys[candidate.from[0]] = nil
            }
            references[candidate.from] = candidate.target
        }
    }

    /// The column that identifies the records: one with the name of a key, otherwise the first one.
    private func key(of entity: EntityProfile) -> Int? {
        if entity.parent != nil {
            guard entity.objects != nil, let column = entity.keyColumnByName, entity.isRequired(column),
                let found = entity.columns[column], ReferenceFinder.isKey(found)
            else { return nil }
            return column
        }
        let unique = entity.order.filter { column in
            guard let found = entity.columns[column] else { return false }
            return found.isUnique && entity.isRequired(column) && ReferenceFinder.isKey(found)
        }
        let named = unique.first { entity.columns[$0].map { isKeyName($0.name, entity) } ?? false }
        if let named { return named }
        return entity.count > 1 && unique.first == entity.order.first ? unique.first : nil
    }

    private func isKeyName(_ name: String, _ entity: EntityProfile) -> Bool {
        ProposedNames.isKeyName(name, entity: entity.baseName)
    }

    // MARK: Entities

    private mutating func addEntity(_ profile: Int) {
        let source = profiler.profiles[profile]
        var entity = EntityDescription(name: names[profile])
        let objects = CountText.count(source.count, source.parent == nil ? "record" : "object")
        comments[entity.name] = "\(source.place): " + (source.valuesOf.map { "the values of \"\($0)\"" } ?? objects)
        for column in source.order where references[[profile, column]] == nil {
            guard let found = source.columns[column], !found.hasObjects else { continue }
            let name = ProposedNames.free(ProposedNames.property(found.name), &taken[profile])
            properties[[profile, column]] = name
            var attribute = AttributeDescription(name: name, type: found.type ?? .string)
            if source.declaredBooleans.contains(column), found.holdsFlags { attribute.type = .boolean }
            if found.type == nil {
                warnings.append(
                    Diagnostic(
                        .modelType,
                        "the values are of several kinds, which no attribute can hold; \(entity.name).\(name) is a string",
                        severity: .warning, field: found.name))
            }
            if found.losesDigits {
                warnings.append(
                    Diagnostic(
                        .modelType,
                        "some numbers have more digits than a Double keeps, and are rounded in \(entity.name).\(name)",
                        severity: .warning, field: found.name))
            }
            if let misfit = found.misfit {
                warnings.append(
                    Diagnostic(
                        .modelType, "\(entity.name).\(name) is a string, because \(misfit)", severity: .warning,
                        field: found.name))
            }
            attribute.isOptional = !source.isRequired(column)
            if attribute.type == .string {
                attribute.maximumLength = source.declaredLengths[column].map { max($0, found.lengths.upperBound) }
            }
            if attribute.type == .transformable { attribute.valueTransformerName = "NSSecureUnarchiveFromData" }
            entity.attributes.append(attribute)
            comments["\(entity.name).\(name)"] = found.evidence
        }
        model.entities.append(entity)
        noteShared(profile)
    }

    /// Says in the comment of an entity that its objects can be those of an earlier one, in another member.
    private mutating func noteShared(_ profile: Int) {
        let source = profiler.profiles[profile]
        guard source.parent != nil else { return }
        for other in profiler.profiles.indices.prefix(profile) where profiler.profiles[other].parent != nil {
            let count = source.shared(with: profiler.profiles[other])
            guard count > 0 else { continue }
            comments[names[profile], default: ""] +=
                "; \(count) of them \(count == 1 ? "has" : "have") the key of an object of \(names[other]), whose members "
                + "have the same names: perhaps one entity"
            return
        }
    }

    private mutating func addRelationships(_ profile: Int) {
        let source = profiler.profiles[profile]
        for column in source.order {
            guard let found = source.columns[column] else { continue }
            if let target = references[[profile, column]] {
                let key = properties[[target.profile, target.column]] ?? ""
                addReference(
                    profile, column, found, to: target.profile,
                    name: referenceName(found.name, profile, target.profile),
                    comment: "\(CountText.count(found.count, "value")), all in \(names[target.profile]).\(key)")
            } else if found.hasObjects {
                let child = profiler.profiles.firstIndex {
                    $0.parent?.profile == profile && $0.parent?.column == column
                }
                guard let child else { continue }
                // Beside objects with a key, other values are keys.
                if found.valueCount != profiler.profiles[child].count, keys[child] == nil {
                    warnings.append(
                        Diagnostic(
                            .modelType,
                            "some values of \"\(Diagnostic.shortened(found.name))\" are objects, and others are not; an import rejects those",
                            severity: .warning, field: found.name, entity: names[profile]))
                }
                addReference(
                    profile, column, found, to: child, name: ProposedNames.property(found.name),
                    comment: CountText.count(found.count, found.isList ? "list" : "object")
                        + (found.isList ? ", whose order is not kept" : ""))
            }
        }
    }

    private mutating func addReference(
        _ profile: Int, _ column: Int, _ found: ColumnProfile, to target: Int, name: String, comment: String
    ) {
        let source = profiler.profiles[profile]
        let name = ProposedNames.free(name, &taken[profile])
        properties[[profile, column]] = name
        var relationship = RelationshipDescription(name: name, destination: names[target])
        relationship.maxCount = found.isList ? 0 : 1
        relationship.isOptional = found.isList || !source.isRequired(column)
        // Objects without a key are never shared.
        let isOwned = found.hasObjects && keys[target] == nil
        // Objects with a key that are in one list each belong to the record of the list.
        let hasKeys = found.valueCount != profiler.profiles[target].count
        let isInOneList = found.isList && found.hasObjects && !hasKeys && profiler.profiles[target].hasUniqueObjects
        let isSelf = profile == target
        let several = references.filter { $0.key[0] == profile && $0.value.profile == target }.count > 1
        var inverseName =
            isOwned || isInOneList
            ? ProposedNames.property(names[profile]) : isSelf ? "children" : ProposedNames.inverse(names[profile])
        if several { inverseName += "By" + name.prefix(1).uppercased() + name.dropFirst() }
        inverseName = ProposedNames.free(inverseName, &taken[target])
        var inverse = RelationshipDescription(name: inverseName, destination: names[profile], inverse: name)
        inverse.isOptional = true
        inverse.maxCount = isOwned || isInOneList ? 1 : 0
        if isOwned {
            relationship.deleteRule = .cascade
        } else if !relationship.isOptional {
            inverse.deleteRule = .deny
        }
        relationship.inverseName = inverseName
        model.entities[profile].relationships.append(relationship)
        model.entities[target].relationships.append(inverse)
        comments["\(names[profile]).\(name)"] = comment + (isInOneList && !isOwned ? ", no object is in two lists" : "")
    }

    /// `author_id` becomes `author`, `parent_code` becomes `parent`.
    private func referenceName(_ column: String, _ profile: Int, _ target: Int) -> String {
        let words = ProposedNames.words(column)
        let endings = ["id", "code", "key", "uuid", "ref", "number"]
        guard words.count > 1, let last = words.last, endings.contains(last.lowercased()) else {
            return ProposedNames.property(column)
        }
        return ProposedNames.property(words.dropLast().joined(separator: "_"))
    }

    // MARK: Constraints

    private mutating func addConstraints(_ profile: Int) {
        let source = profiler.profiles[profile]
        func names(_ columns: [Int]) -> [String]? {
            let names = columns.compactMap { column -> String? in
                guard source.columns[column]?.isList == false else { return nil }
                return properties[[profile, column]]
            }
            return names.count == columns.count ? names : nil
        }
        var constraints: [[String]] = []
        if let key = keys[profile], let name = properties[[profile, key]] { constraints.append([name]) }
        for declared in source.declaredKeys {
            if let found = names(declared), !constraints.contains(found) { constraints.append(found) }
        }
        model.entities[profile].uniquenessConstraints = constraints
    }

    // MARK: Commands

    private mutating func addCommands() {
        var done: Set<Int> = []
        var waiting = Array(profiler.sources.indices)
        while !waiting.isEmpty {
            // Of files that refer to each other in a circle, the first is imported first, and is refused.
            let next = waiting.first { source in targets(of: source).isSubset(of: done.union([source])) } ?? waiting[0]
            done.insert(next)
            waiting.removeAll { $0 == next }
            commands.append(command(for: next))
        }
    }

    private func targets(of source: Int) -> Set<Int> {
        Set(
            references.filter { profiler.profiles[$0.key[0]].source == source }.map {
                profiler.profiles[$0.value.profile].source
            })
    }

    private func command(for source: Int) -> String {
        let own = profiler.profiles.indices.filter { profiler.profiles[$0].source == source }
        let roots = own.filter { profiler.profiles[$0].isOfRecords }
        var words = ["granary", "import", profiler.sources[source].name]
        words += ["--model", options.modelPath, "--store", "Seed.sqlite"]
        if let root = roots.first, profiler.profiles[root].isDeclared {
            words += ["--table", profiler.profiles[root].baseName]
        }
        if roots.count == 1, !profiler.profiles[roots[0]].isNamed { words += ["--entity", names[roots[0]]] }
        words += profiler.words[source]
        if profiler.sourcesWithEmptyFields.contains(source), !words.contains("--empty-is-null") {
            words.append("--empty-is-null")
        }
        var needsZone = false
        for profile in own where profiler.profiles[profile].valuesOf == nil {
            for column in profiler.profiles[profile].order {
                guard let name = properties[[profile, column]], let found = profiler.profiles[profile].columns[column]
                else { continue }
                if found.type == .date, found.lacksTimeZone { needsZone = true }
                if let target = references[[profile, column]], profiler.profiles[target.profile].valuesOf != nil {
                    words += ["--on-missing", "\(name)=create"]
                }
                let folded = ProposedNames.folded(found.name)
                let fitting = taken[profile].filter { ProposedNames.folded($0) == folded }
                let isRenamed = fitting.isEmpty && ProposedNames.folded(name) == folded + "value"
                let isFound =
                    name == found.name || folded == ProposedNames.folded(name) && fitting.count == 1
                    || isRenamed && !EntityDescription.mayHaveProperty(named: folded)
                guard !isFound else { continue }
                let column = profiler.profiles[profile].parent == nil ? found.name : "\(names[profile]).\(found.name)"
                words += ["--map", "\(column)=\(name)"]
            }
        }
        if needsZone, !words.contains("--time-zone") { words += ["--time-zone", "UTC"] }
        return words.map(ShellText.quoted).joined(separator: " ")
    }
}
