import Foundation

/// A store or a model that was found.
struct FoundFile {
    enum Kind { case store, model }

    let kind: Kind
    let path: String
    /// The path from the folder that was named, with that folder's name.
    let shownPath: String
}

/// Walks through folders without recursion; neither follows symbolic links nor opens what is no regular file.
struct FileFinder {
    /// How many files and folders are looked at.
    private static let entryLimit = 2_000_000

    private(set) var files: [FoundFile] = []
    /// Links, and what could not be listed.
    private(set) var skipped = 0
    private var entries = 0

    struct TooMany: Error, CustomStringConvertible {
        var description: String { "more than \(FileFinder.entryLimit) files and folders; name smaller folders" }
    }

    struct Missing: Error, CustomStringConvertible {
        let path: String
        var description: String { "\(path): there is no such file or folder" }
    }

    static func find(in folders: [String]) throws -> (files: [FoundFile], skipped: Int) {
        var finder = FileFinder()
        var seen: Set<String> = []
        for folder in folders {
            // What is named may be a link itself.
            let path = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
            guard FileManager.default.fileExists(atPath: path) else { throw Missing(path: folder) }
            let root = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
            if seen.insert(root).inserted { try finder.walk(from: root) }
        }
        return (finder.files, finder.skipped)
    }

    private mutating func walk(from root: String) throws {
        let shownStart = root.utf8.count - (root.split(separator: "/").last?.utf8.count ?? 0)
        var open = [root]
        while let path = open.popLast() {
            entries += 1
            guard entries <= Self.entryLimit else { throw TooMany() }
            let shown = String(decoding: path.utf8.dropFirst(shownStart), as: UTF8.self)
            // Of a link these are the link's own.
            let type = (try? FileManager.default.attributesOfItem(atPath: path))?[.type] as? FileAttributeType
            switch type {
            case .typeRegular?:
                guard let kind = FileContent.kind(ofFile: path) else { continue }
                files.append(FoundFile(kind: kind, path: path, shownPath: shown))
            case .typeDirectory?:
                guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
                    skipped += 1
                    continue
                }
                if path.hasSuffix(".xcdatamodel"), names.contains("contents") || names.contains("elements") {
                    files.append(FoundFile(kind: .model, path: path, shownPath: shown))
                } else {
                    // The last one is looked at next.
                    open += names.sorted(by: >).map { "\(path)/\($0)" }
                }
            default: skipped += 1
            }
        }
    }
}
