import Foundation
import GranaryBase
import GranaryPropertyLists
import TestSupport
import Testing
@testable import GranaryFormats

/// Records in the places that options name.
@Suite struct RecordPlaceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let text: String
        var places = ["."]
        var key: String?
        /// The records without their positions, or what is refused.
        let expected: [String]

        init(_ text: String, _ places: String..., key: String? = nil, is expected: [String]) {
            self.text = text
            self.places = places
            self.key = key
            self.expected = expected
        }

        var testDescription: String { "\(text) \(places)" }
    }

    private static func place(_ text: String) -> RecordPlace {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        return parts.count == 2 ? RecordPlace(parts[1], entity: parts[0]) : RecordPlace(text)
    }

    private static func json(_ text: String, _ places: [String], key: String?, chunkSize: Int = 1 << 18) -> RecordText {
        var options = JSONReader.Options()
        options.places = places.map(place)
        options.recordKey = key
        options.chunkSize = chunkSize
        return RecordText(
            reading: JSONReader(ByteSource(bytes: Array(text.utf8), name: "in.json"), options: options))
    }

    private static func list(_ text: String, _ places: [String], key: String?) -> RecordText {
        var options = PropertyListReader.Options()
        options.places = places.map(place)
        options.recordKey = key
        let bytes = PropertyListText.xml(ofJSON: text)
        return RecordText(reading: PropertyListReader(ByteSource(bytes: bytes, name: "in.plist"), options: options))
    }

    /// The outcomes without positions.
    private static func plain(_ text: RecordText) -> [String] {
        text.outcomes.map { outcome in
            if outcome.hasPrefix("refused") || outcome.hasPrefix("malformed") {
                return String(outcome.prefix { $0 != "@" })
            }
            return String(outcome.drop { $0 != " " }.dropFirst())
        }
    }

    private static let items = #"{"data":{"n":[1,[{"x":{}}]],"items":[{"a":1},{"a":2}]},"z":[]}"#

    static let cases = [
        Case(items, "data.items", is: ["{a=number:1}", "{a=number:2}"]),
        Case(items, "z", is: []), Case(items, "data.n.1", is: ["{x={}}"]),
        Case(items, "data.n.0", is: ["refused json.syntax"]),
        Case(items, "data.n", is: ["malformed json.syntax", "malformed json.syntax"]),
        Case(items, "data.item", is: ["refused header.missing"]),
        Case(items, "data.items.items", is: ["refused header.missing"]),
        Case(items, "data.n.2", is: ["refused header.missing"]), Case(items, "x", is: ["refused header.missing"]),
        Case(items, "I=data.items", "Z=z", is: ["I{a=number:1}", "I{a=number:2}"]),
        Case(
            #"{"b":[{"x":1}],"a":{"c":[{"y":1}]},"d":[{"x":2}]}"#, "A=a.c", "B=b", "B=d",
            is: ["B{x=number:1}", "A{y=number:1}", "B{x=number:2}"]),
        Case(#"[{"page":1},[{"a":1}]]"#, "1", is: ["{a=number:1}"]),
        Case(#"[{"page":1},[{"a":1}]]"#, "0", is: ["{page=number:1}"]),
        Case(#"[{"a":1}]"#, ".", is: ["{a=number:1}"]), Case(#"{"a":{"b":1}}"#, "a", is: ["{b=number:1}"]),
        Case(#"{"a.b":[{"x":1}],"a":{"c":1}}"#, "a.b", is: ["{x=number:1}"]),
        Case(#"{"a.b":[{"x":1}],"a":{"b":[]}}"#, "a.b", is: ["{x=number:1}", "refused header.duplicate"]),
        Case(#"{"a":[{"x":1}],"a":[]}"#, "a", is: ["{x=number:1}", "refused header.duplicate"]),
        Case(
            #"{"x":{"a":1},"y":{"a":2}}"#, ".", key: "id", is: ["{id=quoted:x,a=number:1}", "{id=quoted:y,a=number:2}"]),
        Case(
            #"{"t":{"x":{"id":"x"},"7":{"id":7},"y":{"id":"z"},"w":{"id":["w"]}},"u":1}"#, "t", key: "id",
            is: ["{id=quoted:x}", "{id=number:7}", "malformed header.duplicate", "malformed header.duplicate"]),
        Case(#"{"t":[{"a":1}]}"#, "t", key: "id", is: ["{a=number:1}", "refused header.missing"]),
        Case(#"{"t":{}}"#, "t", key: "id", is: []),
        Case(#"{"t":{"x":{"b":{"id":1}}}}"#, "t", key: "id", is: ["{id=quoted:x,b={id=number:1}}"]),
        Case(#"{"q":"text","t":[{"a":1}]}"#, "t", is: ["{a=number:1}"]),
    ]

    @Test(arguments: cases)
    func `Records are read where they are`(_ item: Case) {
        for size in [1 << 18, 1, 7] {
            let found = Self.plain(Self.json(item.text, item.places, key: item.key, chunkSize: size))
            #expect(found == item.expected, "\(size)")
        }
        let expected = item.expected.map { $0.replacing("json.syntax", with: "plist.syntax") }
        #expect(Self.plain(Self.list(item.text, item.places, key: item.key)) == expected)
    }

    @Test func `NULL in the place of records is no records, and anything else is refused`() {
        #expect(Self.plain(Self.json(#"{"t":null}"#, ["t"], key: nil)) == [])
        for value in ["1", "\"\"", "true"] {
            #expect(Self.plain(Self.json("{\"t\":\(value)}", ["t"], key: nil)) == ["refused json.syntax"], "\(value)")
        }
        #expect(Self.json("", ["t"], key: nil).outcomes.count == 1)
        for text in [
            #"{"t":[{}"#, #"{"t":[{}]"#, #"{"a":[1,],"t":[]}"#, #"{"t":[]} x"#, #"{"a":tru,"t":[]}"#,
            #"{"a":"\ud800","t":[]}"#,
        ] {
            for size in [1 << 18, 1, 3] {
                #expect(
                    Self.json(text, ["t"], key: nil, chunkSize: size).outcomes.last?.hasPrefix("refused") ?? false,
                    "\(text)")
            }
        }
    }

    @Test func `Places are checked before reading`() {
        func problem(_ places: String...) -> String? { places.map(Self.place).problem }
        #expect(problem("a", "b.c", "B=b.d") == nil && problem(".") == nil)
        #expect(problem("a.b", "a") == #""a.b" is inside "a", and records are read only once"#)
        #expect(problem("a", ".") == #""a" is inside ".", and records are read only once"#)
        #expect(problem("a", "B=a") == #"names "a" twice"#)
        #expect(problem("a..b")?.contains("empty name") ?? false && problem("")?.contains("empty name") ?? false)
    }

    @Test func `A missing place has a hint`() throws {
        var options = JSONReader.Options()
        options.places = [RecordPlace("data.itmes")]
        let reader = JSONReader(ByteSource(bytes: Array(Self.items.utf8), name: "in.json"), options: options)
        var record = Record()
        let error = #expect(throws: GranaryError.self) { _ = try reader.next(into: &record) }
        #expect(
            error?.diagnostics.first?.message
                == #"there is no "data.itmes" in the document; did you mean "data.items"?"#)
    }

    /// Values that are skipped can be larger than the window and than a record, and nested up to the limit.
    @Test func `What is beside the records takes no memory`() throws {
        let big =
            "[" + (0..<5000).map { "{\"k\($0)\":[\($0),{\"s\":\"\\u00e9 \($0)\"}]}" }.joined(separator: ", ") + "]"
        let deep = String(repeating: "[", count: 100) + "1" + String(repeating: "]", count: 100)
        for beside in [big, deep, "{\"a\":\(big),\"b\":\(deep)}"] {
            let text = "{\"x\":\(beside),\"t\":[{\"a\":1}],\"y\":\(beside)}"
            for size in [1 << 18, 100, 7] {
                var options = JSONReader.Options()
                options.places = [RecordPlace("t")]
                options.chunkSize = size
                options.maximumRecordBytes = 50
                options.maximumFieldBytes = 50
                let source = ByteSource(bytes: Array(text.utf8), name: "in.json")
                let reader = JSONReader(source, options: options)
                let found = RecordText(reading: reader)
                #expect(
                    found.outcomes.count == 1 && found.outcomes.first?.contains("{a=number:1}") ?? false, "\(found)")
            }
        }
        let tooDeep = String(repeating: "[", count: 200)
        #expect(Self.plain(Self.json("{\"x\":\(tooDeep)", ["t"], key: nil)) == ["refused limit.exceeded"])
    }

    /// Random documents, read with a place and by a reader of the whole tree.
    @Test func `Random documents give the records that are at the place`() throws {
        var random = SeededGenerator(seed: 11)
        func value(_ depth: Int) -> String {
            switch Int.random(in: 0..<(depth > 3 ? 3 : 6), using: &random) {
            case 0: return "1"
            case 1: return "\"t\""
            case 2: return "true"
            case 3:
                return "["
                    + (0..<Int.random(in: 0..<3, using: &random)).map { _ in value(depth + 1) }.joined(separator: ",")
                    + "]"
            default:
                let names = ["a", "b", "0", "1"].shuffled(using: &random).prefix(Int.random(in: 0..<4, using: &random))
                return "{" + names.map { "\"\($0)\":\(value(depth + 1))" }.joined(separator: ",") + "}"
            }
        }
        var found = 0
        for _ in 0..<3000 {
            let text = "{\"a\":\(value(0)),\"b\":\(value(0))}"
            let path = (0..<Int.random(in: 1..<4, using: &random)).map { _ in
                ["a", "b", "0", "1"].randomElement(using: &random) ?? "a"
            }
            var tree: Any? = try JSONSerialization.jsonObject(with: Data(text.utf8))
            for name in path {
                if let object = tree as? [String: Any] {
                    tree = object[name]
                } else if let array = tree as? [Any], let index = Int(name) {
                    tree = array.indices.contains(index) ? array[index] : nil
                } else {
                    tree = nil
                }
            }
            let expected = (tree as? [Any])?.map { $0 is [String: Any] } ?? (tree is [String: Any] ? [true] : nil)
            for size in [1 << 18, 5] {
                let read = Self.plain(Self.json(text, [path.joined(separator: ".")], key: nil, chunkSize: size))
                if let expected {
                    #expect(read.map { $0.hasPrefix("{") } == expected, "\(text) \(path)")
                    found += 1
                } else {
                    #expect(read.count == 1 && read[0].hasPrefix("refused"), "\(text) \(path)")
                }
            }
            let list = Self.plain(Self.list(text, [path.joined(separator: ".")], key: nil))
            if let expected { #expect(list.map { $0.hasPrefix("{") } == expected, "\(text) \(path)") }
        }
        #expect(found > 300)
    }

    // MARK: Frames

    @Test func `Parts of a document are opened once`() {
        func text(_ parts: [PlaceFrame.Part]) -> String {
            parts.map { part in
                switch part {
                case .beginObject: "{"
                case .endObject: "}"
                case .beginArray: "["
                case .endArray: "]"
                case .name(let name): name + ":"
                case .filler: "~"
                }
            }.joined()
        }
        let places = ["a.b", "a.c", "d.1", "d.2.e", "f"].map { RecordPlace($0) }
        var frame = PlaceFrame()
        var all = text(frame.move(to: PlaceVisit(place: 1, path: [.member("a"), .member("c")], content: .keyed))) + "|"
        all += text(frame.move(to: PlaceVisit(place: 2, path: [.member("d"), .element(1)], content: .array))) + "|"
        var visited: Set<Int> = [1, 2, 0]
        while let next = frame.next(of: places, besides: visited) {
            visited.insert(next.place)
            all += text(frame.move(to: next)) + "|"
        }
        all += text(frame.finish())
        #expect(all == "{a:{c:{|}}d:[~[|]{e:~|}]f:~|}")
        var single = PlaceFrame()
        #expect(text(single.move(to: PlaceVisit(place: 0, path: [], content: .array)) + single.finish()) == "[]")
        #expect(text(single.move(to: PlaceVisit(place: 0, path: [], content: .single)) + single.finish()) == "")
    }
}

/// An XML property list with the values of a JSON text.
enum PropertyListText {
    static func xml(ofJSON json: String) -> [UInt8] {
        var text = "<plist version=\"1.0\">"
        Array(json.utf8).withUnsafeBufferPointer { buffer in
            var events = JSONEventReader(buffer)
            while let event = events.next() {
                switch event {
                case .beginObject: text += "<dict>"
                case .endObject: text += "</dict>"
                case .beginArray: text += "<array>"
                case .endArray: text += "</array>"
                case .name(let name): text += "<key>\(name)</key>"
                case .text(let value): text += "<string>\(value)</string>"
                case .number(let digits): text += "<integer>\(String(decoding: digits, as: UTF8.self))</integer>"
                case .boolean(let value): text += value ? "<true/>" : "<false/>"
                case .null: text += "<string></string>"
                }
            }
        }
        return Array((text + "</plist>").utf8)
    }
}
