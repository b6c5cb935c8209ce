import Foundation
import GranaryBase
import GranaryModel
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

/// Index elements over an expression, and user info that is not text (docs/core-data/model-formats.md#fetch-indexes).
@Suite("Expressions in indexes, and user info of any kind") struct IndexedExpressionTests {
    private static let model: ManagedObjectModel = {
        var asset = EntityDescription(
            "Asset",
            [
                .attribute("kind", .integer16), .attribute("date", .date), .attribute("isFavourite", .boolean),
                .toOne("album", "Album", inverse: "assets"), .fetched("others", "Asset", where: "kind == 1"),
            ])
        var favourites = FetchIndexDescription(
            name: "favourites",
            elements: [.init(propertyName: "isFavourite"), .init(expression: "SELF", isAscending: false)])
        favourites.partialIndexPredicate = "isFavourite == 1 AND album != nil"
        asset.fetchIndexes = [
            favourites,
            FetchIndexDescription(
                name: "kinds", elements: [.init(propertyName: "kind"), .init(expression: "entity")]),
            FetchIndexDescription(
                name: "albums", elements: [.init(propertyName: "album"), .init(propertyName: "date")]),
            FetchIndexDescription(name: "newest", elements: [.init(propertyName: "date", isAscending: false)]),
        ]
        var album = EntityDescription("Album", [.toMany("assets", "Asset", inverse: "album")])
        album.fetchIndexes = [FetchIndexDescription(name: "keys", elements: [.init(expression: "SELF")])]
        return ManagedObjectModel(entities: [album, asset])
    }()

    /// The model with user info of every kind.
    private static let informed: ManagedObjectModel = {
        var model = Self.model
        let info: [String: UserInfoValue] = [
            "text": "YES", "EnumType": true, "count": 3, "share": 0.5, "cases": ["a", 1, [false]],
            "more": ["key": "value", "none": [:]], "since": .date(Date(timeIntervalSinceReferenceDate: 12.5)),
            "bytes": .binary(Data([0, 255])),
        ]
        for index in model.entities.indices {
            model.entities[index].userInfo = info
            for place in model.entities[index].attributes.indices {
                model.entities[index].attributes[place].userInfo = info
            }
            for place in model.entities[index].relationships.indices {
                model.entities[index].relationships[place].userInfo = info
            }
            for place in model.entities[index].fetchedProperties.indices {
                model.entities[index].fetchedProperties[place].userInfo = info
            }
        }
        return model
    }()

    private static func readBack(
        _ model: ManagedObjectModel, _ form: CompiledModelForm
    ) throws -> (model: ManagedObjectModel, diagnostics: [Diagnostic]) {
        var diagnostics = DiagnosticCollector()
        let archive = try KeyedArchive(try CompiledModelWriter.bytes(of: model, form: form), source: "M.mom")
        let read = try CompiledModelReader.read(archive, source: "M.mom", diagnostics: &diagnostics)
        return (read, diagnostics.diagnostics)
    }

    private static func outline(_ model: ManagedObjectModel) throws -> [String: String] {
        try ArchiveOutline(try CompiledModelWriter.bytes(of: model)).lines
    }

