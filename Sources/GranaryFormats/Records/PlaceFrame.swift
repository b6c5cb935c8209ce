/// The parts of a document around the records of its places, for a document with some of the records.
///
/// The places come in the order of the document, so each object and array around them is opened once.
package struct PlaceFrame {
    /// A part of the document, before or after records.
    package enum Part: Equatable {
        case beginObject, endObject, beginArray, endArray
        case name(String)
        /// NULL, or an element of an array that is not needed.
        case filler
    }

    /// The way to the current place. Each component is in one of ``counts``.
    private var path: [PlaceVisit.Component] = []
    /// For each open object −1, and for each open array the number of its elements so far.
    private var counts: [Int] = []
    /// What the current place contains; nil before the first place.
    private var content: PlaceVisit.Content?

    package init() {}

    /// The parts that end the records of the previous place and begin those of the next one.
    package mutating func move(to visit: PlaceVisit) -> [Part] {
        var parts = end()
        let common = Self.common(path, visit.path)
        while counts.count > common + 1 { parts.append(close()) }
        path.removeSubrange(common...)
        for component in visit.path[common...] {
            parts += step(into: component)
            path.append(component)
        }
        content = visit.content
        switch visit.content {
        case .array: parts.append(.beginArray)
        case .keyed: parts.append(.beginObject)
        case .single: break
        case .null: parts.append(.filler)
        }
        return parts
    }

    /// The place that can follow the current one so that no object or array is opened twice, without records; nil if
    /// there is none left.
    ///
    /// - Parameter visited: the indexes of the places that do not follow.
    package func next(of places: [RecordPlace], besides visited: Set<Int>) -> PlaceVisit? {
        let left = places.indices.filter { !visited.contains($0) }.map { index in
            PlaceVisit(place: index, path: components(places[index].names), content: .null)
        }
        return left.max { Self.common(path, $0.path) < Self.common(path, $1.path) }
    }

    /// The parts that end the document.
    package mutating func finish() -> [Part] {
        var parts = end()
        while !counts.isEmpty { parts.append(close()) }
        path = []
        return parts
    }

    /// A path whose names are elements in arrays that are open, and otherwise members.
    private func components(_ names: [String]) -> [PlaceVisit.Component] {
        var isInside = true
        return names.indices.map { index in
            var component = PlaceVisit.Component.member(names[index])
            if isInside, counts.indices.contains(index), counts[index] >= 0, let element = Int(names[index]) {
                component = .element(element)
            }
            isInside = isInside && path.indices.contains(index) && path[index] == component
            return component
        }
    }

    private static func common(_ one: [PlaceVisit.Component], _ other: [PlaceVisit.Component]) -> Int {
        zip(one, other).prefix { $0 == $1 }.count
    }

    private mutating func end() -> [Part] {
        defer { content = nil }
        switch content {
        case .array?: return [.endArray]
        case .keyed?: return [.endObject]
        case .single?, .null?, nil: return []
        }
    }

    /// Opens the object or array that has the component, if it is not open, and moves to the component.
    private mutating func step(into component: PlaceVisit.Component) -> [Part] {
        var parts: [Part] = []
        let isOpen = counts.count > path.count
        switch component {
        case .member(let name):
            if !isOpen {
                parts.append(.beginObject)
                counts.append(-1)
            }
            parts.append(.name(name))
        case .element(let index):
            if !isOpen {
                parts.append(.beginArray)
                counts.append(0)
            }
            let last = counts.count - 1
            while counts[last] < index {
                parts.append(.filler)
                counts[last] += 1
            }
            counts[last] += 1
        }
        return parts
    }

    private mutating func close() -> Part { counts.popLast() ?? -1 < 0 ? .endObject : .endArray }
}
