import GranaryBase
import GranarySwiftData

/// The path of Swift sources as an argument: a Swift file or a folder of such files, with `#` and the name of a schema
/// if one of several is meant: `Models#SchemaV2`.
package struct SwiftSourcePath {
    package let path: String
    package let schema: String?

    package init(_ argument: String) {
        if FileKind(argument) == .missing, let mark = argument.lastIndex(of: "#"), mark > argument.startIndex {
            path = String(argument[..<mark])
            schema = String(argument[argument.index(after: mark)...])
        } else {
            path = argument
            schema = nil
        }
    }

    /// Whether it is a Swift file, or a folder without a model that has a Swift file at any depth.
    package static func isSwift(_ argument: String) -> Bool {
        let path = SwiftSourcePath(argument).path
        switch FileKind(path) {
        case .file: return SwiftSourceFiles.isSwift(path)
        case .folder:
            let isModel = [".xcdatamodeld", ".xcdatamodel", ".momd"].contains { path.hasSuffix($0) }
            guard !isModel, let names = try? FolderListing.names(path), !names.contains("contents"),
                (try? ModelVersion.all(in: path, names: names))?.isEmpty == true
            else { return false }
            return SwiftSourceFiles.isFolderOfSources(path)
        case .missing, .special: return false
        }
    }
}
