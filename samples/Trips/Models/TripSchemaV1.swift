import Foundation
import SwiftData

/// The schema of release 1.0. It is frozen: stores in the field have its version hashes.
enum TripSchemaV1: VersionedSchema {
    static let versionIdentifier = Schema.Version(1, 0, 0)

    static var models: [any PersistentModel.Type] { [Trip.self, Stop.self] }

    @Model
    final class Trip {
        @Attribute(.unique) var name: String
        var startDate: Date
        var mood: Mood
        @Relationship(deleteRule: .cascade, inverse: \Stop.trip) var stops: [Stop] = []

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
        var trip: Trip?

        init(place: String) { self.place = place }
    }
}
