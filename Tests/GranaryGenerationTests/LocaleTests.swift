import Foundation
import GranaryModel
import GranaryPredicates
import Testing
@testable import GranaryGeneration
@testable import SeedingTestSupport

/// The words and places of all languages.
@Suite struct LocaleTests {
    @Test("No list has a word twice, also after spelling with a to z", arguments: GenerationOptions.Locale.allCases)
    func words(locale: GenerationOptions.Locale) {
        let lists = WordLists.of(locale)
        for (name, list) in [
            ("first names", lists.firstNames), ("last names", lists.lastNames), ("words", lists.words),
        ] {
            let spelled = Dictionary(grouping: list, by: lists.ascii).filter { $0.value.count > 1 || $0.key == "" }
            #expect(spelled.isEmpty, "\(name): \(spelled)")
        }
        for list in [lists.countries, lists.streets, lists.colors, lists.cities, lists.regions] {
            let repeated = Dictionary(grouping: list) { $0 }.filter { $0.value.count > 1 }.keys
            #expect(repeated.isEmpty, "\(repeated)")
            #expect(list.allSatisfy { !$0.isEmpty && $0.first != " " && $0.last != " " })
        }
        #expect(lists.firstNames.count >= 60 && lists.lastNames.count >= 60 && lists.words.count >= 80)
        #expect(lists.countries.count >= 25 && lists.streets.count >= 15 && lists.colors.count >= 13)
    }

    @Test("Places have coordinates and time zones that exist", arguments: GenerationOptions.Locale.allCases)
    func places(locale: GenerationOptions.Locale) {
        for place in WordLists.of(locale).places {
            #expect((-900_000...900_000).contains(place.latitude) && (-1_800_000...1_800_000).contains(place.longitude))
            #expect(TimeZone(identifier: place.timeZone) != nil, "\(place)")
            // The sun's time differs from that of the zone by a few hours at most, so longitudes have the right sign.
            let offset = TimeZone(identifier: place.timeZone)?.secondsFromGMT(for: Date(timeIntervalSince1970: 0)) ?? 0
            let sun = Double(place.longitude) / 10_000 / 15 * 3600
            #expect(abs(Double(offset) - sun) < 3.2 * 3600, "\(place)")
            #expect(!place.region.isEmpty)
        }
    }

    @Test(
        "All values of a place fit together, as numbers of each type and as texts",
        arguments: [AttributeType.double, .float, .decimal, .string], [GenerationOptions.Locale.english, .russian])
    func fits(type: AttributeType, locale: GenerationOptions.Locale) throws {
        let names = ["city", "region", "timeZone", "country", "postcode"]
        var entity = EntityDescription(name: "Shop")
        entity.attributes =
            (names.map { AttributeDescription(name: $0, type: .string) }
            + ["latitude", "lng"].map { AttributeDescription(name: $0, type: type) }).map {
                var attribute = $0
                attribute.isOptional = false
                return attribute
            }
        let generated = try Generated.of(ManagedObjectModel(entities: [entity]), ["Shop": 200]) { $0.locale = locale }
        let places = Dictionary(WordLists.of(locale).places.map { ($0.city, $0) }) { first, _ in first }
        let columns = try names.map { try generated.texts("Shop", $0) }
        func degrees(_ name: String) throws -> [Double] {
            try generated.values("Shop", name).compactMap { value in
                switch value {
                case .double(let number)?: number
                case .float(let number)?: Double(number)
                case .decimal(let number)?: NSDecimalNumber(decimal: number).doubleValue
                case .string(let text)?: Double(text)
                default: nil
                }
            }
        }
        let (latitudes, longitudes) = (try degrees("latitude"), try degrees("lng"))
        #expect(latitudes.count == 200 && longitudes.count == 200)
        for row in 0..<200 {
            let place = try #require(places[columns[0][row]])
            #expect(columns[1][row] == place.region && columns[2][row] == place.timeZone)
            #expect(columns[3][row] == place.country)
            #expect(abs(latitudes[row] - Double(place.latitude) / 10_000) < 0.0501)
            #expect(abs(longitudes[row] - Double(place.longitude) / 10_000) < 0.0501)
        }
        #expect(Set(latitudes).count > 150)
        #expect(try generated.findings == [])
    }

