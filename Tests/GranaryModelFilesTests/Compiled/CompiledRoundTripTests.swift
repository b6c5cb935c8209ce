import GranaryBase
import GranaryModel
import GranaryPredicates
import GranaryPropertyLists
import TestSupport
import Testing

@testable import GranaryModelFiles

/// What is compiled and read again is the same model.
struct CompiledRoundTripTests {
    private static func readBack(
        _ model: ManagedObjectModel, _ form: CompiledModelForm
    ) throws -> (model: ManagedObjectModel, diagnostics: [Diagnostic]) {
        var diagnostics = DiagnosticCollector()
        let archive = try KeyedArchive(try CompiledModelWriter.bytes(of: model, form: form), source: "M.mom")
        let read = try CompiledModelReader.read(archive, source: "M.mom", diagnostics: &diagnostics)
        return (read, diagnostics.diagnostics)
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"),
        arguments: stride(from: 0, to: ModelSamples.names.count, by: 6).map { ModelSamples.names[$0] })
    func everyModelComesBack(_ name: String) throws {
        let model = try ManagedObjectModel(contentsOf: try ModelSamples.url(name))
        let expected = try CompiledNormalForm.of(model)
        let hashes = try model.resolved().versionHashes
        for form in [CompiledModelForm.mom, .modelCache] {
            let (read, diagnostics) = try Self.readBack(model, form)
            // One public model has a composite without elements, which is told.
            #expect(diagnostics.filter { !$0.message.contains("has no elements") } == [], "\(form)")
            #expect(try CompiledNormalForm.of(read) == expected, "\(form)")
            #expect(try read.resolved().versionHashes == hashes, "\(form)")
        }
    }

    /// A model with one of everything.
    private static var rich: ManagedObjectModel {
        var count = AttributeDescription(name: "count", type: .integer64)
        count.isOptional = true
        count.derivationExpression = "books.@count"
        var place = AttributeDescription(name: "place", type: .composite)
        place.compositeName = "Place"
        var author = EntityDescription(
            "Author",
            [
                .attribute("name", .string, .required, .length(1...80), .pattern(".+"), .defaultValue("$null")),
                .attribute("rating", .decimal, .defaultValue(0.5), .minimum(0), .maximum(5)),
                .attribute("ratio", .float, .defaultValue(0.1), .indexed),
                .attribute("photo", .binary, .externalStorage),
                .attribute("site", .uri, .defaultValue("https://example.org/a?b=c")),
                .attribute("key", .uuid, .defaultValue("E621E1F8-C36C-495A-93FC-0C247A3E6E5F")),
                .attribute("isNew", .boolean, .defaultValue(true)), .attribute("extra", .transformable),
                .toMany("books", "Book", inverse: "author", .ordered, .deleteRule(.cascade), .count(0, 9)),
                .fetched("rivals", "Author", where: "name == $FETCH_SOURCE.name"),
            ], isAbstract: true, unique: [["name", "key"], ["site"]])
        author.attributes += [count, place]
        author.userInfo = ["k": "v", "a": "b"]
        author.versionHashModifier = "2"
        author.renamingIdentifier = "Writer"
        var index = FetchIndexDescription(
            name: "byName", elements: [.init(propertyName: "name", isAscending: false), .init(propertyName: "key")])
        index.partialIndexPredicate = "isNew == 1"
        author.fetchIndexes = [index, FetchIndexDescription(name: "bySite", elements: [.init(propertyName: "site")])]
        var poet = EntityDescription("Poet", [.attribute("metre", .string)], superentity: "Author")
        poet.managedObjectClassName = "App.Poet"
        var model = ManagedObjectModel(entities: [
            poet, author, EntityDescription("Book", [.toOne("author", "Author", inverse: "books", .required)]),
        ])
        model.composites = [
            CompositeDescription(
                name: "Place",
                elements: [
                    AttributeDescription(name: "latitude", type: .double),
                    AttributeDescription(name: "longitude", type: .double),
                ])
        ]
        model.configurations = [ConfigurationDescription(name: "Seed", entityNames: ["Poet", "Author", "Book"])]
        var template = FetchRequestTemplate(name: "named", entityName: "Author", predicateFormat: "name == $NAME")
        template.fetchLimit = 3
        template.sortDescriptors = [
            ObjectSortDescriptor("name", ascending: false, comparison: .caseInsensitive), ObjectSortDescriptor("key"),
        ]
        template.includesPendingChanges = true
        template.resultType = .managedObjectIDs
        model.fetchRequestTemplates = [template]
        model.versionIdentifiers = ["2", "1"]
        return model
    }

