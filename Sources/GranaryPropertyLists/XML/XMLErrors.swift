import GranaryBase

/// Creates the errors about an XML document.
struct XMLErrors {
    /// The name of the document.
    let source: String
    /// The code of errors about the syntax.
    var syntax = Diagnostic.Code.plistSyntax
    /// The beginning of each message.
    var prefix = ""
    /// The second part of messages about a document that is not well-formed.
    var malformedPrefix = ""

    /// Returns the error about a document that breaks a rule of XML.
    func malformed(_ message: String, at place: LineColumn) -> GranaryError {
        error(syntax, malformedPrefix + message, at: place)
    }

    /// Returns the error about a part of a document that Granary does not read.
    func refused(_ message: String, at place: LineColumn) -> GranaryError { error(syntax, message, at: place) }

    func limit(_ message: String, at place: LineColumn) -> GranaryError { error(.limitExceeded, message, at: place) }

    func error(_ code: Diagnostic.Code, _ message: String, at place: LineColumn) -> GranaryError {
        PropertyListError.error(code, prefix + message, PropertyListPlace(place), source)
    }
}

extension PropertyListPlace {
    init(_ place: LineColumn) { self.init(line: place.line, column: place.column) }
}
