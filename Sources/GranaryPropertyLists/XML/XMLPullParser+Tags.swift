import GranaryBase

/// Start and end tags.
extension XMLPullParser {
    /// Reads the start tag at the window's index, checks it, and opens its element.
    mutating func readStartTag() throws(GranaryError) {
        let end = try findTagEnd()
        let start = window.index + 1
        let nameEnd = XMLCharacters.nameEnd(in: window.bytes, from: start, to: end)
        guard nameEnd > start else { throw malformed("a tag has no valid name after its <", at: start) }
        guard !hasRoot || !openStarts.isEmpty else { throw malformed("content after the root element") }
        hasRoot = true
        tag = window.index..<end + 1
        nameRange = start..<nameEnd
        openStarts.append(openNames.count)
        openNames.append(contentsOf: window.bytes[nameRange])
        try readAttributes(from: nameEnd, to: end)
        try checkPrefixes()
        window.index = end + 1
    }

    /// Reads the end tag at the window's index, checks that it belongs to the innermost element, and closes that
    /// element.
    mutating func readEndTag() throws(GranaryError) {
        let end = try findTagEnd()
        let start = window.index + 2
        guard let opened = openStarts.last else { throw malformed("an end tag without a start tag") }
        // The name needs no further check: its bytes must equal those of the start tag's name, which was checked.
        let nameEnd = start + openNames.count - opened
        guard nameEnd <= end, window.bytes[start..<nameEnd].elementsEqual(openNames[opened...]),
            window.bytes[nameEnd..<end].allSatisfy(XMLScalarText.isSpace)
        else {
            let name = Diagnostic.shortened(String(decoding: openNames[opened...], as: UTF8.self))
            throw malformed("the end tag </\(name)> is expected here")
        }
        tag = window.index..<end + 1
        closeElement()
        window.index = end + 1
    }

    /// The index of the `>` of the tag at the window's index. The whole tag is in the window then.
    private mutating func findTagEnd() throws(GranaryError) -> Int {
        // The quotation mark that ends the current attribute value; 0 outside values.
        var quote: UInt8 = 0
        var distance = 1
        while true {
            let stop = min(window.bytes.count, window.index + limits.tagBytes)
            var index = window.index + distance
            while index < stop {
                let byte = window.bytes[index]
                if byte == UInt8(ascii: "<") { throw malformed("a < inside a tag", at: index) }
                if quote != 0 {
                    if byte == quote { quote = 0 }
                } else if byte == UInt8(ascii: ">") {
                    return index
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                }
                index += 1
            }
            distance = index - window.index
            guard distance < limits.tagBytes else {
                throw limit("a tag has more than \(limits.tagBytes) bytes, the limit", at: index)
            }
            guard try window.refill() else {
                throw malformed("the document ends inside a tag", at: window.bytes.count)
            }
        }
    }

    /// Reads the attributes of the tag that ends at `end`.
    private mutating func readAttributes(from start: Int, to end: Int) throws(GranaryError) {
        // `removeAll` is slow even if there is nothing to remove.
        if !attributes.isEmpty {
            attributes.removeAll(keepingCapacity: true)
            attributeValues.removeAll(keepingCapacity: true)
        }
        var index = start
        // No read below goes past `end`, the index of the `>`.
        while index < end {
            let name = skipSpaces(from: index)
            if name == end { break }
            if window.bytes[name] == UInt8(ascii: "/"), name + 1 == end {
                isEmptyTag = true
                break
            }
            guard name > index else { throw malformed("a space is missing before an attribute", at: name) }
            let nameEnd = XMLCharacters.nameEnd(in: window.bytes, from: name, to: end)
            guard nameEnd > name else { throw malformed("an attribute has no valid name", at: name) }
            let equals = skipSpaces(from: nameEnd)
            guard window.bytes[equals] == UInt8(ascii: "=") else {
                throw malformed("an attribute has no = and value", at: equals)
            }
            let quote = skipSpaces(from: equals + 1)
            guard window.bytes[quote] == UInt8(ascii: "\"") || window.bytes[quote] == UInt8(ascii: "'") else {
                throw malformed("the value of an attribute is not in quotation marks", at: quote)
            }
            let valueStart = attributeValues.count
            index = try readValue(from: quote + 1, to: end, quote: window.bytes[quote])
            guard attributes.count < limits.attributes else {
                throw limit("a tag has more than \(limits.attributes) attributes, the limit")
            }
            attributes.append(XMLAttribute(name: name..<nameEnd, value: valueStart..<attributeValues.count))
        }
        try checkDuplicates()
    }

    /// Appends a value to `attributeValues`.
    ///
    /// - Returns: the index after the closing quotation mark.
    private mutating func readValue(from start: Int, to end: Int, quote: UInt8) throws(GranaryError) -> Int {
        var index = start
        while index < end {
            let byte = window.bytes[index]
            switch byte {
            case quote: return index + 1
            case UInt8(ascii: "&"):
                guard let length = try referenceLength(at: index, to: end) else {
                    throw malformed("a reference such as &amp; lacks its semicolon", at: index)
                }
                attributeValues.append(contentsOf: try referenced(index..<index + length).utf8)
                index += length
                continue
            case 0x09, 0x0A: attributeValues.append(0x20)
            case 0x0D:
                // A CR LF is one line end, so it becomes one space. The LF adds that space.
                if window.bytes[index + 1] != 0x0A { attributeValues.append(0x20) }
            default:
                guard !XMLCharacters.isForbidden(in: window.bytes, at: index) else {
                    throw malformed("a character that XML does not allow", at: index)
                }
                attributeValues.append(byte)
            }
            index += 1
        }
        throw malformed("the value of an attribute is not terminated", at: end)
    }

    private func skipSpaces(from start: Int) -> Int {
        var index = start
        while index < window.bytes.count, XMLScalarText.isSpace(window.bytes[index]) { index += 1 }
        return index
    }

    private func checkDuplicates() throws(GranaryError) {
        guard attributes.count > 1 else { return }
        var names = Set<ArraySlice<UInt8>>()
        for attribute in attributes where !names.insert(window.bytes[attribute.name]).inserted {
            throw malformed("an attribute occurs twice", at: attribute.name.lowerBound)
        }
    }

    /// Checks that the prefixes of the tag's names are declared, and declares those of its `xmlns` attributes.
    private mutating func checkPrefixes() throws(GranaryError) {
        for attribute in attributes {
            namespaces.declare(window.bytes[attribute.name], depth: openStarts.count)
        }
        try checkPrefix(nameRange)
        for attribute in attributes { try checkPrefix(attribute.name) }
    }

    private func checkPrefix(_ name: Range<Int>) throws(GranaryError) {
        guard !namespaces.allows(window.bytes[name]) else { return }
        let text = Diagnostic.shortened(String(decoding: window.bytes[name], as: UTF8.self))
        throw malformed("the namespace prefix of \"\(text)\" is not declared", at: name.lowerBound)
    }
}
