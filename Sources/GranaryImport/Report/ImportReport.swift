public import GranaryBase
public import GranaryCoordination
package import GranaryCoreDataStore

/// The result of an import: the counts of its records, its diagnostics and its changes. Its JSON is the file of
/// `--report`.
public struct ImportReport: Sendable {
    /// The entity of the job; nil if the sources name their entities.
    public var entity: String?
    /// The number of records: the sum of the next five counts.
    public var read = 0
    /// The number of records that created an object. 0 if the import was refused.
    public var created = 0
    /// The number of records that changed an existing object, including replaced ones.
    public var updated = 0
    /// The number of records whose object exists with equal values.
    public var unchanged = 0
    /// The number of valid records that were not imported, because their object exists or because the import was
    /// refused.
    public var skipped = 0
    /// The number of invalid records, including those that refer to an invalid record.
    public var rejected = 0
    /// The number of updated objects whose missing properties were set to default values.
    public var replaced = 0
    /// The number of objects that lookups created. They are not records and not counted in ``read``.
    public var madeByLookup = 0
    /// The references that were left out because there is no object with their key, by relationship. Each record is
    /// counted in ``read``.
    public var omittedReferences: [OmittedReferences] = []
    /// The number of objects nested in records. They are not counted in ``read``.
    public var nested = 0
    /// The number of objects that pruning deleted. They are not counted in ``read``.
    public var pruned = 0
    /// The objects that the run generated, by entity. They are not counted in ``read``.
    public var generated: [EntityCount] = []
    /// What the run took from other stores (``StoreImport/subsets``), in this order. Each object is a record too.
    public var subsets: [SubsetReport] = []
    /// The number of created and changed objects that were saved as objects of a registered class
    /// (``ManagedObject/importsInBulk``). All others were written in bulk.
    public var objects = 0
    /// The number of blank lines skipped in CSV files of one column. They are not records and not counted in ``read``.
    public var skippedBlankLines = 0
    /// The duration in seconds.
    public var seconds = 0.0
    /// The store's path.
    public var store = ""
    /// Whether the changes were rolled back because of a dry run.
    public var isDryRun = false
    /// Whether nothing was imported because of errors. Only a decoded report can have it: a refused import throws.
    public var isRefused = false
    /// The first diagnostics, up to the limit of the run.
    public var diagnostics: [Diagnostic] = []
    /// The number of all diagnostics.
    public var diagnosticCount = 0
    /// The number of errors among them.
    package var errorCount = 0
    /// All diagnostics, if the run kept them.
    package var allDiagnostics: DiagnosticSpool?
    /// The diagnostics that ended the run and belong to no row. They are printed last and are not limited.
    package var endings: [Diagnostic] = []
    /// The counts of all diagnostics by rule, entity and property.
    public var rules: [DiagnosticGroup] = []
    /// The first updated, replaced and pruned objects and those that lookups created, up to the limit of the run.
    public var changes: [ImportChange] = []
    /// The number of all such changes.
    public var changeCount = 0
    /// The run's identifier in the store's ledger; nil if the run is not recorded there.
    public var run: String?
    /// The loader that wrote rows: `pages`, `sql`, or `pages+sql`; nil if no row was written.
    public var loader: String?
    /// The paths of the rejects files.
    public var rejects: [String] = []
    /// The relationships that contain objects in rejected records which were written as a table. They are not part of the
    /// JSON.
    package var rejectedObjects: [String] = []
    /// Warnings about the store and its model. They are not part of the JSON.
    public var storeWarnings: [Diagnostic] = []
    /// Whether the run changed the store. It is not part of the JSON.
    package var changesStore = false
    /// What the run did to ship the store; nil if it was not to be shipped. It is not part of the JSON.
    package var shipping: ShippingReport?
    /// The reports of the jobs, if the run has several.
    public var imports: [ImportReport] = []

    /// An empty report.
    package init() {}

    /// The counts as one line, the last line of output of an import.
    public var ledger: String {
        "read \(read) = created \(created) + updated \(updated) + unchanged \(unchanged) + skipped \(skipped) + "
            + "rejected \(rejected)"
    }
}

