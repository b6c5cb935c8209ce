/// The elements of an XML property list. The raw value is the bytes of the name as one big-endian number.
enum XMLPropertyListElement: UInt64 {
    case array = 0x61_72_72_61_79
    case data = 0x64_61_74_61
    case date = 0x64_61_74_65
    case dict = 0x64_69_63_74
    case no = 0x66_61_6C_73_65  // false
    case integer = 0x69_6E_74_65_67_65_72
    case key = 0x6B_65_79
    case plist = 0x70_6C_69_73_74
    case real = 0x72_65_61_6C
    case string = 0x73_74_72_69_6E_67
    case yes = 0x74_72_75_65  // true

    init?(_ name: ArraySlice<UInt8>) {
        guard name.count <= 8 else { return nil }
        var number: UInt64 = 0
        for byte in name { number = number << 8 | UInt64(byte) }
        self.init(rawValue: number)
    }
}
