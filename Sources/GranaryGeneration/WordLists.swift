/// The words of one language from which texts are generated. No list has a word twice.
package struct WordLists: Sendable {
    package let firstNames: [String]
    package let lastNames: [String]
    let places: [Place]
    package let countries: [String]
    /// Names of streets without a number.
    let streets: [String]
    /// Whether the number of a house stands before its street.
    let numberPrecedesStreet: Bool
    let companySuffixes: [String]
    package let colors: [String]
    package let words: [String]
    let phonePrefix: String
    let writing: Writing
    /// The spellings of names and words in other scripts with the letters a to z.
    private let spellings: [String: String]

    /// - Parameters:
    ///   - firstNames: as `lastNames` and `words`, in other scripts each with its spelling: `太郎=taro`.
    init(
        firstNames: [String], lastNames: [String], places: [Place], countries: [String], streets: [String],
        numberPrecedesStreet: Bool, companySuffixes: [String], colors: [String], words: [String], phonePrefix: String,
        writing: Writing = .alphabet
    ) {
        var spellings: [String: String] = [:]
        self.firstNames = Self.texts(firstNames, &spellings)
        self.lastNames = Self.texts(lastNames, &spellings)
        self.words = Self.texts(words, &spellings)
        self.spellings = spellings
        self.writing = writing
        self.places = places
        self.countries = countries
        self.streets = streets
        self.numberPrecedesStreet = numberPrecedesStreet
        self.companySuffixes = companySuffixes
        self.colors = colors
        self.phonePrefix = phonePrefix
    }

    private static func texts(_ list: [String], _ spellings: inout [String: String]) -> [String] {
        list.map { item in
            guard let sign = item.firstIndex(of: "=") else { return item }
            let text = String(item[..<sign])
            spellings[text] = String(item[item.index(after: sign)...])
            return text
        }
    }

    /// A name or word in lower case with the letters a to z.
    func ascii(_ text: String) -> String { TextSource.ascii(spellings[text] ?? text) }

    /// A name in UTF-8 with the spellings of its words, for an address. Names of an alphabet are returned as they are.
    func spelled(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        guard !spellings.isEmpty else { return name }
        var words: [String] = []
        for word in name.split(separator: UInt8(ascii: " ")) {
            if let spelling = spellings[String(decoding: word, as: UTF8.self)] {
                words.append(spelling)
            } else if writing.nameSeparator.isEmpty, let parts = writing.parts(of: word) {
                // The given name is first in addresses.
                words += [parts.first, parts.last].map { String(decoding: $0, as: UTF8.self) }.map {
                    spellings[$0] ?? $0
                }
            } else {
                words.append(String(decoding: word, as: UTF8.self))
            }
        }
        if writing.familyNameFirst, !writing.nameSeparator.isEmpty { words.reverse() }
        return Array(words.joined(separator: " ").utf8)[...]
    }

    package var cities: [String] { places.map(\.city) }
    /// The regions of the places, each once.
    var regions: [String] { Self.once(places.map(\.region)) }
    /// The time zones of the places, each once.
    var timeZones: [String] { Self.once(places.map(\.timeZone)) }

    package static func of(_ locale: GenerationOptions.Locale) -> WordLists {
        switch locale {
        case .english: english
        case .german: german
        case .french: french
        case .spanish: spanish
        case .italian: italian
        case .portuguese: portuguese
        case .dutch: dutch
        case .swedish: swedish
        case .polish: polish
        case .greek: greek
        case .russian: russian
        case .japanese: japanese
        case .arabic: arabic
        case .chinese: chinese
        }
    }

    private static func once(_ texts: [String]) -> [String] {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }
    }

    static func list(_ text: String) -> [String] {
        text.split { $0 == "," || $0 == "\n" }.map { word in
            var word = word.drop { $0 == " " }
            while word.last == " " { word.removeLast() }
            return String(word)
        }
    }

    static let english = WordLists(
        firstNames: list(
            """
            Ada,Alice,Amir,Amy,Anna,Arthur,Ben,Carla,Carlos,Chloe,Clara,Daniel,David,Diana,Edith,Elena,Emma,Eric,Eva
            Felix,Fiona,Frank,Grace,Hannah,Harry,Helen,Hugo,Ian,Ines,Iris,Isaac,Jack,James,Jane,Joan,John,Julia,Karen
            Kate,Laura,Leo,Lily,Lucy,Maria,Mark,Martin,Maya,Mia,Nadia,Nina,Noah,Nora,Oliver,Omar,Oscar,Paul,Peter
            Rachel,Robert,Rosa,Ruth,Sam,Sara,Simon,Sofia,Stella,Susan,Theo,Thomas,Tom,Vera,Victor,Walter,Yara,Zoe
            """),
        lastNames: list(
            """
            Adams,Allen,Baker,Barnes,Bell,Bennett,Brooks,Brown,Butler,Carter,Clark,Collins,Cook,Cooper,Cox,Davis
            Edwards,Evans,Fisher,Foster,Garcia,Gibson,Graham,Gray,Green,Hall,Harris,Hayes,Hill,Howard,Hughes,Hunt
            Jackson,Jenkins,Johnson,Jones,Kelly,King,Lee,Lewis,Long,Lopez,Martinez,Mason,Miller,Mitchell,Moore,Morgan
            Morris,Murphy,Myers,Nelson,Parker,Patel,Perry,Phillips,Price,Reed,Rivera,Roberts,Rogers,Ross,Russell
            Sanders,Scott,Shaw,Smith,Stewart,Sullivan,Taylor,Turner,Walker,Ward,Watson,West,White,Wilson,Wood,Young
            """),
        places: englishPlaces,
        countries: list(
            """
            Australia,Austria,Belgium,Brazil,Canada,Chile,Denmark,Egypt,Finland,France,Germany,Greece,India,Ireland
            Italy,Japan,Kenya,Mexico,Morocco,Netherlands,New Zealand,Norway,Peru,Poland,Portugal,Spain,Sweden
            Switzerland,Turkey,United Kingdom,United States
            """),
        streets: list(
            """
            Bridge Street,Cedar Road,Chapel Lane,Church Street,Elm Avenue,Garden Road,Green Lane,High Street,Hill Road
            King Street,Lake Avenue,Main Street,Maple Drive,Market Street,Mill Lane,North Road,Oak Street,Park Avenue
            Queen Street,River Road,School Lane,South Street,Station Road,West Street
            """),
        numberPrecedesStreet: true, companySuffixes: ["Ltd", "Inc", "Group", "Partners", "Works", "Labs"],
        colors: list("black,blue,brown,gold,gray,green,orange,pink,purple,red,silver,violet,white,yellow"),
        words: list(
            """
            amber,apple,arrow,autumn,basin,beacon,bridge,bright,brook,canyon,cedar,circle,clear,cloud,coast,copper
            corner,cotton,crystal,dawn,delta,early,east,echo,ember,evening,falcon,field,first,forest,fresh,garden
            gentle,glass,golden,grand,grove,harbor,hazel,hill,hollow,island,ivory,juniper,lake,lantern,large,leaf
            light,lime,little,long,maple,marble,meadow,mill,mint,mirror,morning,north,ocean,olive,open,orchard,paper
            pearl,pebble,pine,plain,quiet,rain,rapid,ridge,river,rose,round,sage,sand,shadow,short,silent,silver
            simple,slate,small,soft,spring,star,steady,stone,summer,thunder,timber,valley,velvet,warm,water,willow
            window,winter,wood
            """),
        phonePrefix: "+1 555 ")
}

