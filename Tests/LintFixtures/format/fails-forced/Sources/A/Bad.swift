func first(_ numbers: [Int]) -> Int {
    numbers.first!
}
