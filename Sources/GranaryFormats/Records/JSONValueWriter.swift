package import GranaryBase

/// A writer whose format holds JSON itself as a value.
package protocol JSONValueWriter: AnyObject {
    /// Writes a JSON text as the value of a column.
    func write(json: [UInt8], column: Int) throws(GranaryError)

    /// Writes bytes, and beside them what is in them, for people.
    func write(archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int) throws(GranaryError)
}

/// The names in `{"$archive": "…", "$value": …}`: a value whose bytes JSON alone would not give again.
package enum ArchiveMember {
    /// The bytes, in Base64 or hexadecimal digits. They are what counts.
    package static let archive = "$archive"
    /// What is in them.
    package static let value = "$value"
}
