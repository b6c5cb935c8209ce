import Foundation
import SwiftData

/// The schema of release 2.0: stops have coordinates and tags, trips have companions.
enum TripSchemaV2: VersionedSchema {
    static let versionIdentifier = Schema.Version(2, 0, 0)

    static var models: [any PersistentModel.Type] { [Trip.self, Stop.self, Companion.self] }

    @Model
    final class Trip {
        #Index<Trip>([\.startDate])

        @Attribute(.unique) var name: String
        var startDate: Date
        var mood: Mood
        var budget: Decimal?
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []
        @Relationship(inverse: \Companion.trips) var companions: [Companion] = []

        init(name: String, startDate: Date, mood: Mood = .calm) {
            self.name = name
            self.startDate = startDate
            self.mood = mood
        }
    }

    @Model
    final class Stop {
        var place: String
        var nights: Int = 1
        var location: Coordinate?
        var tags: [String] = []
        var links: [Link] = []
        var trip: Trip?

        init(place: String) { self.place = place }
    }

    @Model
    final class Companion {
        @Attribute(.unique) var email: String
        var nickname: String?
        var trips: [Trip] = []

        init(email: String) { self.email = email }
    }
}

typealias Trip = TripSchemaV2.Trip
typealias Stop = TripSchemaV2.Stop
typealias Companion = TripSchemaV2.Companion
