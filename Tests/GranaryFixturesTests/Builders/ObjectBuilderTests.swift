import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryFormats
import GranaryModel
import GranaryPredicates
import Testing

@testable import GranaryFixtures

/// A hospital with required relationships of each kind: to-one, one-to-one and a list with a minimum.
private enum Hospital {
    final class Visit: ManagedObject {}

    private static let visits: EntityDescription = {
        var visits = EntityDescription(
            "Visit",
            [
                .attribute("paid", .boolean), .attribute("note", .string),
                .toOne("patient", "Patient", inverse: "visits", .required),
            ])
        visits.managedObjectClassName = "Visit"
        return visits
    }()

    static let model = ManagedObjectModel(entities: [
        EntityDescription(
            "Country", [.attribute("name", .string, .required), .toMany("towns", "Town", inverse: "country")],
            unique: [["name"]]),
        EntityDescription(
            "Town",
            [
                .attribute("name", .string, .required), .toOne("country", "Country", inverse: "towns", .required),
                .toMany("patients", "Patient", inverse: "town"),
            ]),
        EntityDescription(
            "Patient",
            [
                .attribute("badge", .string, .required), .attribute("age", .integer16, .minimum(.integer(0))),
                .attribute("weight", .double), .attribute("bill", .decimal), .attribute("street", .string),
                .attribute("uuid", .uuid), .toOne("town", "Town", inverse: "patients", .required),
                .toOne("file", "File", inverse: "patient", .required), .toOne("doctor", "Doctor", inverse: "patients"),
                .toMany("visits", "Visit", inverse: "patient", .ordered),
                .toMany("friends", "Patient", inverse: "friends"),
            ], unique: [["badge"]]),
        EntityDescription(
            "File",
            [.attribute("number", .integer32), .toOne("patient", "Patient", inverse: "file")], unique: [["number"]]),
        EntityDescription(
            "Doctor",
            [.attribute("name", .string, .required), .toMany("patients", "Patient", inverse: "doctor")],
            unique: [["name"]]),
        visits,
    ])

    static func fixture(_ seeds: [Seed], storage: FixtureStorage = .inMemory) -> Fixture {
        Fixture(
            model: .value(model), origin: .seeds(seeds), classes: ["Visit": Visit.self], transformers: nil,
            storage: storage)
    }
}

/// The texts of objects, with the values of some keys and the keys of linked objects.
private func texts(
    _ seeds: Seed..., of entity: String, _ body: @escaping @Sendable (ManagedObject) throws -> String
) async throws -> [String] {
    try await Hospital.fixture(seeds).withClone { container in
        try await container.perform { context in
            try context.fetch(FetchRequest(entity)).sorted { ($0.objectID.key ?? 0) < ($1.objectID.key ?? 0) }.map(body)
        }
    }
}

private let burns = Seed.text("name\nRoss\nGreen\n", format: .csv, entity: "Doctor")

@Suite struct ObjectBuilderTests {
    @Test(
        "Objects have the values of the test, generated other values, and what they require",
        arguments: FixtureStorage.allCases)
    func values(storage: FixtureStorage) async throws {
        let fixture = Hospital.fixture(
            [.objects("Patient", 3, ["age": 70, "weight": 61, "bill": 0.1, "badge": .sequence("P%03d", from: 9)])],
            storage: storage)
        try await fixture.withClone { container in
            let rows = try await container.perform { context in
                try context.fetch("Patient", sort: "badge").map { patient in
                    [
                        try patient.string(forKey: "badge") ?? "", "\(try patient.integer(forKey: "age") ?? 0)",
                        "\(try patient.double(forKey: "weight") ?? 0)", "\(try patient.decimal(forKey: "bill") ?? 0)",
                        "\(try patient.string(forKey: "street") != nil)", "\(try patient.uuid(forKey: "uuid") != nil)",
                        "\(try patient.object(forKey: "town")?.object(forKey: "country") != nil)",
                        "\(try patient.object(forKey: "file") != nil)",
                        "\(try patient.object(forKey: "doctor") != nil)",
                        "\(try patient.objects(forKey: "visits").count + patient.objects(forKey: "friends").count)",
                    ].joined(separator: " ")
                }
            }
            let common = "70 61.0 0.1 true true true true false 0"
            #expect(rows == ["P009 \(common)", "P010 \(common)", "P011 \(common)"])
            let counts = try await container.perform { context in
                try ["Country", "Town", "File"].map { try context.count($0) }
            }
            #expect(counts == [1, 1, 3])
        }
    }

