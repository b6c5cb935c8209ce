import GranaryBase

/// The places of new entries in a list, checked before the list is changed: the objects of a section must be together.
struct ResultsInsertion {
    /// A place between kept entries.
    struct Gap: Equatable {
        let section: String
        /// The number of kept entries of the section before it.
        let item: Int
    }

    /// The place of each entry among the kept ones, in the order of the entries.
    private(set) var gaps: [Gap] = []
    /// The entries for present sections, by the number of the section.
    private var additions: [Int: [(item: Int, entry: ResultsEntry)]] = [:]
    /// The new sections, with the number of the present section before which each belongs.
    private var newRuns: [(boundary: Int, name: String, entries: [ResultsEntry])] = []
    /// The boundary where the last entry belongs, if it begins or continues no earlier section.
    private var openBoundary: Int?

    /// - Parameters:
    ///   - entries: in order.
    ///   - list: the list without empty sections.
    /// - Throws: ``GranaryError`` with code `usage` if a section is not in one piece.
    init(_ entries: [ResultsEntry], into list: ResultsList) throws(GranaryError) {
        guard !entries.isEmpty else { return }
        var names = Set(list.isSectioned ? list.runs.map(\.name) : [])
        for entry in entries {
            let place = list.place(of: entry)
            guard list.isSectioned else {
                add(entry, to: 0, place.item, of: list)
                continue
            }
            if place.section >= 0, place.item < list.runs[place.section].entries.count {
                guard list.runs[place.section].name == entry.section else { throw Self.scattered(entry) }
                add(entry, to: place.section, place.item, of: list)
                continue
            }
            try addAtBoundary(entry, place.section + 1, list, &names)
        }
    }

    /// Adds an entry between two sections, or at the beginning or end.
    private mutating func addAtBoundary(
        _ entry: ResultsEntry, _ boundary: Int, _ list: ResultsList, _ names: inout Set<String>
    ) throws(GranaryError) {
        let isOpen = openBoundary == boundary
        if boundary > 0, list.runs[boundary - 1].name == entry.section {
            guard !isOpen else { throw Self.scattered(entry) }
            return add(entry, to: boundary - 1, list.runs[boundary - 1].entries.count, of: list)
        }
        // Entries before this one at the same boundary may belong to new sections, later ones may not.
        if boundary < list.runs.count, list.runs[boundary].name == entry.section {
            add(entry, to: boundary, 0, of: list)
            openBoundary = boundary
            return
        }
        if isOpen, let last = newRuns.indices.last, newRuns[last].boundary == boundary, additions[boundary] == nil,
            newRuns[last].name == entry.section
        {
            newRuns[last].entries.append(entry)
        } else {
            guard additions[boundary] == nil, names.insert(entry.section).inserted else { throw Self.scattered(entry) }
            newRuns.append((boundary, entry.section, [entry]))
        }
        openBoundary = boundary
        gaps.append(Gap(section: entry.section, item: 0))
    }

    private mutating func add(_ entry: ResultsEntry, to section: Int, _ item: Int, of list: ResultsList) {
        additions[section, default: []].append((item, entry))
        gaps.append(Gap(section: list.runs[section].name, item: item))
    }

    func insert(into runs: inout [ResultsRun]) {
        for (section, entries) in additions { runs[section].insert(entries) }
        guard !newRuns.isEmpty else { return }
        var all: [ResultsRun] = []
        all.reserveCapacity(runs.count + newRuns.count)
        var next = 0
        for new in newRuns {
            all += runs[next..<new.boundary]
            all.append(ResultsRun(name: new.name, entries: new.entries))
            next = new.boundary
        }
        all += runs[next...]
        runs = all
    }

    private static func scattered(_ entry: ResultsEntry) -> GranaryError {
        GranaryError(
            .usage,
            "\(entry.object) interrupts a section or continues one that has ended (\"\(entry.section)\"): sort the "
                + "results by the section key path first")
    }
}
