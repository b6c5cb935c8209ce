import Foundation
import Granary

/// Shows transient attributes, a Transformable attribute with the app's own transformer, a many-to-many relationship and
/// fetch request templates.
@MainActor
final class DrawingApp {
    let persistentContainer: PersistentContainer

    var managedObjectContext: ManagedObjectContext { persistentContainer.viewContext }

    private let undoManager = ObjectUndoManager()
    private let model: ManagedObjectModel

    /// - Parameter model: the model Drawings.
    init(model: URL, store: StoreLocation = .inMemory) throws {
        self.model = try ManagedObjectModel(contentsOf: model)
        persistentContainer = try PersistentContainer(
            model: self.model, store: store, classes: DrawingsClasses.all, transformers: [Colour.transformer])
        managedObjectContext.undoManager = undoManager
    }

    func addShape(_ name: String, width: Double, height: Double, fill: Colour? = nil) -> Shape {
        let shape = Shape(context: managedObjectContext)
        shape.name = name
        shape.width = width
        shape.height = height
        shape.fill = fill
        return shape
    }

    /// Gives a shape a tag, which is created if there is none of the name. A shape has many tags, and a tag many shapes;
    /// each relationship is the inverse of the other.
    func tag(_ shape: Shape, _ name: String) throws {
        let known = try managedObjectContext.first(Tag.self, where: "name == %@", name)
        let tag = known ?? Tag(context: managedObjectContext)
        tag.name = name
        shape.addToTags(tag)
    }

    /// Executes the template `shapesTagged`, whose predicate has the variable `$TAG`.
    func shapes(tagged tag: String) throws -> [Shape] {
        try shapes(ofTemplate: "shapesTagged", ["TAG": tag])
    }

    /// Executes the template `wideShapes`, which has no variables.
    func wideShapes() throws -> [Shape] { try shapes(ofTemplate: "wideShapes") }

    private func shapes(
        ofTemplate name: String, _ variables: [String: (any PredicateArgument)?] = [:]
    ) throws -> [Shape] {
        var request = try model.fetchRequestFromTemplate(withName: name, substitutionVariables: variables)
        request.sortDescriptors = [ObjectSortDescriptor("name")]
        return try managedObjectContext.fetch(request).compactMap { $0 as? Shape }
    }

    /// Closes the current undo step.
    func endStep() throws { try managedObjectContext.processPendingChanges() }

    func undo() throws { try undoManager.undo() }

    func save() throws { if managedObjectContext.hasChanges { try managedObjectContext.save() } }
}
