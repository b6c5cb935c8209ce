import Foundation
import TestSupport
import Testing

@testable import GranaryModel

@Suite(.enabled(if: SharedFiles.arePresent, "../shared is not there"))
struct VersionHashVectorTests {
    @Test func everyVectorIsRecomputed() throws {
        let vectors = try HashVectors.all.get().vectors
        #expect(vectors.count == 87)
        for vector in vectors {
            let schema = try SchemaBuilder(model: vector.model).build()
            #expect(schema.versionHashes[vector.entity]?.base64EncodedString() == vector.hash, "\(vector.entity)")
        }
    }

    @Test func everyChecksumAndDigestIsRecomputed() throws {
        let models = try HashVectors.all.get().models
        var counts = (checksums: 0, digests: 0)
        for model in models {
            let hashes = model.hashes.mapValues { Data(base64Encoded: $0) ?? Data() }
            #expect(hashes.values.allSatisfy { $0.count == 32 })
            if let checksum = model.checksum {
                counts.checksums += 1
                #expect(VersionHasher.checksum(hashes) == checksum)
            }
            if let digest = model.digest {
                counts.digests += 1
                #expect(VersionHasher.digest(hashes) == digest)
            }
        }
        #expect(counts.checksums > 0 && counts.digests > 0)
    }
}
