#if PostgreSQL
    /// Values in the binary format of results. Nil if the bytes are not such a value.
    enum BinaryValue {
        /// A smallint, integer or bigint.
        static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
            let raw = UnsafeRawBufferPointer(bytes)
            switch bytes.count {
            case 2: return Int64(Int16(bigEndian: raw.loadUnaligned(as: Int16.self)))
            case 4: return Int64(Int32(bigEndian: raw.loadUnaligned(as: Int32.self)))
            case 8: return Int64(bigEndian: raw.loadUnaligned(as: Int64.self))
            default: return nil
            }
        }

        /// A real or double precision.
        static func number(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
            let raw = UnsafeRawBufferPointer(bytes)
            switch bytes.count {
            case 4: return Double(Float(bitPattern: UInt32(bigEndian: raw.loadUnaligned(as: UInt32.self))))
            case 8: return Double(bitPattern: UInt64(bigEndian: raw.loadUnaligned(as: UInt64.self)))
            default: return nil
            }
        }
    }
#endif
