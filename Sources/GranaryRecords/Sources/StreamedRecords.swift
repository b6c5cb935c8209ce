import GranaryBase
import GranaryFormats

/// Reads the records of an asynchronous sequence.
final class StreamedRecords: RecordReader {
    let sourceName: String
    let columns: [String]
    private let feed = StreamFeed<[[RecordField?]]>()
    private let start: (StreamFeed<[[RecordField?]]>) -> Void
    private var isStarted = false
    private var waiting: ArraySlice<[RecordField?]> = []
    private var count = 0
    /// The number of records that are passed together.
    private static let batch = 256

    init<Records: AsyncSequence & SendableMetatype>(
        name: String, columns: [String], _ makeRecords: @escaping @Sendable () async throws -> Records
    ) where Records.Element == [RecordField?], Records.AsyncIterator: SendableMetatype {
        sourceName = name
        self.columns = columns
        start = { feed in
            feed.start { feed in
                var batch: [[RecordField?]] = []
                for try await record in try await makeRecords() {
                    batch.append(record)
                    guard batch.count >= Self.batch else { continue }
                    guard await feed.put(batch) else { return }
                    batch = []
                }
                if !batch.isEmpty { _ = await feed.put(batch) }
            }
        }
    }

    deinit { feed.close() }

    func next(into record: inout Record) throws(GranaryError) -> ReadOutcome {
        if !isStarted {
            isStarted = true
            start(feed)
        }
        if waiting.isEmpty {
            do { waiting = try feed.next()?[...] ?? [] } catch { throw GranaryError.stream(error, of: sourceName) }
        }
        guard let fields = waiting.popFirst() else { return .end }
        count += 1
        record.begin(number: count, line: count)
        for (column, field) in fields.enumerated() {
            if let field { try record.append(field, column: column) }
        }
        return .record
    }
}
