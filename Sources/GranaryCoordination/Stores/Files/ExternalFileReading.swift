/// A store with values in external files.
package protocol ExternalFileReading: AnyObject {
    /// If set, the value of a missing file is read as NULL and the file is noted. If nil, it is an error.
    var missingFiles: MissingExternalFiles? { get set }
}
