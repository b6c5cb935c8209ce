import GranaryBase

@testable import GranaryPropertyLists

/// What a parser reports of an XML document, with neighbouring texts joined.
enum XMLTrace: Equatable {
    case start(String, [String: String])
    case end
    case text(String)

    /// Appends a text to the last one.
    static func append(_ text: String, to traces: inout [XMLTrace]) {
        if case .text(let last) = traces.last {
            traces[traces.count - 1] = .text(last + text)
        } else if !text.isEmpty {
            traces.append(.text(text))
        }
    }

    /// With LF for each CR LF and CR of a text.
    var withoutCR: XMLTrace {
        guard case .text(let text) = self else { return self }
        var scalars = String.UnicodeScalarView()
        var last: Unicode.Scalar = " "
        for scalar in text.unicodeScalars {
            if scalar != "\n" || last != "\r" { scalars.append(scalar == "\r" ? "\n" : scalar) }
            last = scalar
        }
        return .text(String(scalars))
    }

    /// What ``XMLPullParser`` reports.
    ///
    /// - Parameter pieceBytes: the bytes of the document that it gets at once; nil for all.
    static func read(_ document: [UInt8], pieceBytes: Int? = nil) throws(GranaryError) -> [XMLTrace] {
        let window =
            pieceBytes.map { XMLWindow(ByteSource(bytes: document, name: "x"), start: [], pieceBytes: $0) }
            ?? XMLWindow(document: document, source: "x")
        var parser = XMLPullParser(window, errors: XMLErrors(source: "x"))
        var traces: [XMLTrace] = []
        var text: [UInt8] = []
        while true {
            let token = try parser.next()
            if token == .text {
                parser.appendText(to: &text)
                continue
            }
            append(String(decoding: text, as: UTF8.self), to: &traces)
            text = []
            switch token {
            case .startTag:
                var attributes: [String: String] = [:]
                for attribute in parser.attributes {
                    attributes[parser.name(of: attribute)] = parser.value(of: attribute)
                }
                traces.append(.start(String(decoding: parser.name, as: UTF8.self), attributes))
            case .endTag: traces.append(.end)
            case .text: break
            case .end: return traces
            }
        }
    }
}
