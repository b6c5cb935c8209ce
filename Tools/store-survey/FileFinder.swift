import Foundation

/// A store or model that was found.
struct FoundFile {
    enum Kind { case store, model }

    let kind: Kind
    let path: String
    /// The path from the folder of the command line, including that folder's name.
    let shownPath: String
}

/// Finds stores and models in folders, without recursion. It does not follow symbolic links and opens regular files
/// only.
struct FileFinder {
    /// The limit on files and folders.
    private static let entryLimit = 2_000_000

    private(set) var files: [FoundFile] = []
    /// The number of links, special files and folders that could not be listed.
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
            // A folder of the command line may be a link.
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
            // For a link these are the attributes of the link.
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
                    // The last name is visited next.
                    open += names.sorted(by: >).map { "\(path)/\($0)" }
                }
            default: skipped += 1
            }
        }
    }
}
