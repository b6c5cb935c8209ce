import GranaryModel
import GranaryPropertyLists

/// A property with the fields that a compiled model stores for every kind of property.
protocol CompiledProperty: Equatable {
    /// The Booleans of the flags.
    static var flagPaths: [CompiledPropertyFlags: any WritableKeyPath<Self, Bool> & Sendable] { get }

    var name: String { get }
    var renamingIdentifier: String? { get set }
    var versionHashModifier: String? { get set }
    var userInfo: [String: UserInfoValue] { get set }
    var notes: [String: String] { get set }
}
