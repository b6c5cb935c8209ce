import GranaryBase

/// The parts around the records: byte order mark, arrays, and the document of several entities.
extension JSONReader {
    /// Determines the shape of the document from its first bytes.
    func begin() throws(GranaryError) {
        while window.count < 3, !window.isFinal { try window.fill() }
        window.consume(window.withBytes { TextEncodingMark.utf8Length($0) }, hasLineEnd: false)
        hasByteOrderMark = window.place.offset > 0
        if options.lines {
            state = .lines
            return
        }
        let first = try peek()
        if first != nil, search != nil { return try beginSearch() }
        switch first {
        case nil: throw refusal(.jsonSyntax, "the source is empty; an array without records is []")
        case UInt8(ascii: "["):
            skip()
            state = .elements(isFirst: true)
        case UInt8(ascii: "{"):
            isDocument = try beginsDocument()
            if isDocument { skip() }
            state = isDocument ? .members(isFirst: true) : .single
            if !isDocument { wrappedRecords = try findWrappedRecords() }
        default: throw refusal(.jsonSyntax, "expected an array of objects or an object")
        }
    }

    /// Whether the object here begins with a member `entities` or `model` that holds an object.
    private func beginsDocument() throws(GranaryError) -> Bool {
        try scan(limit: options.maximumRecordBytes) { cursor throws(JSONFault) in
            // A look-ahead: nothing is consumed, and mistakes are reported when the text is read.
            var probe = cursor
            do throws(JSONFault) {
                var name: [UInt8] = []
                probe.position += 1
                guard try probe.token() == UInt8(ascii: "\"") else { return false }
                try probe.scanString(into: &name)
                try probe.skipColon()
                let isKnown = name.elementsEqual("entities".utf8) || name.elementsEqual("model".utf8)
                let byte = try probe.current()
                return isKnown && byte == UInt8(ascii: "{")
            } catch {
                if error.kind == .needsMore { throw error }
                return false
            }
        }
    }

    /// Examines the beginning of the document's object. Nothing is consumed.
    ///
    /// - Parameter base: the names of the members that lead to the object.
    func findWrappedRecords(base: [String] = []) throws(GranaryError) -> [WrappedRecords] {
        let limit = WrappedRecordsFinder.byteLimit
        while window.count < limit, !window.isFinal { try window.fill() }
        return window.withBytes { bytes -> [WrappedRecords] in
            var events = JSONEventReader(UnsafeBufferPointer(rebasing: bytes.prefix(limit)))
            var finder = WrappedRecordsFinder(base: base)
            for _ in 0..<WrappedRecordsFinder.partLimit {
                switch events.next() {
                case .beginObject: finder.take(.beginObject)
                case .beginArray: finder.take(.beginArray)
                case .name(let name): finder.take(.name(name))
                case .text, .number, .boolean, .null: finder.take(.scalar)
                case .endObject, .endArray: finder.take(.end)
                // The end of the object or of the examined bytes, or invalid syntax, which is reported later.
                case nil: return finder.places
                }
            }
            return finder.places
        }
    }

    /// Moves to the next element of the array of records. Returns false after the last one.
    func nextElement(isFirst: Bool) throws(GranaryError) -> Bool {
        guard try advance(isFirst: isFirst, closing: UInt8(ascii: "]"), or: .expectedCommaOrBracket) else {
            state = isDocument ? .tables(isFirst: false) : search == nil ? .tail : .search
            return false
        }
        state = .elements(isFirst: false)
        return true
    }

    /// Moves to the next member of the object of entities, and into its array.
    func nextTable(isFirst: Bool) throws(GranaryError) {
        guard try advance(isFirst: isFirst, closing: UInt8(ascii: "}"), or: .expectedCommaOrBrace) else {
            state = .members(isFirst: false)
            return
        }
        let place = window.place
        let name = try memberName()
        let text = String(decoding: name, as: UTF8.self)
        if let first = entityPlaces.updateValue(place, forKey: name) {
            throw duplicate(text, at: place, first: first)
        }
        guard entities.count < options.maximumColumns else {
            throw refusal(.limitExceeded, "more than \(options.maximumColumns) entities, the limit")
        }
        guard try peek() == UInt8(ascii: "[") else {
            throw refusal(.jsonSyntax, "expected the array of objects of the entity \"\(Diagnostic.shortened(text))\"")
        }
        skip()
        entities.append(text)
        state = .elements(isFirst: true)
    }