    @Test("A shared destination and one of each object's own come from the same objects")
    func twoOfOneEntity() async throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                "Person",
                [
                    .toOne("birthplace", "Address", inverse: "natives", .required),
                    .toOne("home", "Address", inverse: "resident", .required),
                ]),
            EntityDescription(
                "Address",
                [
                    .toMany("natives", "Person", inverse: "birthplace"), .toOne("resident", "Person", inverse: "home"),
                    .toOne("permit", "Permit", inverse: "address", .required),
                ]),
            EntityDescription("Permit", [.toOne("address", "Address", inverse: "permit", .required)]),
        ])
        let fixture = Fixture(
            model: .value(model), origin: .seeds([.objects("Person", 3)]), classes: [:], transformers: nil,
            storage: .inMemory)
        try await fixture.withClone { container in
            let counts = try await container.perform { context in
                try ["Person", "Address", "Permit"].map { try context.count($0) }
            }
            #expect(counts == [3, 3, 3])
        }
    }

    @Test("Links lead to existing objects by key, by values, by a predicate, or nowhere")
    func existing() async throws {
        let found = try await texts(
            burns, .objects("Patient", 1, with: ["doctor": .existing("Ross")]),
            .objects("Patient", 1, with: ["doctor": .existing(name: "Green")]),
            .objects("Patient", 1, with: ["doctor": .matching(try ObjectPredicate("name BEGINSWITH 'R'"))]),
            .objects("Patient", 1, with: ["doctor": nil]), of: "Patient"
        ) { try $0.object(forKey: "doctor")?.string(forKey: "name") ?? "none" }
        #expect(found == ["Ross", "Green", "Ross", "none"])
    }

    @Test("New objects of links are nested, each with its owner, in the order of the links")
    func nested() async throws {
        let found = try await texts(
            .objects(
                "Patient", 2, ["badge": .sequence("P%d")],
                with: [
                    "visits": [
                        .new(2, ["paid": false, "note": .sequence("v%d")]), .new(1, ["paid": true, "note": "last"]),
                    ],
                    "town": .new(["name": "Bath"], with: ["country": .new(["name": .sequence("C%d")])]),
                ]), of: "Patient"
        ) { patient in
            let visits = try patient.objects(forKey: "visits").map { try $0.string(forKey: "note") ?? "" }
            let town = try patient.object(forKey: "town")
            let country = try town?.object(forKey: "country")
            return try [
                patient.string(forKey: "badge") ?? "", visits.joined(separator: ","),
                town?.string(forKey: "name") ?? "",
                country?.string(forKey: "name") ?? "",
            ].joined(separator: " ")
        }
        #expect(found == ["P1 v1,v2,last Bath C1", "P2 v3,v4,last Bath C2"])
    }

    @Test("Objects that were generated for a required link are removed if the test links others")
    func replaced() async throws {
        let numbers = try await texts(
            .objects("Patient", 2, with: ["file": .new(["number": .sequence(from: 7001)])]), of: "File"
        ) { "\(try $0.integer(forKey: "number") ?? 0) \(try $0.object(forKey: "patient") != nil)" }
        #expect(numbers == ["7001 true", "7002 true"])
    }

    @Test("Later variants win over earlier ones, and the seed's own values over all")
    func variants() async throws {
        let minor = SeedVariant("a minor", ["age": 12, "street": "Mill Lane"])
        let homeless = SeedVariant("without an address", ["street": nil], with: ["doctor": .existing("Ross")])
        let seed = Seed.objects("Patient", ["age": 13], as: [minor, homeless])
        #expect(seed.description == "1 Patient (a minor, without an address)")
        let found = try await texts(burns, seed, of: "Patient") { patient in
            "\(try patient.integer(forKey: "age") ?? 0) \(try patient.string(forKey: "street") ?? "none") "
                + (try patient.object(forKey: "doctor")?.string(forKey: "name") ?? "none")
        }
        #expect(found == ["13 none Ross"])
    }

    @Test("Code of the test changes objects of a class")
    func typed() async throws {
        let found = try await texts(
            .objects("Patient", 1), .objects(Hospital.Visit.self, 2) { try $0.setValue("x", forKey: "note") },
            .objects(Hospital.Visit.self, 2) { visit, index in try visit.setValue(.string("y\(index)"), forKey: "note")
            },
            of: "Visit"
        ) { try $0.string(forKey: "note") ?? "" }
        #expect(found == ["x", "x", "y0", "y1"])
    }

    @Test("Objects are built in the order of the seeds, after imports, and can be added to a container")
    func order() async throws {
        let fixture = Hospital.fixture([
            .objects("Patient", 2, with: ["doctor": .existing("Green")]), burns,
            .generated(["Visit": 4], randomSeed: 3),
        ])
        try await fixture.withClone { container in
            try await container.add(.objects("Visit", 1, with: ["patient": .new(["badge": "late"])]))
            let counts = try await container.perform { context in
                try ["Patient", "Visit", "Doctor", "Town"].map { try context.count($0) }
            }
            #expect(counts == [3, 5, 2, 1])
        }
    }

    @Test("Equal descriptions share one build; code never does")
    func builds() async throws {
        let first = Hospital.fixture([.objects("Doctor", 2, ["name": .sequence("D%d")])])
        let second = Hospital.fixture([.objects("Doctor", 2, ["name": .sequence("D%d")])])
        #expect(first.key == second.key)
        #expect(first.key != Hospital.fixture([.objects("Doctor", 2, ["name": .sequence("E%d")])]).key)
        let code = { Seed.objects(Hospital.Visit.self, 1) { _ in } }
        #expect(code().key != code().key)
    }

    private struct Mistake: Sendable, CustomTestStringConvertible {
        let seed: Seed
        let message: String
        var testDescription: String { message }

        init(_ seed: Seed, _ message: String) {
            self.seed = seed
            self.message = message
        }
    }

    @Test(
        "Mistakes are errors that name the entity and property",
        arguments: [
            Mistake(.objects("Pateint"), "the model has no entity \"Pateint\"; did you mean \"Patient\"?"),
            Mistake(.objects("Patient", -1), "-1 objects of Patient cannot be built"),
            Mistake(.objects("Doctor", 1, ["nam": "x"]), "Doctor has no such property \"nam\"; did you mean \"name\"?"),
            Mistake(.objects("Patient", 1, ["age": "old"]), "age"), Mistake(.objects("Patient", 1, ["age": -4]), "age"),
            Mistake(.objects("Doctor", 2, ["name": "same"]), "name"),
            Mistake(.objects("Patient", 1, ["badge": nil]), "badge"),
            Mistake(.objects("Doctor", 1, ["name": .sequence("D")]), "needs one placeholder"),
            Mistake(.objects("Doctor", 1, ["name": .sequence("%s")]), "needs one placeholder"),
            Mistake(.objects("Patient", 1, with: ["doctor": .existing("House")]), "no object of Doctor with name"),
            Mistake(
                .objects("Patient", 1, with: ["doctor": .existing(nam: "House")]), "Doctor has no attribute \"nam\""),
            Mistake(.objects("Patient", 1, with: ["town": .existing("Bath")]), "no uniqueness constraint"),
            Mistake(.objects("Patient", 1, with: ["doctor": .new(2)]), "to-one relationship: one object, not 2"),
            Mistake(.objects("Patient", 1, with: ["dcotor": .new()]), "Patient has no relationship \"dcotor\""),
            Mistake(.objects("Patient", 1, with: ["doctor": .new(of: "Town")]), "Town"),
            Mistake(.objects(ManagedObject.self), "name the entity"),
            Mistake(.generated(["Doctor": 1], randomSeeds: 1...2), "write a loop over randomSeed:"),
        ])
    private func mistakes(_ mistake: Mistake) async throws {
        do {
            let clone = try await Hospital.fixture([mistake.seed]).makeClone()
            clone.end(hasFailed: false)
            Issue.record("there is no error")
        } catch let error as GranaryError {
            #expect("\(error)".contains(mistake.message))
        }
    }

    @Test(
        "A sequence has the width of its format",
        arguments: [
            ("P%d", 7, "P7"), ("P%03d", 7, "P007"), ("%02d%%", 123, "123%"), ("%03d", -4, "-04"),
        ])
    func sequence(format: String, number: Int, text: String) throws {
        #expect(try SequenceFormat(text: format).text(number) == text)
    }
}
