#if PostgreSQL
    import GranaryCoordination

    /// Rows of a ``RowBatch`` as fields of COPY, without the primary key, which they get later.
    ///
    /// Proof of `@unchecked`: only the thread that owns the batch changes the rows. Queues with locks hand the batch over, and
    /// ``RowBatch/removeAll()`` clears the rows only if no other batch refers to them.
    final class EncodedCopyRows: EncodedRows, @unchecked Sendable {
        @exclusivity(unchecked) private var buffer = FieldBuffer()
        /// The end of each row in the buffer.
        @exclusivity(unchecked) private var ends: [Int] = []

        var count: Int { ends.count }

        func removeAll() {
            buffer.removeAll()
            ends.removeAll(keepingCapacity: true)
        }

        /// Adds a row; `body` appends its fields. If it throws, nothing is added.
        func add(_ body: (inout FieldBuffer) throws -> Void) rethrows {
            do { try body(&buffer) } catch {
                buffer.truncate(to: ends.last ?? 0)
                throw error
            }
            ends.append(buffer.bytes.count)
        }

        /// Appends the fields of a row to a buffer. Returns false if there is no such row.
        func append(_ index: Int, to other: inout FieldBuffer) -> Bool {
            guard ends.indices.contains(index) else { return false }
            other.append(buffer.bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]])
            return true
        }
    }
#endif
