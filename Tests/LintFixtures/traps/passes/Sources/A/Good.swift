/// Never `try!` or fatalError() here.
func parse(_ text: String) throws -> Int? { Int(text) }  // nor as! Int
