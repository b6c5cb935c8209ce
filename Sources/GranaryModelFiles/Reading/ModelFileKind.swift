import GranaryBase
import GranaryModel
import GranaryPropertyLists

/// The kind of a model file by its first bytes. The name is not used: a `.momd` may be one of Granary's archives.
enum ModelFileKind {
    case modelXML
    case json
    case propertyList
    case store
    case memoryMappedModel
    case empty
    case other

    init(_ bytes: [UInt8]) {
        func starts(_ text: StaticString) -> Bool { text.withUTF8Buffer { bytes.starts(with: $0) } }
        if bytes.isEmpty {
            self = .empty
        } else if starts("SQLite format 3\0") {
            self = .store
        } else if starts("momv2$") {
            self = .memoryMappedModel
        } else if starts("bplist") {
            self = .propertyList
        } else {
            var rest = bytes[...]
            if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
            rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            switch rest.first {
            case UInt8(ascii: "{"): self = .json
            case UInt8(ascii: "<"): self = XMLElementTree.rootName(bytes) == "plist" ? .propertyList : .modelXML
            default: self = .other
            }
        }
    }
}
