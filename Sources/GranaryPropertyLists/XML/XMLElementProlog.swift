import GranaryBase

/// Checks the content before the root element: a byte order mark, a declaration, comments, a document type name.
///
/// Only UTF-8 is accepted, so that libxml2 reads the same characters that were checked. Declarations inside a document
/// type are refused: an entity of ten levels of ten grows to gigabytes ("billion laughs").
package enum XMLElementProlog {
    /// - Returns: the index of the `<` of the root element; nil if the bytes end before it.
    @discardableResult
    static func check(_ bytes: [UInt8]) throws(XMLElementScan.Refusal) -> Int? {
        let wide: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0x00], [0x3C, 0x00]]
        if wide.contains(where: bytes.starts) {
            throw .init(code: .encodingInvalid, message: "looks like UTF-16 or UTF-32, not like UTF-8", offset: 0)
        }
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if hasDeclaration(bytes, at: index) { try checkDeclaration(bytes, from: index) }
        while let tag = XMLElementScan.find(UInt8(ascii: "<"), in: bytes, from: index) {
            let next: Int?
            if XMLElementScan.has("<!--", in: bytes, at: tag) {
                next = XMLElementScan.end(of: "-->", in: bytes, from: tag + 4)
            } else if XMLElementScan.has("<?", in: bytes, at: tag) {
                next = XMLElementScan.end(of: "?>", in: bytes, from: tag + 2)
            } else if XMLElementScan.has("<!", in: bytes, at: tag) {
                next = try documentTypeEnd(bytes, from: tag)
            } else {
                return tag
            }
            guard let next else { return nil }
            index = next
        }
        return nil
    }

    /// The name of the root element; nil if the first bytes do not contain it.
    package static func rootName(_ bytes: [UInt8]) -> String? {
        guard let tag = try? check(bytes) else { return nil }
        let name = bytes[(tag + 1)...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return String(decoding: name.prefix(100), as: UTF8.self)
    }

    /// The document with spaces in place of its XML declaration. libxml2 would use the encoding of the declaration, and
    /// crashes on some names; the document was checked to be UTF-8.
    static func withoutDeclaration(_ bytes: [UInt8]) -> [UInt8] {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard hasDeclaration(bytes, at: start), let end = XMLElementScan.end(of: "?>", in: bytes, from: start) else {
            return bytes
        }
        var result = bytes
        // Line ends stay, so that line numbers do not change.
        for index in start..<end where bytes[index] != 0x0A && bytes[index] != 0x0D { result[index] = 0x20 }
        return result
    }

    private static func hasDeclaration(_ bytes: [UInt8], at index: Int) -> Bool {
        XMLElementScan.has("<?xml", in: bytes, at: index)
    }

    private static func checkDeclaration(_ bytes: [UInt8], from start: Int) throws(XMLElementScan.Refusal) {
        guard let end = XMLElementScan.end(of: "?>", in: bytes, from: start) else {
            throw .init(code: nil, message: "has an unterminated XML declaration", offset: start)
        }
        guard let label = XMLElementScan.end(of: "encoding", in: Array(bytes[..<end]), from: start) else { return }
        let rest = bytes[label..<end].drop { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }.dropFirst()
        let name = String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }, as: UTF8.self)
        guard ["utf-8", "utf8", "us-ascii"].contains(name.lowercased()) else {
            throw .init(
                code: .encodingInvalid,
                message: "declares the encoding \(Diagnostic.shortened(name)), but must be UTF-8",
                offset: label)
        }
    }

    private static func documentTypeEnd(_ bytes: [UInt8], from start: Int) throws(XMLElementScan.Refusal) -> Int? {
        var quote: UInt8 = 0
        for index in start..<bytes.count {
            let byte = bytes[index]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "[") {
                throw .init(
                    code: nil, message: "declares entities or elements in its document type, which is not allowed",
                    offset: start)
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
        }
        return nil
    }
}
