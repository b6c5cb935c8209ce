import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import StoreTestSupport
import Testing

@Suite("Values of managed objects") struct ManagedObjectValueTests {
    let context: ManagedObjectContext

    init() throws {
        context = try PersistentContainer(model: ConformanceModel.model, store: .inMemory).makeContext()
    }

    @Test(
        "A value of another type is refused, an integer outside its width too",
        arguments: [
            ("i16", 32768, .valueRange), ("i16", -32769, .valueRange), ("i32", 2_147_483_648, .valueRange),
            ("i16", "1", .valueSyntax), ("string", 1, .valueSyntax), ("boolean", 1, .valueSyntax),
            ("double", 1, .valueSyntax), ("float", 1.5, .valueSyntax), ("i64", true, .valueSyntax),
            ("uuid", "F7B1", .valueSyntax), ("decimal", .decimal(.nan), .valueRange),
            ("decimal", .decimal(Decimal(string: "340282366920938463463374607431768211455") ?? 0), .valuePrecision),
        ] as [(String, AttributeValue, Diagnostic.Code)])
    func refusedValues(key: String, value: AttributeValue, code: Diagnostic.Code) throws {
        let object = try context.insert(into: "Values")
        let error = #expect(throws: GranaryError.self) { try object.setValue(value, forKey: key) }
        #expect(error?.diagnostics.map(\.code) == [code])
        #expect(error?.diagnostics.first?.property == key && error?.diagnostics.first?.entity == "Values")
        #expect(try object.value(forKey: key) == nil)
    }

    @Test("A name that is no property is an error that names the nearest one")
    func unknownKeys() throws {
        let object = try context.insert(into: "Node")
        for (key, hint) in [("nmae", "\"name\""), ("Likes", "\"likes\""), ("zzz", nil)] as [(String, String?)] {
            let errors = [
                #expect(throws: GranaryError.self) { try object.value(forKey: key) },
                #expect(throws: GranaryError.self) { try object.setValue(1, forKey: key) },
                #expect(throws: GranaryError.self) { try object.object(forKey: key) },
                #expect(throws: GranaryError.self) { try object.objects(forKey: key) },
            ]
            for error in errors {
                #expect(error?.code == .usage)
                #expect(error?.message.contains(hint ?? "did you mean") == (hint != nil))
            }
        }
        #expect(object["nmae"] == nil && object["likes"] == nil)
    }

    @Test("A property is read in its own way")
    func wrongAccess() throws {
        let object = try context.insert(into: "Node")
        #expect(throws: GranaryError.self) { try object.value(forKey: "parent") }
        #expect(throws: GranaryError.self) { try object.object(forKey: "children") }
        #expect(throws: GranaryError.self) { try object.objects(forKey: "parent") }
        #expect(throws: GranaryError.self) { try object.object(forKey: "name") }
        #expect(throws: GranaryError.self) { try object.integer(forKey: "name") }
        #expect(throws: GranaryError.self) { try object.string(forKey: "parent") }
    }

    @Test("Values are read in their Swift types")
    func typedValues() throws {
        let object = try context.insert(into: "Values")
        #expect(try object.string(forKey: "string") == nil)
        let (date, uuid, url) = (Date(timeIntervalSinceReferenceDate: 1), UUID(), URL(filePath: "/x"))
        let values: [(String, AttributeValue)] = [
            ("i16", 1), ("boolean", true), ("float", .float(1.5)), ("double", 2.5), ("decimal", .decimal(3)),
            ("string", "s"),
            ("date", .date(date)), ("binary", .binary(Data([1]))), ("uuid", .uuid(uuid)), ("uri", .uri(url)),
        ]
        for (key, value) in values { try object.setValue(value, forKey: key) }
        #expect(try object.integer(forKey: "i16") == 1)
        #expect(try object.boolean(forKey: "boolean") == true)
        #expect(try object.float(forKey: "float") == 1.5)
        #expect(try object.double(forKey: "double") == 2.5)
        #expect(try object.decimal(forKey: "decimal") == 3)
        #expect(try object.string(forKey: "string") == "s")
        #expect(try object.date(forKey: "date") == date)
        #expect(try object.data(forKey: "binary") == Data([1]))
        #expect(try object.uuid(forKey: "uuid") == uuid)
        #expect(try object.url(forKey: "uri") == url)
    }

    @Test("Objects of another entity, of another context are refused")
    func refusedObjects() throws {
        let (node, tag) = (try context.insert(into: "Node"), try context.insert(into: "Tag"))
        let error = #expect(throws: GranaryError.self) { try node.setObject(tag, forKey: "parent") }
        #expect(error?.code == .refused)
        #expect(throws: GranaryError.self) { try node.add(tag, forKey: "likes") }
        #expect(throws: GranaryError.self) { try node.setObjects([node, tag], forKey: "likes") }
        #expect(try node.objects(forKey: "likes") == [])
        let other = try PersistentContainer(model: ConformanceModel.model, store: .inMemory).makeContext()
        #expect(throws: GranaryError.self) { try node.setObject(try other.insert(into: "Node"), forKey: "parent") }
    }

    @Test("Both ends must accept each other, however the inverse is declared")
    func narrowInverse() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("Animal", [.toOne("keeper", "Keeper", inverse: "animals")]),
            EntityDescription("Keeper", []),
            EntityDescription("Trainer", [], superentity: "Keeper"),
        ])
        // The inverse lies on a subentity's side only where the model says so; here both agree.
        var sound = model
        sound.entities[1].relationships = [
            RelationshipDescription(name: "animals", destination: "Animal", inverse: "keeper")
        ]
        sound.entities[1].relationships[0].maxCount = 0
        let context = try PersistentContainer(model: sound, store: .inMemory).makeContext()
        let (animal, trainer) = (try context.insert(into: "Animal"), try context.insert(into: "Trainer"))
        try animal.setObject(trainer, forKey: "keeper")
        #expect(try trainer.objects(forKey: "animals") == [animal])
    }
}
