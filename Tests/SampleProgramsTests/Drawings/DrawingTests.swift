import Foundation
import Granary
import TestSupport
import Testing

@testable import SamplePrograms

@Suite("Sample: Drawings, properties of further kinds") @MainActor struct DrawingTests {
    private let folder: TemporaryFolder
    private let app: DrawingApp
    private let red = Colour(red: 255, green: 0, blue: 0)

    init() throws {
        folder = try TemporaryFolder()
        app = try Self.makeApp(folder)
    }

    private static func makeApp(_ folder: TemporaryFolder) throws -> DrawingApp {
        try DrawingApp(
            model: Samples.url("Drawings/Drawings.xcdatamodeld"),
            store: .sqlite(folder.url.appending(path: "Drawings.sqlite")))
    }

    @Test("A transient area is calculated when the object is read again, and is not stored")
    func area() throws {
        let shape = app.addShape("Door", width: 2, height: 3)
        #expect(shape.area == 6)
        try app.save()
        let next = try Self.makeApp(folder)
        let read = try #require(try next.managedObjectContext.fetch(Shape.self).first)
        #expect(read.isFault && read.primitiveWidth == nil && read.primitiveArea == nil)
        #expect(read.area == 6 && read.primitiveArea == 6)
        #expect(!next.managedObjectContext.hasChanges)
    }

    @Test("A change of a transient value is tracked and undone with what it was derived from")
    func undo() throws {
        let shape = app.addShape("Door", width: 2, height: 3)
        try app.save()
        try app.endStep()
        shape.width = 4
        shape.isSelected = true
        #expect(shape.area == 12 && app.managedObjectContext.hasChanges)
        try app.endStep()
        try app.undo()
        #expect(shape.width == 2 && shape.area == 6 && !shape.isSelected)
    }

    @Test("A colour goes through the app's transformer; other bytes are an error")
    func colours() throws {
        let shape = app.addShape("Door", width: 2, height: 3, fill: red)
        #expect(shape.fill == red && shape.primitiveColour as? Colour == red)
        #expect(try shape.data(forKey: "colour") == Data([255, 0, 0]))
        try app.save()
        let next = try Self.makeApp(folder)
        let read = try #require(try next.managedObjectContext.fetch(Shape.self).first)
        #expect(read.fill == red)
        read.fill = red
        #expect(!next.managedObjectContext.hasChanges)
        read.fill = nil
        #expect(read.fill == nil && next.managedObjectContext.hasChanges)
        try read.setValue(.binary(Data([1])), forKey: "colour")
        #expect(throws: Colour.NoColour.self) { try read.transformedValue(forKey: "colour") }
    }

    @Test("Many shapes have many tags, and each end shows the other")
    func manyToMany() throws {
        let (door, window) = (
            app.addShape("Door", width: 1, height: 2), app.addShape("Window", width: 2, height: 1)
        )
        try app.tag(door, "wood")
        try app.tag(window, "wood")
        try app.tag(window, "glass")
        try app.save()
        #expect(window.tags.map(\.name).sorted() == ["glass", "wood"])
        let wood = try #require(door.tags.first)
        #expect(wood.shapes == [door, window])
        wood.removeFromShapes(door)
        #expect(door.tags.isEmpty)
        try app.save()
        let next = try Self.makeApp(folder)
        #expect(try next.shapes(tagged: "wood").map(\.name) == ["Window"])
    }

    @Test("Fetch request templates, with and without a variable")
    func templates() throws {
        let door = app.addShape("Door", width: 1, height: 2)
        let window = app.addShape("Window", width: 2, height: 1)
        try app.tag(door, "wood")
        // Unsaved objects are found too.
        #expect(try app.shapes(tagged: "wood") == [door])
        #expect(try app.shapes(tagged: "glass").isEmpty)
        #expect(try app.wideShapes() == [window])
        try app.save()
        #expect(try app.shapes(tagged: "wood") == [door])
        #expect(try app.wideShapes() == [window])
    }
}
