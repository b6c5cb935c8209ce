import GranaryBase
import GranaryModel
import GranaryRecords

/// Finds the columns whose values are all keys of another file, or of another column of the same one.
struct ReferenceFinder {
    struct Reference {
        let profile: Int
        let column: Int
        let target: (profile: Int, column: Int)
    }

    private struct Candidate {
        let target: (profile: Int, column: Int)
        let keys: KeySet
        var isAlive = true
    }

    /// Reads the sources a second time.
    ///
    /// - Throws: ``GranaryError`` as reading throws.
    static func references(
        in profiler: SourceProfiler, cancellation: Cancellation?
    ) throws(GranaryError) -> [Reference] {
        var candidates: [[Int]: [Candidate]] = [:]
        for (profile, entity) in profiler.profiles.enumerated() where entity.valuesOf == nil {
            for column in entity.order {
                guard let found = entity.columns[column] else { continue }
                let targets = targets(of: found, (profile, column), in: profiler)
                if !targets.isEmpty { candidates[[profile, column]] = targets }
            }
        }
        guard !candidates.isEmpty else { return [] }
        var seen: [[Int]: Int] = [:]
        for source in profiler.sources.indices {
            let isUsed = candidates.keys.contains { profiler.profiles[$0[0]].source == source }
            guard isUsed, profiler.sources[source].canBeReadAgain else { continue }
            try profiler.eachValue(of: source, cancellation: cancellation) { profile, column, bytes in
                guard var list = candidates[[profile, column]] else { return }
                seen[[profile, column], default: 0] += 1
                let hash = KeySet.hash(bytes)
                var hasChanged = false
                for index in list.indices where list[index].isAlive && !list[index].keys.contains(hash) {
                    list[index].isAlive = false
                    hasChanged = true
                }
                if hasChanged { candidates[[profile, column]] = list }
            }
        }
        return candidates.keys.sorted { $0.lexicographicallyPrecedes($1) }.compactMap { place in
            // Values that were not seen again can be anything: a file can change between the readings.
            guard seen[place] == profiler.profiles[place[0]].columns[place[1]]?.valueCount,
                let target = candidates[place]?.first(where: \.isAlive)?.target
            else { return nil }
            return Reference(profile: place[0], column: place[1], target: target)
        }
    }

    /// The keys that a column could refer to, the most likely first.
    private static func targets(
        of column: ColumnProfile, _ place: (profile: Int, column: Int), in profiler: SourceProfiler
    ) -> [Candidate] {
        guard column.valueCount > 0, !column.hasObjects, !column.hasArrays else { return [] }
        let isInteger = column.isNumeral
        var result: [(rank: Int, candidate: Candidate)] = []
        for (profile, entity) in profiler.profiles.enumerated() where entity.parent == nil {
            for index in entity.order where (profile, index) != place {
                guard let key = entity.columns[index], key.isUnique, case .unique(let keys) = key.keys,
                    key.isNumeral == isInteger, isKey(key)
                else { continue }
                let isNamed = names(column.name, entity: entity, key: key.name, isSame: profile == place.profile)
                // Small numbers are keys of everything, and a unique column can have the values of another by chance.
                let isLikely =
                    !isInteger && !column.isUnique && column.lengths.lowerBound >= 2 && profile != place.profile
                guard isNamed || isLikely, column.valueCount > 1 || isNamed else { continue }
                let candidate = Candidate(target: (profile, index), keys: keys)
                result.append((isNamed ? 0 : 1, candidate))
            }
        }
        return result.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }
            .map(\.element.candidate)
    }

    static func isKey(_ column: ColumnProfile) -> Bool {
        if column.isList { return false }
        switch column.type {
        case .string, .integer32, .integer64, .uuid: return true
        default: return false
        }
    }

    /// Whether the name of a column says that it refers to the entity: `author_id`, `author`, `parent_code`.
    private static func names(_ column: String, entity: EntityProfile, key: String, isSame: Bool) -> Bool {
        let folded = ProposedNames.folded(column)
        let target = ProposedNames.folded(ProposedNames.entity(entity.baseName))
        let key = ProposedNames.folded(key)
        if isSame { return folded != key && folded.hasSuffix(key) || folded.hasPrefix("parent") }
        let plural = ProposedNames.folded(ProposedNames.inverse(target))
        let candidates = [target, plural, target + key, target + "id", target + "code", target + "key"]
        return candidates.contains { folded == $0 || folded.hasSuffix($0) && $0.utf8.count > 2 }
            || ProposedNames.names(column, entity: entity.baseName) || ProposedNames.areSameKey(column, key)
    }
}
