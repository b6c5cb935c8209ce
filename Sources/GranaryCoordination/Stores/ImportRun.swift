public import Foundation
import GranaryPropertyLists

/// The record of one import in a store's ledger (``ImportLedger``). In a store to ship it has no date, so that the same
/// input gives the same bytes.
public struct ImportRun: Sendable, Hashable {
    /// A source file and the SHA-256 of its bytes.
    public struct Source: Sendable, Hashable {
        /// The path or name of the source.
        public var name: String
        /// The SHA-256 of its bytes in hexadecimal.
        public var digest: String

        package init(name: String, digest: String) {
            self.name = name
            self.digest = digest
        }
    }

    /// The counts of rows by result, and of objects without a row.
    public struct Counts: Sendable, Hashable {
        /// Records found.
        public var read = 0
        /// Records that became new objects.
        public var created = 0
        /// Records that changed an object.
        public var updated = 0
        /// Records whose object already had the same values.
        public var unchanged = 0
        /// Valid records that were left out.
        public var skipped = 0
        /// Records with errors.
        public var rejected = 0
        /// Objects deleted because no record mentions them.
        public var pruned = 0
        /// Objects that look-ups created.
        public var madeByLookup = 0

        package init() {}

        /// Name and value, in the order in which they are written.
        public var entries: [(name: String, value: Int)] {
            Self.fields.map { ($0.name, self[keyPath: $0.value]) }
        }

        fileprivate static var fields: [(name: String, value: WritableKeyPath<Counts, Int>)] {
            [
                ("read", \.read), ("created", \.created), ("updated", \.updated), ("unchanged", \.unchanged),
                ("skipped", \.skipped), ("rejected", \.rejected), ("pruned", \.pruned),
                ("madeByLookup", \.madeByLookup),
            ]
        }
    }

    /// `run-` and a number that is one higher than the last run's.
    public var id: String
    /// The results of its records.
    public var counts: Counts
    /// The sources that it read.
    public var sources: [Source]
    /// The number of sources that did not fit into the ledger.
    public internal(set) var sourcesLeftOut = 0
    /// When it happened, in whole seconds; nil in a store to ship, and if the date was not recorded.
    public var date: Date?
    /// Whether before-images were kept, so that the run can be reverted.
    public var isRevertible: Bool

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
        if let date, let seconds = Int64(exactly: date.timeIntervalSinceReferenceDate.rounded(.down)) {
            entries.append(PropertyListEntry("date", .integer(seconds)))
        }
        if sourcesLeftOut > 0 {
            entries.append(PropertyListEntry("sourcesLeftOut", .integer(Int64(sourcesLeftOut))))
        }
        return .dictionary(entries)
    }

    /// Nil if the value is not a run in this format.
    init?(_ value: PropertyListValue) {
        func count(_ name: String) -> Int? {
            guard let number = value[name]?.integer, number >= 0 else { return nil }
            return Int(exactly: number)
        }
        guard let id = value["id"]?.string, let isRevertible = value["revertible"]?.boolean,
            let sources = value["sources"]?.array
        else { return nil }
        var counts = Counts()
        for field in Counts.fields {
            guard let number = count(field.name) else { return nil }
            counts[keyPath: field.value] = number
        }
        self.init(id: id, counts: counts, sources: [], isRevertible: isRevertible)
        for source in sources {
            guard let name = source["name"]?.string, let digest = source["digest"]?.string else { return nil }
            self.sources.append(Source(name: name, digest: digest))
        }
        sourcesLeftOut = count("sourcesLeftOut") ?? 0
        date = value["date"]?.integer.map { Date(timeIntervalSinceReferenceDate: Double($0)) }
    }
}
