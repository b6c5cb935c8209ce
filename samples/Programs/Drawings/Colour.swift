import Foundation
import Granary

/// A colour, the value of a Transformable attribute.
struct Colour: Sendable, Equatable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    /// The transformer that the model names: a colour is three bytes in the store.
    static let transformer = AttributeTransformer(
        name: "ColourTransformer",
        encode: { (colour: Colour) in Data([colour.red, colour.green, colour.blue]) },
        decode: { bytes in
            let parts = [UInt8](bytes)
            guard parts.count == 3 else { throw NoColour(byteCount: parts.count) }
            return Colour(red: parts[0], green: parts[1], blue: parts[2])
        })

    /// The error for bytes that are no colour.
    struct NoColour: Error {
        let byteCount: Int
    }
}
