import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryModel
import GranaryPredicates
import GranarySQLite
import StoreTestSupport
import TestSupport
import Testing

@Suite("Transformed values of managed objects") struct TransformedValueTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TransformedModel.container().makeContext()
    }

    @Test("What one container saved in a file the next one reads, with its transformers")
    func stored() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Things.sqlite")
        let point = TransformedModel.Point(x: 1.5, y: -2)
        do {
            let context = try TransformedModel.container(.sqlite(url)).makeContext()
            let thing = try context.insert(into: "Thing")
            try thing.setTransformedValue(["a", "é"], forKey: "tags")
            try thing.setTransformedValue(["n": [1, 2]], forKey: "list")
            try thing.setTransformedValue(point, forKey: "point")
            try thing.setTransformedValue([true], forKey: "draft")
            try context.save()
            #expect(try thing.transformedValue(forKey: "draft", as: [Bool].self) == [true])
        }
        let context = try TransformedModel.container(.sqlite(url)).makeContext()
        let thing = try #require(try context.fetchAll("Thing").first)
        #expect(try thing.transformedValue(forKey: "tags", as: [String].self) == ["a", "é"])
        #expect(try thing.transformedValue(forKey: "list", as: [String: [Int]].self) == ["n": [1, 2]])
        #expect(try thing.transformedValue(forKey: "point", as: TransformedModel.Point.self) == point)
        #expect(try thing.transformedValue(forKey: "draft", as: [Bool].self) == nil)
        #expect(try thing.transformedValue(forKey: "cleared", as: String.self) == nil)
        try thing.setTransformedValue(nil, forKey: "point")
        try context.save()
        #expect(try thing.data(forKey: "point") == nil)
    }

    @Test("A new value of an insecure transformer fails the save with 134060; one that is stored is read")
    func insecure() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appending(path: "Things.sqlite")
        let context = try TransformedModel.container(.sqlite(url)).makeContext()
        let thing = try context.insert(into: "Thing")
        try thing.setTransformedValue(7, forKey: "old")
        let error = #expect(throws: GranaryError.self) { try context.save() }
        #expect((error as NSError?)?.code == 134_060)
        #expect(error?.diagnostics.first?.property == "old" && error?.diagnostics.first?.code == .transformerInsecure)
        // NULL needs no transformer.
        let bytes = try thing.data(forKey: "old")
        try thing.setTransformedValue(nil, forKey: "old")
        try context.save()
        // What an app has stored before is read, and left alone by other changes.
        let connection = try Connection(path: url.path, mode: .readWrite)
        try connection.withStatement("UPDATE ZTHING SET ZOLD = ?") { statement in
            try Array(try #require(bytes)).withUnsafeBufferPointer { try statement.bindBlob($0, at: 1) }
            try statement.run()
        }
        let again = try TransformedModel.container(.sqlite(url)).makeContext()
        let stored = try #require(try again.fetchAll("Thing").first)
        #expect(try stored.transformedValue(forKey: "old", as: Int.self) == 7)
        try stored.setTransformedValue(["a"], forKey: "tags")
        try again.save()
        // A program's own transformer under that name is its own business.
        let own = AttributeTransformer.keyedArchive(name: "NSKeyedUnarchiveFromDataTransformerName")
        let container = try PersistentContainer(
            model: TransformedModel.model, store: .inMemory, transformers: [own, TransformedModel.point])
        let free = container.makeContext()
        try free.insert(into: "Thing").setTransformedValue(8, forKey: "old")
        try free.save()
    }

    @Test("A value is taken as the type that was asked for, when nothing is lost")
    func typed() throws {
        let thing = try context.insert(into: "Thing")
        try thing.setTransformedValue([1, 300, 2], forKey: "list")
        #expect(try thing.transformedValue(forKey: "list", as: [Int].self) == [1, 300, 2])
        #expect(try thing.transformedValue(forKey: "list", as: [Int64].self) == [1, 300, 2])
        #expect(try thing.transformedValue(forKey: "list", as: [Double].self) == [1, 300, 2])
        #expect(try thing.transformedValue(forKey: "list", as: [UInt16?].self) == [1, 300, 2])
        #expect(try thing.transformedValue(forKey: "list", as: Set<Int32>.self) == [1, 2, 300])
        #expect(try thing.transformedValue(forKey: "list", as: [any Sendable].self)?.count == 3)
        #expect(throws: GranaryError.self) { try thing.transformedValue(forKey: "list", as: [UInt8].self) }
        let error = #expect(throws: GranaryError.self) {
            try thing.transformedValue(forKey: "list", as: [String: Int].self)
        }
        #expect(error?.code == .usage && error?.message.contains("Thing.list") == true)

        try thing.setTransformedValue(["a", nil] as [String?], forKey: "list")
        #expect(try thing.transformedValue(forKey: "list", as: [String?].self) == ["a", nil])
        #expect(throws: GranaryError.self) { try thing.transformedValue(forKey: "list", as: [String].self) }
        try thing.setTransformedValue([3: Set([Float(0.1)])], forKey: "list")
        #expect(try thing.transformedValue(forKey: "list", as: [Int: Set<Float>].self) == [3: [0.1]])
        try thing.setTransformedValue(ArchivedNull(), forKey: "list")
        #expect(try thing.transformedValue(forKey: "list") is ArchivedNull)
        #expect(try thing.transformedValue(forKey: "list", as: String.self) == nil)
    }

    @Test("STO-05: a value is a copy; changed and set again, it is seen and saved")
    func inPlace() throws {
        let thing = try context.insert(into: "Thing")
        try thing.setTransformedValue(["a"], forKey: "tags")
        try context.save()
        var tags = try #require(try thing.transformedValue(forKey: "tags", as: [String].self))
        tags.append("b")
        #expect(!context.hasChanges)
        #expect(try thing.transformedValue(forKey: "tags", as: [String].self) == ["a"])
        // Core Data loses this one: there the snapshot is the same instance.
        try thing.setTransformedValue(tags, forKey: "tags")
        #expect(context.hasChanges)
        try context.save()
        #expect(try thing.transformedValue(forKey: "tags", as: [String].self) == ["a", "b"])
    }

    @Test("An equal value is no change, and Foundation's bytes stay as they are")
    func equalValue() throws {
        let bytes = try NSKeyedArchiver.archivedData(
            withRootObject: NSArray(array: [NSString(string: "a"), NSNumber(value: 5)]), requiringSecureCoding: false)
        let thing = try context.insert(into: "Thing")
        try thing.setValue(.binary(bytes), forKey: "list")
        try context.save()
        try thing.setTransformedValue(["a", 5] as [any Sendable], forKey: "list")
        #expect(!context.hasChanges)
        #expect(try thing.data(forKey: "list") == bytes)
        try thing.setTransformedValue(["a", 6] as [any Sendable], forKey: "list")
        #expect(context.hasChanges)
    }

    @Test("Without its transformer an attribute's bytes are kept, and read and set as they are")
    func missingTransformer() throws {
        let thing = try context.insert(into: "Thing")
        let bytes = Data([0, 1, 2, 255])
        try thing.setValue(.binary(bytes), forKey: "color")
        try context.save()
        for error in [
            #expect(throws: GranaryError.self) { try thing.transformedValue(forKey: "color") },
            #expect(throws: GranaryError.self) { try thing.setTransformedValue("red", forKey: "color") },
        ] {
            #expect(error?.code == .usage && error?.message.contains("\"ColorTransformer\"") == true)
        }
        #expect(try thing.data(forKey: "color") == bytes)
        #expect(!context.hasChanges)
        // NULL needs no transformer.
        try thing.setTransformedValue(nil, forKey: "color")
        #expect(try thing.transformedValue(forKey: "color", as: String.self) == nil)
    }

    @Test("Errors name the attribute, and change nothing")
    func errors() throws {
        let thing = try context.insert(into: "Thing")
        try thing.setValue(.binary(Data([1])), forKey: "list")
        for error in [
            #expect(throws: GranaryError.self) { try thing.transformedValue(forKey: "list") },
            #expect(throws: GranaryError.self) { try thing.setTransformedValue(true, forKey: "point") },
        ] {
            #expect(error?.code == .refused && error?.diagnostics.first?.entity == "Thing")
            #expect(error?.diagnostics.first?.property != nil)
        }
        #expect(try thing.data(forKey: "list") == Data([1]))
        #expect(try thing.data(forKey: "point") == nil)
        #expect(throws: GranaryError.self) { try thing.transformedValue(forKey: "name") }
        #expect(throws: GranaryError.self) { try thing.setTransformedValue("x", forKey: "name") }
        #expect(throws: GranaryError.self) { try thing.transformedValue(forKey: "none") }
        // What a transformer throws itself comes as it is.
        try thing.setValue(.binary(Data("no JSON".utf8)), forKey: "point")
        #expect(throws: DecodingError.self) { try thing.transformedValue(forKey: "point") }
    }
}
