public import GranaryBase

extension ResultsChange {
    /// Applies the change to a copy of the earlier results: removes the deleted and moved objects at their old places,
    /// the last one first, then the deleted sections; inserts the new sections, then the inserted and moved objects at
    /// their new places, the first one first; and replaces the updated objects at their new places.
    ///
    /// - Complexity: O(*n* + *c* log *c*) for *c* changes of *n* objects.
    /// - Throws: ``GranaryError`` with code `usage` if the change does not belong to these results. They are unchanged
    ///   then.
    public func apply(to sections: inout [ResultsSection<Element>]) throws(GranaryError) {
        var result = sections
        let gone = objectChanges.filter { $0.kind == .delete || $0.kind == .move }.compactMap(\.indexPath)
        for (section, paths) in Dictionary(grouping: gone, by: \.section) {
            guard result.indices.contains(section) else { throw Self.mismatch(section) }
            let items = Set(paths.map(\.item))
            guard items.allSatisfy(result[section].objects.indices.contains) else { throw Self.mismatch(section) }
            let kept = result[section].objects.enumerated().filter { !items.contains($0.offset) }
            result[section].objects = kept.map(\.element)
        }
        for section in sectionChanges.filter({ $0.kind == .delete }).map(\.index).sorted(by: >) {
            guard result.indices.contains(section), result[section].objects.isEmpty else {
                throw Self.mismatch(section)
            }
            result.remove(at: section)
        }
        for section in sectionChanges.filter({ $0.kind == .insert }).sorted(by: { $0.index < $1.index }) {
            guard section.index >= 0, section.index <= result.count else { throw Self.mismatch(section.index) }
            result.insert(ResultsSection(name: section.name), at: section.index)
        }
        for (section, coming) in Dictionary(grouping: placedElements { $0 != .update }, by: \.path.section) {
            guard result.indices.contains(section) else { throw Self.mismatch(section) }
            result[section].objects = try Self.merged(result[section].objects, coming)
        }
        for (path, element) in placedElements({ $0 == .update }) {
            guard result.indices.contains(path.section), result[path.section].objects.indices.contains(path.item)
            else { throw Self.mismatch(path.section) }
            result[path.section].objects[path.item] = element
        }
        sections = result
    }

    /// The elements of changes with their new places.
    private func placedElements(_ isWanted: (Kind) -> Bool) -> [(path: ResultsIndexPath, element: Element)] {
        objectChanges.filter { isWanted($0.kind) }.compactMap { change in
            change.newIndexPath.flatMap { path in change.element.map { (path: path, element: $0) } }
        }
    }

    /// Inserts elements at the places that they have afterwards.
    private static func merged(
        _ objects: [Element], _ coming: [(path: ResultsIndexPath, element: Element)]
    ) throws(GranaryError) -> [Element] {
        var all: [Element] = []
        all.reserveCapacity(objects.count + coming.count)
        var rest = objects[...]
        for (path, element) in coming.sorted(by: { $0.path < $1.path }) {
            let missing = path.item - all.count
            guard missing >= 0, missing <= rest.count else { throw mismatch(path.section) }
            all += rest.prefix(missing)
            rest = rest.dropFirst(missing)
            all.append(element)
        }
        return all + rest
    }

    private static func mismatch(_ section: Int) -> GranaryError {
        GranaryError(
            .usage,
            "the change does not belong to these results: section \(section) differs; read the results again")
    }
}
