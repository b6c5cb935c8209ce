/// Texts with a technical form: addresses of networks, bank accounts and cards. Different numbers give different texts.
package enum TechnicalTexts {
    // MARK: Networks

    /// 10.0.0.0/8 is for private networks (RFC 1918). The last byte is neither 0 nor 255.
    static let ipv4Count: UInt64 = 256 * 256 * 254

    static func ipv4(_ index: UInt64) -> String {
        "10.\(index / 254 / 256 % 256).\(index / 254 % 256).\(index % 254 + 1)"
    }

    /// 2001:db8::/32 is for documents (RFC 3849).
    static let ipv6Count: UInt64 = 1 << 48

    static func ipv6(_ index: UInt64) -> String {
        func group(_ shift: UInt64) -> String { String(index >> shift & 0xFFFF, radix: 16) }
        return "2001:db8:\(group(32)):\(group(16))::\(group(0))"
    }

    // MARK: Money

    /// Codes of ISO 4217 in use.
    static let currencies = WordLists.list(
        """
        AED,ARS,AUD,BGN,BRL,CAD,CHF,CLP,CNY,COP,CZK,DKK,EGP,EUR,GBP,HKD,HUF,IDR,ILS,INR,ISK,JPY,KES,KRW,KWD,MAD,MXN
        MYR,NGN,NOK,NZD,PEN,PHP,PLN,QAR,RON,RSD,SAR,SEK,SGD,THB,TND,TRY,TWD,UAH,USD,UYU,VND,XOF,ZAR
        """)

    /// The accounts of countries whose accounts have no further check digits: `#` is a digit, `@` a letter.
    private static let accounts = [
        "DE##################", "AT################", "NL@@@@##########", "GB@@@@##############",
        "IE@@@@##############", "SE####################", "DK##############",
    ].map { Array($0.utf8) }

    /// The last ten digits of all accounts are digits.
    static let ibanCount = UInt64(accounts.count) * 10_000_000_000

    /// An account number with the check digits of ISO 13616: modulo 97 of the digits, in which a letter is 10 to 35.
    static func iban(_ index: UInt64) -> String {
        let form = accounts[Int(index % UInt64(accounts.count))]
        // The last ten digits are the number; what is before depends on it.
        var number = index / UInt64(accounts.count)
        var other = RandomStream.mixed(number)
        var account: [UInt8] = []
        for (place, byte) in form.dropFirst(2).enumerated().reversed() {
            if byte == UInt8(ascii: "@") {
                account.append(UInt8(ascii: "A") + UInt8(other % 26))
                other = RandomStream.mixed(other)
            } else if form.count - 2 - place <= 10 {
                account.append(UInt8(ascii: "0") + UInt8(number % 10))
                number /= 10
            } else {
                account.append(UInt8(ascii: "0") + UInt8(other % 10))
                other = RandomStream.mixed(other)
            }
        }
        account.reverse()
        let country = Array(form.prefix(2))
        let check = 98 - remainder97(account + country + Array("00".utf8))
        return String(decoding: country, as: UTF8.self) + (check < 10 ? "0" : "") + "\(check)"
            + String(decoding: account, as: UTF8.self)
    }

    /// The remainder modulo 97 of the number that digits and letters are.
    package static func remainder97(_ text: [UInt8]) -> Int {
        text.reduce(0) { rest, byte in
            byte >= UInt8(ascii: "A")
                ? (rest * 100 + Int(byte - UInt8(ascii: "A")) + 10) % 97 : (rest * 10 + Int(byte & 0xF)) % 97
        }
    }

    /// The beginnings of the numbers that providers of payments publish for tests, and the numbers' lengths.
    private static let cards: [(prefix: String, length: Int)] = [
        ("424242", 16), ("555555", 16), ("378282", 15), ("601111", 16), ("356600", 16),
    ]

    static let cardCount = UInt64(cards.count) * 100_000_000

    static func cardNumber(_ index: UInt64) -> String {
        let (prefix, length) = cards[Int(index % UInt64(cards.count))]
        let body = String(index / UInt64(cards.count))
        let room = length - 1 - prefix.utf8.count
        let digits = prefix + String(repeating: "0", count: max(0, room - body.utf8.count)) + body
        return digits + "\((10 - luhn(digits + "0")) % 10)"
    }

    /// The sum of Luhn's formula modulo 10 (ISO/IEC 7812-1), in which every second digit from the right counts twice.
    package static func luhn(_ digits: String) -> Int {
        digits.utf8.reversed().enumerated().reduce(0) { sum, next in
            let digit = Int(next.element & 0xF)
            let double = digit * 2
            return sum + (next.offset % 2 == 0 ? digit : double > 9 ? double - 9 : double)
        } % 10
    }
}
