import GranaryBase
import GranaryCoordination
import GranaryRecords

/// Checked rows that wait until all records are read: in memory up to a limit, then in an unlinked temporary file next
/// to the store. Memory does not grow with the number of rows.
final class RowSpool {
    /// The place of one batch's arrays in the file.
    private struct Segment {
        let place: Int
        let job: Int
        let rows: Int
        let cells: Int
        let bytes: Int
        let merges: Int
        let masks: Int
        let links: Int
    }

    private let file: ByteSpool
    private let memoryLimit: Int
    private var segments: [Segment] = []
    /// The batches in memory, which follow those in the file.
    private var held: [ParsedRows] = []
    private var heldBytes = 0
    /// The number of rows.
    private(set) var rowCount = 0

    private static let name = "the rows of the import"

    /// - Parameters:
    ///   - folder: the folder of the temporary file; nil: the system's folder for temporary files.
    ///   - memoryLimit: the number of bytes above which the rows in memory are written to the file.
    init(folder: String?, memoryLimit: Int = 8 << 20) {
        file = ByteSpool(keepsFiles: false, folder: folder)
        self.memoryLimit = memoryLimit
    }

    var isEmpty: Bool { segments.isEmpty && held.isEmpty }

    /// - Throws: ``GranaryError`` with code `uncreatable` or `inputOutput` if the temporary file cannot be written.
    func append(_ batch: ParsedRows) throws(GranaryError) {
        rowCount += batch.rows.rows.count
        var batch = batch
        // References of spooled rows may change, which makes their records invalid.
        batch.rows.encoded = nil
        held.append(batch)
        heldBytes += Self.size(of: batch)
        guard heldBytes > memoryLimit else { return }
        for batch in held { try write(batch) }
        held.removeAll()
        heldBytes = 0
    }

    /// Calls `body` with each batch in the order of appending.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` if the temporary file cannot be read, or what `body` throws.
    func forEach(_ body: (borrowing ParsedRows) throws -> Void) throws {
        var left = rowCount
        for segment in segments {
            var batch = try read(segment)
            left -= batch.rows.rows.count
            batch.expectedRows = left
            try body(batch)
        }
        for var batch in held {
            left -= batch.rows.rows.count
            batch.expectedRows = left
            try body(batch)
        }
    }

    private static func size(of batch: ParsedRows) -> Int {
        batch.rows.bytes.count + batch.rows.cells.count * MemoryLayout<StoredCell>.stride
            + batch.rows.rows.count
            * (MemoryLayout<RowBatch.Header>.stride + MemoryLayout<ParsedRows.Origin>.stride)
            + batch.merges.count * MemoryLayout<ParsedRows.Merge>.stride + batch.masks.count * 8
            + batch.links.count * MemoryLayout<ParsedRows.ListedLink>.stride
    }

    // MARK: The file

    private func write(_ batch: ParsedRows) throws(GranaryError) {
        let place = try file.append(batch.rows.rows, of: Self.name)
        _ = try file.append(batch.rows.cells, of: Self.name)
        _ = try file.append(batch.rows.bytes, of: Self.name)
        _ = try file.append(batch.origins, of: Self.name)
        _ = try file.append(batch.merges, of: Self.name)
        _ = try file.append(batch.masks, of: Self.name)
        _ = try file.append(batch.links, of: Self.name)
        segments.append(
            Segment(
                place: place, job: batch.job, rows: batch.rows.rows.count, cells: batch.rows.cells.count,
                bytes: batch.rows.bytes.count, merges: batch.merges.count, masks: batch.masks.count,
                links: batch.links.count))
    }

    private func read(_ segment: Segment) throws(GranaryError) -> ParsedRows {
        var place = segment.place
        var batch = ParsedRows()
        batch.job = segment.job
        batch.waits = true
        batch.rows.rows = try file.read(segment.rows, at: &place, of: Self.name)
        batch.rows.cells = try file.read(segment.cells, at: &place, of: Self.name)
        batch.rows.bytes = try file.read(segment.bytes, at: &place, of: Self.name)
        batch.origins = try file.read(segment.rows, at: &place, of: Self.name)
        batch.merges = try file.read(segment.merges, at: &place, of: Self.name)
        batch.masks = try file.read(segment.masks, at: &place, of: Self.name)
        batch.setLinks(try file.read(segment.links, at: &place, of: Self.name))
        return batch
    }
}
