import ArgumentParser
import Foundation
import GranaryBase
import GranaryCoordination
import GranaryCoreDataStore
import GranaryPostgreSQL

/// `granary store runs`: lists the imports into a store and removes old data to revert them.
struct StoreRunsCommand: InterruptibleCommand, DiagnosticPrinting {
    static let configuration = CommandConfiguration(
        commandName: "runs",
        abstract: "Lists the imports into a store, and removes data to revert old ones.",
        discussion: HelpText.paragraphs(
            """
            The store's file is not changed. The list has the runs of the ledger, oldest first, with their dates, counts
            and sources, and the bytes with which a run can be reverted: beside the store, or in the database. --keep
            removes these bytes of all runs but the newest ones; these runs stay in the ledger and cannot be reverted any
            more.

            Examples:
              granary store runs Seed.sqlite
              granary store runs Seed.sqlite --keep 7
            """))

    @OptionGroup var input: StoreInput

    @Option(
        help: ArgumentHelp(
            "Remove the data to revert all runs but the newest n that have such data.", valueName: "n"))
    var keep: Int?

    @Option(help: "The format of the list.")
    var format = ReportFormat.text

    @OptionGroup var storeOptions: StoreOptions
    @OptionGroup var diagnosticOptions: DiagnosticOptions

    func validate() throws {
        if let keep, keep < 0 { throw ValidationError("--keep cannot be negative.") }
    }

    private var isInDatabase: Bool { ConnectionText.isConnection(input.path) }

    func run() throws {
        if let keep {
            let removed =
                isInDatabase
                ? try PostgreSQLStores.removeOldRuns(input.path, keeping: keep, timeout: storeOptions.timeout)
                : try StoreRuns.removeOld(path: input.path, keeping: keep, busyTimeout: storeOptions.timeout)
            let bytes = removed.reduce(0) { $0 + ($1.revertBytes ?? 0) }
            CommandOutput.log(
                "removed the data to revert \(CountText.count(removed.count, "run")), "
                    + CountText.count(Int(bytes), "byte"))
        }
        let runs =
            isInDatabase
            ? try PostgreSQLStores.runs(input.path, timeout: storeOptions.timeout) : try StoreRuns(path: input.path)
        if let problem = runs.problem { CommandOutput.log("granary: warning: \(problem)") }
        switch format {
        case .text: try CommandOutput.writeText(Self.text(of: runs))
        case .json:
            let list = runs.entries.map { entry -> JSONObject in
                var object: JSONObject = entry.run.map(StoreListing.run) ?? ["id": entry.id]
                object.members["revertible"] = entry.revertBytes != nil
                object.members["revertBytes"] = entry.revertBytes
                return object
            }
            try CommandOutput.write(CommandJSON.text(["runs": list, "droppedRuns": runs.droppedRuns] as JSONObject))
        }
    }

    private static func text(of runs: StoreRuns) -> String {
        var table = TextTable()
        table.add("run", "date", "read", "created", "updated", "pruned", "bytes to revert", "sources")
        for entry in runs.entries {
            let counts = entry.run?.counts
            func number(_ count: Int?) -> String { count.map { "\($0)" } ?? "" }
            table.add(
                entry.id, entry.run?.dateText ?? "", number(counts?.read), number(counts?.created),
                number(counts?.updated), number(counts?.pruned),
                entry.revertBytes.map { CountText.grouped(Int($0)) } ?? "",
                entry.run?.sourcesText ?? "")
        }
        let dropped = runs.droppedRuns
        return table.text + (dropped > 0 ? "\(CountText.count(dropped, "older run")) removed from the ledger\n" : "")
    }
}

extension ImportRun {
    /// The date in ISO 8601; empty if the ledger has none.
    var dateText: String { date.map { DateText.text($0.timeIntervalSinceReferenceDate) } ?? "" }

    /// The names of the sources.
    var sourcesText: String {
        let more = sourcesLeftOut > 0 ? ["… and \(sourcesLeftOut) more"] : []
        return (sources.map(\.name) + more).joined(separator: ", ")
    }
}
