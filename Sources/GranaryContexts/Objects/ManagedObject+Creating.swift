import GranaryCoordination
import GranaryModel

extension ManagedObject {
    /// Inserts a new object with the model's default values into a context. (`NSManagedObject.init(context:)`)
    ///
    /// ```swift
    /// let customer = Customer(context: context)
    /// customer.name = "Ann"
    /// ```
    /// The entity is the one that the class is registered for. If there is none, or there are several, or it is
    /// abstract, the object belongs to no context, and the next ``ManagedObjectContext/save()`` throws the error
    /// (``ManagedObjectContext/accessError``). ``ManagedObjectContext/insert(_:)`` throws it at once.
    public convenience init(context: ManagedObjectContext) {
        let creation = context.creation(of: Self.self)
        self.init(creation.data)
        context.adopt(self, creation.error)
    }
}

/// Gives each subclass of ``ManagedObject`` functions whose results have its own type. No other class conforms.
public protocol ManagedObjectClass: AnyObject {}

extension ManagedObject: ManagedObjectClass {}

extension ManagedObjectClass where Self: ManagedObject {
    /// Returns a request for all objects of the entity that the class is registered for, and of its subentities.
    /// (`NSManagedObject.fetchRequest()`)
    ///
    /// ```swift
    /// var request = Customer.fetchRequest()
    /// request.sortDescriptors = [ObjectSortDescriptor("name")]
    /// let customers: [Customer] = try context.fetch(request)
    /// ```
    public static func fetchRequest() -> FetchRequest<Self> { FetchRequest(Self.self) }
}