    @Test(arguments: [CompiledModelForm.mom, .modelCache])
    func everythingComesBack(_ form: CompiledModelForm) throws {
        let (read, diagnostics) = try Self.readBack(Self.rich, form)
        #expect(diagnostics.isEmpty)
        #expect(try CompiledNormalForm.of(read) == CompiledNormalForm.of(Self.rich))
        #expect(try read.resolved().versionHashes == Self.rich.resolved().versionHashes)
    }

    /// What the reader has no use for, it keeps as notes; the writer puts it where it was.
    @Test(arguments: [CompiledModelForm.mom, .modelCache])
    func whatIsOnlyNotedComesBack(_ form: CompiledModelForm) throws {
        var name = AttributeDescription(name: "name", type: .string)
        name.notes = [
            "NSValidationPredicates": "SELF LIKE[w] $START; length == $LENGTH",
            "NSValidationWarnings": "Begin with a.; 1680", "NSFlagsKey": "32", "NSIsReadOnly": "YES",
        ]
        var count = AttributeDescription(name: "count", type: .integer64)
        count.derivationExpression = "books.@count"
        count.notes = ["NSFilteringPredicate": "name == nil"]
        var template = FetchRequestTemplate(name: "t", entityName: "E", predicateFormat: "name == $NAME")
        template.notes = [
            "NSFetchOffset": "3", "NSHavingPredicate": "name == nil", "NSValuesToFetch": "name, count",
            "NSFetchRequestFlags": String(FetchRequestFlags(template).rawValue | 32),
        ]
        var model = ManagedObjectModel(entities: [
            EntityDescription("E", [.toMany("books", "E", inverse: nil), .toOne("of", "E", inverse: nil)])
        ])
        model.entities[0].attributes = [count, name]
        model.entities[0].relationships[1].notes = ["NSIsReadOnly": "YES"]
        model.fetchRequestTemplates = [template]

        let (read, _) = try Self.readBack(model, form)
        let entity = try #require(read.entities.first)
        #expect(entity.attributes.map(\.notes) == [count.notes, name.notes])
        #expect(entity.relationships.map(\.notes) == [[:], ["NSIsReadOnly": "YES"]])
        #expect(read.fetchRequestTemplates.map(\.notes) == [template.notes])
    }

    @Test(arguments: [CompiledModelForm.mom, .modelCache])
    func theSameModelIsTheSameBytes(_ form: CompiledModelForm) throws {
        let bytes = try CompiledModelWriter.bytes(of: Self.rich, form: form)
        var turned = Self.rich
        turned.entities.reverse()
        for index in turned.entities.indices {
            turned.entities[index].attributes.reverse()
            turned.entities[index].relationships.reverse()
        }
        turned.versionIdentifiers.reverse()
        #expect(try CompiledModelWriter.bytes(of: turned, form: form) == bytes)
    }

    @Test func whatCannotBeCompiledIsRefusedWithItsPlace() throws {
        var model = Self.rich
        model.entities[1].fetchedProperties[0].fetchRequest.predicateFormat = "name == == 2"
        model.entities[1].fetchIndexes[0].elements[0].propertyName = nil
        model.entities[1].fetchIndexes[0].elements[0].expression = "length(name"
        model.entities[2].relationships[0].destinationEntityName = "Nobody"
        model.fetchRequestTemplates[0].entityName = "Nobody"
        let error = try #require(throws: GranaryError.self) { try CompiledModelWriter.bytes(of: model) }
        #expect(error.code == .refused)
        let places = error.diagnostics.map { "\($0.entity ?? "").\($0.property ?? "")" }
        #expect(places == ["Author.rivals", "Author.", "Book.author", "Nobody.named"])
    }
}

struct CompiledRoundTripLongTests {
    @Test(.enabled(if: SharedFiles.arePresent, "\(SharedFiles.absence)"), arguments: ModelSamples.names)
    func everyModelComesBack(_ name: String) throws { try CompiledRoundTripTests().everyModelComesBack(name) }
}