    @Test("The compiled form of an expression is Core Data's; its names count the elements of the whole model")
    func compiledForm() throws {
        let lines = try Self.outline(Self.model)
        let element = ".NSEntities/Asset.NSFetchIndexDescriptions[0].NSIndexElements[1]"
        #expect(lines[element + ".NSPropertyName"] == "object string(\"expression2\")")
        #expect(lines[element + ".NSIndexedProperty"] == "the ?.expression2")
        let names = lines.filter { $0.value.hasPrefix("the ?.expression") }
        #expect(
            names.sorted { $0.key < $1.key }.map(\.value) == [
                "the ?.expression1", "the ?.expression2", "the ?.expression3",
            ])
        // A relationship keeps an index out of the older list; a predicate does not.
        let compounds = ".NSEntities/Asset.NSCompoundIndexes"
        let texts = ["[0][0]", "[0][1]", "[1][0]", "[1][1]", "[2]"].map { lines[compounds + $0] ?? "none" }
        #expect(
            texts == [
                "object string(\"isFavourite\")", "object string(\"self\")", "object string(\"kind\")",
                "object string(\"entity\")", "none",
            ])
        // A descending index alone does not mark its attribute.
        #expect(lines[".NSEntities/Asset.NSProperties/date.NSIsIndexed"] == nil)
    }

    @Test("The fields of an expression's description are those of 407 real ones", arguments: ["SELF", "entity"])
    func description(_ expression: String) throws {
        var model = ManagedObjectModel(entities: [EntityDescription("E", [.attribute("a", .string)])])
        model.entities[0].fetchIndexes = [FetchIndexDescription(name: "i", elements: [.init(expression: expression)])]
        let list = try PropertyList.read(try CompiledModelWriter.bytes(of: model), source: "archive")
        let objects = try #require(list["$objects"]?.array)
        func object(_ value: PropertyListValue?) -> PropertyListValue? {
            guard case .uid(let number)? = value, number < UInt64(objects.count) else { return value }
            return objects[Int(number)]
        }
        let found = objects.first { object($0["$class"])?["$classname"]?.string == "NSExpressionDescription" }
        let fields = try #require(found)
        #expect(fields["_P"]?.integer == 247 && fields["NSIsOptional"]?.boolean == true)
        #expect(fields["NSIsReadOnly"]?.boolean == true && object(fields["NSEntity"])?.string == "$null")
        #expect(fields["NSExpressionType"]?.integer == (expression == "SELF" ? 2000 : 0))
        #expect(object(fields["NSRenamingIdentifier"])?.string == "expression1")
        #expect(fields.dictionary?.count == 9)
    }

    @Test("Indexes and user info survive every format", arguments: [CompiledModelForm.mom, .modelCache])
    func compiledRoundTrip(_ form: CompiledModelForm) throws {
        for model in [Self.model, Self.informed] {
            let (read, diagnostics) = try Self.readBack(model, form)
            #expect(diagnostics == [])
            #expect(try CompiledNormalForm.of(read) == CompiledNormalForm.of(model))
            #expect(read.entity(named: "Asset")?.fetchIndexes == model.entities[1].fetchIndexes)
            #expect(read.problems() == [])
        }
    }

    @Test("Archives keep user info of every kind", arguments: ["json", "xml", "binary"])
    func archives(_ format: String) throws {
        let model = Self.informed
        let read: ManagedObjectModel
        if format == "json" {
            read = try ModelArchive.readJSON(try ModelArchive.json(model, target: ""), source: "")
        } else {
            let bytes = try ModelArchive.propertyList(model, as: format == "xml" ? .xml : .binary, target: "")
            read = try ModelArchive.readPropertyList(try PropertyList.read(bytes, source: ""), source: "")
        }
        #expect(read == model)
    }

    @Test("The XML keeps expressions, their types, predicates and user info of text")
    func xmlRoundTrip() throws {
        var model = Self.model
        model.entities[0].userInfo = ["k": "v"]
        model.entities[1].relationships[0].userInfo = ["k": "<&>"]
        model.entities[1].fetchedProperties[0].userInfo = ["k": ""]
        model.entities[1].fetchIndexes[1].elements[1].expressionType = .integer64
        let text = try ModelSamples.text(model)
        #expect(
            text.contains(
                "<fetchIndexElement expression=\"SELF\" expressionType=\"ObjectID\" type=\"Binary\" order=\"descending\"/>"
            ))
        #expect(text.contains("<fetchIndexElement expression=\"entity\" expressionType=\"Integer 64\""))
        #expect(text.contains("partialIndexPredicate=\"isFavourite == 1 AND album != nil\""))
        #expect(!text.contains("property=\"expression"))
        let (read, diagnostics) = try ModelSamples.read(text)
        #expect(diagnostics == [])
        let withoutNotes = try ManagedObjectModel(merging: [read])
        #expect(withoutNotes.entities.map(\.fetchIndexes) == model.entities.map(\.fetchIndexes))
        #expect(withoutNotes.entities.map(\.userInfo) == model.entities.map(\.userInfo))
        #expect(read.entities[1].relationships[0].userInfo == ["k": "<&>"])
        #expect(read.entities[1].fetchedProperties[0].userInfo == ["k": ""])
    }

    @Test("The XML refuses user info that is not text, with its place")
    func xmlRefusal() throws {
        var model = Self.model
        model.entities[1].attributes[0].userInfo = ["isFlag": true, "EnumType": true]
        model.entities[1].userInfo = ["components": ["a", "b"]]
        let lines = try #require(ModelSamples.refusal { _ = try ModelSamples.text(model) })
        #expect(lines.count == 2)
        #expect(lines[0].contains("Asset.kind") && lines[0].contains("\"isFlag\" in the user info"))
        #expect(lines[0].contains("kind Boolean") && lines[1].contains("kind array"))
    }

    @Test("What no property list has is reported; a value that is too deep too")
    func otherUserInfo() throws {
        var samples = CompiledSamples()
        var deep: KeyedArchiveTree = .string("x")
        for _ in 0..<70 { deep = .array([deep]) }
        var entries: [(String, PropertyListValue)] = []
        for (key, tree) in [
            ("id", KeyedArchiveTree.uuid(UUID())), ("set", .set([.string("a")])), ("deep", deep),
            ("list", .array([.null])), ("good", .integer(1)),
        ] {
            entries.append((key, KeyedArchiveWriter.addTree(tree, to: &samples.builder)))
        }
        let info = samples.dictionary(entries)
        let entity = samples.entity("E", [.init("NSUserInfo", info)])
        let (model, diagnostics) = try CompiledSamples.read(samples.bytes([("E", entity)]))
        #expect(model.entities[0].userInfo.keys.sorted() == ["good", "id"])
        #expect(diagnostics.count == 4 && diagnostics.allSatisfy { $0.severity == .warning }, "\(diagnostics)")
    }

    @Test("An attribute that is only marked as indexed has no index in a model with lists of indexes")
    func marks() throws {
        var samples = CompiledSamples()
        let attribute = samples.attribute("a", [.init("NSIsIndexed", .boolean(true))])
        let list = samples.array([])
        let entity = samples.entity("E", properties: [("a", attribute)], [.init("NSFetchIndexDescriptions", list)])
        let read = try CompiledSamples.read(samples.bytes([("E", entity)])).model
        #expect(read.entities[0].attributes[0].isIndexed == false)
        let old = try CompiledSamples.read { [("a", $0.attribute("a", [.init("NSIsIndexed", .boolean(true))]))] }.model
        #expect(old.entities[0].attributes[0].isIndexed)
    }
}
