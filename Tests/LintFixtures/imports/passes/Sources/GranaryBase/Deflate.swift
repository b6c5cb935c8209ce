internal import CZlib
package import Foundation

#if canImport(Glibc)
    import struct Foundation.URL
#endif