extension WordLists {
    static let german = WordLists(
        firstNames: list(
            """
            Anja,Anke,Bernd,Birgit,Björn,Carsten,Christa,Clemens,Dagmar,Dieter,Dirk,Elke,Emil,Erika,Ernst,Fabian
            Friederike,Fritz,Gerda,Greta,Günter,Hanna,Hans,Heike,Heinz,Helga,Holger,Ilse,Ingrid,Jan,Jens,Jonas,Jörg
            Jutta,Karl,Katrin,Klara,Klaus,Lena,Lotte,Ludwig,Lukas,Manfred,Marie,Matthias,Monika,Nele,Niklas,Otto
            Petra,Ralf,Renate,Rolf,Sabine,Sören,Stefan,Susanne,Thorsten,Ulrike,Ursula,Uwe,Werner,Wiebke,Wolfgang
            """),
        lastNames: list(
            """
            Albrecht,Arnold,Bauer,Beck,Becker,Berger,Brandt,Braun,Busch,Dietrich,Engel,Fischer,Frank,Friedrich,Fuchs
            Graf,Groß,Günther,Hahn,Hartmann,Heinrich,Herrmann,Hoffmann,Huber,Jäger,Jansen,Kaiser,Keller,Klein,Koch
            Köhler,König,Kraus,Krüger,Kuhn,Lang,Lange,Lehmann,Lorenz,Ludwig,Maier,Mayer,Meyer,Möller,Müller,Neumann
            Otto,Pfeiffer,Pohl,Richter,Roth,Sauer,Schäfer,Schmidt,Schneider,Schröder,Schulz,Schwarz,Seidel,Simon
            Sommer,Stein,Thomas,Vogel,Vogt,Wagner,Walter,Weber,Weiß,Werner,Winkler,Winter,Wolf,Ziegler
            """),
        places: germanPlaces,
        countries: list(
            """
            Ägypten,Australien,Belgien,Brasilien,Chile,Dänemark,Deutschland,Finnland,Frankreich,Griechenland,Indien
            Irland,Italien,Japan,Kanada,Kenia,Marokko,Mexiko,Neuseeland,Niederlande,Norwegen,Österreich,Peru,Polen
            Portugal,Schweden,Schweiz,Spanien,Türkei
            """),
        streets: list(
            """
            Ahornweg,Am Markt,Bachstraße,Bahnhofstraße,Bergstraße,Birkenweg,Blumenweg,Dorfstraße,Gartenstraße
            Goethestraße,Hauptstraße,Kirchgasse,Lindenstraße,Mühlenweg,Poststraße,Ringstraße,Rosenweg,Schillerstraße
            Schulstraße,Seestraße,Talstraße,Wiesenweg
            """),
        numberPrecedesStreet: false, companySuffixes: ["GmbH", "AG", "KG", "und Söhne", "Werke", "Handel"],
        colors: list("blau,braun,gelb,gold,grau,grün,lila,orange,rosa,rot,schwarz,silber,violett,weiß"),
        words: list(
            """
            abend,ahorn,anfang,apfel,bach,berg,bild,birke,blatt,blau,blume,boot,breit,brücke,dach,dorf,eiche,ernte
            erst,esche,fach,feder,feld,fels,fenster,feuer,fichte,flach,fluss,freund,frisch,früh,garten,gasse,glas
            glocke,groß,grund,hafen,halb,hell,herbst,himmel,hof,holz,hügel,insel,jahr,kanal,karte,kirsche,klar,klein
            korn,kraft,kreis,küste,lampe,land,laub,leise,licht,linde,luft,markt,meer,mild,mond,moor,morgen,mühle,nah
            neu,nord,ofen,ost,papier,pfad,quelle,rand,regen,ruhig,rund,sand,schatten,schnee,see,silber,sommer,sonne
            spät,stein,stern,still,tal,tanne,teich,tief,tor,turm,ufer,wald,warm,wasser,weg,weit,wiese,wind,winter,wolke
            """),
        phonePrefix: "+49 30 ")

