/// A nested object becomes a row although references to its hierarchy were resolved while reading. The import must start
/// again and resolve them after reading.
struct NestedRowFound: Error {}
