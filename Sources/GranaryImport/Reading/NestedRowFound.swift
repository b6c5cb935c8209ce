/// A nested object becomes a row although references to its hierarchy were resolved while reading, or it has the `$id` of
/// an object whose contents were not kept. The import must start again, resolve references after reading, and keep the
/// contents.
struct NestedRowFound: Error {}
