@testable import GranaryBase

let tested: Tested
