import CFloor
import Foundation
import Measuring

/// All exports of one number of rows. The contestants take turns in each round; a ratio is that of two times of one round.
struct BenchmarkSuite {
    let binary: String
    let rows: Int
    private let folder: Workplace
    private let duckDB: DuckDB

    /// - Parameter folder: where the stores are.
    init(binary: String, folder: URL, rows: Int) throws {
        self.binary = binary
        self.rows = rows
        self.folder = Workplace(folder: folder)
        duckDB = try DuckDB(self.folder)
    }

    static func makeTable() -> MarkdownTable {
        MarkdownTable([
            "export", "rows", "by", "seconds", "user+sys", "peak MB", "rows/s", "times as fast as the sqlite3 shell",
        ])
    }

    func run(_ table: MarkdownTable) throws {
        for task in ExportTask.all where Selection.includes(task.title) { try measure(task, table) }
    }

    private func contestants(_ task: ExportTask) -> [Contestant] {
        let mode = task.format == "csv" ? "-csv" : "-json"
        var all: [Contestant] = [
            .granary(task, binary: binary, in: folder), .shell("sqlite3 \(mode)", task.sql(), task, in: folder),
        ]
        if task.hasTextRival {
            all.append(.shell("sqlite3 \(mode), the same texts by strftime", task.textSQL, task, in: folder))
        }
        all.append(floor(task))
        if task.hasPythonRivals {
            all.append(
                .python(
                    "sqlite-utils query", "sqlite-utils", package: "sqlite-utils", from: task.store, task.sql(), task,
                    in: folder))
            all.append(duckDB.contestant(task, in: folder))
        }
        return all
    }

    /// Reads the columns in this process, and writes nothing.
    private func floor(_ task: ExportTask) -> Contestant {
        Contestant(title: "C loop, reads all columns, writes nothing", output: nil) {
            var sum: Int64 = 0
            var found = 0
            let before = floor_cpu_seconds()
            var measured = Measured.time { found = floor_scan(folder.path(task.store), task.sql(), &sum) }
            measured.cpuSeconds = floor_cpu_seconds() - before
            guard found == rows else { throw BenchmarkFailure("the C loop read \(found) rows, not \(rows)") }
            return measured
        }
    }

    private func measure(_ task: ExportTask, _ table: MarkdownTable) throws {
        let all = contestants(task)
        var found = [[Measured]](repeating: [], count: all.count)
        for round in 0..<Selection.runs {
            for (index, contestant) in all.enumerated() {
                if let output = contestant.output { try folder.remove(output) }
                guard let measured = try run(contestant, isRival: index > 0) else { continue }
                found[index].append(measured)
                if round == 0, index > 0 { compare(all[0], contestant, task) }
            }
        }
        for contestant in all { if let output = contestant.output { try folder.remove(output) } }
        let shell = found[1]
        for (contestant, own) in zip(all, found) {
            guard !own.isEmpty else {
                let reason = "not installed, or it failed (\(contestant.remedy))"
                table.add([task.title, "\(rows)", contestant.title, reason])
                continue
            }
            let median = Measured.median(own)
            let ratios = zip(shell, own).map { $0.seconds / $1.seconds }
            table.add(
                [task.title, "\(rows)", contestant.title] + median.cells + [
                    "\(Int(Double(rows) / max(median.seconds, 1e-9)))", Spread(ratios).description,
                ])
        }
    }

    /// A rival that fails is reported, and the others go on.
    private func run(_ contestant: Contestant, isRival: Bool) throws -> Measured? {
        do {
            return try contestant.run()
        } catch {
            guard isRival else { throw error }
            print("\(contestant.title): \(error)")
            return nil
        }
    }

    /// Compares what Granary and another wrote: the number of rows, and the values of 10,000 of them.
    private func compare(_ own: Contestant, _ other: Contestant, _ task: ExportTask) {
        guard let first = own.output, let second = other.output else { return }
        guard let python = Measured.find("python3") else {
            print("\(task.title): not compared; python3 is not installed")
            return
        }
        let step = max(1, rows / 10_000)
        do {
            _ = try Measured.run(
                [python, Workplace.script("compare.py"), task.format, "\(step)", first, second], output: folder.log)
        } catch {
            print("\(task.title): the outputs of \(own.title) and \(other.title) differ: \(error)")
        }
    }
}
