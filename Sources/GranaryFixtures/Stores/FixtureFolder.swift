import Foundation
import GranaryBase
import Synchronization

/// The temporary folder of this process's fixtures. It is removed when the process exits, unless it is killed.
enum FixtureFolder {
    private static let count = Atomic<Int>(0)

    private static let root: Result<String, GranaryError> = {
        let path = FileManager.default.temporaryDirectory.appending(path: "granary-fixtures-\(UUID().uuidString)")
            .path(percentEncoded: false)
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            return .failure(
                GranaryError(
                    .uncreatable, "the folder \(path) cannot be created: \(error.localizedDescription)",
                    underlying: error))
        }
        atexit { FixtureFolder.removeAll() }
        return .success(path)
    }()

    /// Creates an empty folder.
    ///
    /// - Throws: ``GranaryError`` with code `uncreatable`.
    static func make() throws(GranaryError) -> String {
        let path = try root.get() + "/\(count.add(1, ordering: .relaxed).newValue)"
        guard mkdir(path, 0o700) == 0 else {
            throw GranaryError(.uncreatable, "the folder \(path) cannot be created: \(errnoText())")
        }
        return path
    }

    private static func removeAll() {
        if case .success(let path) = root { try? FileManager.default.removeItem(atPath: path) }
    }
}
