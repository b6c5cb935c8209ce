import Foundation
import GranaryBase
import GranaryCoordination
import GranaryModel
import GranaryPredicates

/// Binary data, archives and addresses.
extension AttributeDomains {
    /// Bytes that contain the number, so that different numbers give different bytes.
    static func bytes(of index: UInt64) -> Data {
        var data = Data()
        let other = RandomStream.mixed(index &+ 1)
        for value in [RandomStream.mixed(index), other] {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                data.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
        return data
    }

    /// The archive of a list with the number; nil if the transformer is not known. `type` is the class of the values,
    /// such as SwiftData's `Array<Int>`.
    static func archive(of index: UInt64, _ transformer: String?, _ type: String?) -> Data? {
        let list =
            switch type {
            case "Array<Int>": "[\(index)]"
            case "Array<Double>": "[\(index).5]"
            case "Array<Bool>": "[\(index % 2 == 0)]"
            default: "[\"generated\",\"\(index)\"]"
            }
        let json = Array(list.utf8)
        var bytes: [UInt8] = []
        do {
            try json.withUnsafeBufferPointer { text in
                try TransformedJSON.appendArchive(of: text, transformer: transformer, isHex: false, to: &bytes)
            }
        } catch { return nil }
        return Data(bytes)
    }

    /// The addresses of a source of texts, with the beginning and end that the rules require.
    func uris(_ source: TextSource) -> ValueDomain {
        let (prefix, suffix) = (hints.prefix, hints.suffix)
        return ValueDomain(size: source.size) { index in
            let text = source.text(at: index)
            let isWhole = prefix.isEmpty || text.hasPrefix(prefix)
            let url = URL(string: (isWhole ? "" : prefix) + text + suffix)
            return url.map { AttributeValue.uri($0) } ?? .string(text)
        }
    }
}
