import Foundation
import GranaryBase
import GranaryModel
import TestSupport
import Testing

@testable import GranarySwiftData

/// Which classes are a schema, their inverses, and what is refused.
@Suite(.enabled(if: SwiftDataSupport.isToolThere, "\(SwiftDataSupport.absence)"))
struct SwiftDataSchemaTests {
    private static let versions = """
        enum V1: VersionedSchema {
            static var versionIdentifier: Schema.Version { .init(1, 0, 0) }
            static var models: [any PersistentModel.Type] { [Trip.self] }
            @Model final class Trip { var name: String; var stops: [Stop] = [] }
            @Model final class Stop { var place: String; var trip: Trip? }
        }
        enum Store { enum V2: VersionedSchema {
            static let versionIdentifier = Schema.Version(2, 1, 0)
            static let models: [any PersistentModel.Type] = [Trip.self] + Shared.extra
            @Model final class Trip { var name: String; var mood: Int; var stops: [Stop] = [] }
        } }
        enum Shared { static var extra: [any PersistentModel.Type] { return [Guest.self] } }
        extension Store.V2 { @Model final class Stop { var place: String; var trip: Trip? } }
        @Model class Guest { var email: String }
        """
    private static let plan = """
        enum Plan: SchemaMigrationPlan {
            static var schemas: [any VersionedSchema.Type] { [V1.self, Store.V2.self] }
            static var stages: [MigrationStage] { [one] }
            static let one = MigrationStage.custom(fromVersion: V1.self, toVersion: Store.V2.self, willMigrate: nil, didMigrate: nil)
        }
        """

    @Test func aSchemaHasItsClassesAndThoseThatTheyLeadTo() throws {
        var options = SwiftDataOptions()
        options.schema = "V1"
        let first = try SwiftDataSupport.model(Self.versions, options)
        #expect(first.model.entities.map(\.name).sorted() == ["Stop", "Trip"])
        #expect(first.model.versionIdentifiers == ["1.0.0"])
        #expect(first.model.entity(named: "Trip")?.relationship(named: "stops")?.inverseName == "trip")
        for name in ["V2", "Store.V2", "App.Store.V2"] {
            options.schema = name
            let second = try SwiftDataSupport.model(Self.versions, options)
            #expect(second.model.entities.map(\.name).sorted() == ["Guest", "Stop", "Trip"])
            #expect(second.model.versionIdentifiers == ["2.1.0"])
            #expect(second.schema == "Store.V2")
        }
    }

