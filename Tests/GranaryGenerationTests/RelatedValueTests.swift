import Foundation
import GranaryBase
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// Values of an object that belong together: a place, and a person with an e-mail address.
@Suite struct RelatedValueTests {
    private static func model(
        _ entity: String, _ names: [String], unique: [[String]] = [], optional: Set<String> = [],
        _ change: (inout AttributeDescription) -> Void = { _ in }
    ) -> ManagedObjectModel {
        var description = EntityDescription(name: entity)
        description.attributes = names.map { name in
            var attribute = AttributeDescription(name: name, type: .string)
            attribute.isOptional = optional.contains(name)
            change(&attribute)
            return attribute
        }
        description.uniquenessConstraints = unique
        return ManagedObjectModel(entities: [description])
    }

    private func rows(_ generated: Generated, _ entity: String, _ names: [String]) throws -> [[String?]] {
        let columns = try names.map { name in
            try generated.values(entity, name).map { value -> String? in
                if case .string(let text)? = value { text } else { nil }
            }
        }
        return (columns.first ?? []).indices.map { row in columns.map { $0[row] } }
    }

    /// Whether a postcode has the form of the place's postcodes.
    private static func fits(_ postcode: String, _ place: Place) -> Bool {
        let one = place.postcode(0)
        guard postcode.count == one.count else { return false }
        return zip(postcode, one).allSatisfy { $0.isNumber == $1.isNumber && $0.isLetter == $1.isLetter }
            && postcode.prefix(2) == one.prefix(2)
    }

    @Test("City, country and postcode are those of one place", arguments: GenerationOptions.Locale.allCases)
    func places(locale: GenerationOptions.Locale) throws {
        let places = Dictionary(grouping: WordLists.of(locale).places, by: \.city)
        let cases: [(names: [String], optional: Set<String>)] = [
            (["city", "country", "postcode"], []), (["homeTown", "nation", "zipCode"], ["homeTown"]),
            (["billing_city", "billing_zip", "billing_country"], ["billing_zip"]),
        ]
        for (names, optional) in cases {
            let generated = try Generated.of(Self.model("Order", names, optional: optional), ["Order": 300]) {
                $0.locale = locale
            }
            var cities: Set<String> = []
            func index(_ words: [String]) -> Int? {
                names.indices.first { index in words.contains { names[index].lowercased().contains($0) } }
            }
            let city = try #require(index(["city", "town"]))
            let country = try #require(index(["country", "nation"]))
            let code = try #require(names.indices.first { $0 != city && $0 != country })
            for row in try rows(generated, "Order", names) {
                guard let name = row[city], let place = places[name]?.first else { continue }
                cities.insert(name)
                #expect(row[country] == nil || row[country] == place.country, "\(row)")
                #expect(row[code].map { Self.fits($0, place) } ?? true, "\(row)")
            }
            #expect(cities.count >= min(21, places.count))
            #expect(try generated.findings == [])
        }
    }

    @Test("Two places of an object are different, and each fits together")
    func twoPlaces() throws {
        let names = ["shippingCity", "shippingCountry", "billingCity", "billingCountry"]
        let countries = Dictionary(WordLists.english.places.map { ($0.city, $0.country) }) { first, _ in first }
        let rows = try rows(try Generated.of(Self.model("Order", names), ["Order": 200]), "Order", names)
        #expect(rows.allSatisfy { $0[1] == countries[$0[0] ?? ""] && $0[3] == countries[$0[2] ?? ""] })
        #expect(rows.contains { $0[0] != $0[2] })
    }

    @Test("A country follows from a unique city and from a list; rules of a postcode choose the places")
    func otherCities() throws {
        let countries = Dictionary(WordLists.english.places.map { ($0.city, $0.country) }) { first, _ in first }
        let unique = try Generated.of(
            Self.model("City", ["name", "country"], unique: [["name"]]), ["City": 80])
        let cities = try rows(unique, "City", ["name", "country"])
        #expect(Set(cities.map { $0[0] }).count == 80)
        for row in cities {
            let words = (row[0] ?? "").split(separator: " ")
            let name = words.count > 1 && words[1].allSatisfy(\.isNumber) ? String(words[0]) : row[0] ?? ""
            #expect(row[1] == countries[name], "\(row)")
        }
        let listed = try Generated.of(Self.model("Shop", ["city", "country", "zip"]), ["Shop": 60]) {
            $0.generators = ["Shop.city": "one of Sydney, Boston"]
        }
        for row in try rows(listed, "Shop", ["city", "country", "zip"]) {
            #expect(row[1] == countries[row[0] ?? ""] && row[2]?.hasPrefix(row[0] == "Boston" ? "02" : "20") == true)
        }
        let american = Self.model("Shop", ["city", "country", "zip"]) {
            if $0.name == "zip" { $0.regularExpression = "[0-9]{5}" }
        }
        let shops = try Generated.of(american, ["Shop": 60])
        #expect(try shops.texts("Shop", "country").allSatisfy { $0 == "United States" })
        #expect(try shops.findings == [])
    }

    static let people: [(names: [String], address: String)] = [
        (["firstName", "lastName", "email"], "email"), (["emailAddress", "surname", "given_name"], "emailAddress"),
        (["name", "mail"], "mail"), (["fullName", "email", "firstName", "lastName"], "email"),
        (["lastName", "e_mail"], "e_mail"),
    ]

    /// The local part without its number.
    private static func local(_ address: String) -> String {
        var local = address.prefix { $0 != "@" }
        while local.last?.isNumber == true { local.removeLast() }
        return String(local)
    }

