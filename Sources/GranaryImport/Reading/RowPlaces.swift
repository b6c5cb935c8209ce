import GranaryBase

/// The record of each new row of an import. Consecutive rows from consecutive records with equally many lines share one
/// segment; other rows take 16 bytes each.
struct RowPlaces {
    /// Rows with consecutive keys from consecutive records with equally many lines.
    private struct Segment {
        /// The first row's offset from the run's first key.
        let first: UInt32
        let record: UInt32
        let line: UInt32
        /// The number of lines of a record; 0 while there is one row.
        var lines: UInt32 = 0
    }

    /// Rows of one hierarchy and file with consecutive keys.
    private struct Run {
        let first: Int64
        let file: Int32
        var segments: [Segment] = []
        var count: UInt32 = 0

        /// The key after the last one.
        var next: Int64 { first &+ Int64(count) }

        /// Adds the next row.
        mutating func append(line: UInt32, record: UInt32) {
            defer { count += 1 }
            guard let last = segments.last, record == last.record &+ (count - last.first), line > last.line else {
                return segments.append(Segment(first: count, record: record, line: line))
            }
            let rows = count - last.first
            if rows == 1 {
                segments[segments.count - 1].lines = line - last.line
            } else if UInt64(line) != UInt64(last.line) + UInt64(last.lines) * UInt64(rows) {
                segments.append(Segment(first: count, record: record, line: line))
            }
        }

        /// Adds rows whose records have one line each, if the records of the last segment have one too.
        ///
        /// - Returns: the number of added rows: all or 0.
        mutating func extend(by more: Int) -> Int {
            guard let last = segments.last, last.lines == 1, more <= Int(UInt32.max - count),
                more <= Int(UInt32.max - last.record) - Int(count - last.first),
                more <= Int(UInt32.max - last.line) - Int(count - last.first)
            else { return 0 }
            count += UInt32(more)
            return more
        }

        /// The record and the line of a row, given by its offset from the first key.
        func place(_ row: UInt32) -> (record: Int, line: Int)? {
            guard row < count else { return nil }
            let next = segments.partitioningIndex { $0.first > row }
            guard next > 0 else { return nil }
            let segment = segments[next - 1]
            let rows = Int(row - segment.first)
            return (Int(segment.record) + rows, Int(segment.line) + rows * Int(segment.lines))
        }
    }

    /// The runs of each hierarchy by the root entity's index.
    private var runs: [[Run]] = []
    /// Rows whose keys do not ascend, because `$id` determines them, and rows beyond ``runLimit``.
    private var asked: [RowID: (file: Int32, line: UInt32, record: UInt32)] = [:]

    /// Notes rows with consecutive keys, from consecutive records of one line each.
    mutating func note(_ id: RowID, file: Int32, line: Int, record: Int, count: Int) {
        var noted = 0
        while noted < min(count, 2) {
            note(
                RowID(root: id.root, key: id.key + Int64(noted)), file: file, line: line + noted,
                record: record + noted)
            noted += 1
        }
        if count > noted, runs.indices.contains(id.root), let last = runs[id.root].indices.last,
            runs[id.root][last].next == id.key + Int64(noted)
        {
            noted += runs[id.root][last].extend(by: count - noted)
        }
        for index in noted..<max(noted, count) {
            note(
                RowID(root: id.root, key: id.key + Int64(index)), file: file, line: line + index,
                record: record + index)
        }
    }

    mutating func note(_ id: RowID, file: Int32, line: Int, record: Int) {
        let (line, record) = (UInt32(clamping: line), UInt32(clamping: record))
        while runs.count <= id.root { runs.append([]) }
        // Only numbers are kept here, because a copy of the run would make appending copy its array.
        let count = runs[id.root].count
        let next = count == 0 ? nil : runs[id.root][count - 1].next
        if next == id.key, runs[id.root][count - 1].file == file, runs[id.root][count - 1].count < .max {
            runs[id.root][count - 1].append(line: line, record: record)
        } else if next ?? 0 <= id.key, count < Self.runLimit {
            var run = Run(first: id.key, file: file)
            run.append(line: line, record: record)
            runs[id.root].append(run)
        } else {
            asked[id] = (file, line, record)
        }
    }

    /// With more runs than this, keys with gaps would take more memory than a dictionary.
    private static let runLimit = 4096

    /// The file, line and record of a new row; nil for an object that was stored before the import.
    subscript(id: RowID) -> (file: Int32, line: Int, record: Int)? {
        if !asked.isEmpty, let (file, line, record) = asked[id] { return (file, Int(line), Int(record)) }
        guard self.runs.indices.contains(id.root) else { return nil }
        let runs = self.runs[id.root]
        let next = runs.partitioningIndex { $0.first > id.key }
        guard next > 0, let row = UInt32(exactly: id.key - runs[next - 1].first),
            let place = runs[next - 1].place(row)
        else { return nil }
        return (runs[next - 1].file, place.line, place.record)
    }

    func position(_ id: RowID, files: [String]) -> SourcePosition? {
        self[id].map { place in
            SourcePosition(
                file: files.indices.contains(Int(place.file)) ? files[Int(place.file)] : "", line: place.line,
                column: 1, record: place.record)
        }
    }
}
