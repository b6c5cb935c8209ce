/// The member names of `{"$archive": "…", "$value": …}`: a value whose bytes cannot be restored from its JSON.
package enum ArchiveMember {
    /// The bytes, in Base64 or hexadecimal digits. An import reads these.
    package static let archive = "$archive"
    /// The content of the bytes, for readability.
    package static let value = "$value"
}
