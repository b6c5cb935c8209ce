import Foundation
import GranaryBase
import GranaryCoordination
import GranaryImport
import GranaryModel
import GranaryPredicates
import TestSupport
import Testing
@testable import GranarySubset
@testable import SeedingTestSupport

/// Replaced values: rules, consistency, uniqueness, and what the report says.
@Suite struct AnonymisedValueTests {
    private typealias Selection = SubsetOptions.Selection

    /// Persons with these values, in a store in memory.
    private static func store(
        _ properties: [PropertyDescription], unique: [[String]] = [], _ rows: [[String: AttributeValue]]
    ) throws -> InMemoryStore {
        let store = try ExportSamples.store(
            ManagedObjectModel(entities: [EntityDescription("Person", properties, unique: unique)]))
        for (index, row) in rows.enumerated() {
            try ExportSamples.insert("Person", Int64(index + 1), row, into: store)
        }
        return store
    }

    private static func subset(
        _ store: InMemoryStore, _ attributes: [String], seed: UInt64 = 11
    ) throws -> SubsetSample {
        try SubsetSample(of: store, [Selection("Person")]) {
            $0.anonymisedAttributes = attributes.filter { $0 != "all-text" }
            $0.anonymisesAllText = attributes.contains("all-text")
            $0.randomSeed = seed
        }
    }

    @Test("Equal values become equal, NULL and empty texts stay, and the report counts them")
    func consistency() throws {
        let source = try Self.store(
            [.attribute("name", .string), .attribute("note", .string)],
            [
                ["name": "Ann Miller", "note": "see Ann"], ["name": "Bob Ray"], ["name": "Ann Miller", "note": ""], [:],
                ["name": "—"],
            ])
        let subset = try Self.subset(source, ["Person.name"])
        let names = try subset.texts("Person", "name")
        #expect(names[0] == names[2] && names[0] != "Ann Miller" && names[1] != "Bob Ray" && names[3] == nil)
        #expect(names[4] == "—")
        #expect(try subset.texts("Person", "note") == ["see Ann", nil, "", nil, nil])
        #expect(subset.report.isAnonymised)
        let name = try #require(subset.report.attributes.first { $0.name == "name" })
        #expect(name.replaced == 3 && name.kept == 1 && name.null == 1 && name.empty == 0)
        #expect(name.reason == "no letters and digits" && name.type == "String" && name.entity == "Person")
        let note = try #require(subset.report.attributes.first { $0.name == "note" })
        #expect(note.replaced == 0 && note.kept == 1 && note.null == 3 && note.empty == 1)
        #expect(note.reason == "not named")
    }

    @Test("The same number gives the same values; another one, or none, gives others")
    func seeds() throws {
        let source = try Self.store(
            [.attribute("code", .string)],
            (0..<20).map { index -> [String: AttributeValue] in ["code": .string("K-\(1000 + index)")] })
        func codes(_ seed: UInt64?) throws -> [String?] {
            try SubsetSample(of: source, [Selection("Person")]) {
                $0.anonymisedAttributes = ["Person.code"]
                $0.randomSeed = seed
            }.texts("Person", "code")
        }
        let first = try codes(1)
        #expect(try codes(1) == first)
        #expect(try codes(2) != first)
        let drawn = try codes(nil)
        #expect(try codes(nil) != drawn)
    }

    @Test("Different unique values stay different")
    func unique() throws { try Self.checkUnique(objects: 100) }

    static func checkUnique(objects: Int) throws {
        let names = ["name", "code", "mail", "number"]
        let source = try store(
            [
                .attribute("name", .string), .attribute("code", .string), .attribute("mail", .string),
                .attribute("number", .integer16),
            ], unique: [["name"], ["code"], ["mail"], ["number"]],
            (0..<objects).map { index -> [String: AttributeValue] in
                [
                    "name": .string("Ann \(index % 2 == 0 ? "Smith" : "Jones")\(String(repeating: "a", count: index))"),
                    "code": .string("\(100 + index)"), "mail": .string("ann@host\(index).test"),
                    "number": .integer(Int64(100 + index)),
                ]
            })
        let subset = try subset(source, names.map { "Person." + $0 })
        #expect(try subset.findings == [])
        for name in names {
            let values = try subset.values("Person", name)
            #expect(Set(values).count == objects, "\(name)")
            let originals = try SubsetSample.values(source, "Person", name)
            #expect(zip(values, originals).filter { $0 == $1 }.count < 10, "\(name)")
        }
    }