    @Test("The latitude near a place does not tell the longitude")
    func independence() throws {
        let place = try #require(WordLists.of(.english).places.first)
        let offsets = (UInt64(0)..<4000).map { draw in
            (
                latitude: place.coordinate(.latitude, draw) - place.latitude,
                longitude: place.coordinate(.longitude, draw) - place.longitude
            )
        }
        #expect(offsets.allSatisfy { abs($0.latitude) <= Place.nearby && abs($0.longitude) <= Place.nearby })
        #expect((1700...2300).contains(offsets.count { ($0.latitude > 0) == ($0.longitude > 0) }))
    }

    @Test("Different numbers give different texts", arguments: GenerationOptions.Locale.allCases)
    func differences(locale: GenerationOptions.Locale) {
        let lists = WordLists.of(locale)
        for kind in [TextKind.name, .username, .email, .title, .sentence, .company, .street, .url, .phone] {
            let source = TextSource(kind, lists)
            let texts = (0..<min(source.size, 12_000)).map { source.text(at: $0) }
            #expect(Set(texts).count == texts.count, "\(kind)")
        }
    }

    @Test(
        "Names of other scripts have their own order, and addresses with the letters a to z",
        arguments: [
            (.japanese, "佐藤 太郎", "taro.sato"), (.chinese, "王伟", "wei.wang"), (.chinese, "张子涵", "zihan.zhang"),
            (.arabic, "أحمد الحسن", "ahmad.alhasan"), (.russian, "Анна Белова", "anna.belova"),
        ] as [(GenerationOptions.Locale, String, String)])
    func scripts(locale: GenerationOptions.Locale, whole: String, local: String) throws {
        let lists = WordLists.of(locale)
        #expect(
            TextSource.ascii(String(decoding: lists.spelled(Array(whole.utf8)[...]), as: UTF8.self))
                == local.filter { $0 != "." })
        let parts = try #require(lists.writing.parts(of: Array(whole.utf8)[...]))
        #expect(String(decoding: lists.writing.wholeName(first: parts.first, last: parts.last), as: UTF8.self) == whole)
        for names in [["firstName", "lastName", "fullName", "email"], ["fullName", "email"]] {
            var entity = EntityDescription(name: "Person")
            entity.attributes = names.map {
                var attribute = AttributeDescription(name: $0, type: .string)
                attribute.isOptional = false
                if $0 == "fullName" { attribute.userInfo = ["granary.generator": .string("name")] }
                return attribute
            }
            let generated = try Generated.of(ManagedObjectModel(entities: [entity]), ["Person": 300]) {
                $0.locale = locale
            }
            let emails = try generated.texts("Person", "email")
            let address = try Regex("^[a-z]+\\.[a-z]+[0-9]*@example\\.(com|org|net)$")
            #expect(emails.allSatisfy { $0.wholeMatch(of: address) != nil }, "\(emails.prefix(5))")
            for (row, text) in try generated.texts("Person", "fullName").enumerated() {
                let parts = try #require(lists.writing.parts(of: Array(text.utf8)[...]))
                let (first, last) = (
                    String(decoding: parts.first, as: UTF8.self), String(decoding: parts.last, as: UTF8.self)
                )
                #expect(lists.firstNames.contains(first) && lists.lastNames.contains(last), "\(text)")
                #expect(emails[row].hasPrefix("\(lists.ascii(first)).\(lists.ascii(last))"), "\(text) \(emails[row])")
                guard names.count == 4 else { continue }
                #expect(try generated.texts("Person", "firstName")[row] == first)
            }
        }
    }

    @Test("Letters of European alphabets are spelled with a to z")
    func spelling() {
        for (text, expected) in [
            ("Łukasz Żółć", "lukaszzolc"), ("Ψαρράς", "psarras"), ("Щербаков", "shcherbakov"), ("Åsa Ærø", "asaaero"),
            ("Núñez", "nunez"), ("北京", ""), ("Straße", "strasse"),
        ] {
            #expect(TextSource.ascii(text) == expected)
        }
    }
}
