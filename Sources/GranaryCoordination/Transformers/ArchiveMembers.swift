import GranaryBase
import GranaryFormats

/// The members of `{"$archive": "…", "$value": …}`.
///
/// No other key of the outermost object may begin with `$`, so that a misspelt key is an error and not part of the
/// value.
enum ArchiveMembers {
    /// Returns the text of the encoded bytes and its offset; nil if the object is a plain value.
    static func archive(
        in json: UnsafeBufferPointer<UInt8>
    ) throws(TransformedJSON.Problem) -> (text: [UInt8], offset: Int)? {
        var events = JSONEventReader(json)
        var depth = 0
        var archive: (text: [UInt8], offset: Int)?
        var valueOffset: Int?
        var otherOffset: Int?
        while let event = events.next() {
            switch event {
            case .beginObject, .beginArray: depth += 1
            case .endObject, .endArray: depth -= 1
            case .name(let name) where depth == 1:
                let offset = events.offset
                if name == ArchiveMember.archive {
                    guard archive == nil else { throw problem("\"\(name)\" occurs twice", at: offset) }
                    guard case .text(let text)? = events.next() else {
                        throw problem("\"\(name)\" must be a string with the bytes", at: events.offset)
                    }
                    archive = (Array(text.utf8), events.offset)
                } else if name == ArchiveMember.value {
                    valueOffset = offset
                } else if name.utf8.first == UInt8(ascii: "$") {
                    throw problem(
                        "the key \"\(Diagnostic.shortened(name))\" begins with \"$\"; only "
                            + "\"\(ArchiveMember.archive)\" and \"\(ArchiveMember.value)\" may", at: offset)
                } else {
                    otherOffset = otherOffset ?? offset
                }
            default: break
            }
        }
        if archive != nil, let otherOffset {
            throw problem(
                "the only key allowed beside \"\(ArchiveMember.archive)\" is \"\(ArchiveMember.value)\"",
                at: otherOffset)
        }
        if archive == nil, let valueOffset {
            throw problem(
                "\"\(ArchiveMember.value)\" needs \"\(ArchiveMember.archive)\", which holds the bytes",
                at: valueOffset)
        }
        return archive
    }

    private static func problem(_ reason: String, at offset: Int) -> TransformedJSON.Problem {
        TransformedJSON.Problem(code: .valueSyntax, reason: reason, offset: offset)
    }
}
