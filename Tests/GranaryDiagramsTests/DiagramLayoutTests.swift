import Foundation
import GranaryBase
import GranaryModel
import GranaryModelFiles
import TestSupport
import Testing

@testable import GranaryDiagrams

/// Boxes do not overlap, texts fit into them, and links do not cross them.
struct DiagramLayoutTests {
    /// A model with random links, inheritance and names.
    static func model(_ seed: UInt64, entities count: Int) -> ManagedObjectModel {
        var random = SeededGenerator(seed: seed)
        var model = ManagedObjectModel()
        for number in 0..<count {
            var entity = EntityDescription(
                name: "Entity\(number)" + String(repeating: "x", count: Int.random(in: 0...30, using: &random)))
            for attribute in 0..<Int.random(in: 0...12, using: &random) {
                entity.attributes.append(AttributeDescription(name: "attribute\(attribute)", type: .string))
            }
            model.entities.append(entity)
        }
        for number in 0..<count {
            for link in 0..<Int.random(in: 0...3, using: &random) {
                let other = Int.random(in: 0..<count, using: &random)
                var relationship = RelationshipDescription(
                    name: "r\(link)", destination: model.entities[other].name,
                    inverse: Bool.random(using: &random) ? "inverse\(number)_\(link)" : nil)
                relationship.maxCount = Int.random(in: 0...1, using: &random)
                model.entities[number].relationships.append(relationship)
                guard let name = relationship.inverseName else { continue }
                model.entities[other].relationships.append(
                    RelationshipDescription(
                        name: name, destination: model.entities[number].name, inverse: relationship.name))
            }
            if number > 0, Int.random(in: 0..<5, using: &random) == 0 {
                model.entities[number].superentityName = model.entities[number - 1].name
            }
        }
        return model
    }

    static func check(_ model: ManagedObjectModel, _ name: String) {
        let diagram = Diagram(model)
        let layout = DiagramLayout(diagram)
        #expect(layout.paths.count == diagram.links.count, "\(name)")
        for (index, frame) in layout.frames.enumerated() {
            #expect(
                frame.x >= 0 && frame.y >= 0 && frame.right <= layout.width && frame.bottom <= layout.height, "\(name)")
            for other in layout.frames.dropFirst(index + 1) {
                let isApart =
                    frame.right <= other.x || other.right <= frame.x || frame.bottom <= other.y
                    || other.bottom <= frame.y
                if !isApart { Issue.record("\(name): \(diagram.boxes[index].name)") }
            }
            let shape = layout.shapes[index]
            for line in shape.lines {
                let width = TextWidth.of(line.name) + TextWidth.of(line.detail) + 2 * BoxShape.padding
                if width > frame.width || line.middle >= frame.height { Issue.record("\(name): \(line.name)") }
            }
        }
        for path in layout.paths where !path.isLoop {
            for (start, end) in zip(path.points, path.points.dropFirst()) {
                #expect(start.x <= end.x, "\(name)")
                // Between columns the line is a curve, and elsewhere it is straight.
                for frame in layout.frames {
                    let isBeside = end.x <= frame.x + 0.01 || start.x >= frame.right - 0.01
                    let isAbove = max(start.y, end.y) <= frame.y || min(start.y, end.y) >= frame.bottom
                    if !isBeside, !isAbove {
                        Issue.record("\(name): \(diagram.links[path.link]) crosses a box \(start) \(end) \(frame)")
                    }
                }
            }
        }
    }

    @Test(arguments: 0..<12)
    func randomModels(_ seed: UInt64) {
        Self.check(Self.model(seed, entities: [1, 2, 5, 12, 20, 40][Int(seed % 6)]), "seed \(seed)")
    }

    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"))
    func realModels() throws {
        for folder in try DiagramModels.folders() {
            guard let model = try? ManagedObjectModel(contentsOf: folder) else { continue }
            Self.check(model, folder.lastPathComponent)
        }
    }

    @Test func linkedBoxesStandBesideEachOther() {
        let model = ManagedObjectModel(entities: [
            EntityDescription("A", [.toMany("bs", "B", inverse: "a")]),
            EntityDescription("B", [.toOne("a", "A", inverse: "bs"), .toMany("cs", "C", inverse: "b")]),
            EntityDescription("C", [.toOne("b", "B", inverse: "cs")]), EntityDescription("Alone", []),
        ])
        let frames = DiagramLayout(Diagram(model)).frames
        // Boxes: A, Alone, B, C.
        #expect(frames[0].right < frames[2].x && frames[2].right < frames[3].x)
        #expect(frames[1].y > max(frames[0].bottom, frames[2].bottom, frames[3].bottom))
    }
}

struct DiagramLayoutLongTests {
    @Test func manyEntitiesHavePlaces() {
        let layout = DiagramLayout(Diagram(DiagramLayoutTests.model(7, entities: 1_500)))
        #expect(layout.frames.count == 1_500 && layout.width > layout.height)
    }

    @Test(arguments: 100..<160)
    func randomModels(_ seed: UInt64) {
        DiagramLayoutTests.check(DiagramLayoutTests.model(seed, entities: Int(seed - 98)), "seed \(seed)")
    }
}
