package import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// Where Xcode's XML declares entities and properties.
package enum ModelXMLPlaces {
    /// The places in a `contents` file by name: `Trip` and `Trip.name`. Empty for a file that cannot be read, which the
    /// reading of its model reports.
    package static func positions(in path: String) -> [String: SourcePosition] {
        guard FileKind(path) == .file, let bytes = try? ByteSource(path: path).readAll(limit: ModelArchive.bytes),
            let tree = try? XMLElementTree(bytes, source: path, syntax: .modelSyntax), let root = tree.elements.first
        else { return [:] }
        var names: [String] = []
        var offsets: [Int] = []
        func add(_ name: String, _ element: Int) {
            names.append(name)
            offsets.append(tree.offset(of: element, attribute: nil))
        }
        for child in root.children where tree.elements[child].name == EntityDescription.elementName {
            guard let entity = tree.elements[child].attributes["name"] else { continue }
            add(entity, child)
            for property in tree.elements[child].children {
                if let name = tree.elements[property].attributes["name"] { add("\(entity).\(name)", property) }
            }
        }
        return Dictionary(zip(names, tree.positions(at: offsets)), uniquingKeysWith: { first, _ in first })
    }
}
