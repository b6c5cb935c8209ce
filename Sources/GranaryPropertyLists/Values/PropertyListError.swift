import GranaryBase

/// Creates the errors of this module.
enum PropertyListError {
    static func syntax(_ message: String, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        error(.plistSyntax, message, place, source)
    }

    static func limit(_ message: String, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        error(.limitExceeded, message, place, source)
    }

    static func encoding(_ message: String, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        error(.encodingInvalid, message, place, source)
    }

    static func depth(_ limits: PropertyListLimits, _ place: PropertyListPlace, _ source: String) -> GranaryError {
        limit(
            "arrays and dictionaries are nested deeper than \(limits.depth) levels, the limit", place, source)
    }

    static func error(
        _ code: Diagnostic.Code, _ message: String, _ place: PropertyListPlace, _ source: String
    ) -> GranaryError {
        GranaryError(Diagnostic(code, message, at: place.position(in: source)))
    }
}