    @Test func thePlanChoosesTheLastSchemaAndSaysSo() throws {
        let model = try SwiftDataSupport.model(Self.versions + "\n" + Self.plan)
        #expect(model.schema == "Store.V2")
        #expect(model.messages.map(\.message).contains { $0.contains("the schema is Store.V2, the last of Plan") })
        #expect(
            try SwiftDataSupport.problems(["A.swift": Self.versions]).first?.contains(
                "there are the schemas V1, Store.V2") == true)
    }

    @Test func stagesAreRead() throws {
        let folder = try TemporaryFolder()
        _ = try folder.write(Self.versions + "\n" + Self.plan, to: "A.swift")
        let sources = try SwiftDataSources(paths: [folder.url.path(percentEncoded: false)])
        let plan = try #require(sources.plans(SwiftDataOptions()).first)
        #expect(plan.schemas == ["V1", "Store.V2"])
        #expect(plan.stages.map { "\($0.from) \($0.to) \($0.isCustom)" } == ["V1 Store.V2 true"])
    }

    /// Two classes, and the inverse of A.b that SwiftData infers: a name, `none`, or `?` for a question.
    @Test(arguments: [
        ("var b: [B]", "var a: A?", "a"), ("var b: B?", "var a: A?", "a"),
        ("@Relationship(deleteRule: .cascade) var b: [B]?", "var a: A?", "a"), ("var b: [B]", "var a: A", "none"),
        ("@Relationship var b: [B]", "@Relationship var a: A?", "none"),
        ("@Relationship var b: [B]", "var a: A?", "none"),
        ("var b: [B]", "var a: A?; var c: A?", "none"), ("var b: [B]", "var a: [A]", "?"),
        ("var b: [B]?", "var a: A?", "?"),
        ("var b: B", "var a: A?", "?"), ("@Relationship(inverse: \\B.a) var b: [B]", "var a: [A]", "a"),
        ("var b: [B]", "@Relationship(inverse: \\A.b) var a: A", "a"), ("var b: Set<B>", "var a: A?", "a"),
        ("var b: [B]", "var x: Int", "none"),
    ])
    func inversesAreThoseOfKnownStores(_ first: String, _ second: String, _ inverse: String) throws {
        let text = "@Model class A { var id: Int; \(first) }\n@Model class B { var id: Int; \(second) }"
        do {
            let model = try SwiftDataSupport.model(text).model
            let found = model.entity(named: "A")?.relationship(named: "b")?.inverseName
            #expect(found ?? "none" == inverse)
        } catch let error as GranaryError {
            #expect(inverse == "?", "\(error.message)")
            #expect(
                error.diagnostics.first?.message.contains("no known store tells whether SwiftData infers an inverse")
                    == true)
            #expect(error.diagnostics.first?.help?.contains("--inverse A.b=") == true)
        }
    }

    @Test func theUserDecidesAnInverse() throws {
        let text = "@Model class A { var id: Int; var b: [B] }\n@Model class B { var id: Int; var a: [A] }"
        var options = SwiftDataOptions()
        options.inverses = ["A.b": "B.a"]
        #expect(
            try SwiftDataSupport.model(text, options).model.entity(named: "B")?.relationship(named: "a")?.inverseName
                == "b")
        options.inverses = ["A.b": "none", "B.a": "none"]
        #expect(
            try SwiftDataSupport.model(text, options).model.entity(named: "B")?.relationship(named: "a")?.inverseName
                == nil)
        options.inverses = ["A.b": "B.x"]
        #expect(
            try SwiftDataSupport.problems(["A.swift": text], options).first?.contains("--inverse A.b=B.x names B.x")
                == true)
    }

    @Test func expectedHashesSettleWhatIsUndecided() throws {
        let settled =
            "@Model class A { var id: Int; var b: [B]; var t: [UUID] }\n@Model class B { var id: Int; var a: [A] }"
        var options = SwiftDataOptions()
        options.inverses = ["A.b": "B.a"]
        options.types = ["[UUID]": "Binary"]
        let hashes = try SwiftDataSupport.model(settled, options).model.resolved().versionHashes
        var expecting = SwiftDataOptions()
        expecting.expectedHashes = hashes
        let found = try SwiftDataSupport.model(settled, expecting)
        #expect(try found.model.resolved().versionHashes == hashes)
        #expect(found.messages.contains { $0.message.contains("the expected hash settles it") && $0.property == "t" })
        expecting.expectedHashes = hashes.mapValues { Data($0.reversed()) }
        #expect(
            try SwiftDataSupport.problems(["A.swift": settled], expecting).contains {
                $0.contains("no way of storing the undecided properties has the expected hash")
            })
    }

    /// Sources that do not tell the schema, a model with its hashes, and how the hashes settle it.
    ///
    /// No store is known for these: the models stand for what SwiftData may do.
    @Test(arguments: [
        (
            "@Model class A { var a: Int }\n@Model class B: A { var b: String }",
            "@Model class A { var a: Int }\n@Model class B { var a: Int; var b: String }",
            "an entity with the properties of its superclass"
        ),
        (
            "class A { var a: Int = 0 }\n@Model class B: A { var b: String; var c: Int8 }",
            "@Model class B { var b: String; var c: Int16 }", "an entity without the properties of its superclass"
        ),
        (
            "class A { var a: Int = 0 }\n@Model class B: A { var b: String }",
            "@Model class B { var a: Int; var b: String }", "an entity with the properties of its superclass"
        ),
        (
            "@Model class A { @Relationship(minimumModelCount: 2, maximumModelCount: 3) var b: [B] = [] }\n@Model class B { var c: Int }",
            "@Model class A { var b: [B] = [] }\n@Model class B { var c: Int }", "no counts"
        ),
        (
            "@Model class A { var s: S }\nstruct S: Codable { var x: Int8; var y: Character; var z: Int }",
            "@Model class A { var s: S }\nstruct S: Codable { var x: Int16; var y: String; var z: Int }",
            "a composite of x, y, z"
        ),
        (
            "@Model class A { var s: S }\nstruct S: Codable { @Wrapped var x: String; #if F\n var y: Int\n #endif\n }",
            "@Model class A { var s: S }\nstruct S: Codable { var x: Int32 }", "a composite of x"
        ),
        (
            "@Model class A { var s: S }\n#if F\nstruct S: Codable { var x: Int }\n#else\nstruct S: Codable { var x: String }\n#endif",
            "@Model class A { var s: S }\nstruct S: Codable { var x: String }", "a composite of x"
        ),
    ])
    func expectedHashesSettle(_ text: String, _ stored: String, _ message: String) throws {
        #expect(try !SwiftDataSupport.problems(["A.swift": text]).isEmpty)
        var options = SwiftDataOptions()
        let hashes = try SwiftDataSupport.model(stored).model.resolved().versionHashes
        options.expectedHashes = hashes
        let found = try SwiftDataSupport.model(text, options)
        #expect(try found.model.resolved().versionHashes == hashes)
        #expect(
            found.messages.map(\.message).contains("the expected hash settles it: \(message)"), "\(found.messages)")
    }

    @Test func expectedHashesSettleSubentitiesAndCounts() throws {
        let text = """
            @Model class C: B { var c: Int }
            @Model class B: A { var b: Int; var undecided: Int8 }
            @Model class A { var a: Int; @Relationship(minimumModelCount: 2) var list: [D] = [] }
            @Model class D { var d: Int }
            """
        var options = SwiftDataOptions()
        options.types = ["Int8": "Int16"]
        var stored = try SwiftDataSupport.model(
            text.replacing(": A", with: "").replacing(": B", with: "").replacing("minimumModelCount: 2", with: ""),
            options
        ).model
        for (name, parent) in [("B", "A"), ("C", "B")] {
            let place = try #require(stored.entities.firstIndex { $0.name == name })
            stored.entities[place].superentityName = parent
        }
        let place = try #require(stored.entities.firstIndex { $0.name == "A" })
        stored.entities[place].relationships[0].minCount = 2
        options = SwiftDataOptions()
        options.expectedHashes = try stored.resolved().versionHashes
        let found = try SwiftDataSupport.model(text, options)
        #expect(found.model.entities.first { $0.name == "C" }?.superentityName == "B")
        #expect(found.messages.map(\.message).contains("the expected hash settles it: a subentity of A"))
        #expect(found.messages.map(\.message).contains("the expected hash settles it: the counts are stored"))
        options.expectedHashes?["C"] = Data(repeating: 1, count: 32)
        #expect(
            try SwiftDataSupport.problems(["A.swift": text], options).contains(
                "A.swift:1:14: C: no way of storing the class and its superclass has the expected hash"))
    }

    /// What may be a superclass or another module is said.
    @Test(arguments: [
        (
            "@Model class A: Syncable { var a: Int }",
            "Syncable is not declared in the given sources and is taken as a protocol"
        ),
        (
            "@Model class A { var m: Kit.Mood }\nenum Mood: String, Codable { case x }",
            "Kit is taken as the module of the given sources"
        ),
    ])
    func guessesAreWarnings(_ text: String, _ message: String) throws {
        let messages = try SwiftDataSupport.model(text).messages
        #expect(messages.contains { $0.message == message && $0.severity == .warning }, "\(messages)")
    }

    @Test func classesThatInheritFromEachOtherAreRefused() throws {
        var options = SwiftDataOptions()
        options.expectedHashes = [:]
        let text = "@Model class A: B { var a: Int }\n@Model class B: A { var b: Int }"
        #expect(
            try SwiftDataSupport.problems(["A.swift": text], options) == [
                "A.swift:1:14: A: the class inherits from itself"
            ])
    }

    @Test func indexesAndConstraintsAreRead() throws {
        let text = """
            @Model class A { #Unique<A>([\\.a], [\\.b, \\.c]); #Index<A>([\\.a], [\\.b, \\.c]); @Attribute(.unique) var a: Int; var b: Int; var c: Int }
            """
        let entity = try #require(try SwiftDataSupport.model(text).model.entities.first)
        #expect(entity.uniquenessConstraints == [["a"], ["b", "c"]])
        #expect(entity.fetchIndexes.map(\.name) == ["SwiftDataIndexOnBinarya", "SwiftDataIndexOnBinarybc"])
    }

    /// Files, and the start of the first problem.
    @Test(arguments: [
        (["A.swift": "struct S {}"], "there is no class with @Model"),
        (["A.swift": "struct S { var"], "A.swift:1:"),
        (["A.swift": "@Model class A { var a: Int"], "A.swift:1:"),
        (
            ["A.swift": "@Model class A { var a: Int }", "B.swift": "@Model class A { var b: Int }"],
            "has the classes A and A"
        ),
        (
            ["A.swift": "@Model class A { var a: Int }\n@Model class B: A { var b: Int }"],
            "B: the class inherits from A"
        ),
        (["A.swift": "@Model class A { var a: Int; #AddFields() }"], "#AddFields can add stored properties"),
        (
            ["A.swift": "@Model class A { var s: S }\nstruct S: Codable { @Default var x: Int }"],
            "the source does not show what @Default makes of S.x"
        ),
        (
            [
                "A.swift":
                    "@Model class A { @Relationship(inverse: \\C.a) var b: B? }\n@Model class B { var a: A? }\n@Model class C { var a: A? }"
            ], "inverse: names a property of C, and the relationship leads to B"
        ),
        (["A.swift": "@Model class A<T> { var a: Int }"], "a generic class cannot be an entity"),
        (
            ["A.swift": "@Model @AddsProperties class A { var a: Int }"],
            "the macro @AddsProperties can add stored properties"
        ),
        (["A.swift": "@Model class A { @Relationship(minimumModelCount: 2) var b: [A] = [] }"], "minimumModelCount"),
        (
            [
                "A.swift":
                    "enum S: VersionedSchema { static var models: [any PersistentModel.Type] { make() } }\n@Model class A { var a: Int }"
            ],
            "made at run time"
        ),
        (
            ["A.swift": "enum S: VersionedSchema { static var models: [any PersistentModel.Type] { [B.self] } }"],
            "S lists B, which the sources do not declare"
        ),
        (
            [
                "A.swift":
                    "enum S: VersionedSchema { static var models: [any PersistentModel.Type] { T.models } }\nenum T { static var models: [Int] { S.models } }"
            ],
            "name each other"
        ),
    ])
    func badSourcesAreRefusedWithTheirPlace(_ files: [String: String], _ part: String) throws {
        let problems = try SwiftDataSupport.problems(files)
        #expect(problems.contains { $0.contains(part) }, "\(problems)")
    }

    @Test func twoSchemasOfOneNameAreRefused() throws {
        let text = "enum S: VersionedSchema { static var models: [any PersistentModel.Type] { [] } }"
        var options = SwiftDataOptions()
        options.schema = "S"
        let problems = try SwiftDataSupport.problems(["A.swift": text, "B.swift": text], options)
        #expect(problems == ["A.swift:1:6: there are two schemas S; name the files of one of them"])
    }

    /// A link can lead out of the given folder.
    @Test func linksInAFolderAreNotFollowed() throws {
        let outside = try TemporaryFolder()
        let file = try outside.write("@Model class B { var b: Int }", to: "B.swift")
        let folder = try TemporaryFolder()
        _ = try folder.write("@Model class A { var a: Int }", to: "A.swift")
        try FileManager.default.createSymbolicLink(at: folder.url.appending(path: "B.swift"), withDestinationURL: file)
        let model = try SwiftDataSources(paths: [folder.url.path(percentEncoded: false)]).model(SwiftDataOptions())
            .model
        #expect(model.entities.map(\.name) == ["A"])
    }

    @Test func aBrokenFileBesideTheModelsIsAWarning() throws {
        let model = try SwiftDataSupport.model(["A.swift": "@Model class A { var a: Int }", "B.swift": "func f( {"])
        #expect(model.messages.contains { $0.severity == .warning && $0.position?.file.hasSuffix("B.swift") == true })
    }

    /// A mistyped name would be without effect.
    @Test func decisionsWithoutEffectAreWarnings() throws {
        var options = SwiftDataOptions()
        options.types = ["Int8": "Int16", "Plaec": "Binary", "A.q": "String", "[Place]": "Binary"]
        options.inverses = ["A.z": "none", "A.b": "none"]
        let text = """
            @Model class A { var q: Int8; var p: Place; var many: [Place]?; var b: B? }
            @Model class B { var a: A? }
            struct Place: Codable { var x: Int }
            """
        let messages = try SwiftDataSupport.model(text, options).messages.filter { $0.severity == .warning }
        #expect(
            messages.map(\.message) == [
                "--inverse A.z has no effect: the sources have no property \"A.z\" of a class with @Model; did you mean \"A.b\"?",
                "--type Plaec has no effect: the sources have no type or property \"Plaec\"; did you mean \"Place\"?",
            ])
    }

    @Test func decisionsAreKeptInAFile() throws {
        let files = [
            "A.swift": "@Model class A { var p: [UUID]; var q: Int8 }",
            "granary-swiftdata.yaml": "types: {'[UUID]': Transformable, Int8: Int16}\n",
        ]
        #expect(
            try SwiftDataSupport.model(files).model.entities.first?.attributes.map(\.type) == [
                .transformable, .integer16,
            ])
        let folder = try TemporaryFolder()
        for (name, text) in files { _ = try folder.write(text, to: name) }
        let file = folder.url.appending(path: "A.swift").path(percentEncoded: false)
        #expect(try SwiftDataSources(paths: [file]).model(SwiftDataOptions()).model.entities.count == 1)
        let broken = files.merging(["granary-swiftdata.yaml": "typs: {a: b}\n"]) { $1 }
        #expect(try SwiftDataSupport.problems(broken).first?.contains("did you mean \"types\"") == true)
    }
}
