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
