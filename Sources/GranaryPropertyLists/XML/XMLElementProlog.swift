import GranaryBase

/// What may stand before the root element: a byte order mark, a declaration, comments, a document type by name.
///
/// Only UTF-8, so that what is checked here is what libxml2 reads. Declarations inside a document type are
/// refused: an entity of ten levels of ten grows to gigabytes (the "billion laughs").
package enum XMLElementProlog {
    static func check(_ bytes: [UInt8]) throws(XMLElementScan.Refusal) {
        let wide: [[UInt8]] = [[0xFE, 0xFF], [0xFF, 0xFE], [0x00], [0x3C, 0x00]]
        if wide.contains(where: bytes.starts) {
            throw .init(code: .encodingInvalid, message: "is not UTF-8 but looks like UTF-16 or UTF-32", offset: 0)
        }
        var index = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        if hasDeclaration(bytes, at: index) { try checkDeclaration(bytes, from: index) }
        while let tag = XMLElementScan.find(UInt8(ascii: "<"), in: bytes, from: index) {
            let next: Int?
            if XMLElementScan.has("<!--", in: bytes, at: tag) {
                next = XMLElementScan.behind("-->", in: bytes, from: tag + 4)
            } else if XMLElementScan.has("<?", in: bytes, at: tag) {
                next = XMLElementScan.behind("?>", in: bytes, from: tag + 2)
            } else if XMLElementScan.has("<!", in: bytes, at: tag) {
                next = try documentTypeEnd(bytes, from: tag)
            } else {
                return
            }
            guard let next else { return }
            index = next
        }
    }

    /// The name of the root element, as far as the first bytes show one.
    package static func rootName(_ bytes: [UInt8]) -> String? {
        guard (try? check(bytes)) != nil else { return nil }
        var index = 0
        while let tag = XMLElementScan.find(UInt8(ascii: "<"), in: bytes, from: index) {
            let isComment = XMLElementScan.has("<!--", in: bytes, at: tag)
            if isComment || XMLElementScan.has("<?", in: bytes, at: tag) || XMLElementScan.has("<!", in: bytes, at: tag)
            {
                let end = isComment ? XMLElementScan.behind("-->", in: bytes, from: tag) : nil
                guard let next = end ?? XMLElementScan.find(UInt8(ascii: ">"), in: bytes, from: tag) else { return nil }
                index = next
                continue
            }
            let name = bytes[(tag + 1)...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
            return String(decoding: name.prefix(100), as: UTF8.self)
        }
        return nil
    }

    /// The document with blanks in the place of its XML declaration. libxml2 would follow what that says of an encoding,
    /// and crashes on some names; it is UTF-8 that was checked.
    static func withoutDeclaration(_ bytes: [UInt8]) -> [UInt8] {
        let start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        guard hasDeclaration(bytes, at: start), let end = XMLElementScan.behind("?>", in: bytes, from: start) else {
            return bytes
        }
        var result = bytes
        // Lines stay where they are.
        for index in start..<end where bytes[index] != 0x0A && bytes[index] != 0x0D { result[index] = 0x20 }
        return result
    }

    private static func hasDeclaration(_ bytes: [UInt8], at index: Int) -> Bool {
        XMLElementScan.has("<?xml", in: bytes, at: index)
    }

    private static func checkDeclaration(_ bytes: [UInt8], from start: Int) throws(XMLElementScan.Refusal) {
        guard let end = XMLElementScan.behind("?>", in: bytes, from: start) else {
            throw .init(code: nil, message: "has an XML declaration without an end", offset: start)
        }
        guard let label = XMLElementScan.behind("encoding", in: Array(bytes[..<end]), from: start) else { return }
        let rest = bytes[label..<end].drop { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }.dropFirst()
        let name = String(decoding: rest.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }, as: UTF8.self)
        guard ["utf-8", "utf8", "us-ascii"].contains(name.lowercased()) else {
            throw .init(
                code: .encodingInvalid,
                message: "says that it is encoded in \(Diagnostic.shortened(name)), but only UTF-8 is read",
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
                    code: nil, message: "declares entities or other things in its document type, which is refused",
                    offset: start)
            } else if byte == UInt8(ascii: ">") {
                return index + 1
            }
        }
        return nil
    }
}
