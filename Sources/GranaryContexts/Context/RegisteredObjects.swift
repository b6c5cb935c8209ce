import GranaryCoordination

/// The objects of a context by ID, without retaining them.
///
/// A hash table with linear probing. It keeps only pointers, so an entry takes 8 bytes, and hashes faster than a
/// `Dictionary`: a fetch of a million objects spends most of its time here otherwise.
struct RegisteredObjects {
    private var slots: [Unmanaged<ManagedObject>?] = []
    private(set) var count = 0
    /// Differs in each process, so that keys of a hostile store cannot be chosen to collide.
    private static let seed = UInt64.random(in: 1...(.max)) | 1

    /// All objects.
    var objects: [ManagedObject] { slots.compactMap { $0?.takeUnretainedValue() } }

    subscript(id: ManagedObjectID) -> ManagedObject? {
        guard count > 0 else { return nil }
        var place = home(of: id)
        while let object = slots[place] {
            let candidate = object._withUnsafeGuaranteedRef { $0.objectID == id }
            if candidate { return object.takeUnretainedValue() }
            place = next(place)
        }
        return nil
    }

    /// Prepares for a number of further objects.
    mutating func reserve(_ further: Int) {
        let (wanted, overflow) = count.addingReportingOverflow(further)
        if !overflow, wanted > slots.count / 4 * 3 { grow(to: wanted) }
    }

    /// Adds an object. It replaces another with its ID, which is returned: it must lose its context, because the context
    /// updates only registered objects.
    mutating func insert(_ object: ManagedObject) -> ManagedObject? {
        if count + 1 > slots.count / 4 * 3 { grow(to: count + 1) }
        let id = object.objectID
        var place = home(of: id)
        while let other = slots[place] {
            if other._withUnsafeGuaranteedRef({ $0.objectID == id }) {
                slots[place] = Unmanaged.passUnretained(object)
                let isSame = other.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
                return isSame ? nil : other.takeUnretainedValue()
            }
            place = next(place)
        }
        slots[place] = Unmanaged.passUnretained(object)
        count += 1
        return nil
    }

    /// Removes an object. Another object with the same ID stays.
    mutating func remove(_ object: ManagedObject) {
        guard count > 0 else { return }
        let pointer = Unmanaged.passUnretained(object).toOpaque()
        var place = home(of: object.objectID)
        while let other = slots[place], other.toOpaque() != pointer { place = next(place) }
        guard slots[place] != nil else { return }
        count -= 1
        // Entries that follow move back, so that no entry is behind a gap.
        var gap = place
        var current = next(place)
        while let other = slots[current] {
            let start = other._withUnsafeGuaranteedRef { home(of: $0.objectID) }
            // The distances from the entry's first place, around the end of the table.
            if (current &- start) & mask >= (current &- gap) & mask {
                slots[gap] = other
                gap = current
            }
            current = next(current)
        }
        slots[gap] = nil
    }

    private var mask: Int { slots.count - 1 }

    private func next(_ place: Int) -> Int { (place + 1) & mask }

    /// Eight consecutive keys share a cache line of the table, because objects are mostly fetched and released in the
    /// order of their keys.
    private func home(of id: ManagedObjectID) -> Int {
        let table = id.tableHash
        var hash = (table >> 3) &* Self.seed
        hash ^= hash >> 32
        hash = hash &* 0x9E37_79B9_7F4A_7C15
        return (Int(truncatingIfNeeded: hash >> 24) & mask & ~7) | Int(truncatingIfNeeded: table & 7)
    }

    private mutating func grow(to wanted: Int) {
        var capacity = max(16, slots.count)
        while wanted > capacity / 4 * 3 { capacity *= 2 }
        let old = slots
        slots = Array(repeating: nil, count: capacity)
        for case let object? in old {
            var place = object._withUnsafeGuaranteedRef { home(of: $0.objectID) }
            while slots[place] != nil { place = next(place) }
            slots[place] = object
        }
    }
}
