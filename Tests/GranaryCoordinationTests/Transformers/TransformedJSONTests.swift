import Foundation
import GranaryBase
import GranaryContexts
import GranaryCoordination
import GranaryCoreDataStore
import GranaryInspection
import GranaryPropertyLists
import StoreTestSupport
import TestSupport
import Testing

@Suite("Transformable attributes as JSON") struct TransformedJSONTests {
    let transformer = AttributeTransformer.secureUnarchiveFromData

    static func form(_ bytes: Data) -> TransformedJSON.Form? {
        Array(bytes).withUnsafeBufferPointer { TransformedJSON.form(ofArchive: $0) }
    }

    static func archive(
        _ json: String, transformer: String? = nil, isHex: Bool = false
    ) throws(TransformedJSON.Problem) -> Data {
        var bytes: [UInt8] = []
        try Array(json.utf8).withUnsafeBufferPointer { text throws(TransformedJSON.Problem) in
            try TransformedJSON.appendArchive(of: text, transformer: transformer, isHex: isHex, to: &bytes)
        }
        return Data(bytes)
    }

    /// Built a value at a time: one literal of all of them is too much for the type checker.
    static let values: [(any Sendable, TransformedJSON.Form?)] = {
        var cases: [(any Sendable, TransformedJSON.Form?)] = []
        cases.append(([String](), .alone("[]")))
        cases.append(([String: Int](), .alone("{}")))
        cases.append((["b", "a"], .alone(#"["b","a"]"#)))
        cases.append((["b": 1, "a": -2], .alone(#"{"a":-2,"b":1}"#)))
        cases.append(([1.0, -0.0, 0.1, 1e300], .alone("[1.0,-0.0,0.1,1e+300]")))
        cases.append(([UInt64.max], .alone("[18446744073709551615]")))
        cases.append(([true, nil] as [Bool?], .alone("[true,null]")))
        cases.append((["k": ["$id": [["x\n\"é"]]]], .alone(#"{"k":{"$id":[["x\n\"é"]]}}"#)))
        cases.append((["$id": 1], .beside(#"{"$id":1}"#)))
        cases.append((["$archive": "x"], .beside(#"{"$archive":"x"}"#)))
        cases.append((Set(["b", "a"]), .beside(#"["a","b"]"#)))
        cases.append(("text", .beside(#""text""#)))
        cases.append((7, .beside("7")))
        cases.append((ArchivedNull(), .beside("null")))
        cases.append((Date(timeIntervalSinceReferenceDate: 0.5), .beside(#""2001-01-01T00:00:00.5Z""#)))
        cases.append((["at": Date(timeIntervalSinceReferenceDate: 0)], .beside(#"{"at":"2001-01-01T00:00:00Z"}"#)))
        cases.append(([Date(timeIntervalSinceReferenceDate: 1e15)], nil))
        cases.append(([Data([1]), Data()], .beside(#"["AQ==",""]"#)))
        cases.append(([Decimal(sign: .minus, exponent: -1, significand: 15)], .beside("[-1.5]")))
        let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        cases.append(([uuid], .beside(#"["00010203-0405-0607-0809-0A0B0C0D0E0F"]"#)))
        cases.append(([URL(filePath: "/a")], .beside(#"["file:///a"]"#)))
        cases.append(([Double.infinity], nil))
        cases.append(([2: "x", -10: "y"], .beside(#"{"-10":"y","2":"x"}"#)))
        cases.append((["a\u{0}"], nil))
        cases.append((["a\u{0}": 1], nil))
        cases.append((HostileTransformedValueTests.nested(101), nil))
        cases.append(([String](repeating: "x", count: 300_000), nil))
        return cases
    }()

    // By their numbers: not every value can be described.
    @Test("A value is JSON, JSON beside its bytes, or bytes alone", arguments: values.indices)
    func forms(_ index: Int) throws {
        let (value, expected) = Self.values[index]
        let bytes = try transformer.encode(value)
        #expect(Self.form(bytes) == expected)
        if case .plain(let json)? = expected {
            #expect(try Self.archive(String(decoding: json, as: UTF8.self)) == bytes)
        }
    }

    @Test("White space and escapes make no other archive")
    func spelling() throws {
        let bytes = try transformer.encode(["a": ["x", "é"]])
        #expect(try Self.archive("{ \"\\u0061\" :\n[\"x\",\t\"\\u00e9\"] }") == bytes)
    }

    @Test("Foundation's archives are JSON only where it gives their bytes", arguments: 0..<8)
    func twins(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<20 {
            let sample = TransformedSample.random(using: &generator)
            let theirs = try NSKeyedArchiver.archivedData(
                withRootObject: sample.foundation, requiringSecureCoding: false)
            let form = Self.form(theirs)
            #expect(form != nil)
            guard case .plain(let json)? = form else { continue }
            #expect(try Self.archive(String(decoding: json, as: UTF8.self)) == theirs)
        }
    }

    @Test("An object may name the bytes", arguments: [false, true])
    func named(isHex: Bool) throws {
        let text = isHex ? "01ff" : "Af8="
        for json in [#"{"$archive":"\#(text)"}"#, #"{"$value":{"$x":[1e999]},"$archive":"\#(text)"}"#] {
            #expect(try Self.archive(json, transformer: "Other", isHex: isHex) == Data([1, 255]))
        }
    }

    @Test(
        "What is wrong is told with its place",
        arguments: [
            (#"{"a":1,"a":2}"#, .valueSyntax, 7), (#"[{"é":1,"\u00e9":2}]"#, .valueSyntax, 9),
            ("[1e400]", .valueRange, 1), ("[0, 18446744073709551616]", .valueRange, 4),
            (#"{"a":1,"$id":2}"#, .valueSyntax, 7), (#"{"$archive":5}"#, .valueSyntax, 12),
            (#"{"$archive":"A"}"#, .valueSyntax, 12), (#"{"$value":[]}"#, .valueSyntax, 1),
            (#"{"$archive":"","$archive":""}"#, .valueSyntax, 15), (#"{"a":1,"$archive":""}"#, .valueSyntax, 1),
        ] as [(String, Diagnostic.Code, Int)])
    func problems(json: String, code: Diagnostic.Code, offset: Int) {
        let problem = #expect(throws: TransformedJSON.Problem.self) { try Self.archive(json) }
        #expect(problem?.code == code && problem?.offset == offset, "\(problem?.reason ?? "-")")
    }

    @Test("The value of a transformer that is not built in is not made")
    func otherTransformer() throws {
        let problem = #expect(throws: TransformedJSON.Problem.self) {
            try Self.archive("[1]", transformer: "PointTransformer")
        }
        #expect(problem?.reason.contains("PointTransformer") == true)
        for name in ["", "NSKeyedUnarchiveFromDataTransformerName", "NSSecureUnarchiveFromDataTransformer"] {
            #expect(try Self.archive("[1]", transformer: name) == transformer.encode([1]))
        }
    }

    @Test("Depth and size meet a limit")
    func limits() {
        let deep = String(repeating: "[", count: 129) + String(repeating: "]", count: 129)
        let depth = #expect(throws: TransformedJSON.Problem.self) { try Self.archive(deep) }
        #expect(depth?.code == .limitExceeded && depth?.offset == 128)
        let long = "[\"" + String(repeating: "x", count: 5 << 20) + "\"]"
        let size = #expect(throws: TransformedJSON.Problem.self) { try Self.archive(long) }
        #expect(size?.code == .limitExceeded)
    }

    @Test("Broken and hostile archives stay bytes", arguments: HostileTransformedValueTests.refused)
    func hostile(message: String, list: PropertyListValue) throws {
        // A Swift dictionary cannot hold such keys; JSON can.
        if message == "a duplicate key" { return }
        #expect(Self.form(Data(try PropertyList.write(list, as: .binary))) == nil)
        #expect(Self.form(Data()) == nil && Self.form(Data(message.utf8)) == nil)
    }

    @Test("Few bytes that stand for much text stay bytes")
    func bomb() throws {
        typealias Hostile = HostileTransformedValueTests
        var objects: [PropertyListValue] = [Hostile.object([Hostile.members([3, 3])]), Hostile.type("NSArray")]
        for index in 4..<17 { objects.append(Hostile.object([Hostile.members([UInt64(index), UInt64(index)])])) }
        objects.append(.string(String(repeating: "x", count: 200)))
        let bytes = Data(try PropertyList.write(Hostile.archive(objects), as: .binary))
        _ = try transformer.decode(bytes)
        #expect(Self.form(bytes) == nil)
    }
}

extension TransformedJSON.Form {
    fileprivate static func alone(_ json: String) -> Self { .plain(Array(json.utf8)) }

    fileprivate static func beside(_ json: String) -> Self { .wrapped(Array(json.utf8)) }
}
