/// The keys of a kind of mapping in a file. A test compares them with the JSON Schema of the file.
package protocol TreeKey: RawRepresentable<String>, CaseIterable, Hashable, Sendable {}
