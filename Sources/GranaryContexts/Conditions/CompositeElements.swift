/// The structure in which a generated class has the elements of a composite attribute: `venue.place.x`.
///
/// Conditions and orders accept the elements of such structures, as ``CompositeFields``. A structure that you write
/// conforms without further members.
public protocol CompositeElements {}
