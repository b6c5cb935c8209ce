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

/// As `granary model code` generates it.
private final class Lamp: ManagedObject {
    override class var importsInBulk: Bool { true }

    var name: String {
        get { requiredValue(forKey: "name") }
        set { setTypedValue(newValue, forKey: "name") }
    }
    var watts: Int16? {
        get { typedValue(forKey: "watts") }
        set { setTypedValue(newValue, forKey: "watts") }
    }
    var isOn: Bool {
        get { requiredValue(forKey: "isOn") }
        set { setTypedValue(newValue, forKey: "isOn") }
    }
    var wide: Int64 {
        get { requiredValue(forKey: "watts") }
        set { setTypedValue(newValue, forKey: "watts") }
    }
    var colours: [String]? {
        get { typedTransformedValue(forKey: "colours") }
        set { setTypedTransformedValue(newValue, forKey: "colours") }
    }
    var primitiveName: String? {
        get { typedPrimitiveValue(forKey: "name") }
        set { setTypedPrimitiveValue(newValue, forKey: "name") }
    }
    var primitiveWide: Int64? {
        get { typedPrimitiveValue(forKey: "watts") }
        set { setTypedPrimitiveValue(newValue, forKey: "watts") }
    }
    var primitiveText: String? { typedPrimitiveValue(forKey: "watts") }
    var primitiveColours: [String]? {
        get { typedPrimitiveTransformedValue(forKey: "colours") }
        set { setTypedPrimitiveTransformedValue(newValue, forKey: "colours") }
    }
    var anyPrimitiveColours: (any Sendable)? { untypedPrimitiveTransformedValue(forKey: "colours") }
    var primitiveIsOn: AttributeValue? {
        get { untypedPrimitiveValue(forKey: "isOn") }
        set { setUntypedPrimitiveValue(newValue, forKey: "isOn") }
    }
    var room: Room? {
        get { typedObject(forKey: "room") }
        set { setTypedObject(newValue, forKey: "room") }
    }
    var wires: [Wire] {
        get { typedList(forKey: "wires") }
        set { setTypedList(newValue, forKey: "wires") }
    }

    func insertIntoWires(_ value: Wire, at index: Int) { insertTyped(value, at: index, forKey: "wires") }
    func removeFromWires(at index: Int) { removeTyped(at: index, forKey: "wires") }
    func replaceWires(at index: Int, with value: Wire) { replaceTyped(at: index, with: value, forKey: "wires") }
}

private final class Room: ManagedObject {
    var lamps: Set<Lamp> {
        get { typedSet(forKey: "lamps") }
        set { setTypedSet(newValue, forKey: "lamps") }
    }

    func addToLamps(_ value: Lamp) { addTyped(value, forKey: "lamps") }
    func addToLamps(_ values: some Sequence<Lamp>) { addTyped(contentsOf: values, forKey: "lamps") }
    func removeFromLamps(_ value: Lamp) { removeTyped(value, forKey: "lamps") }
    func removeFromLamps(_ values: some Sequence<Lamp>) { removeTyped(contentsOf: values, forKey: "lamps") }
}

private final class Wire: ManagedObject {}
/// Registered for two entities.
private final class Both: ManagedObject {}
/// Registered for an abstract entity.
private final class Shape: ManagedObject {}
/// Registered for no entity.
private final class Unknown: ManagedObject {}

@Suite("Access of generated classes") struct GeneratedAccessTests {
    private static func entity(
        _ name: String, _ properties: [PropertyDescription], class className: String? = nil
    ) -> EntityDescription {
        var entity = EntityDescription(name, properties)
        entity.managedObjectClassName = className ?? name
        return entity
    }

    private static let model = {
        var shape = entity("Shape", [.attribute("name", .string)])
        shape.isAbstract = true
        return ManagedObjectModel(entities: [
            entity(
                "Lamp",
                [
                    .attribute("name", .string, .required), .attribute("watts", .integer16),
                    .attribute("isOn", .boolean), .attribute("colours", .transformable),
                    .toOne("room", "Room", inverse: "lamps"), .toMany("wires", "Wire", inverse: "lamp", .ordered),
                ]),
            entity("Room", [.toMany("lamps", "Lamp", inverse: "room")]),
            entity("Wire", [.toOne("lamp", "Lamp", inverse: "wires")]),
            entity("First", [.attribute("name", .string)], class: "Both"),
            entity("Second", [.attribute("name", .string)], class: "Both"), shape,
        ])
    }()

    private let container: PersistentContainer
    private let context: ManagedObjectContext

    init() throws {
        container = try PersistentContainer(
            model: Self.model, store: .inMemory,
            classes: [
                "Lamp": Lamp.self, "Room": Room.self, "Wire": Wire.self, "Both": Both.self, "Shape": Shape.self,
            ])
        context = container.makeContext()
    }

