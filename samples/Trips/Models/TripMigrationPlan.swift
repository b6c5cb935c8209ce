import SwiftData

enum TripMigrationPlan: SchemaMigrationPlan {
    static var schemas: [any VersionedSchema.Type] { [TripSchemaV1.self, TripSchemaV2.self] }

    static var stages: [MigrationStage] { [toV2] }

    static let toV2 = MigrationStage.lightweight(fromVersion: TripSchemaV1.self, toVersion: TripSchemaV2.self)
}
