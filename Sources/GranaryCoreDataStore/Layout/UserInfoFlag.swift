import GranaryCoordination
import GranaryModel

/// The keys of a model's user info that change the tables and indexes of a store.
enum UserInfoFlag {
    /// Whether a key has the value true, or a text that Foundation reads as true.
    static func isSet(_ key: String, in userInfo: [String: UserInfoValue]) -> Bool {
        switch userInfo[key] {
        case .boolean(let value): value
        case .integer(let value): value != 0
        case .string(let text): ["YES", "TRUE", "1"].contains(text.uppercased())
        default: false
        }
    }
}
