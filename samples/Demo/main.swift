import Foundation
import SamplePrograms

// Runs the program Customers: `sample-program MODEL FOLDER`.

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: sample-program MODEL FOLDER")
    exit(64)
}
do {
    try CustomersDemo.run(model: URL(filePath: arguments[1]), documents: URL(filePath: arguments[2])) { print($0) }
} catch {
    print(error)
    exit(1)
}
