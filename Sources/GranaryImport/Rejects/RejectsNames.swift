import Foundation
import GranaryBase

/// The names of the rejects files of one run.
struct RejectsNames {
    /// The path of the first file, as the user set it.
    let path: String
    /// The path of the reasons.
    let sidecar: String
    private let protected: ProtectedFiles
    private let replacesOthers: Bool
    /// The digests that an earlier run recorded for files with these names; nil if there are none.
    private let digests: RejectsDigests?
    /// The digests in complete reasons files of killed runs. Such a run may have renamed its rejects files before it
    /// was killed.
    private let abandoned: [RejectsDigests]
    private var number = 1

    /// - Parameters:
    ///   - protected: files that must not be replaced: sources, stores, models, other outputs.
    ///   - replacesOthers: whether to replace files that no earlier run wrote or that were edited since.
    /// - Throws: ``GranaryError`` with code `usage` for a path that is protected, standard output or compressed;
    ///   `uncreatable` for a folder, and for a file that must not be replaced.
    init(path: String, protecting protected: ProtectedFiles, replacesOthers: Bool) throws(GranaryError) {
        self.path = path
        sidecar = path + ".reasons.jsonl"
        self.protected = protected
        self.replacesOthers = replacesOthers
        digests = RejectsDigests.read(path + ".reasons.jsonl")
        abandoned = RejectsDigests.abandoned(path + ".reasons.jsonl")
        guard !path.isEmpty, path != "-" else {
            throw GranaryError(.usage, "rejected records cannot be written to standard output")
        }
        guard !path.lowercased().hasSuffix(".gz") else {
            throw GranaryError(.usage, "\(path): rejected records are not compressed; remove .gz from the name")
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
                "\(path): exists already, and was not written by an earlier run or was edited since", help: "--force")
        }
        guard replacesOthers || digests != nil || FileKind(sidecar) != .file else {
            throw GranaryError(.uncreatable, "\(sidecar): exists already", help: "--force")
        }
        removeAbandoned()
    }

    /// Whether a file may be written: it does not exist, is a device, or may be replaced.
    private func mayReplace(_ name: String) -> Bool { FileKind(name) != .file || isReplaceable(name) }

    /// Whether an existing file may be replaced, because all may be or because an earlier run wrote it and it is
    /// unedited.
    func isReplaceable(_ name: String) -> Bool { replacesOthers || isOfEarlierRun(name) }

    private func isOfEarlierRun(_ name: String) -> Bool {
        digests?.holds(name) == true || abandoned.contains { $0.holds(name) }
    }

    /// Whether the reasons file may be replaced, because all may be or because it is unchanged since the start of this
    /// run.
    var replacesReasons: Bool {
        replacesOthers || digests != nil && RejectsDigests.read(sidecar) == digests
    }

    /// Returns the name of the next file: `STEM.2.EXT`, `STEM.3.EXT`, …
    ///
    /// - Parameter fileExtension: replaces the extension of the path; nil to keep it.
    mutating func next(fileExtension: String?) -> String {
        let (stem, own) = Self.split(path)
        let suffix = (fileExtension ?? own).map { ".\($0)" } ?? ""
        while true {
            number += 1
            let name = "\(stem).\(number)\(suffix)"
            if protected.conflict(of: name) == nil, !Self.isFolder(name), mayReplace(name) { return name }
        }
    }

    /// Removes the partial files of killed runs for ``next(fileExtension:)``. This run may not need these names.
    private func removeAbandoned() {
        let stem = (Self.split(path).stem.split(separator: "/").last.map(String.init) ?? "") + "."
        PartialFile.removeAbandoned(beside: path) { name in
            let parts = name.hasPrefix(stem) ? name.dropFirst(stem.count).split(separator: ".") : []
            return (1...2).contains(parts.count) && parts[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
    }

    /// Removes the files of an earlier run, which are obsolete.
    ///
    /// - Parameter written: the files of this run, which are not removed.
    /// - Throws: ``GranaryError`` with code `inputOutput` if a file cannot be removed.
    func removeOld(but written: [String] = []) throws(GranaryError) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        let further = ([digests].compactMap { $0 } + abandoned).flatMap(\.rejects).map { folder + $0.name }.filter {
            $0 != path && isOfEarlierRun($0)
        }
        for name in [path] + Set(further).sorted() + [sidecar]
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

    /// Splits a path into stem and extension. A name whose only dot is the first character has no extension.
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
