import Foundation

/// Limits that the system enforces on this process.
enum ResourceLimit {
    /// Limits the memory, and prevents core files.
    ///
    /// A limit that the system refuses is not set; then only the memory of the machine limits the process.
    static func set(_ limits: ReadLimits) {
        let (bytes, overflow) = limits.memoryMegabytes.multipliedReportingOverflow(by: 1 << 20)
        if !overflow, bytes > 0 { set(RLIMIT_AS, to: bytes) }
        set(RLIMIT_CORE, to: 0)
    }

    #if canImport(Glibc)
        private static func set(_ resource: __rlimit_resource, to value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            _ = setrlimit(__rlimit_resource_t(resource.rawValue), &limit)
        }
    #else
        private static func set(_ resource: Int32, to value: Int) {
            var limit = rlimit(rlim_cur: rlim_t(value), rlim_max: rlim_t(value))
            _ = setrlimit(resource, &limit)
        }
    #endif
}
