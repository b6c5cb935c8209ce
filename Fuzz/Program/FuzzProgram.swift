import Foundation
import FuzzTargets

/// The target that `GRANARY_FUZZ_TARGET` names.
private let chosenTarget = ProcessInfo.processInfo.environment["GRANARY_FUZZ_TARGET"].flatMap {
    FuzzTarget(rawValue: $0)
}

/// What libFuzzer, whose library has the `main`, calls with each input (https://llvm.org/docs/LibFuzzer.html).
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    guard let chosenTarget else {
        FileHandle.standardError.write(Data("fuzz-program: GRANARY_FUZZ_TARGET names no target\n".utf8))
        exit(64)
    }
    chosenTarget.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}
