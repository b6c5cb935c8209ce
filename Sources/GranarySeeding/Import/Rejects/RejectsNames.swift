import Foundation
import GranaryBase

/// The names of the files that the rejected records of one run go to.
struct RejectsNames {
    /// As the user gave it: the records of the first kind.
    let path: String
    /// The reasons, as JSON Lines.
    let sidecar: String
    private let protected: ProtectedFiles
    private let replacesOthers: Bool
    /// The digests that an earlier run recorded for files of these names; nil where there are none.
    private let digests: RejectsDigests?
    private var number = 1

    /// - Parameters:
    ///   - protected: what no name may lead to: sources, stores, models, other outputs.
    ///   - replacesOthers: whether files may be replaced that no earlier run has written, or that were edited since.
    /// - Throws: ``GranaryError`` with code `usage` for a path that is protected, standard output or compressed;
    ///   `uncreatable` for a folder, and for a file that may not be replaced.
    init(path: String, protecting protected: ProtectedFiles, replacesOthers: Bool) throws(GranaryError) {
        self.path = path
        sidecar = path + ".reasons.jsonl"
        self.protected = protected
        self.replacesOthers = replacesOthers
        digests = RejectsDigests.read(path + ".reasons.jsonl")
        guard !path.isEmpty, path != "-" else {
            throw GranaryError(.usage, "the rejected records need a file of their own, not standard output")
        }
        guard !path.lowercased().hasSuffix(".gz") else {
            throw GranaryError(.usage, "\(path): rejected records are not compressed; leave .gz away")
        }
        for name in [path, sidecar] {
            if let conflict = protected.conflict(of: name) {
                throw GranaryError(.usage, "\(name) \(conflict); choose another file for rejected records")
            }
            guard !Self.isFolder(name) else {
                throw GranaryError(.uncreatable, "\(name): cannot be created: it is a folder")
            }
        }
        guard mayReplace(path) else {
            throw GranaryError(
                .uncreatable,
                "\(path): exists already, and was not written by an earlier run or was edited since; say --force to replace it"
            )
        }
        guard replacesOthers || digests != nil || FileKind(sidecar) != .file else {
            throw GranaryError(.uncreatable, "\(sidecar): exists already; say --force to replace it")
        }
    }

    /// Whether a name may be written: no file exists, it is a device, or an earlier run wrote it and it is unedited.
    private func mayReplace(_ name: String) -> Bool { FileKind(name) != .file || isReplaceable(name) }

    /// Whether the file of that name may be replaced: by `--force`, or because an earlier run wrote it and it was not edited.
    func isReplaceable(_ name: String) -> Bool { replacesOthers || digests?.holds(name) == true }

    /// Whether the reasons file may be replaced: by `--force`, or because it has not changed since this run began.
    var replacesReasons: Bool {
        replacesOthers || digests != nil && RejectsDigests.read(sidecar) == digests
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
            if protected.conflict(of: name) == nil, !Self.isFolder(name), mayReplace(name) { return name }
        }
    }

    /// Removes the files of an earlier run, so that nobody mistakes them for results of this one.
    ///
    /// - Parameter written: the files of this run, which are not removed.
    /// - Throws: ``GranaryError`` with code `inputOutput` where one cannot be removed.
    func removeOld(but written: [String] = []) throws(GranaryError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let further = (digests?.rejects ?? []).map { folder + $0.name }.filter {
            $0 != path && digests?.holds($0) == true
        }
        for name in [path] + further + [sidecar]
        where !written.contains(name) && FileKind(name) == .file && (name == sidecar || mayReplace(name)) {
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

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
