import Foundation
import GranaryBase

/// The names of the files that the rejected records of one run go to.
struct RejectsNames {
    /// As the user gave it: the records of the first kind.
    let path: String
    /// The reasons, as JSON Lines.
    let sidecar: String
    private let protected: Set<String>
    private var number = 1

    /// - Parameter others: paths that no name may lead to: sources, store, models.
    /// - Throws: ``GranaryError`` with code `usage` for a path that is one of `others`, standard output or compressed;
    ///   `uncreatable` for a folder.
    init(path: String, protecting others: [String]) throws(GranaryError) {
        self.path = path
        sidecar = path + ".reasons.jsonl"
        protected = Set(others.map(Self.resolved))
        guard !path.isEmpty, path != "-" else {
            throw GranaryError(.usage, "the rejected records need a file of their own, not standard output")
        }
        guard !path.lowercased().hasSuffix(".gz") else {
            throw GranaryError(.usage, "\(path): rejected records are not compressed; leave .gz away")
        }
        for name in [path, sidecar] {
            guard !protected.contains(Self.resolved(name)) else {
                throw GranaryError(
                    .usage, "\(name): this run reads or writes it already; choose another file for rejected records")
            }
            guard !Self.isFolder(name) else {
                throw GranaryError(.uncreatable, "\(name): cannot be created: it is a folder")
            }
        }
    }

    /// The file of the next kind: `STEM.2.EXT`, `STEM.3.EXT`, …
    ///
    /// - Parameter fileExtension: in place of the path's own; nil to keep that.
    mutating func next(fileExtension: String?) -> String {
        let (stem, own) = Self.split(path)
        let suffix = (fileExtension ?? own).map { ".\($0)" } ?? ""
        while true {
            number += 1
            let name = "\(stem).\(number)\(suffix)"
            if !protected.contains(Self.resolved(name)), !Self.isFolder(name) { return name }
        }
    }

    /// Removes what an earlier run has left under the two names: it would be taken for this run's.
    ///
    /// - Throws: ``GranaryError`` with code `inputOutput` where one cannot be removed.
    func removeOld() throws(GranaryError) {
        for name in [path, sidecar] where FileManager.default.fileExists(atPath: name) {
            do {
                try FileManager.default.removeItem(atPath: name)
            } catch {
                throw GranaryError(
                    .inputOutput, "\(name): the rejected records of an earlier run cannot be removed",
                    underlying: error)
            }
        }
    }

    /// A path without its extension, and that; a name that only begins with a dot has none.
    private static func split(_ path: String) -> (stem: String, fileExtension: String?) {
        let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[nameStart...].lastIndex(of: "."), dot > nameStart else { return (path, nil) }
        return (String(path[..<dot]), String(path[path.index(after: dot)...]))
    }

    private static func resolved(_ path: String) -> String {
        URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