    @Test("Values go in and come out; NULL is the empty value of a required property")
    func values() throws {
        let lamp = Lamp(context: context)
        #expect(context.insertedObjects == [lamp])
        #expect(lamp.name == "" && lamp.watts == nil && !lamp.isOn && lamp.wide == 0 && lamp.colours == nil)
        #expect(try lamp.value(forKey: "name") == nil)
        lamp.name = "Desk"
        lamp.watts = 40
        lamp.isOn = true
        lamp.colours = ["red", "green"]
        #expect(lamp.name == "Desk" && lamp.watts == 40 && lamp.isOn && lamp.wide == 40)
        #expect(lamp.colours == ["red", "green"])
        lamp.watts = nil
        #expect(try lamp.value(forKey: "watts") == nil)
        try context.save()
        let other = container.makeContext()
        let again = try #require(try other.fetch(Lamp.fetchRequest()).first)
        #expect(again.name == "Desk" && again.isOn && again.colours == ["red", "green"])
        #expect(context.accessError == nil)
    }

    @Test("Primitive values are not changes, and are nil in a fault")
    func primitiveValues() throws {
        let lamp = Lamp(context: context)
        lamp.name = "Desk"
        lamp.colours = ["red"]
        try context.save()
        let other = container.makeContext()
        let read = try #require(try other.fetch(Lamp.fetchRequest()).first)
        #expect(read.primitiveName == nil && read.primitiveColours == nil && read.isFault)
        #expect(read.name == "Desk" && read.primitiveName == "Desk" && read.primitiveColours == ["red"])
        #expect(read.anyPrimitiveColours != nil)
        read.primitiveName = "Wall"
        read.primitiveColours = ["green", "blue"]
        read.primitiveIsOn = true
        #expect(read.name == "Wall" && read.colours == ["green", "blue"] && read.isOn && read.primitiveIsOn == true)
        #expect(!other.hasChanges && other.accessError == nil)
        // A value that does not fit is an error, as everywhere.
        read.primitiveWide = 70_000
        #expect(other.accessError != nil && read.primitiveWide == nil)
        other.rollback()
        read.primitiveWide = 40
        #expect(read.primitiveText == nil)
        let error = try #require(throws: GranaryError.self) { try other.save() }
        #expect(error.code == .usage)
    }

