import Foundation

/// How a trip feels.
enum Mood: String, Codable, CaseIterable {
    case calm, busy
    case surprising = "full of surprises"
}

/// A place on the earth, in degrees.
struct Coordinate: Codable, Hashable {
    var latitude: Double
    var longitude: Double
}

/// A page about a stop.
struct Link: Codable, Hashable {
    var title: String
    var address: String
}
