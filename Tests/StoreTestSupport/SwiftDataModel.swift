package import GranaryModel
import GranaryPredicates

/// A model as SwiftData makes it, with each form that it has for values.
package enum SwiftDataModel {
    /// The cases of the enumeration without raw values.
    package static let cases = ["alaska", "bramble", "fogCutter"]
    /// The raw values that the enumeration of `glass` has.
    package static let glasses = ["Coupe", "Tiki Mug", "Martini"]

    /// - Parameter version: the version identifier. Without it, the model is one of Core Data.
    package static func model(version: String = "1.0.0") -> ManagedObjectModel {
        var model = ManagedObjectModel(entities: [
            EntityDescription(
                "Cocktail",
                [
                    .attribute("name", .string, .required),
                    .attribute("glass", .composite, .composite("CocktailGlass")),
                    .attribute("profile", .composite, .composite("CocktailProfile")),
                    .attribute("spec", .composite, .composite("CocktailSpec")),
                    .attribute("tags", .binary), .attribute("photo", .binary, .externalStorage),
                ], unique: [["name"]])
        ])
        model.entities[0].attributes[1].userInfo = ["EnumType": true]
        model.entities[0].attributes[3].userInfo = [
            "EnumType": true, "enum": .array(cases.map { .string($0) }),
        ]
        var mood = element("mood", .composite)
        mood.compositeName = "CocktailProfileMood"
        var origin = element("origin", .composite)
        origin.compositeName = "CocktailProfileOrigin"
        origin.userInfo = ["EnumType": true]
        var glass = element("glass", .string)
        glass.validationRules = [
            ValidationRule(
                predicate: .comparison(
                    .init(.evaluatedObject, .isIn, .list(glasses.map { .constant(.string($0)) }))), message: "")
        ]
        model.composites = [
            CompositeDescription(name: "CocktailGlass", elements: [glass]),
            CompositeDescription(
                name: "CocktailProfile",
                elements: [element("person", .string), mood, origin, element("steps", .binary)]),
            CompositeDescription(name: "CocktailProfileMood", elements: [element("mood", .integer64)]),
            CompositeDescription(
                name: "CocktailProfileOrigin", elements: [element("old", .string), element("new", .string)]),
            CompositeDescription(name: "CocktailSpec", elements: cases.map { element($0, .string) }),
        ]
        model.versionIdentifiers = [version]
        return model
    }

    private static func element(_ name: String, _ type: AttributeType) -> AttributeDescription {
        var attribute = AttributeDescription(name: name, type: type)
        attribute.isOptional = true
        return attribute
    }
}
