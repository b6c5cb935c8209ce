import Foundation
import GranaryPropertyLists

/// Encodes a value as a property list in memory and preserves text byte for byte.
///
/// Foundation's encoder writes canonically equivalent texts ("é" as one or two scalars) as one of them, which would
/// change a model. The recursion is as deep as the value, whose depth the model's limits bound.
struct PropertyListValueEncoder {
    /// The keys of each dictionary are in the order of their bytes, so that equal values give equal lists.
    static func encode(_ value: some Encodable) throws -> PropertyListValue {
        let node = Node()
        try value.encode(to: NodeEncoder(node: node, codingPath: []))
        return node.value
    }

    /// A place in the list that may be filled after its container was created.
    fileprivate final class Node {
        enum Content {
            case none
            case leaf(PropertyListValue)
            case array([Node])
            case dictionary([(key: String, node: Node)])
        }

        var content = Content.none

        var value: PropertyListValue {
            switch content {
            case .none: .dictionary([])
            case .leaf(let value): value
            case .array(let nodes): .array(nodes.map(\.value))
            case .dictionary(let entries):
                .dictionary(
                    entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map {
                        PropertyListEntry($0.key, $0.node.value)
                    })
            }
        }

        func appendElement() -> Node {
            var nodes: [Node] = []
            if case .array(let before) = content { nodes = before }
            // Removed meanwhile, so that the array grows in place.
            content = .none
            nodes.append(Node())
            content = .array(nodes)
            return nodes[nodes.count - 1]
        }

        func member(_ key: String) -> Node {
            var entries: [(key: String, node: Node)] = []
            if case .dictionary(let before) = content { entries = before }
            content = .none
            let node = Node()
            entries.append((key, node))
            content = .dictionary(entries)
            return node
        }

        /// Stores a value of a property list's type as it is, and lets every other value encode itself.
        func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
            switch value {
            case let value as Bool: content = .leaf(.boolean(value))
            case let value as String: content = .leaf(.string(value))
            case let value as Double: content = .leaf(.real(value))
            case let value as Float: content = .leaf(.real(Double(value)))
            case let value as any BinaryInteger:
                let number = Int64(exactly: value).map { PropertyListValue.integer($0) }
                content = .leaf(number ?? .unsigned(UInt64(truncatingIfNeeded: value)))
            case let value as Date: content = .leaf(.date(value.timeIntervalSinceReferenceDate))
            case let value as Data: content = .leaf(.data(Array(value)))
            default: try value.encode(to: NodeEncoder(node: self, codingPath: path))
            }
        }
    }

    fileprivate static func noNull(_ value: Any, _ path: [any CodingKey]) -> EncodingError {
        .invalidValue(value, .init(codingPath: path, debugDescription: "a property list has no null"))
    }
}

private struct NodeEncoder: Encoder {
    let node: PropertyListValueEncoder.Node
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .dictionary = node.content {} else { node.content = .dictionary([]) }
        return KeyedEncodingContainer(Members<Key>(node: node, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array = node.content {} else { node.content = .array([]) }
        return Elements(node: node, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Leaf(node: node, codingPath: codingPath) }
}

private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: PropertyListValueEncoder.Node
    let codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) throws { throw PropertyListValueEncoder.noNull(key, codingPath + [key]) }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        try node.member(key.stringValue).encode(value, at: codingPath + [key])
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder(key).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder(key).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { NodeEncoder(node: node.member("super"), codingPath: codingPath) }

    mutating func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    private func encoder(_ key: Key) -> NodeEncoder {
        NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let node: PropertyListValueEncoder.Node
    let codingPath: [any CodingKey]

    var count: Int {
        if case .array(let nodes) = node.content { nodes.count } else { 0 }
    }

    mutating func encodeNil() throws { throw PropertyListValueEncoder.noNull(count, codingPath) }

    mutating func encode(_ value: some Encodable) throws { try node.appendElement().encode(value, at: codingPath) }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(node: node.appendElement(), codingPath: codingPath).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.appendElement(), codingPath: codingPath).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder { NodeEncoder(node: node.appendElement(), codingPath: codingPath) }
}

private struct Leaf: SingleValueEncodingContainer {
    let node: PropertyListValueEncoder.Node
    let codingPath: [any CodingKey]

    mutating func encodeNil() throws { throw PropertyListValueEncoder.noNull(0, codingPath) }

    mutating func encode(_ value: some Encodable) throws { try node.encode(value, at: codingPath) }
}
