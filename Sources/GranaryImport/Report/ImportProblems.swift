import GranaryBase
import GranaryRecords

/// The problems of an import and the records that are rejected because of them. Each phase adds to it.
final class ImportProblems {
    private let jobs: [ResolvedJob]
    private let maximumRejects: Int?
    /// Whether valid rows are stored if others are rejected (keep-good).
    let keepsGood: Bool
    private(set) var collector: DiagnosticCollector
    /// All diagnostics, if the run keeps them.
    let spool: DiagnosticSpool?
    let rejectsFile: RejectsFile?
    /// Whether there is an error that belongs to no row. Nothing is then imported in either mode.
    private(set) var isFatal = false
    /// The first diagnostics that belong to no row.
    private(set) var endings: [Diagnostic] = []
    private static let endingLimit = 20

    init(_ run: ImportRunOptions, jobs: [ResolvedJob], rejectsFile: RejectsFile?) {
        self.jobs = jobs
        self.rejectsFile = rejectsFile
        maximumRejects = run.maximumRejects
        keepsGood = run.mode == .keepGood
        collector = DiagnosticCollector(limit: run.diagnosticLimit)
        spool = run.keepsAllDiagnostics ? DiagnosticSpool() : nil
    }

    var rejectedCount: Int { jobs.reduce(0) { $0 + $1.rejectedCount } }

    /// Whether nothing will be imported.
    var isRefused: Bool {
        if isFatal { return true }
        guard keepsGood else { return collector.errorCount > 0 }
        return maximumRejects.map { rejectedCount > $0 } ?? false
    }

    /// The number of the source that is being read; nil if none is.
    var source: Int32?

    /// - Parameter source: the source of the record; nil for the one that is being read.
    func add(_ diagnostic: Diagnostic, of source: Int32? = nil) {
        collector.add(diagnostic)
        spool?.add(diagnostic)
        rejectsFile?.note(diagnostic, source: (source ?? self.source).map { Int($0) })
    }

    /// Adds a problem that belongs to no row. An error refuses the import.
    func addFatal(_ diagnostic: Diagnostic) {
        add(diagnostic)
        guard diagnostic.severity == .error else { return }
        isFatal = true
        if endings.count < Self.endingLimit { endings.append(diagnostic) }
    }

    /// Refuses the import because of problems that were added.
    func refuse() { isFatal = true }

    /// Counts a record as rejected.
    func reject(file: Int32, record: Int, of job: ResolvedJob) {
        job.counts.rejected[file, default: RejectedRecords()].insert(record)
    }

    /// Refuses the import if more records are rejected than its options allow.
    func checkMaximum() {
        guard keepsGood, let maximum = maximumRejects, rejectedCount > maximum else { return }
        addFatal(
            Diagnostic(
                .limitExceeded, "\(rejectedCount) records are rejected; the limit is \(maximum)",
                help: "--max-rejects \(rejectedCount)"))
    }
}
