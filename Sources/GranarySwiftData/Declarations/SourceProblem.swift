/// A place where a file is not Swift, or where it nests too deep to be read.
package struct SourceProblem: Codable, Sendable {
    package var place: SourcePlace
    package var message: String

    package init(place: SourcePlace, message: String) {
        self.place = place
        self.message = message
    }
}
