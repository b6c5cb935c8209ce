package import GranaryBase

/// A writer whose format can contain JSON as a value.
package protocol JSONValueWriter: AnyObject {
    /// Writes a JSON text as the value of a column.
    func write(json: [UInt8], column: Int) throws(GranaryError)

    /// Writes an archive's bytes and, for readability, its content as JSON.
    func write(archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int) throws(GranaryError)
}
