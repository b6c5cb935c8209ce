import Foundation
import GranaryBase

/// The temporary folder of a comparison, which is removed with the object.
final class DiffFolder {
    private let url: URL

    /// - Throws: ``GranaryError`` with code `uncreatable`.
    init() throws(GranaryError) {
        url = FileManager.default.temporaryDirectory.appending(path: "granary-diff-\(UUID().uuidString)")
        do {
            try FileManager.default.createDirectory(
                at: url, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        } catch {
            throw GranaryError(
                .uncreatable,
                "\(url.path(percentEncoded: false)): cannot be created: \(error.localizedDescription); set TMPDIR to "
                    + "use another folder")
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in the folder.
    func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}
