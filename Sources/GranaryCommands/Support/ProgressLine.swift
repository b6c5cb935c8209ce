import GranaryBase
import GranaryImport

/// The progress of an import as one line, while records are read and after that. The percentage and the remaining time
/// are those of the whole import:
///
/// `patients.csv (2/3)  1,234,567 rows  456,789 rows/s  12.3 of 45.6 MB  20%  0:11 left`
/// `writing  5,678,901 rows  85%  0:02 left`
enum ProgressLine {
    /// - Parameter width: the number of columns of the terminal; nil for a line that is not cut.
    static func text(_ snapshot: ImportProgress.Snapshot, width: Int? = nil) -> String {
        let seconds = snapshot.elapsed / .seconds(1)
        var parts = [CountText.count(snapshot.rows, "row")]
        if let stage = snapshot.stage, !snapshot.isFinished {
            let share = share(snapshot)
            return fit(
                stage.rawValue, (parts + (share.isEmpty ? [clock(seconds)] : share)).joined(separator: "  "), width)
        }
        // A rate over less time is only noise.
        if seconds >= 0.5 { parts.append("\(CountText.grouped(whole(Double(snapshot.rows) / seconds))) rows/s") }
        parts.append(bytes(snapshot))
        if !snapshot.isFinished { parts += share(snapshot) }
        return fit(name(snapshot), parts.joined(separator: "  "), width)
    }

    private static func name(_ snapshot: ImportProgress.Snapshot) -> String {
        // `shortened` escapes control characters, which would move the cursor.
        let file = Diagnostic.shortened((snapshot.file ?? "").split(separator: "/").last.map(String.init) ?? "")
        switch snapshot.fileCount {
        case 1?: return file
        case let count?: return "\(file) (\(snapshot.fileIndex)/\(count))"
        case nil: return snapshot.fileIndex > 1 ? "\(file) (\(snapshot.fileIndex))" : file
        }
    }

    /// The bytes read and, if it is known, their total.
    private static func bytes(_ snapshot: ImportProgress.Snapshot) -> String {
        let read = snapshot.bytes
        // More bytes than the total can be read if the file grows.
        guard let count = snapshot.byteCount, count > 0, read <= count else { return size(read, like: read) }
        return "\(amount(read, like: count)) of \(size(count, like: count))"
    }

    /// The share of the work that is done and the remaining time.
    private static func share(_ snapshot: ImportProgress.Snapshot) -> [String] {
        guard let share = snapshot.share else { return [] }
        let seconds = snapshot.elapsed / .seconds(1)
        let left = share > 0 ? (seconds / share - seconds).rounded(.up) : 0
        let percentage = "\(min(whole(share * 100), 99))%"
        return seconds >= 1 && left > 0 && left < 360_000 ? [percentage, "\(clock(left)) left"] : [percentage]
    }

    private static let units = [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1000)]

    /// `12.3` in the unit for `whole`; bytes without decimals.
    private static func amount(_ bytes: Int, like whole: Int) -> String {
        guard let (_, unit) = units.first(where: { whole >= $0.1 }) else { return "\(bytes)" }
        let tenths = bytes / (unit / 10)
        return "\(tenths / 10).\(tenths % 10)"
    }

    private static func size(_ bytes: Int, like whole: Int) -> String {
        let unit = units.first { whole >= $0.1 }?.0 ?? "B"
        return "\(amount(bytes, like: whole)) \(unit)"
    }

    /// `0:07`, `12:34`, `1:02:03`.
    private static func clock(_ seconds: Double) -> String {
        let all = whole(seconds)
        let (hours, minutes) = (all / 3600, all / 60 % 60)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return hours > 0 ? "\(hours):\(two(minutes)):\(two(all % 60))" : "\(minutes):\(two(all % 60))"
    }

    private static func whole(_ number: Double) -> Int {
        number.isFinite && number > 0 ? Int(min(number, 1e15)) : 0
    }

    /// Cuts the name first, because the numbers are what changes.
    private static func fit(_ name: String, _ rest: String, _ width: Int?) -> String {
        guard let width else { return "\(name)  \(rest)" }
        // The last column stays empty, because some terminals wrap when it is filled.
        let room = max(width - 1, 0)
        let nameRoom = room - ColumnText.width(rest) - 2
        if ColumnText.width(name) <= nameRoom { return "\(name)  \(rest)" }
        if nameRoom >= 8 { return "\(ColumnText.cutStart(name, to: nameRoom))  \(rest)" }
        return ColumnText.cut(rest, to: room)
    }
}
