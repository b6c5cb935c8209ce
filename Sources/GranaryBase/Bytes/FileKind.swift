import Foundation

/// The kind of file at a path. Symbolic links are followed.
package enum FileKind {
    case missing, file, folder
    /// A device, a socket or a pipe. Reading one may never end.
    case special

    package init(_ path: String) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            self = .missing
            return
        }
        let resolved = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let type = (try? FileManager.default.attributesOfItem(atPath: resolved))?[.type] as? FileAttributeType
        self = isFolder.boolValue ? .folder : type == .typeRegular || type == nil ? .file : .special
    }
}
