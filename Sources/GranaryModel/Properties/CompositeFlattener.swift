/// Expands Composite attributes to the attributes that hold values.
package struct CompositeFlattener {
    /// The composites by name; the first one for duplicate names.
    let composites: [String: CompositeDescription]
    /// Whether the composites can be enumerations of SwiftData.
    let isSwiftData: Bool

    /// The maximum nesting depth of composites, which also stops at a composite that contains itself.
    package static let depthLimit = 16
    /// The maximum number of elements of a Composite attribute, including nested ones: sixteen levels of ten elements
    /// would exceed any memory.
    package static let elementLimit = 1_000

    init(model: ManagedObjectModel) { self.init(composites: model.composites, isSwiftData: model.isSwiftData) }

    init(composites: [CompositeDescription], isSwiftData: Bool = false) {
        self.composites = Dictionary(composites.map { ($0.name, $0) }) { first, _ in first }
        self.isSwiftData = isSwiftData
    }

    /// The attribute itself, or a composite's leaves in element order with paths such as `author.person`. An enumeration
    /// of SwiftData is one leaf.
    ///
    /// A leaf of an optional composite is optional, because an absent composite is stored as NULL in every leaf.
    func leaves(of attribute: AttributeDescription) -> [CompositeLeaf] {
        leaves(of: attribute, joinsEnumerations: true) { element, parent in
            element.isOptional = element.isOptional || parent.isOptional
            element.isTransient = element.isTransient || parent.isTransient
        }
    }

    /// The leaves as declared in the composites, in element order. Version hashes contain each case of an enumeration.
    func declaredLeaves(of attribute: AttributeDescription) -> [AttributeDescription] {
        leaves(of: attribute, joinsEnumerations: false) { _, _ in }.map(\.attribute)
    }

    /// The leaves as declared, with the paths to them inside the attribute: `.latitude`, `.author.person`.
    func declaredLeafPaths(of attribute: AttributeDescription) -> [(path: String, attribute: AttributeDescription)] {
        leaves(of: attribute, joinsEnumerations: false) { _, _ in }.map { leaf in
            (String(leaf.path.dropFirst(attribute.name.count)), leaf.attribute)
        }
    }

    private func leaves(
        of attribute: AttributeDescription, joinsEnumerations: Bool,
        inherit: (_ element: inout AttributeDescription, _ parent: AttributeDescription) -> Void
    ) -> [CompositeLeaf] {
        guard attribute.type == .composite else { return [CompositeLeaf(path: attribute.name, attribute: attribute)] }
        var result: [CompositeLeaf] = []
        var stack = [(path: attribute.name, attribute: attribute, depth: 0)]
        var count = 0
        while let (path, current, depth) = stack.popLast() {
            guard current.type == .composite else {
                result.append(CompositeLeaf(path: path, attribute: current))
                continue
            }
            if joinsEnumerations, let value = enumeration(of: current, at: path) {
                result.append(value)
                continue
            }
            guard depth < Self.depthLimit, let composite = composite(named: current.compositeName) else { continue }
            count += composite.elements.count
            guard count <= Self.elementLimit else { break }
            for element in composite.elements.reversed() {
                var leaf = element
                inherit(&leaf, current)
                stack.append(("\(path).\(element.name)", leaf, depth + 1))
            }
        }
        return result
    }

    func composite(named name: String?) -> CompositeDescription? {
        name.flatMap { composites[$0] }
    }

    /// The number of elements of each composite, including nested ones, at most ``elementLimit`` plus one.
    ///
    /// Composites that contain themselves or nest deeper than ``depthLimit`` are omitted. It works level by level from
    /// the innermost, so the time is linear in the composites.
    func sizes() -> [String: Int] {
        var sizes: [String: Int] = [:]
        var open = Array(composites.values)
        for _ in 0..<Self.depthLimit where !open.isEmpty {
            var found: [(name: String, size: Int)] = []
            var rest: [CompositeDescription] = []
            for composite in open {
                if let size = size(of: composite, knowing: sizes) {
                    found.append((composite.name, size))
                } else {
                    rest.append(composite)
                }
            }
            for (name, size) in found { sizes[name] = size }
            open = rest
        }
        return sizes
    }

    /// The size of a composite; nil if a nested composite's size is not known yet.
    private func size(of composite: CompositeDescription, knowing sizes: [String: Int]) -> Int? {
        var size = 0
        for element in composite.elements {
            size += 1
            guard element.type == .composite, let nested = self.composite(named: element.compositeName) else {
                continue
            }
            guard let inner = sizes[nested.name] else { return nil }
            size += inner
            guard size <= Self.elementLimit else { return Self.elementLimit + 1 }
        }
        return size
    }
}
