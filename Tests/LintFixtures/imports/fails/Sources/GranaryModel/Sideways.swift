#if canImport(CZlib)
    @testable import CZlib
#endif
package import class FoundationXML.XMLParser
