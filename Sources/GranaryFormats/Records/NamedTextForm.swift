import Foundation

/// Forms of text files that a spreadsheet of a country opens by a double click, under the names of `--for`.
///
/// A spreadsheet takes the separators, the order of days and months, and the words for true and false from the settings
/// of the system. It recognises UTF-8 by the byte order mark. A date at midnight is written without a time, one
/// of a whole second without a fraction, others with three digits of it, or with nine if three are not enough.
public enum NamedTextForm: String, Sendable, CaseIterable {
    /// `;`, `1,5`, `31.12.2026`, WAHR and FALSCH: Germany and Austria.
    case excelDE = "excel-de"
    /// `;`, `1.5`, `31.12.2026`, WAHR and FALSCH: Switzerland.
    case excelCH = "excel-ch"
    /// `;`, `1,5`, `31/12/2026`, VRAI and FAUX.
    case excelFR = "excel-fr"
    /// `;`, `1,5`, `31/12/2026`, VERDADERO and FALSO.
    case excelES = "excel-es"
    /// `;`, `1,5`, `31/12/2026`, VERO and FALSO.
    case excelIT = "excel-it"
    /// `;`, `1,5`, `31-12-2026`, WAAR and ONWAAR.
    case excelNL = "excel-nl"
    /// `,`, `1.5`, `31/12/2026`, TRUE and FALSE.
    case excelGB = "excel-gb"
    /// `,`, `1.5`, `12/31/2026`, TRUE and FALSE.
    case excelUS = "excel-us"

    /// The form, without a time zone.
    public var form: TextForm {
        var form = TextForm()
        form.hasByteOrderMark = true
        let parts = parts
        form.delimiter = parts.delimiter
        form.decimalSeparator = parts.decimal
        let times = ["", " HH:mm:ss", " HH:mm:ss\(parts.decimal)SSS", " HH:mm:ss\(parts.decimal)SSSSSSSSS"]
        form.dateFormats = times.map { .pattern(parts.date + $0) }
        (form.trueText, form.falseText) = parts.words
        return form
    }

    private var parts: (delimiter: UInt8, decimal: Unicode.Scalar, date: String, words: (String, String)) {
        let (comma, semicolon) = (UInt8(ascii: ","), UInt8(ascii: ";"))
        return switch self {
        case .excelDE: (semicolon, ",", "dd.MM.yyyy", ("WAHR", "FALSCH"))
        case .excelCH: (semicolon, ".", "dd.MM.yyyy", ("WAHR", "FALSCH"))
        case .excelFR: (semicolon, ",", "dd/MM/yyyy", ("VRAI", "FAUX"))
        case .excelES: (semicolon, ",", "dd/MM/yyyy", ("VERDADERO", "FALSO"))
        case .excelIT: (semicolon, ",", "dd/MM/yyyy", ("VERO", "FALSO"))
        case .excelNL: (semicolon, ",", "dd-MM-yyyy", ("WAAR", "ONWAAR"))
        case .excelGB: (comma, ".", "dd/MM/yyyy", ("TRUE", "FALSE"))
        case .excelUS: (comma, ".", "MM/dd/yyyy", ("TRUE", "FALSE"))
        }
    }
}
