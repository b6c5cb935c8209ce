/// An error of a lower layer that can be converted to a ``GranaryError``.
package protocol GranaryErrorConvertible: Error {
    var granaryError: GranaryError { get }
}
