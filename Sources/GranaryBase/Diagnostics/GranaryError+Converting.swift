/// An error of a lower layer that has an equal ``GranaryError``.
package protocol GranaryErrorConvertible: Error {
    var granaryError: GranaryError { get }
}

/// Runs `body` and converts errors of lower layers to ``GranaryError``. Other errors pass through.
package func translating<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as any GranaryErrorConvertible { throw error.granaryError }
}

/// Runs `body` and converts all errors to ``GranaryError``; an unknown error becomes `internalDefect`.
package func converting<Result>(_ body: () throws -> Result) throws(GranaryError) -> Result {
    do { return try body() } catch let error as GranaryError { throw error } catch let error
        as any GranaryErrorConvertible
    {
        throw error.granaryError
    } catch {
        throw GranaryError(.internalDefect, "\(error)", underlying: error)
    }
}
