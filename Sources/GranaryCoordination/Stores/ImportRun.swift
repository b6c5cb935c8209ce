import GranaryPropertyLists

/// What a store's ledger keeps of one import (``ImportLedger``). No dates: the same input gives the same bytes.
package struct ImportRun: Sendable, Hashable {
    /// A file that was read, and the SHA-256 of its bytes.
    package struct Source: Sendable, Hashable {
        package var name: String
        package var digest: String

        package init(name: String, digest: String) {
            self.name = name
            self.digest = digest
        }
    }

    /// What became of the rows, and which objects no row of their own stands for.
    package struct Counts: Sendable, Hashable {
        package var read = 0
        package var created = 0
        package var updated = 0
        package var unchanged = 0
        package var skipped = 0
        package var rejected = 0
        package var pruned = 0
        package var madeByLookup = 0

        package init() {}

        /// Name and value, in the order in which they are written.
        package var entries: [(name: String, value: Int)] {
            [
                ("read", read), ("created", created), ("updated", updated), ("unchanged", unchanged),
                ("skipped", skipped), ("rejected", rejected), ("pruned", pruned), ("madeByLookup", madeByLookup),
            ]
        }
    }

    /// `run-` and a number, one more than that of the run before.
    package var id: String
    package var counts: Counts
    package var sources: [Source]
    /// How many sources the ledger had no room for.
    package internal(set) var sourcesLeftOut = 0
    /// Whether before-images were kept, so that the run can be taken back.
    package var isRevertible: Bool

    package init(id: String, counts: Counts, sources: [Source], isRevertible: Bool) {
        self.id = id
        self.counts = counts
        self.sources = sources
        self.isRevertible = isRevertible
    }
}

extension ImportRun {
    var propertyList: PropertyListValue {
        var entries = [PropertyListEntry("id", .string(id))]
        entries += counts.entries.map { PropertyListEntry($0.name, .integer(Int64($0.value))) }
        entries.append(PropertyListEntry("revertible", .boolean(isRevertible)))
        entries.append(
            PropertyListEntry(
                "sources",
                .array(
                    sources.map { source in
                        .dictionary([
                            PropertyListEntry("name", .string(source.name)),
                            PropertyListEntry("digest", .string(source.digest)),
                        ])
                    })))
        if sourcesLeftOut > 0 {
            entries.append(PropertyListEntry("sourcesLeftOut", .integer(Int64(sourcesLeftOut))))
        }
        return .dictionary(entries)
    }

    /// Nil where the value is no run of ours.
    init?(_ value: PropertyListValue) {
        func count(_ name: String) -> Int? {
            guard let number = value[name]?.integer, number >= 0 else { return nil }
            return Int(exactly: number)
        }
        guard let id = value["id"]?.string, let isRevertible = value["revertible"]?.boolean,
            let sources = value["sources"]?.array, let read = count("read"), let created = count("created"),
            let updated = count("updated"), let unchanged = count("unchanged"), let skipped = count("skipped"),
            let rejected = count("rejected"), let pruned = count("pruned"), let madeByLookup = count("madeByLookup")
        else { return nil }
        var counts = Counts()
        counts.read = read
        counts.created = created
        counts.updated = updated
        counts.unchanged = unchanged
        counts.skipped = skipped
        counts.rejected = rejected
        counts.pruned = pruned
        counts.madeByLookup = madeByLookup
        self.init(id: id, counts: counts, sources: [], isRevertible: isRevertible)
        for source in sources {
            guard let name = source["name"]?.string, let digest = source["digest"]?.string else { return nil }
            self.sources.append(Source(name: name, digest: digest))
        }
        sourcesLeftOut = count("sourcesLeftOut") ?? 0
    }
}
