/// The result for one file.
struct SurveyLine: Encodable {
    enum Kind: String, Encodable { case model, store }

    let kind: Kind
    let path: String
    /// The reason why the file could not be read; nil if it was read.
    var error: String?
    var milliseconds: Double = 0
    var peakBytes = 0
    /// The number of the reader's diagnostics of all severities.
    var warnings = 0
    var model: ModelFigures?
    var store: StoreFigures?
    /// The suffixes of the files that reading changed, created or removed: `""`, `"-wal"`, …
    var changedFiles: [String] = []

    init(_ kind: Kind, _ path: String) {
        self.kind = kind
        self.path = path
    }

    /// Whether the file was read correctly.
    var isGood: Bool {
        error == nil && changedFiles.isEmpty && (model?.isGood ?? true) && (store?.isGood ?? true)
    }
}

/// The result of reading one model.
struct ModelFigures: Encodable {
    enum HashAnswer: String, Encodable { case equal, different, unknown }

    var entities: Int
    /// The number of problems for which the model cannot be resolved.
    var problems = 0
    /// The difference after writing and reading; nil if there is none, or the model could not be resolved.
    var roundTripProblem: String?
    var hash = HashAnswer.unknown

    /// Problems of the model do not count.
    var isGood: Bool { roundTripProblem == nil && hash != .different }
}

/// The result of reading one store twice.
struct StoreFigures: Encodable {
    /// The source of the model: `given`, `cache` or `inferred`.
    var modelSource: String
    var frameworkVersion: Int64?
    var entities: Int
    /// The number of rows in the tables of entities, by `COUNT(*)`.
    var storedRows: Int64 = 0
    var compared = ComparisonCounts()
    /// The numbers of findings of the store check, by code.
    var findings: [String: Int] = [:]

    var isGood: Bool { compared.unequal == 0 && compared.failures == 0 }
}

/// The result of comparing Granary's reading with plain SQL.
struct ComparisonCounts: Encodable {
    /// The limit on examples per store.
    private static let exampleLimit = 5

    var rows = 0
    /// Attribute values and references, NULL included.
    var values = 0
    var links = 0
    /// Rows, values and links that differ.
    var unequal = 0
    /// Values that do not have the attribute's type in either reading.
    var invalid = 0
    /// Rows that cannot be read because an external data file is missing.
    var rowsWithoutFile = 0
    /// Links to missing rows.
    var dangling = 0
    /// To-many relationships whose join table was not recognised.
    var uncompared = 0
    /// Rows and relationships that could not be read.
    var failures = 0
    private(set) var examples: [String] = []

    mutating func addUnequal(_ example: @autoclosure () -> String) {
        unequal += 1
        if examples.count < Self.exampleLimit { examples.append(example()) }
    }

    mutating func addFailure(_ example: @autoclosure () -> String) {
        failures += 1
        if examples.count < Self.exampleLimit { examples.append(example()) }
    }

    mutating func add(_ other: ComparisonCounts) {
        rows += other.rows
        values += other.values
        links += other.links
        unequal += other.unequal
        invalid += other.invalid
        rowsWithoutFile += other.rowsWithoutFile
        dangling += other.dangling
        uncompared += other.uncompared
        failures += other.failures
        examples += other.examples.prefix(max(0, Self.exampleLimit - examples.count))
    }
}
