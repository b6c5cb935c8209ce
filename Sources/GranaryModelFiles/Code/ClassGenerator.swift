package import GranaryModel
import GranaryPredicates

/// Writes the Swift classes of a model's entities, with typed properties.
package struct ClassGenerator {
    /// How the code is divided into files.
    package enum Form: Sendable {
        /// Two files for each class: `_Customer.swift` with the accessors, and `Customer.swift` for the user's code. A
        /// further file has the dictionary of the classes.
        case twoFiles
        /// One file with all classes, which the user extends. If the model states how the code of its entities is made,
        /// only those of Class Definition get a class; the others get an extension of a class that the user writes.
        case single
    }

    let modelName: String
    private let access: GeneratedAccess
    private let form: Form
    private let hasValidation: Bool
    let classes: [PlannedClass]
    /// The name of the type with the dictionary of the classes.
    let listName: String
    /// The name of the type for the model.
    let modelTypeName: String
    /// Whether the model is among the resources of the module with the code.
    let isModelInModule: Bool
    /// What was renamed or has no class, a sentence each.
    package let notes: [String]

    /// - Parameters:
    ///   - modelName: the name of the model's file without its extension, which names the dictionary of the classes.
    ///   - entities: the names of the entities that get classes; nil for all.
    ///   - hasPrimitives: whether the classes have a property for each attribute's value without change tracking.
    ///   - hasValidation: whether the user's files have a method for each attribute that validates its value.
    ///   - isModelInModule: whether the model is among the resources of the module with the code (`Bundle.module`).
    package init(
        _ schema: Schema, modelName: String, access: GeneratedAccess = .internal, form: Form = .twoFiles,
        entities: Set<String>? = nil, hasPrimitives: Bool = false, hasValidation: Bool = false,
        isModelInModule: Bool = false
    ) {
        self.modelName = modelName
        self.access = access
        self.form = form
        self.hasValidation = hasValidation
        self.isModelInModule = isModelInModule
        listName = SwiftIdentifier.valid(modelName) + "Classes"
        modelTypeName = Self.modelTypeName(modelName, schema)
        let planner = ClassPlanner(
            schema, honoursExtensions: form == .single,
            reservedTypes: [listName, modelTypeName, ValuesWriter.typeName], chosen: entities,
            hasPrimitives: hasPrimitives)
        classes = planner.classes
        notes = planner.notes
    }

    /// The files, the user's after the others.
    package func files() -> [GeneratedFile] {
        switch form {
        case .single: return [GeneratedFile(name: "\(modelName)+Classes.swift", text: singleFile, isHuman: false)]
        case .twoFiles:
            var files = classes.map {
                GeneratedFile(name: "\($0.machineName).swift", text: machineFile($0), isHuman: false)
            }
            files.append(GeneratedFile(name: "\(modelName)+Classes.swift", text: listFile, isHuman: false))
            return files
                + classes.map { GeneratedFile(name: "\($0.name).swift", text: humanFile($0), isHuman: true) }
        }
    }

    // MARK: - Files

    private var singleFile: String {
        var names = typeNames
        var lines: [String] = []
        for planned in classes {
            let name = SwiftIdentifier.text(planned.name)
            let opening: String
            var members: [String] = []
            if planned.isExtension {
                opening = "extension \(name) {"
            } else {
                opening = "\(classKeywords) \(name): \(superclass(planned, &names)) {"
                members = ["\(override) class var importsInBulk: \(names("Bool")) { true }", ""]
            }
            lines += declaration(planned, planned.name, opening, members, &names) + [""]
        }
        lines += modelLines(&names)
        return text(lines, names)
    }

    private func machineFile(_ planned: PlannedClass) -> String {
        var names = typeNames
        let opening = "\(classKeywords) \(planned.machineName): \(superclass(planned, &names)) {"
        return text(declaration(planned, planned.machineName, opening, [], &names), names)
    }

    private var listFile: String {
        var names = typeNames
        let lines = modelLines(&names)
        return text(lines, names)
    }

    /// The class that the user completes.
    private func humanFile(_ planned: PlannedClass) -> String {
        var names = typeNames
        let validation = hasValidation ? validationLines(planned, &names) : []
        var lines = names.usesFoundation ? ["import Foundation"] : []
        lines += access.importing("Granary", isExposed: !validation.isEmpty)
        lines += [
            "", "/// An object of the entity \(SwiftIdentifier.comment(planned.entityName)).",
            "\(classKeywords) \(SwiftIdentifier.text(planned.name)): \(planned.machineName) {",
        ]
        if validation.isEmpty {
            lines += [
                "    // With true, an import writes rows without creating objects. Return false if the class overrides methods that",
                "    // an import has to call, such as validateValue(_:forKey:).",
                "    \(override) class var importsInBulk: \(names("Bool")) { true }",
            ]
        } else {
            lines += [
                "    // With false, an import creates an object for each row and calls the validation below.",
                "    \(override) class var importsInBulk: \(names("Bool")) { false }", "",
            ]
        }
        lines += validation.map { $0.isEmpty ? $0 : "    " + $0 }
        return (lines + ["}", ""]).joined(separator: "\n")
    }

    /// The methods that validate the attributes of a class, each with its own type.
    private func validationLines(_ planned: PlannedClass, _ names: inout TypeNames) -> [String] {
        var cases: [String] = []
        var methods: [String] = []
        for property in planned.properties {
            guard let method = property.validationName, case .attribute(let access, _) = property.kind else { continue }
            let argument: String
            switch access {
            case .value, .seconds: argument = "typedValue(of: value)"
            case .transformed: argument = "typedTransformedValue(of: value, forKey: key)"
            case .anyTransformed: argument = "untypedTransformedValue(of: value, forKey: key)"
            case .untyped: argument = "value"
            }
            cases.append("    case \(SwiftIdentifier.literal(property.key)): try \(method)(\(argument))")
            methods += [
                "",
                "/// Checks a value of `\(SwiftIdentifier.comment(property.key))` that the model's rules allow; nil is NULL.",
                "func \(method)(_ value: \(access.optionalType(&names))) throws {", "}",
            ]
        }
        guard !cases.isEmpty else { return [] }
        return [
            "\(override) func validateValue(_ value: \(names("AttributeValue"))?, forKey key: \(names("String"))) throws {",
            "    try super.validateValue(value, forKey: key)", "    switch key {",
        ] + cases + ["    default: break", "    }", "}"] + methods
    }

    // MARK: - Parts

    /// - Parameter name: the identifier of the declared class.
    private func declaration(
        _ planned: PlannedClass, _ name: String, _ opening: String, _ members: [String], _ names: inout TypeNames
    ) -> [String] {
        var namesWriter = PropertyNamesWriter(override: override, names: names)
        let nameLines = namesWriter.lines(planned, declaredBy: name)
        names = namesWriter.names
        var lines = ["/// The properties of the entity \(SwiftIdentifier.comment(planned.entityName))."]
        var remarks = planned.notes
        if planned.isExtension {
            let name = SwiftIdentifier.text(planned.name)
            remarks.append("the class is yours: `class \(name): \(superclass(planned, &names))`")
            if !nameLines.isEmpty {
                remarks.append(
                    "for conditions in Swift the class overrides the class property `propertyNames` with "
                        + "`propertyNames(of: Self.self, super.propertyNames)`")
            }
        }
        if !remarks.isEmpty { lines.append("///") }
        lines += remarks.map { "/// - Note: \($0)." }
        lines.append(opening)
        var writer = PropertyWriter(access: prefix, names: names)
        var body = members
        for property in planned.properties { body += writer.lines(property) + [""] }
        names = writer.names
        if !nameLines.isEmpty { body += nameLines + [""] }
        body += valuesLines(planned, &names)
        if body.last == "" { body.removeLast() }
        lines += body.map { $0.isEmpty ? $0 : "    " + $0 }
        return lines + ["}"]
    }

    /// The dictionary of the classes.
    func list(_ names: inout TypeNames) -> [String] {
        let type = "[\(names("String")): \(names("ManagedObject")).Type]"
        var lines = [
            "/// The classes of the model \(SwiftIdentifier.comment(modelName)).", "\(prefix)enum \(listName) {",
            "    /// The classes by the class names in the model, for a container.",
        ]
        if classes.isEmpty {
            lines.append("    \(prefix)static var all: \(type) { [:] }")
        } else {
            lines += ["    \(prefix)static var all: \(type) {", "        ["]
            // Formatters accept no comma after a single element.
            let comma = classes.count == 1 ? "" : ","
            for planned in classes {
                let name = SwiftIdentifier.text(planned.name)
                lines.append("            \(SwiftIdentifier.literal(planned.registeredName)): \(name).self\(comma)")
            }
            lines += ["        ]", "    }"]
        }
        return lines + ["}"]
    }

    private func text(_ lines: [String], _ names: TypeNames) -> String {
        var result = [GeneratedFile.mark, ""]
        if names.usesFoundation { result += access.importing("Foundation") }
        // A public import of what only function bodies use would be a warning.
        result += access.importing("Granary", isExposed: names.usesGranary) + [""]
        return (result + lines + [""]).joined(separator: "\n")
    }

    /// The access level before a declaration, with a space after it; empty for `internal`.
    var prefix: String { access.prefix }
    private var classKeywords: String { access == .public ? "open class" : prefix + "class" }
    private var override: String {
        access == .public ? "override open" : access == .package ? "override package" : "override"
    }
    private var typeNames: TypeNames { TypeNames(classes: Set(classes.flatMap { [$0.name, $0.machineName] })) }

    private func superclass(_ planned: PlannedClass, _ names: inout TypeNames) -> String {
        planned.superclass.map(SwiftIdentifier.text) ?? names("ManagedObject")
    }
}
