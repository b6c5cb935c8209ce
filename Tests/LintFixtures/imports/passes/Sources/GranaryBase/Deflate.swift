internal import GranaryCZlib
package import Foundation

#if canImport(Glibc)
    import struct Foundation.URL
#endif
