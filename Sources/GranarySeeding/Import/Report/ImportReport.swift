public import GranaryBase

/// What became of every record of an import. (The JSON of `--report`.)
public struct ImportReport: Sendable {
    /// The entity that was asked for, or nil where the source names its entities.
    public var entity: String?
    /// Records found. Always the sum of the five counts that follow.
    public var read = 0
    /// Objects that were made, or in a dry run would be; 0 where the import was refused.
    public var created = 0
    /// Records whose object was there and was changed, the replaced ones included.
    public var updated = 0
    /// Records whose object was there and is as they say.
    public var unchanged = 0
    /// Good records that were left out: their object was there and is to be skipped, or the import was refused.
    public var skipped = 0
    /// Records that have an error of their own, or refer to one that has.
    public var rejected = 0
    /// How many of the updated objects took defaults where their record has no column.
    public var replaced = 0
    /// Objects that look-ups made; no records, so no part of the sum.
    public var madeByLookup = 0
    /// Objects that stood inside of records; no part of the sum.
    public var nested = 0
    /// Objects that were deleted because no record names them; no part of the sum.
    public var pruned = 0
    /// The number of blank lines skipped in CSV files of one column. They are not records and not counted in ``read``.
    public var skippedBlankLines = 0
    /// How long it took.
    public var seconds = 0.0
    /// The store's path.
    public var store = ""
    /// Whether everything was taken back at the end of a dry run.
    public var isDryRun = false
    /// Whether nothing was written because something was wrong.
    public var isRefused = false
    /// The first diagnostics, as many as the limit of the run allows.
    public var diagnostics: [Diagnostic] = []
    /// How many diagnostics there were.
    public var diagnosticCount = 0
    /// How many of them were errors.
    package var errorCount = 0
    /// All diagnostics, if the run kept more than ``diagnostics`` has.
    package var allDiagnostics: DiagnosticSpool?
    /// The diagnostics that ended the run and belong to no row. They are printed last and are not limited.
    package var endings: [Diagnostic] = []
    /// All diagnostics counted by rule, entity and property, those past the limit included.
    public var rules: [DiagnosticGroup] = []
    /// The first updated, replaced and pruned objects and those that look-ups made, as many as the limit allows.
    public var changes: [ImportChange] = []
    /// How many such changes there were.
    public var changeCount = 0
    /// The run's identifier in the store's ledger; nil where it has no entry.
    public var run: String?
    /// How rows were written: `pages`, `sql`, or `pages+sql` where SQL has gone on; nil where none were.
    public var loader: String?
    /// The files that rejected records were written to.
    public var rejects: [String] = []
    /// What a user should know about the store and its model. (Not in the JSON.)
    public var storeWarnings: [Diagnostic] = []
    /// One report for each import, where the run has several.
    public var imports: [ImportReport] = []

    /// A report of nothing read.
    public init() {}

    /// The last line of every import.
    public var ledger: String {
        "read \(read) = created \(created) + updated \(updated) + unchanged \(unchanged) + skipped \(skipped) + "
            + "rejected \(rejected)"
    }
}

extension ImportReport: Codable {
    private enum CodingKeys: String, CodingKey {
        case entity, read, created, updated, unchanged, skipped, rejected, replaced, madeByLookup, nested, pruned
        case skippedBlankLines
        case seconds, store, loader, diagnostics, diagnosticCount, rules, changes, changeCount, run, rejects, imports
        case isDryRun = "dryRun"
        case isRefused = "refused"
    }

    /// Reads reports of other versions too: what is missing is 0, empty or nil.
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
        nested = try value(.nested, or: 0)
        pruned = try value(.pruned, or: 0)
        skippedBlankLines = try value(.skippedBlankLines, or: 0)
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
            // A report is input like any other: its counts may be anything.
            for group in rules where group.severity == .error { errorCount &+= group.count }
        }
    }
}

extension ImportReport {
    /// Takes over what an import has found wrong.
    mutating func take(_ intake: RecordIntake) {
        diagnostics = Self.sorted(intake.collector, files: intake.files)
        endings = intake.endings
        allDiagnostics = intake.spool
        if intake.collector.isCut {
            let known = Set(diagnostics)
            diagnostics += intake.endings.filter { !known.contains($0) }
        }
        diagnosticCount = intake.collector.count
        errorCount = intake.collector.errorCount
        var groups = DiagnosticCollector(limit: 0)
        // The first places of each rule are then the first in the files, too.
        if !intake.collector.isCut { groups.add(contentsOf: diagnostics) }
        rules = intake.collector.isCut ? intake.collector.groups : groups.groups
    }

    /// In the order of the files and their lines: what is found out at the end stands beside what was seen at once. A cut
    /// list keeps the order of finding, since what is missing from it could be anywhere.
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
