/// What was found out about one file.
struct SurveyLine: Encodable {
    enum Kind: String, Encodable { case model, store }

    let kind: Kind
    let path: String
    /// Why it could not be read; nil where it was.
    var error: String?
    var milliseconds: Double = 0
    var peakBytes = 0
    /// Diagnostics of the reader, all severities.
    var warnings = 0
    var model: ModelFigures?
    var store: StoreFigures?
    /// The ends of the names of files that reading has changed, made or removed: `""`, `"-wal"`, …
    var changedFiles: [String] = []

    init(_ kind: Kind, _ path: String) {
        self.kind = kind
        self.path = path
    }

    /// Whether it was read, and read right.
    var isGood: Bool {
        error == nil && changedFiles.isEmpty && (model?.isGood ?? true) && (store?.isGood ?? true)
    }
}

/// What came of reading one model.
struct ModelFigures: Encodable {
    enum HashAnswer: String, Encodable { case equal, different, unknown }

    var entities: Int
    /// Problems that keep it from being resolved.
    var problems = 0
    /// What the written and read model differs in; nil where it is the same, or the model could not be resolved.
    var roundTripProblem: String?
    var hash = HashAnswer.unknown

    /// A model may have problems of its own; they are counted.
    var isGood: Bool { roundTripProblem == nil && hash != .different }
}

/// What came of reading one store twice.
struct StoreFigures: Encodable {
    /// Where the model comes from: `given`, `cache` or `inferred`.
    var modelSource: String
    var frameworkVersion: Int64?
    var entities: Int
    /// Rows in the tables of entities, by `COUNT(*)`.
    var storedRows: Int64 = 0
    var compared = ComparisonCounts()
    /// Findings of the check, by code.
    var findings: [String: Int] = [:]

    var isGood: Bool { compared.unequal == 0 && compared.failures == 0 }
}

/// What came of comparing Granary's reading with plain SQL.
struct ComparisonCounts: Encodable {
    /// How many examples a store gets.
    private static let exampleLimit = 5

    var rows = 0
    /// Attribute values and references, NULL included.
    var values = 0
    var links = 0
    /// Rows, values and links that differ.
    var unequal = 0
    /// What is of another type than its attribute, for both readings alike.
    var invalid = 0
    /// Rows that cannot be read because a file with external data is not there.
    var rowsWithoutFile = 0
    /// Links that lead to no row.
    var dangling = 0
    /// To-many relationships whose join table was not recognised here.
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
