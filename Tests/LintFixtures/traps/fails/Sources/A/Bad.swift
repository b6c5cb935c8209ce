let one = try! parse("1")
let two = value as! Int
func three() { fatalError("no") }
let four = unsafeBitCast(value, to: Int.self)
