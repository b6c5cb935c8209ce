import GranaryBase
import GranaryFormats

/// Values that are JSON themselves, where the files hold such.
extension FolderWriter: JSONValueWriter where Table: JSONValueWriter {
    func write(json: [UInt8], column: Int) throws(GranaryError) {
        try open().write(json: json, column: column)
    }

    func write(
        archive: UnsafeBufferPointer<UInt8>, json: [UInt8], column: Int
    ) throws(GranaryError) {
        try open().write(archive: archive, json: json, column: column)
    }
}
