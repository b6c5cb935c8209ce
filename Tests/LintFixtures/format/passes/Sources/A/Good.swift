/// Formatted as `swift format` does it.
struct Good {
    let numbers: [Int]

    var first: Int { numbers.first ?? 0 }
}
