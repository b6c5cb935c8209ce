import Foundation
import GranaryBase

/// A temporary folder that only this user can enter.
struct PrivateFolder {
    let path: String

    /// - Parameter prefix: the beginning of its name.
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    init(prefix: String) throws(GranaryError) {
        let number = String(UInt32.random(in: .min ... .max), radix: 16)
        let folder = FileManager.default.temporaryDirectory.appending(path: "\(prefix)-\(number)")
        path = folder.path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw GranaryError(
                .uncreatable, "\(path): cannot be created: \(error.localizedDescription)", underlying: error)
        }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}
