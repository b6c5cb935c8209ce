import Foundation

/// The names in a folder, byte for byte. Foundation replaces bytes that are not UTF-8, which would change the names.
package struct FolderNames {
    /// The names that are valid UTF-8, without `.` and `..`, in no particular order.
    package private(set) var names: [String] = []
    /// The first name that is not valid UTF-8, escaped; nil if there is none.
    package private(set) var undecodable: String?

    /// Returns nil if the folder cannot be read.
    package init?(_ path: String) {
        guard let listing = opendir(path) else { return nil }
        defer { closedir(listing) }
        while let entry = readdir(listing) {
            withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                let capacity = MemoryLayout.size(ofValue: pointer.pointee)
                pointer.withMemoryRebound(to: CChar.self, capacity: capacity) { name in
                    if let name = String(validatingCString: name) {
                        if name != ".", name != ".." { names.append(name) }
                    } else {
                        undecodable = VisibleText.escaped(
                            UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) })
                    }
                }
            }
        }
    }
}

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
