import Foundation
import SamplePrograms

// Runs the program Customers: `sample-program RESOURCES FOLDER`.

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
    print("usage: sample-program RESOURCES FOLDER")
    exit(64)
}
guard let bundle = Bundle(path: arguments[1]) else {
    print("\(arguments[1]) is not a folder")
    exit(66)
}
do {
    try CustomersDemo.run(bundle: bundle, documents: URL(filePath: arguments[2])) { print($0) }
} catch {
    print(error)
    exit(1)
}