extension ImportReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case entity, read, created, updated, unchanged, skipped, rejected, replaced, madeByLookup, nested, pruned
        case skippedBlankLines, objects, generated, subsets, omittedReferences
        case seconds, store, loader, diagnostics, diagnosticCount, rules, changes, changeCount, run, rejects, imports
        case isDryRun = "dryRun"
        case isRefused = "refused"
    }

    /// Decodes a report. Missing values, as in reports of other versions, are 0, empty or nil.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func value<Value: Decodable>(_ key: CodingKeys, or fallback: Value) throws -> Value {
            try container.decodeIfPresent(Value.self, forKey: key) ?? fallback
        }
        entity = try container.decodeIfPresent(String.self, forKey: .entity)
        read = try value(.read, or: 0)
        created = try value(.created, or: 0)
        updated = try value(.updated, or: 0)
        unchanged = try value(.unchanged, or: 0)
        skipped = try value(.skipped, or: 0)
        rejected = try value(.rejected, or: 0)
        replaced = try value(.replaced, or: 0)
        madeByLookup = try value(.madeByLookup, or: 0)
        omittedReferences = try value(.omittedReferences, or: [])
        nested = try value(.nested, or: 0)
        pruned = try value(.pruned, or: 0)
        skippedBlankLines = try value(.skippedBlankLines, or: 0)
        objects = try value(.objects, or: 0)
        generated = try value(.generated, or: [])
        subsets = try value(.subsets, or: [])
        seconds = try value(.seconds, or: 0)
        store = try value(.store, or: "")
        loader = try container.decodeIfPresent(String.self, forKey: .loader)
        isDryRun = try value(.isDryRun, or: false)
        isRefused = try value(.isRefused, or: false)
        diagnostics = try value(.diagnostics, or: [])
        diagnosticCount = try value(.diagnosticCount, or: diagnostics.count)
        rules = try value(.rules, or: [])
        changes = try value(.changes, or: [])
        changeCount = try value(.changeCount, or: changes.count)
        run = try container.decodeIfPresent(String.self, forKey: .run)
        rejects = try value(.rejects, or: [])
        imports = try value(.imports, or: [])
        errorCount = diagnostics.count { $0.severity == .error }
        if !rules.isEmpty {
            errorCount = 0
            // Wrapping addition, because the counts of an edited report can be any numbers.
            for group in rules where group.severity == .error { errorCount &+= group.count }
        }
    }
}

extension ImportReport {
    /// Sets the diagnostics of an import.
    mutating func take(_ problems: ImportProblems, files: [String]) {
        diagnostics = Self.sorted(problems.collector, files: files)
        endings = problems.endings
        allDiagnostics = problems.spool
        if problems.collector.isCut {
            let known = Set(diagnostics)
            diagnostics += problems.endings.filter { !known.contains($0) }
        }
        diagnosticCount = problems.collector.count
        errorCount = problems.collector.errorCount
        var groups = DiagnosticCollector(limit: 0)
        // Grouped in sorted order, so that the first places of each rule are the first in the files.
        if !problems.collector.isCut { groups.add(contentsOf: diagnostics) }
        rules = problems.collector.isCut ? problems.collector.groups : groups.groups
    }

    /// The diagnostics in the order of files and lines. An incomplete list keeps the order in which they were found.
    private static func sorted(_ collector: DiagnosticCollector, files: [String]) -> [Diagnostic] {
        guard !collector.isCut else { return collector.diagnostics }
        let places = Dictionary(files.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        func key(_ diagnostic: Diagnostic) -> (Int, Int, Int) {
            guard let position = diagnostic.position else { return (.max, 0, 0) }
            return (places[position.file] ?? .max - 1, position.line, position.column)
        }
        return collector.diagnostics.enumerated().sorted { left, right in
            let (one, other) = (key(left.element), key(right.element))
            return one == other ? left.offset < right.offset : one < other
        }.map(\.element)
    }
}

extension ImportReport: CustomStringConvertible {
    /// The ``ledger``, then a line for each kept diagnostic and the number of the others.
    public var description: String {
        let more = diagnosticCount - diagnostics.count
        return
            ([ledger] + diagnostics.map(\.description)
            + (more > 0 ? ["and \(CountText.count(more, "more diagnostic"))"] : [])).joined(separator: "\n")
    }
}