    /// Moves to the next member of a document of several entities.
    func nextMember(isFirst: Bool) throws(GranaryError) {
        guard try advance(isFirst: isFirst, closing: UInt8(ascii: "}"), or: .expectedCommaOrBrace) else {
            guard hasEntities else { throw refusal(.jsonSyntax, "the document has no member \"entities\"") }
            state = .tail
            return
        }
        let place = window.place
        let name = try memberName()
        let byte = try peek()
        if name.elementsEqual("entities".utf8) {
            guard !hasEntities else { throw duplicate("entities", at: place, first: nil) }
            guard byte == UInt8(ascii: "{") else {
                throw refusal(.jsonSyntax, "expected the object of entities: {\"NAME\": [object, ...], ...}")
            }
            hasEntities = true
            skip()
            state = .tables(isFirst: true)
        } else if name.elementsEqual("model".utf8) {
            guard model == nil else { throw duplicate("model", at: place, first: nil) }
            guard byte == UInt8(ascii: "{") else { throw refusal(.jsonSyntax, "expected the model as an object") }
            model = try readModel()
            state = .members(isFirst: false)
        } else {
            let text = Diagnostic.shortened(String(decoding: name, as: UTF8.self))
            throw GranaryError(
                Diagnostic(
                    .headerUnknown, "a document has the members \"entities\" and \"model\" only, not \"\(text)\"",
                    at: place.position(file: sourceName), field: text))
        }
    }

    /// Checks that only white space follows the document's value.
    func readTail() throws(GranaryError) {
        if let byte = try peek() {
            if byte == UInt8(ascii: "{") {
                throw refusal(
                    .jsonSyntax, "a second value follows; write several objects as an array or as JSON Lines",
                    help: "--format ndjson")
            }
            throw unexpected(.extra)
        }
        state = .end
    }

    private func readModel() throws(GranaryError) -> [UInt8] {
        try scan(limit: options.maximumModelBytes) { cursor throws(JSONFault) in
            try cursor.skipValue(depth: 1)
            if let problem = cursor.problem { throw problem }
            return Array(cursor.bytes[..<cursor.position])
        }
    }

    /// Moves to the next element or member. Returns false after consuming the closing byte.
    func advance(
        isFirst: Bool, closing: UInt8, or kind: JSONFault.Kind
    ) throws(GranaryError) -> Bool {
        var byte = try peek()
        if byte == closing {
            skip()
            return false
        }
        guard !isFirst else {
            if byte == nil { throw unexpected(.ended) }
            return true
        }
        guard byte == UInt8(ascii: ",") else { throw unexpected(byte == nil ? .ended : kind) }
        skip()
        byte = try peek()
        if byte == closing { throw unexpected(.trailingComma) }
        if byte == nil { throw unexpected(.ended) }
        return true
    }

    /// Reads a member name and the colon after it.
    func memberName() throws(GranaryError) -> [UInt8] {
        guard try peek() == UInt8(ascii: "\"") else { throw unexpected(.expectedName) }
        return try scan(limit: options.maximumFieldBytes) { cursor throws(JSONFault) in
            var name: [UInt8] = []
            try cursor.scanString(into: &name)
            if let problem = cursor.problem { throw problem }
            try cursor.skipColon()
            return name
        }
    }

    func duplicate(_ name: String, at place: TextPlace, first: TextPlace?) -> GranaryError {
        GranaryError(
            Diagnostic(
                .headerDuplicate, "the member \"\(Diagnostic.shortened(name))\" occurs twice in one object",
                at: place.position(file: sourceName), field: name,
                related: first.map { [$0.position(file: sourceName)] } ?? []))
    }
}
