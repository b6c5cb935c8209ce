import Foundation
import GranaryPropertyLists

/// Encodes a value as a property list in memory, text byte for byte.
///
/// Foundation's encoder writes texts that are canonically equivalent ("é" in one or in two scalars) as one of them, so
/// a model would come back changed. It recurses as far as the value nests, which the model's own limits bound.
struct PropertyListValueEncoder {
    /// The keys of each dictionary are in the order of their bytes: the same value gives the same list.
    static func encode(_ value: some Encodable) throws -> PropertyListValue {
        let node = Node()
        try value.encode(to: NodeEncoder(node: node, codingPath: []))
        return node.value
    }

    /// A place that is filled while its container may still grow.
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
            // Taken out meanwhile, so that the array grows in place.
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

        /// Any type that codes itself; what a property list has a form for is written in that form.
        func encode(_ value: some Encodable, at path: [any CodingKey]) throws {
            switch value {
            case let value as Date: content = .leaf(.date(value.timeIntervalSinceReferenceDate))
            case let value as Data: content = .leaf(.data(Array(value)))
            case let value as String: content = .leaf(.string(value))
            default: try value.encode(to: NodeEncoder(node: self, codingPath: path))
            }
        }
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

    mutating func encodeNil(forKey key: Key) throws {
        throw EncodingError.invalidValue(
            key, .init(codingPath: codingPath + [key], debugDescription: "a property list has no null"))
    }

    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
        try node.member(key.stringValue).encode(value, at: codingPath + [key])
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key]).container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key]).unkeyedContainer()
    }

    mutating func superEncoder() -> any Encoder {
        NodeEncoder(node: node.member("super"), codingPath: codingPath)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        NodeEncoder(node: node.member(key.stringValue), codingPath: codingPath + [key])
    }
}

private struct Elements: UnkeyedEncodingContainer {
    let node: PropertyListValueEncoder.Node
    let codingPath: [any CodingKey]

    var count: Int {
        if case .array(let nodes) = node.content { nodes.count } else { 0 }
    }

    mutating func encodeNil() throws {
        throw EncodingError.invalidValue(
            count, .init(codingPath: codingPath, debugDescription: "a property list has no null"))
    }

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

    mutating func encodeNil() throws {
        throw EncodingError.invalidValue(
            0, .init(codingPath: codingPath, debugDescription: "a property list has no null"))
    }

    mutating func encode(_ value: Bool) throws { node.content = .leaf(.boolean(value)) }
    mutating func encode(_ value: String) throws { node.content = .leaf(.string(value)) }
    mutating func encode(_ value: Double) throws { node.content = .leaf(.real(value)) }
    mutating func encode(_ value: Float) throws { node.content = .leaf(.real(Double(value))) }
    mutating func encode(_ value: Int) throws { node.content = .leaf(.integer(Int64(value))) }
    mutating func encode(_ value: Int8) throws { node.content = .leaf(.integer(Int64(value))) }
    mutating func encode(_ value: Int16) throws { node.content = .leaf(.integer(Int64(value))) }
    mutating func encode(_ value: Int32) throws { node.content = .leaf(.integer(Int64(value))) }
    mutating func encode(_ value: Int64) throws { node.content = .leaf(.integer(value)) }
    mutating func encode(_ value: UInt) throws { try encode(UInt64(value)) }
    mutating func encode(_ value: UInt8) throws { node.content = .leaf(.integer(Int64(value))) }
    mutating func encode(_ value: UInt16) throws { node.content = .leaf(.integer(Int64(value))) }
    mutating func encode(_ value: UInt32) throws { node.content = .leaf(.integer(Int64(value))) }

    mutating func encode(_ value: UInt64) throws {
        node.content = .leaf(Int64(exactly: value).map { .integer($0) } ?? .unsigned(value))
    }

    mutating func encode(_ value: some Encodable) throws { try node.encode(value, at: codingPath) }
}
