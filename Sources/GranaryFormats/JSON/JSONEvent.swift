/// One event of a JSON text.
package enum JSONEvent {
    case beginObject
    case endObject
    case beginArray
    case endArray
    /// A member's name; its value comes next.
    case name(String)
    case text(String)
    /// A number's digits exactly as in the text; valid as long as the text's bytes.
    case number(UnsafeBufferPointer<UInt8>)
    case boolean(Bool)
    case null
}
