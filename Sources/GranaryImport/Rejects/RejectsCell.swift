/// A field of a table of rejected records.
struct RejectsCell {
    var text: [UInt8]
    var isQuoted = false
}
