#if PostgreSQL
    /// The parameters of a statement, in the binary format.
    struct SQLParameters {
        private(set) var types: [SQLType] = []
        /// Where each field begins in ``buffer``.
        private var starts: [Int] = []
        private(set) var buffer = FieldBuffer()

        init() {}

        /// One parameter for each key; nil is NULL.
        init(_ keys: Int64?...) { for key in keys { add(key) } }

        /// One parameter, an array of keys.
        init(list keys: some Collection<Int64>) { add(list: keys) }

        mutating func removeAll() {
            types.removeAll(keepingCapacity: true)
            starts.removeAll(keepingCapacity: true)
            buffer.removeAll()
        }

        /// Adds a parameter; `body` appends one field.
        mutating func add<Failure>(_ type: SQLType, _ body: (inout FieldBuffer) throws(Failure) -> Void) throws(Failure)
        {
            let start = buffer.bytes.count
            try body(&buffer)
            types.append(type)
            starts.append(start)
        }

        mutating func add(_ key: Int64?) {
            add(.bigint) { if let key { $0.appendField(key) } else { $0.appendNull() } }
        }

        mutating func add(_ text: String) { add(.text) { $0.appendField(text.utf8) } }

        mutating func add(text: String?) {
            add(.text) { if let text { $0.appendField(text.utf8) } else { $0.appendNull() } }
        }

        mutating func add(bytes: [UInt8]) { add(.bytea) { $0.appendField(bytes) } }

        mutating func add(list keys: some Collection<Int64>) {
            add(array: .bigints, of: .bigint, keys) { $0.appendField($1) }
        }

        mutating func add(list texts: [String?]) {
            add(array: .texts, of: .text, texts) {
                if let text = $1 { $0.appendField(text.utf8) } else { $0.appendNull() }
            }
        }

        mutating func add(list texts: [String]) {
            add(array: .texts, of: .text, texts) { $0.appendField($1.utf8) }
        }

        /// Adds an array of one dimension; `append` appends a field for each element.
        mutating func add<Elements: Collection>(
            array: SQLType, of type: SQLType, _ elements: Elements,
            _ append: (inout FieldBuffer, Elements.Element) throws -> Void
        ) rethrows {
            // The number of dimensions, whether there is a NULL (which the server ignores), the type of the elements, their
            // number, the lowest index, and the elements (`array_recv` of PostgreSQL).
            var value = FieldBuffer()
            value.append(Int32(elements.isEmpty ? 0 : 1))
            value.append(Int32(0))
            value.append(Int32(bitPattern: type.rawValue))
            if !elements.isEmpty {
                value.append(Int32(truncatingIfNeeded: elements.count))
                value.append(Int32(1))
                for element in elements { try append(&value, element) }
            }
            add(array) { $0.appendField(value.bytes) }
        }

        /// Adds an array of values of a column's type.
        mutating func add<Elements: Collection>(
            arrayOf type: SQLType, _ elements: Elements,
            _ append: (inout FieldBuffer, Elements.Element) throws -> Void
        ) rethrows {
            try add(array: type.array, of: type, elements, append)
        }

        /// Passes the parameters in libpq's form to `body`. The pointers are valid during the call only.
        func withPointers<Result>(
            _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Result
        ) rethrows -> Result {
            try buffer.bytes.withUnsafeBytes { bytes in
                var values: [UnsafePointer<CChar>?] = []
                var lengths: [Int32] = []
                for start in starts {
                    // `add` has appended a whole field at each start.
                    let length = Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: Int32.self))
                    lengths.append(max(0, length))
                    values.append(
                        length < 0
                            ? nil : bytes.baseAddress.map { ($0 + start + 4).assumingMemoryBound(to: CChar.self) })
                }
                return try body(values, lengths, lengths.map { _ in 1 })
            }
        }
    }
#endif
