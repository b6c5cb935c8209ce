import GranaryModel

/// The declarations of a model beside its classes.
extension ClassGenerator {
    /// The name of the type for a model, such as `LibraryModel`, which gives way to the model's classes.
    static func modelTypeName(_ modelName: String, _ schema: Schema) -> String {
        let classes = schema.entities.compactMap { $0.description.managedObjectClassName?.split(separator: ".").last }
        var names = SwiftNameSpace(taken: Set(classes.map { SwiftIdentifier.valid(String($0)) }), ignoresCase: true)
        return names.take(SwiftIdentifier.valid(modelName) + "Model")
    }

    /// The dictionary of the classes, the type for the model, and the functions that read values.
    func modelLines(_ names: inout TypeNames) -> [String] {
        list(&names) + [""] + modelType(&names) + valuesFunctions(&names)
    }

    private func modelType(_ names: inout TypeNames) -> [String] {
        let classes = "[\(names("String")): \(names("ManagedObject")).Type]"
        var lines = [
            "/// The model \(SwiftIdentifier.comment(modelName)): `try PersistentContainer(\(modelTypeName).self, at: .sqlite(url))`.",
            "\(prefix)enum \(modelTypeName): \(names("GeneratedModel")) {",
            "    \(prefix)static var name: \(names("String")) { \(SwiftIdentifier.literal(modelName)) }",
        ]
        if isModelInModule { lines.append("    \(prefix)static var bundle: \(names("Bundle"))? { .module }") }
        lines.append("    \(prefix)static var classes: \(classes) { \(listName).all }")
        return lines + ["}"]
    }
}
