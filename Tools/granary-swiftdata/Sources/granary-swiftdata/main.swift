import Foundation
import SwiftParser
import SwiftSyntax
let f = SourceListing(files: [SourceFile(path: "a")])
print(String(decoding: try JSONEncoder().encode(f), as: UTF8.self), Parser.parse(source: "let a = 1").statements.count)