    static let french = WordLists(
        firstNames: list(
            """
            Adèle,Agathe,Alain,Antoine,Aurélie,Baptiste,Benoît,Bernard,Brigitte,Camille,Céline,Chantal,Christophe
            Claire,Clément,Colette,Denis,Didier,Élise,Émile,Étienne,Fabien,Florence,François,Gaëlle,Georges,Gérard
            Guillaume,Hélène,Henri,Hervé,Inès,Isabelle,Jacques,Jeanne,Jérôme,Juliette,Laurent,Léa,Louis,Luc,Lucie
            Manon,Marcel,Margaux,Mathieu,Mathilde,Nathalie,Nicolas,Noémie,Odile,Olivier,Pascal,Pauline,Philippe,Pierre
            René,Sandrine,Sébastien,Sophie,Sylvie,Thérèse,Thierry,Valérie,Véronique,Xavier,Yves
            """),
        lastNames: list(
            """
            Arnaud,Aubert,Barbier,Bernard,Berger,Bertrand,Blanc,Bonnet,Boyer,Brun,Carpentier,Caron,Chevalier,Clément
            Colin,David,Denis,Dubois,Dufour,Dumas,Dupont,Durand,Fabre,Faure,Fontaine,Fournier,François,Garnier,Gautier
            Gérard,Girard,Giraud,Guérin,Henry,Joly,Lacroix,Lambert,Laurent,Leclerc,Lefèvre,Legrand,Lemaire,Leroy
            Lucas,Marchand,Martin,Masson,Mathieu,Mercier,Meunier,Meyer,Michel,Moreau,Morel,Morin,Nicolas,Noël,Olivier
            Perrin,Petit,Picard,Renard,Renaud,Richard,Rivière,Robert,Robin,Rousseau,Roux,Roy,Simon,Thomas,Vidal,Vincent
            """),
        places: frenchPlaces,
        countries: list(
            """
            Allemagne,Australie,Autriche,Belgique,Brésil,Canada,Chili,Danemark,Égypte,Espagne,Finlande,France,Grèce
            Inde,Irlande,Italie,Japon,Kenya,Maroc,Mexique,Norvège,Pays-Bas,Pérou,Pologne,Portugal,Suède,Suisse,Turquie
            """),
        streets: list(
            """
            allée des Tilleuls,avenue de la Gare,avenue du Parc,boulevard du Nord,chemin des Vignes,place du Marché
            quai du Port,rue de la Fontaine,rue de la Mairie,rue de la Paix,rue des Acacias,rue des Écoles
            rue des Jardins,rue des Lilas,rue des Moulins,rue du Château,rue du Lac,rue du Pont,rue Principale
            """),
        numberPrecedesStreet: true, companySuffixes: ["SARL", "SA", "et Fils", "Groupe", "Services", "Ateliers"],
        colors: list("argent,beige,blanc,bleu,brun,doré,gris,jaune,noir,orange,rose,rouge,vert,violet"),
        words: list(
            """
            abeille,aigle,ancre,arbre,argile,aube,automne,balcon,bateau,beau,berge,blanc,bois,bord,brise,brume,calme
            canal,carte,cerise,champ,chemin,chêne,ciel,clair,cloche,colline,coquille,corde,côte,courant,doux,dune
            eau,échelle,écho,étang,été,étoile,falaise,fenêtre,feuille,fleur,fleuve,forêt,frais,grand,grange,grotte
            hiver,horizon,île,jardin,jour,lac,lampe,lande,large,léger,lent,lierre,lumière,lune,maison,marais,marée
            matin,mer,miel,moulin,mousse,neige,nord,nuage,ombre,orage,orme,ouest,ouvert,page,pain,petit,phare,pierre
            pin,place,plage,plaine,pluie,pont,port,pré,puits,rive,rivière,roche,rond,rosée,sable,saule,sentier,simple
            soir,soleil,source,sud,toit,tour,val,vent,verger,village,vigne,voile
            """),
        phonePrefix: "+33 1 ")
}
