import GranaryBase
package import GranaryModel

/// The help for records whose entity is unknown.
package enum EntityHelp {
    /// The maximum number of entities that are named.
    private static let limit = 6

    /// `--entity Address or --entity Customer`; `--entity ENTITY` if there are many entities.
    package static func options(_ schema: Schema) -> String {
        let names = schema.entities.filter { !$0.isAbstract }.map(\.name)
        guard names.count <= limit, let help = OptionHelp.either(names.map { OptionHelp.option("entity", $0) }) else {
            return "--entity ENTITY"
        }
        return help
    }
}