    @Test(
        "An e-mail address is that of its person, also if it or the name is unique",
        arguments: [0, 2], [["address", "name"]])
    func addresses(index: Int, unique: [String]) throws {
        let (names, address) = Self.people[index]
        let name = names.first { $0 != address } ?? ""
        let constraints = unique.map { [$0 == "address" ? address : name] }
        // Names without numbers are unique for a few objects only.
        let count = unique.contains("name") ? 60 : 400
        for locale in GenerationOptions.Locale.allCases {
            let lists = WordLists.of(locale)
            let generated = try Generated.of(Self.model("Person", names, unique: constraints), ["Person": count]) {
                $0.locale = locale
            }
            let rows = try rows(generated, "Person", names)
            #expect(Set(rows.map { $0[names.firstIndex(of: address) ?? 0] }).count == count)
            for row in rows {
                let value = Dictionary(uniqueKeysWithValues: zip(names, row))
                func text(_ words: [String]) -> String? {
                    words.compactMap { value[$0] ?? nil }.first.map { whole in
                        String(decoding: lists.spelled(Array(whole.utf8)[...]), as: UTF8.self)
                            .split(separator: " ").map { TextSource.ascii(String($0)) }
                            .map { $0.filter(\.isLetter) }.filter { !$0.isEmpty }.joined(separator: ".")
                    }
                }
                let parts = [text(["firstName", "given_name"]), text(["lastName", "surname"])].compactMap { $0 }
                let expected = parts.isEmpty ? text(["name"]) : parts.joined(separator: ".")
                let found = (value[address] ?? nil) ?? ""
                #expect(Self.local(found) == expected, "\(row)")
                if let whole = value["fullName"] ?? nil {
                    #expect(
                        whole
                            == lists.writing.wholeName(
                                first: (value["firstName"] ?? nil) ?? "", last: (value["lastName"] ?? nil) ?? ""))
                }
            }
            #expect(try generated.findings == [])
        }
    }

    @Test("Two persons of an object have their own addresses; other entities have addresses too")
    func severalPersons() throws {
        let names = ["buyerFirstName", "buyerEmail", "sellerFirstName", "sellerEmail"]
        for row in try rows(try Generated.of(Self.model("Sale", names), ["Sale": 100]), "Sale", names) {
            #expect(Self.local(row[1] ?? "") == TextSource.ascii(row[0] ?? ""), "\(row)")
            #expect(Self.local(row[3] ?? "") == TextSource.ascii(row[2] ?? ""), "\(row)")
        }
        let plain = try Generated.of(Self.model("Log", ["email", "title"]), ["Log": 50])
        #expect(try plain.texts("Log", "email").allSatisfy { $0.contains("@example.") })
    }

    @Test("Missing names, given names and short addresses still give valid, unique addresses")
    func edges() throws {
        let model = Self.model(
            "Person", ["firstName", "email"], unique: [["email"]], optional: ["firstName"]
        ) { if $0.name == "email" { $0.maximumLength = 40 } }
        let generated = try Generated.of(model, ["Person": 200]) {
            $0.nullPercent = 50
            $0.generators = ["Person.firstName": "one of Ann 1, Ann 12, 北京, \(String(repeating: "x", count: 300))"]
        }
        #expect(Set(try generated.texts("Person", "email")).count == 200)
        try generated.add(["Person": 200])
        #expect(Set(try generated.texts("Person", "email")).count == 400)
        #expect(try generated.findings == [])
        let short = Self.model("Person", ["firstName", "email"], unique: [["email"]]) {
            if $0.name == "email" { $0.maximumLength = 6 }
        }
        #expect(Set(try Generated.of(short, ["Person": 100]).texts("Person", "email")).count == 100)
    }

    @Test("Addresses in a hierarchy are unique among all its entities")
    func hierarchy() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription("User", [.attribute("email", .string, .required)], isAbstract: true, unique: [["email"]]),
            EntityDescription("Doctor", [.attribute("lastName", .string, .required)], superentity: "User"),
            EntityDescription("Patient", [.attribute("firstName", .string, .required)], superentity: "User"),
        ])
        let generated = try Generated.of(model, ["Doctor": 40, "Patient": 40])
        for (entity, name) in [("Doctor", "lastName"), ("Patient", "firstName")] {
            for row in try rows(generated, entity, [name, "email"]) {
                #expect(Self.local(row[1] ?? "") == TextSource.ascii(row[0] ?? ""), "\(row)")
            }
        }
        #expect(try generated.findings == [])
    }

    @Test("The bytes of an address are spelled as the words of the lists")
    func spelling() {
        for locale in GenerationOptions.Locale.allCases {
            let lists = WordLists.of(locale)
            let stream = RandomStream(seed: 1, [])
            let attribute = AttributeDescription(name: "email", type: .string)
            var entity = EntityDescription(name: "E")
            entity.attributes = [attribute]
            guard let schema = try? ManagedObjectModel(entities: [entity]).resolved(),
                let address = PersonAddress(schema.entities[0].attributes[0], lists, stream, size: 10)
            else {
                Issue.record("no address")
                continue
            }
            for name in lists.firstNames + lists.lastNames {
                let text = String(decoding: address.address(of: [Array(name.utf8)[...]], 0), as: UTF8.self)
                // The words of a name, such as De Luca, have dots between them.
                #expect(text.prefix { $0 != "@" }.filter { $0 != "." } == lists.ascii(name), "\(name) \(text)")
            }
        }
    }

    @Test("Every place has a country of the list, and different postcodes")
    func placeTable() {
        for locale in GenerationOptions.Locale.allCases {
            let lists = WordLists.of(locale)
            #expect(lists.places.count >= 14)
            for place in lists.places {
                #expect(lists.countries.contains(place.country), "\(place)")
                #expect(Set((0..<200).map { place.postcode($0) }).count >= 10, "\(place)")
            }
        }
    }
}
