/// The notes of a description that hold attributes of list elements, and whole elements that Granary does not know.
///
/// Their keys are paths below the description's element: `/userInfo/entry[2]/@color` for an attribute, `/newThing[1]`
/// for an element, whose note is its XML. Other keys are plain attribute names. No XML name contains a slash, so the
/// two kinds of key never clash.
struct NoteExtras {
    private(set) var attributes: [String: [(name: String, text: String)]] = [:]
    private(set) var elements: [String: [String]] = [:]

    static func isPath(_ key: String) -> Bool { key.utf8.first == UInt8(ascii: "/") }

    static func key(_ path: String, attribute: String) -> String { "\(path)/@\(attribute)" }

    static func key(_ path: String, element: String, number: Int) -> String { "\(path)/\(element)[\(number)]" }

    init(_ notes: [String: String]) {
        var numbered: [String: [(number: Int, name: String, text: String)]] = [:]
        for (key, text) in notes where Self.isPath(key) {
            guard let slash = key.utf8.lastIndex(of: UInt8(ascii: "/")) else { continue }
            let path = String(key[..<slash])
            let name = key[key.utf8.index(after: slash)...]
            if name.utf8.first == UInt8(ascii: "@") {
                attributes[path, default: []].append((String(name.dropFirst()), text))
            } else {
                let number = name.utf8.lastIndex(of: UInt8(ascii: "[")).flatMap { bracket in
                    Int(name[name.utf8.index(after: bracket)...].dropLast())
                }
                numbered[path, default: []].append((number ?? 0, String(name), text))
            }
        }
        for path in attributes.keys { attributes[path]?.sort { $0.name < $1.name } }
        elements = numbered.mapValues { list in
            list.sorted { ($0.number, $0.name) < ($1.number, $1.name) }.map(\.text)
        }
    }
}
