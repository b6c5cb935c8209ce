public import Foundation

/// The real stores, models and public test suites that lie beside a checkout, in `../shared`.
///
/// They are no part of the project. A test that reads them carries `.enabled(if: SharedFiles.arePresent, …)`,
/// so that a run without them says what it skipped.
public enum SharedFiles {
    /// The folder, or nil where this checkout has none beside it.
    public static let root: URL? = {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let folder = package.deletingLastPathComponent().appending(path: "shared")
        return FileManager.default.fileExists(atPath: folder.appending(path: "coredata").path) ? folder : nil
    }()

    public static var arePresent: Bool { root != nil }

    /// What a skipped test says.
    public static let absence = "../shared is not there"

    /// The file or folder at a path below `shared/`.
    public static func url(_ path: String) throws -> URL {
        guard let root else { throw Missing(path: path) }
        return root.appending(path: path)
    }

    /// All regular files below a folder of `shared/`, sorted by path.
    public static func files(below path: String) throws -> [URL] {
        let folder = try url(path)
        guard let walk = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        else { throw Missing(path: path) }
        return walk.compactMap { $0 as? URL }
            .filter { (try? $0.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) == true }
            .sorted { $0.path < $1.path }
    }

    public struct Missing: Error { public let path: String }
}
