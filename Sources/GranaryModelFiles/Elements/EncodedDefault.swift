import Foundation
import GranaryModel
import GranaryPredicates

/// The default of a Binary or Transformable attribute in Xcode's XML, which has no place for it: an entry of the user
/// info, which Xcode preserves.
enum EncodedDefault {
    static let key = "GranaryDefaultValue"

    /// The attribute with its default in the user info, in Base64; unchanged if its default has a place.
    static func moved(_ attribute: AttributeDescription) -> AttributeDescription {
        guard [.binary, .transformable].contains(attribute.type), case .binary(let bytes)? = attribute.defaultValue,
            attribute.userInfo[key] == nil
        else { return attribute }
        var moved = attribute
        moved.defaultValue = nil
        moved.userInfo[key] = .string(bytes.base64EncodedString())
        return moved
    }

    /// Reverses ``moved(_:)``. An entry that is not Base64 remains user info.
    static func restore(_ attribute: inout AttributeDescription) {
        guard [.binary, .transformable].contains(attribute.type), attribute.defaultValue == nil,
            let text = attribute.userInfo[key]?.string, let bytes = Data(base64Encoded: text)
        else { return }
        attribute.userInfo[key] = nil
        attribute.defaultValue = .binary(bytes)
    }
}