    @Test("Texts of attributes with one name are replaced alike, also in other entities")
    func joins() throws {
        let source = try ExportSamples.store(
            ManagedObjectModel(entities: [
                EntityDescription("Person", [.attribute("badge", .string)]),
                EntityDescription("Visit", [.attribute("badge", .string)]),
            ]))
        try ExportSamples.insert("Person", 1, ["badge": "Q-77"], into: source)
        try ExportSamples.insert("Visit", 1, ["badge": "Q-77"], into: source)
        let subset = try SubsetSample(of: source, [Selection("Person"), Selection("Visit")]) {
            $0.anonymisedAttributes = ["Person.badge", "Visit.badge"]
        }
        let badge = try subset.texts("Person", "badge")
        #expect(try subset.texts("Visit", "badge") == badge && badge != ["Q-77"])
    }

    @Test("Replacements keep the rules of the model")
    func rules() throws {
        let properties: [PropertyDescription] = [
            .attribute("code", .string, .pattern("SKU-\\d{3}")), .attribute("short", .string, .length(3...4)),
            .attribute("age", .integer16, .minimum(18), .maximum(45)),
            .attribute("height", .double, .minimum(1.5), .maximum(1.9)),
        ]
        let values = (0..<50).map { index -> [String: AttributeValue] in
            let short = index % 2 == 0 ? "Ann" : "Rosa"
            let height = 1.5 + Double(index % 40) / 100
            return [
                "code": .string("SKU-\(100 + index)"), "short": .string(short), "age": .integer(Int64(18 + index % 20)),
                "height": .double(height),
            ]
        }
        let source = try Self.store(properties, values)
        let subset = try Self.subset(source, ["all-text", "Person.age", "Person.height"])
        #expect(try subset.findings == [])
        #expect(subset.report.warnings == [])
        for attribute in subset.report.attributes { #expect(attribute.replaced == 50, "\(attribute)") }
    }

    @Test("Values with new digits and old letters are counted")
    func digitsOnly() throws {
        let source = try Self.store(
            [.attribute("code", .string, .pattern("SKU-\\d{3}"))], [["code": "SKU-123"], ["code": "SKU-124"], [:]])
        let subset = try Self.subset(source, ["Person.code"])
        let code = try #require(subset.report.attributes.first)
        #expect(code.replaced == 2 && code.digitsOnly == 2 && code.kept == 0, "\(code)")
        let free = try Self.store([.attribute("code", .string)], [["code": "SKU-123"]])
        #expect(try Self.subset(free, ["Person.code"]).report.attributes.first?.digitsOnly == 0)
    }

    @Test("All reasons why values were kept are counted")
    func reasons() throws {
        // All codes with one digit are in use, so one that the bijection maps to itself is kept.
        let source = try Self.store(
            [.attribute("code", .string)],
            unique: [["code"]],
            [["code": "—"], ["code": "…"]]
                + (0..<10).map { index -> [String: AttributeValue] in
                    ["code": .string("\(index)")]
                })
        var texts: Set<String> = []
        for seed in 1..<40 as Range<UInt64> {
            let subset = try Self.subset(source, ["Person.code"], seed: seed)
            let code = try #require(subset.report.attributes.first)
            let reason = try #require(code.reason)
            #expect(code.kept + code.replaced == 12)
            if code.kept == 2 {
                #expect(reason == "no letters and digits")
            } else {
                let rest = code.kept - 2
                #expect(reason == "2 no letters and digits; \(rest) no other value of the same shape is free")
            }
            texts.insert(reason)
        }
        #expect(texts.count > 1)
    }

    @Test("Values stay different if a unique attribute is derived from them")
    func derivedUnique() throws {
        let source = try Self.store(
            [.attribute("name", .string), .attribute("key", .string, .derived("uppercase:(name)"))], unique: [["key"]],
            (0..<400).map { index -> [String: AttributeValue] in
                ["name": .string("ann \(String(repeating: "a", count: index + 2))")]
            })
        let subset = try Self.subset(source, ["Person.name"])
        #expect(Set(try subset.values("Person", "key")).count == 400)
        #expect(try subset.findings == [])
    }

    @Test("Rows with large replaced values are written in parts", arguments: [1, 150, 4 << 20])
    func parts(_ limit: Int) throws {
        let source = try Self.store(
            [.attribute("name", .string), .attribute("data", .binary)],
            (0..<60).map { index -> [String: AttributeValue] in
                ["name": .string("Ann \(index)"), "data": .binary(Data(repeating: UInt8(index), count: 40 + index))]
            })
        var options = SubsetOptions()
        options.selections = [Selection("Person")]
        options.anonymisedAttributes = ["Person.data"]
        var closure = SubsetClosure(
            source, plan: try SubsetPlan(schema: source.schema, options: options), cancellation: nil)
        try closure.run(depth: 0)
        let selection = closure.selection
        let anonymisation = try Anonymisation(schema: source.schema, options: options)
        let target = InMemoryStore(schema: source.schema)
        try target.transaction { writer in
            var warnings = DiagnosticCollector()
            var copy = SubsetCopy(
                source, writer: writer, selection: selection, values: anonymisation.started(), cancellation: nil,
                replacedBytes: limit)
            try copy.run(&warnings)
        }
        let names = try SubsetSample.values(source, "Person", "name")
        #expect(try SubsetSample.values(target, "Person", "name") == names)
        let before = try SubsetSample.values(source, "Person", "data")
        let after = try SubsetSample.values(target, "Person", "data")
        #expect(after.count == 60)
        for case (.binary(let old)?, .binary(let new)?) in zip(before, after) {
            #expect(old.count == new.count && old != new)
        }
    }

    @Test("The name of a composite stands for its elements; one that cannot be replaced is named")
    func composites() throws {
        func source(_ other: AttributeType) throws -> InMemoryStore {
            var model = ManagedObjectModel(entities: [
                EntityDescription("Person", [.attribute("address", .composite, .composite("Address"))])
            ])
            let types: [(String, AttributeType)] = [("city", .string), ("zip", .string), ("other", other)]
            let elements = types.map { name, type -> AttributeDescription in
                var element = AttributeDescription(name: name, type: type)
                element.isOptional = true
                return element
            }
            model.composites = [CompositeDescription(name: "Address", elements: elements)]
            let store = try ExportSamples.store(model)
            try ExportSamples.insert("Person", 1, ["address.city": "Ulm", "address.zip": "89073"], into: store)
            return store
        }
        let subset = try Self.subset(try source(.string), ["Person.address"])
        #expect(try subset.texts("Person", "address.city") != ["Ulm"])
        #expect(try subset.texts("Person", "address.zip") != ["89073"])
        #expect(subset.report.attributes.reduce(0) { $0 + $1.replaced } == 2)
        let boolean = try source(.boolean)
        let error = #expect(throws: GranaryError.self) { _ = try Self.subset(boolean, ["Person.address"]) }
        #expect(error?.message.contains("Person.address.other: a Boolean") == true)
        #expect(error?.help == "name the elements of Person.address that can be replaced")
        let zip = try Self.subset(boolean, ["Person.address.zip"])
        #expect(try zip.texts("Person", "address.city") == ["Ulm"])
        #expect(try zip.texts("Person", "address.zip") != ["89073"])
    }

    @Test("The largest doubles do not become infinite")
    func largest() throws {
        let large = Double.greatestFiniteMagnitude
        let source = try Self.store(
            [.attribute("size", .double, .maximum(1.0))], [["size": .double(large)], ["size": .double(-large)]])
        for seed in 1..<10 as Range<UInt64> {
            let subset = try Self.subset(source, ["Person.size"], seed: seed)
            for value in try subset.values("Person", "size") {
                guard case .double(let number)? = value else {
                    Issue.record("no number")
                    continue
                }
                #expect(number.isFinite && number.magnitude >= 1e308 && number.magnitude != large)
            }
        }
    }

    @Test("A value without another one that keeps the rules is refused, with entity, attribute and rule")
    func refused() throws {
        let source = try Self.store([.attribute("code", .string, .pattern("only"))], [["code": "only"]])
        let error = #expect(throws: GranaryError.self) { _ = try Self.subset(source, ["Person.code"]) }
        let problem = try #require(error?.diagnostics.first)
        #expect(error?.code == .refused && problem.entity == "Person" && problem.property == "code")
        #expect(problem.code == .valuePattern && problem.message.contains("Person/p1"), "\(problem)")
    }

    @Test("The message of a refusal does not have the letters of the value")
    func refusalHidesValue() throws {
        let source = try Self.store([.attribute("name", .string, .pattern("Ann Miller 7"))], [["name": "Ann Miller 7"]])
        let error = #expect(throws: GranaryError.self) { _ = try Self.subset(source, ["Person.name"]) }
        #expect(error?.description.contains("\"Ann Miller") == false, "\(String(describing: error))")
    }

    @Test("Numbers keep their size, dates their year, binary data its length")
    func numbers() throws {
        let day = Date(timeIntervalSinceReferenceDate: 86_400 * 400)
        let minute = Date(timeIntervalSinceReferenceDate: 86_400 * 400 + 60 * 61)
        let source = try Self.store(
            [
                .attribute("count", .integer64), .attribute("price", .decimal), .attribute("size", .double),
                .attribute("rate", .float), .attribute("day", .date), .attribute("at", .date),
                .attribute("data", .binary), .attribute("token", .uuid), .attribute("link", .uri),
            ],
            [
                [
                    "count": .integer(-4711), "price": .decimal(Decimal(string: "19.95") ?? 0), "size": .double(0.0625),
                    "rate": .float(2.5), "day": .date(day), "at": .date(minute),
                    "data": .binary(Data([1, 2, 3, 4, 5])),
                    "token": .uuid(UUID()), "link": .uri(try #require(URL(string: "https://example.org/ann"))),
                ],
                ["count": .integer(.min), "size": .double(0)],
            ])
        let names = ["count", "price", "size", "rate", "day", "at", "data", "token", "link"]
        let subset = try Self.subset(source, names.map { "Person." + $0 })
        for name in names {
            let (before, after) = (try SubsetSample.values(source, "Person", name), try subset.values("Person", name))
            #expect(before[0] != after[0], "\(name)")
        }
        func value(_ name: String) throws -> AttributeValue? { try subset.values("Person", name)[0] }
        guard case .integer(let count)? = try value("count"), case .decimal(let price)? = try value("price"),
            case .double(let size)? = try value("size"), case .date(let newDay)? = try value("day"),
            case .date(let newMinute)? = try value("at"), case .binary(let data)? = try value("data")
        else {
            Issue.record("a value has another type")
            return
        }
        #expect(count <= -1000 && count >= -9999)
        #expect(price >= 10 && price < 100)
        #expect(size >= 0.01 && size < 0.1)
        let year = 86_400.0 * 365..<86_400.0 * 730
        #expect(year.contains(newDay.timeIntervalSinceReferenceDate))
        #expect(newDay.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 86_400) == 0)
        #expect(year.contains(newMinute.timeIntervalSinceReferenceDate))
        #expect(newMinute.timeIntervalSinceReferenceDate.truncatingRemainder(dividingBy: 60) == 0)
        #expect(data.count == 5)
        #expect(try subset.values("Person", "size")[1] == .double(0))
    }

    @Test("all-text leaves out what the model enumerates, derived values and other types, and says why")
    func allText() throws {
        var state = AttributeDescription(name: "state", type: .string)
        state.isOptional = true
        state.validationRules = [
            ValidationRule(predicate: try ObjectPredicate("SELF IN {'open', 'done'}"), message: "unknown")
        ]
        var colour = AttributeDescription(name: "colour", type: .string)
        colour.isOptional = true
        colour.userInfo = ["granary.generator": "one of red, green"]
        var entity = EntityDescription("Person", [.attribute("name", .string), .attribute("age", .integer16)])
        entity.attributes += [state, colour]
        let source = try ExportSamples.store(ManagedObjectModel(entities: [entity]))
        try ExportSamples.insert(
            "Person", 1, ["name": "Ann", "age": .integer(7), "state": "open", "colour": "red"], into: source)
        let subset = try Self.subset(source, ["all-text"])
        #expect(try subset.texts("Person", "state") == ["open"])
        #expect(try subset.texts("Person", "colour") == ["red"])
        #expect(try subset.texts("Person", "name") != ["Ann"])
        let reasons = Dictionary(uniqueKeysWithValues: subset.report.attributes.map { ($0.name, $0.reason) })
        #expect(reasons["state"] == "enumerated by a validation predicate")
        #expect(reasons["colour"] == "enumerated by its generator")
        #expect(reasons["age"] == "not text, not named")
        // Named, it becomes the other one of the two.
        #expect(try Self.subset(source, ["Person.state"]).texts("Person", "state") == ["done"])
    }

    @Test("A subentity alone is named only if the attribute is not unique among all objects of its superentity")
    func inheritance() throws {
        let model = { (unique: [[String]]) in
            ManagedObjectModel(entities: [
                EntityDescription("Person", [.attribute("name", .string)], unique: unique),
                EntityDescription("Employee", [.attribute("desk", .string)], superentity: "Person"),
            ])
        }
        let source = try ExportSamples.store(model([]))
        try ExportSamples.insert("Person", 1, ["name": "Ann"], into: source)
        try ExportSamples.insert("Employee", 2, ["name": "Ann"], into: source)
        let subset = try Self.subset(source, ["Employee.name"])
        let names = try subset.texts("Person", "name")
        #expect(names[0] == "Ann" && names[1] != "Ann")
        let both = try Self.subset(source, ["Person.name"]).texts("Person", "name")
        #expect(both[0] == both[1] && both[0] != "Ann")
        let unique = try ExportSamples.store(model([["name"]]))
        let error = #expect(throws: GranaryError.self) { _ = try Self.subset(unique, ["Employee.name"]) }
        #expect(error?.code == .usage && error?.message.contains("unique among all objects of Person") == true)
    }

    @Test("A long URI in a text stays a URI")
    func longURI() throws { try Self.checkLongURI(letters: 2_000) }

    static func checkLongURI(letters: Int) throws {
        let text = "https://example.org/" + String(repeating: "x%E7%8E%8B", count: letters)
        let source = try store([.attribute("note", .string)], [["note": .string(text)]])
        let note = try #require(try subset(source, ["Person.note"]).texts("Person", "note").first ?? nil)
        #expect(note.utf8.count == text.utf8.count && note != text && note.hasPrefix("https://"))
        #expect(note.removingPercentEncoding != nil)
    }

    @Test("A long text is replaced in pieces, and keeps its shape")
    func longText() throws {
        // A little more than one piece, which is 1 << 18 characters.
        try Self.checkLongText(sentences: 16_500)
    }

    static func checkLongText(sentences: Int) throws {
        let text = String(repeating: "Ann has 3 cats. ", count: sentences)
        let source = try Self.store([.attribute("note", .string)], [["note": .string(text)]])
        let note = try #require(try Self.subset(source, ["Person.note"]).texts("Person", "note").first ?? nil)
        #expect(note.utf8.count == text.utf8.count && note != text)
        #expect(note.utf8.filter { $0 == UInt8(ascii: ".") }.count == sentences)
    }
}

@Suite struct AnonymisedValueLongTests {
    /// A piece has 1 << 18 characters: a little more than one, and several.
    @Test("A long text is replaced in pieces, and keeps its shape", arguments: [16_500, 40_000])
    func longText(sentences: Int) throws { try AnonymisedValueTests.checkLongText(sentences: sentences) }

    @Test("A long URI in a text stays a URI")
    func longURI() throws { try AnonymisedValueTests.checkLongURI(letters: 60_000) }

    @Test("Different unique values stay different")
    func unique() throws { try AnonymisedValueTests.checkUnique(objects: 900) }
}
