#if PostgreSQL
    import GranaryCLibPQ

    /// A row of `COPY … TO STDOUT` in the binary format. It owns the message of libpq that contains the row.
    final class CopiedRow: SQLRow {
        /// The signature, the flags, and the length of an empty extension, which precede the first row.
        static let headerBytes = 19

        private var message: UnsafeMutablePointer<CChar>?
        private var fields: [UnsafeBufferPointer<UInt8>?] = []
        /// Whether it is the end of the rows.
        private(set) var isEnd = false

        deinit { if let message { PQfreemem(message) } }

        /// Takes a message of libpq. The values of the message before it are not valid any more.
        ///
        /// - Returns: false if the bytes are not a row.
        func take(_ next: UnsafeMutablePointer<CChar>, count: Int, skipping header: Int) -> Bool {
            if let message { PQfreemem(message) }
            message = next
            fields.removeAll(keepingCapacity: true)
            let bytes = UnsafeRawBufferPointer(start: next, count: count)
            guard bytes.count >= header + 2 else { return false }
            let number = Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: header, as: Int16.self))
            isEnd = number < 0
            var place = header + 2
            for _ in 0..<max(0, Int(number)) {
                guard place + 4 <= bytes.count else { return false }
                let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
                place += 4
                guard length >= 0 else {
                    fields.append(nil)
                    continue
                }
                guard length <= bytes.count - place else { return false }
                let value = UnsafeRawBufferPointer(rebasing: bytes[place..<place + length])
                fields.append(value.assumingMemoryBound(to: UInt8.self))
                place += length
            }
            return true
        }

        func value(_ column: Int) -> UnsafeBufferPointer<UInt8>? {
            fields.indices.contains(column) ? fields[column] : nil
        }
    }
#endif
