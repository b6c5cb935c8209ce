#if canImport(GranaryCZlib)
    @testable import GranaryCZlib
#endif
package import class FoundationXML.XMLParser