    @Test("Values to validate have the attribute's own type")
    func valuesToValidate() throws {
        let lamp = Lamp(context: context)
        #expect(lamp.typedValue(of: "Desk") as String? == "Desk" && lamp.typedValue(of: nil) as String? == nil)
        #expect(lamp.typedValue(of: 3) as Int16? == 3 && lamp.typedValue(of: 70_000) as Int16? == nil)
        lamp.colours = ["red"]
        let bytes = try lamp.value(forKey: "colours")
        #expect(try lamp.typedTransformedValue(of: bytes, forKey: "colours") as [String]? == ["red"])
        #expect(try lamp.untypedTransformedValue(of: bytes, forKey: "colours") != nil)
        #expect(try lamp.untypedTransformedValue(of: nil, forKey: "colours") == nil)
        #expect(throws: GranaryError.self) {
            try lamp.untypedTransformedValue(of: .binary(Data([1])), forKey: "colours")
        }
        #expect(throws: GranaryError.self) { try lamp.untypedTransformedValue(of: bytes, forKey: "name") }
    }

    @Test("Relationships as objects, sets and lists")
    func relationships() throws {
        let room = Room(context: context)
        let lamps = (0..<3).map { _ in Lamp(context: context) }
        for lamp in lamps { lamp.name = "Lamp" }
        room.addToLamps(lamps[0])
        room.addToLamps(lamps[1...])
        #expect(room.lamps == Set(lamps) && lamps[2].room == room)
        room.removeFromLamps(lamps[0])
        room.removeFromLamps([lamps[1]])
        #expect(room.lamps == [lamps[2]] && lamps[0].room == nil)
        room.lamps.insert(lamps[0])
        #expect(lamps[0].room == room)
        lamps[0].room = nil
        #expect(room.lamps == [lamps[2]])

        let lamp = lamps[0]
        let wires = (0..<4).map { _ in Wire(context: context) }
        lamp.wires = [wires[0], wires[1]]
        lamp.insertIntoWires(wires[2], at: 1)
        #expect(lamp.wires == [wires[0], wires[2], wires[1]])
        lamp.replaceWires(at: 0, with: wires[3])
        #expect(lamp.wires == [wires[3], wires[2], wires[1]])
        lamp.removeFromWires(at: 1)
        #expect(lamp.wires == [wires[3], wires[1]])
        try context.save()
        #expect(lamp.wires == [wires[3], wires[1]])
    }

    @Test("An error is remembered and thrown by the next save, once")
    func remembered() throws {
        let lamp = Lamp(context: context)
        lamp.name = "Desk"
        lamp.wide = 70_000
        let first = try #require(context.accessError as? GranaryError)
        #expect(first.code == .refused && lamp.watts == nil)
        lamp.removeFromWires(at: 5)
        #expect((context.accessError as? GranaryError)?.message == first.message)
        let error = try #require(throws: GranaryError.self) { try context.save() }
        #expect(error.message == first.message)
        #expect(context.accessError == nil && context.hasChanges)
        try context.save()
        #expect(try context.count(for: FetchRequest(Lamp.self)) == 1)
        lamp.wide = 70_000
        context.rollback()
        #expect(context.accessError == nil)
        lamp.wide = 70_000
        context.reset()
        #expect(context.accessError == nil)
        // Without a context nobody is told.
        #expect(lamp.room == nil)
    }

    @Test("An error alone is a change to save, so that a save for changes only does not lose it")
    func errorsAreChanges() throws {
        let lamp = Lamp(context: context)
        lamp.name = "Desk"
        try context.save()
        #expect(!context.hasChanges)
        lamp.wide = 70_000
        #expect(context.accessError != nil && context.hasChanges && context.updatedObjects.isEmpty)
        #expect(throws: GranaryError.self) { if context.hasChanges { try context.save() } }
        #expect(!context.hasChanges)
        lamp.wide = 70_000
        context.rollback()
        #expect(!context.hasChanges)
    }

    @Test("Many members of a list are removed at once, and undo brings them back", .timeLimit(.minutes(1)))
    func manyRemovals() throws {
        context.undoManager = ObjectUndoManager()
        let (lamp, other) = (Lamp(context: context), Lamp(context: context))
        let wires = (0..<20_000).map { _ in Wire(context: context) }
        lamp.wires = wires
        other.wires = [Wire(context: context)]
        try context.processPendingChanges()
        lamp.removeTyped(contentsOf: wires[..<19_998] + other.wires, forKey: "wires")
        #expect(lamp.wires == Array(wires[19_998...]) && other.wires.count == 1)
        #expect(try wires[0].object(forKey: "lamp") == nil && wires[19_999].object(forKey: "lamp") == lamp)
        try context.processPendingChanges()
        try context.undoManager?.undo()
        #expect(lamp.wires == wires)
        #expect(try wires[0].object(forKey: "lamp") == lamp)
        #expect(context.accessError == nil)
    }

    @Test("A replacement by a member, and an index that does not exist, change nothing", arguments: [0, 1, 2, -1])
    func replacements(_ index: Int) throws {
        let lamp = Lamp(context: context)
        lamp.name = "Desk"
        let wires = (0..<2).map { _ in Wire(context: context) }
        lamp.wires = wires
        lamp.replaceWires(at: index, with: wires[1])
        #expect(lamp.wires == wires)
        #expect((context.accessError == nil) == (index == 1))
    }

    @Test("A fault whose row is gone has empty values; it is deleted, or the save tells", arguments: [true, false])
    func lostFaults(_ isDeleting: Bool) throws {
        let lamp = Lamp(context: context)
        lamp.name = "Desk"
        try context.save()
        let other = container.makeContext()
        other.shouldDeleteInaccessibleFaults = isDeleting
        let fault = try #require(other.object(with: lamp.objectID) as? Lamp)
        try context.delete(lamp)
        try context.save()
        #expect(fault.name == "" && fault.room == nil)
        #expect(fault.isDeleted == isDeleting && (other.accessError == nil) == isDeleting)
        guard !isDeleting else { return try other.save() }
        let error = try #require(throws: GranaryError.self) { try other.save() }
        #expect(error.diagnostics.map(\.code) == [.objectGone])
    }

    @Test("An object that cannot be inserted belongs to no context, and the save tells")
    func impossibleObjects() throws {
        let unknown = Unknown(context: context)
        #expect(unknown.managedObjectContext == nil && context.insertedObjects.isEmpty)
        #expect("\(unknown)".hasPrefix("Unknown"))
        unknown.setTypedValue("a", forKey: "name")
        #expect((unknown.typedValue(forKey: "name") as String?) == nil)
        var error = try #require(throws: GranaryError.self) { try context.save() }
        #expect(error.code == .usage && error.message.contains("Unknown"))

        let both = Both(context: context)
        #expect(both.managedObjectContext == nil)
        both.setTypedValue("a", forKey: "name")
        #expect((both.typedValue(forKey: "name") as String?) == "a")
        error = try #require(throws: GranaryError.self) { try context.save() }
        #expect(error.code == .usage && error.message.contains("2 entities"))

        let shape = Shape(context: context)
        #expect(shape.managedObjectContext == nil)
        error = try #require(throws: GranaryError.self) { try context.save() }
        #expect(error.diagnostics.map(\.code) == [.entityAbstract])
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test("A class that is not registered where its objects are linked")
    func otherClasses() throws {
        let plain = try PersistentContainer(model: Self.model, store: .inMemory, classes: ["Room": Room.self])
        let context = plain.makeContext()
        let room = Room(context: context)
        let lamp = try context.insert(into: "Lamp")
        try lamp.setValue("Desk", forKey: "name")
        try lamp.setObject(room, forKey: "room")
        #expect(room.lamps.isEmpty)
        let error = try #require(throws: GranaryError.self) { try context.save() }
        #expect(error.code == .usage && error.message.contains("registered"))
    }
}
