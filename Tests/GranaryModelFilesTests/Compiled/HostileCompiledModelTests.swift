import GranaryBase
import GranaryModel
import GranaryPropertyLists
import Testing

@testable import GranaryModelFiles

/// Archives that are made to break the reader.
struct HostileCompiledModelTests {
    typealias Make = @Sendable (inout CompiledSamples) -> [UInt8]

    static let broken: [(String, Make)] = [
        ("not of a Core Data model", { $0.bytes([], className: "NSObject") }),
        ("is a compiled mapping model (.cdm)", { $0.bytes([], className: "NSMappingModel") }),
        (
            "NSEntities contains an object of the class \"NSArray\"",
            { samples in
                let array = samples.array([])
                return samples.bytes([("E", array)])
            }
        ),
        (
            "a value of NSEntities is not an object",
            { samples in
                let text = samples.text("E")
                return samples.bytes([("E", text)])
            }
        ),
        (
            "the entity \"E\" occurs twice",
            { samples in
                let entity = samples.entity("E")
                return samples.bytes([("E", entity), ("F", entity)])
            }
        ),
        (
            "the entity \"E\" occurs twice",
            { samples in
                let entities = [("E", samples.entity("E")), ("F", samples.entity("E"))]
                return samples.bytes(entities)
            }
        ),
        (
            "the property \"a\" occurs twice",
            { samples in
                let properties = [("a", samples.attribute("a")), ("b", samples.attribute("a"))]
                let entity = samples.entity("E", properties: properties)
                return samples.bytes([("E", entity)])
            }
        ),
        (
            "there is no attribute type 7",
            { samples in
                let properties = [("a", samples.attribute("a", type: 7))]
                let entity = samples.entity("E", properties: properties)
                return samples.bytes([("E", entity)])
            }
        ),
        (
            "NSSuperentity refers to an object that is not an entity of the model",
            { samples in
                let stranger = samples.entity("S")
                let entity = samples.entity("E", [.init("NSSuperentity", stranger)])
                return samples.bytes([("E", entity)])
            }
        ),
        (
            "NSIsAbstract is not a boolean",
            { samples in
                let entity = samples.entity("E", [.init("NSIsAbstract", .integer(2))])
                return samples.bytes([("E", entity)])
            }
        ),
        (
            "a reference to object 9999",
            { samples in
                let entity = samples.entity("E", [.init("NSUserInfo", .uid(9_999))])
                return samples.bytes([("E", entity)])
            }
        ),
        (
            "a composite nests deeper than 16",
            { samples in
                // An element that is its own element.
                let number = samples.builder.reserve()
                let elements = samples.array([.uid(number)])
                samples.builder.set(
                    number,
                    classNames: ["NSCompositeAttributeDescription", "NSAttributeDescription", "NSObject"],
                    fields: [
                        .init("NSPropertyName", samples.text("c")), .init("NSCompositeElements", elements),
                        .init("NSAttributeType", .integer(2_100)),
                    ])
                let entity = samples.entity("E", properties: [("c", .uid(number))])
                return samples.bytes([("E", entity)])
            }
        ),
    ]

    @Test(arguments: broken.indices)
    func areRefused(_ index: Int) throws {
        let (message, make) = Self.broken[index]
        var samples = CompiledSamples()
        let bytes = make(&samples)
        let lines = try #require(ModelSamples.refusal { _ = try CompiledSamples.read(bytes) })
        #expect(lines.count == 1 && lines[0].contains(message), "\(lines)")
    }

    @Test func superentitiesInACircle() throws {
        var samples = CompiledSamples()
        let (first, second) = (samples.builder.reserve(), samples.builder.reserve())
        let stranger = samples.attribute("x", entity: .uid(second))
        let entities = [
            ("A", samples.entity("A", at: first, [.init("NSSuperentity", .uid(second))])),
            ("B", samples.entity("B", at: second, [.init("NSSuperentity", .uid(first))])),
            ("C", samples.entity("C", properties: [("x", stranger)], [.init("NSSuperentity", .uid(first))])),
        ]
        let model = try CompiledSamples.read(samples.bytes(entities)).model
        let lines = try #require(ModelSamples.refusal { _ = try model.resolved() })
        #expect(lines.contains { $0.contains("[model.inheritance]") }, "\(lines)")
    }

    @Test func aPropertyInTwoEntities() throws {
        var samples = CompiledSamples()
        let owner = samples.builder.reserve()
        let shared = samples.attribute("x", entity: .uid(owner))
        let entities = [
            ("A", samples.entity("A", at: owner, properties: [("x", shared)])),
            ("B", samples.entity("B", properties: [("x", shared)])),
        ]
        let (model, diagnostics) = try CompiledSamples.read(samples.bytes(entities))
        #expect(model.entity(named: "A")?.attributes.count == 1)
        #expect(model.entity(named: "B")?.attributes.isEmpty == true)
        #expect(
            diagnostics.map(\.message) == [
                "the property belongs to \"A\", which is not a superentity; it is omitted"
            ])
    }

    @Test func foreignClassesAreTold() throws {
        let (model, diagnostics) = try CompiledSamples.read { samples in
            [
                ("a", samples.builder.add(classNames: ["App.Property", "NSObject"], fields: [])),
                ("b", samples.builder.add(classNames: ["NSExpressionDescription", "NSObject"], fields: [])),
                ("c", samples.attribute("c", className: "App.Attribute")),
            ]
        }
        #expect(model.entities.first?.attributes.map(\.name) == ["c"])
        #expect(diagnostics.map(\.property) == ["a", "b"])
    }

    @Test func sharedObjectsCostWhatTheyAreWorth() throws {
        // A megabyte that stands for 700.
        var samples = CompiledSamples()
        let text = samples.text(String(repeating: "x", count: 1 << 20))
        var properties: [(String, PropertyListValue)] = []
        for number in 0..<700 {
            let name = "a\(number)"
            properties.append((name, samples.attribute(name, [.init("NSVersionHashModifier", text)])))
        }
        let entity = samples.entity("E", properties: properties)
        let bytes = samples.bytes([("E", entity)])
        let lines = try #require(ModelSamples.refusal { _ = try CompiledSamples.read(bytes) })
        #expect(lines.count == 1 && lines[0].contains("[limit.exceeded]"), "\(lines)")
    }
}
