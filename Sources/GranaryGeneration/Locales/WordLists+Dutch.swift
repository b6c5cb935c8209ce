/// Words, names and places of Dutch.
extension WordLists {
    static let dutch = WordLists(
        firstNames: list(
            """
            Aafke,Albert,Anke,Annelies,Anouk,Arend,Bart,Bas,Bram,Carlijn,Casper,Chantal,Cornelis,Daan,Dirk,Eline,Els
            Esther,Evert,Femke,Fleur,Floris,Frank,Gerrit,Gijs,Greetje,Hanneke,Hein,Hendrik,Ilse,Ineke,Ingrid,Jaap
            Jan,Jeroen,Jip,Joost,Joris,Julia,Karel,Kees,Klaas,Koen,Lars,Leonie,Lieke,Lotte,Maaike,Maarten,Marieke
            Marloes,Mieke,Mirjam,Nienke,Noor,Pieter,Piet,Renske,Robin,Roos,Ruben,Saskia,Sander,Sanne,Sjoerd,Stijn
            Teun,Thijs,Tineke,Willem,Wouter,Yvonne
            """),
        lastNames: list(
            """
            Bakker,Beekman,Bos,Boer,Brouwer,Bruin,Claassen,Cornelissen,Dekker,De Boer,De Groot,De Jong,De Vries
            De Wit,Dijkstra,Driessen,Evers,Geerts,Gerritsen,Haan,Hendriks,Hermans,Hoekstra,Huisman,Jacobs,Jansen
            Janssens,Kok,Koning,Koster,Kramer,Kuiper,Kuipers,Lambrechts,Maas,Martens,Meijer,Mulder,Peeters,Peters
            Post,Postma,Prins,Schipper,Scholten,Schouten,Smeets,Smit,Smits,Timmerman,Van Beek,Van Dam,Van den Berg
            Van der Meer,Van Dijk,Van Leeuwen,Van Vliet,Veenstra,Verbeek,Verhoeven,Vermeulen,Verschuren,Visser,Vos
            Wagenaar,Willems,Wouters,Zijlstra
            """),
        places: dutchPlaces,
        countries: list(
            """
            Australië,België,Brazilië,Canada,Chili,Denemarken,Duitsland,Egypte,Finland,Frankrijk,Griekenland,Ierland
            India,Italië,Japan,Kenia,Marokko,Mexico,Nederland,Noorwegen,Oostenrijk,Peru,Polen,Portugal,Spanje
            Suriname,Turkije,Zweden,Zwitserland
            """),
        streets: list(
            """
            Beukenlaan,Bloemstraat,Dorpsstraat,Eikenlaan,Havenstraat,Hoofdstraat,Kastanjelaan,Kerkstraat
            Koningsplein,Lindelaan,Marktplein,Molenweg,Nieuwstraat,Parkweg,Prinsengracht,Raadhuisplein,Schoolstraat
            Singel,Stationsweg,Veldweg,Weverstraat,Zandpad
            """),
        numberPrecedesStreet: false,
        companySuffixes: ["B.V.", "N.V.", "en Zonen", "Groep", "Diensten"],
        colors: list(
            """
            beige,blauw,bruin,geel,goud,grijs,groen,oranje,paars,rood,roze,wit,zilver,zwart
            """),
        words: list(
            """
            akker,anker,appel,avond,baai,beek,berg,berk,blad,blauw,bloem,boek,boom,boot,bos,brood,brug,dag,dak,dal
            deur,diep,dijk,donker,dorp,duin,eik,eiland,fiets,fris,gracht,gras,groot,haard,haven,heide,helder,hemel
            herfst,heuvel,hof,hooi,hout,huis,ijs,jaar,kaart,kalm,kanaal,kers,klein,klok,kust,laan,lamp,land,lang
            lente,licht,lucht,maan,markt,meer,mist,molen,morgen,muur,nacht,nest,nieuw,noord,oever,oost,paal,pad
            papier,plein,plas,poort,raam,regen,rivier,roos,rustig,schaduw,schip,sneeuw,steen,ster,stil,storm,straat
            strand,toren,trap,tuin,veld,veer,vis,vlag,vogel,vuur,warm,water,weg,wind,winter,wolk,zand,zee,zeil
            zilver,zomer,zon,zuid
            """),
        phonePrefix: "+31 20 ")

    private static let dutchPlaces = places(
        """
        Amsterdam, Nederland, 10## @@, Noord-Holland, 52.37, 4.90, Europe/Amsterdam
        Rotterdam, Nederland, 30## @@, Zuid-Holland, 51.92, 4.48, Europe/Amsterdam
        Den Haag, Nederland, 25## @@, Zuid-Holland, 52.08, 4.30, Europe/Amsterdam
        Utrecht, Nederland, 35## @@, Provincie Utrecht, 52.09, 5.12, Europe/Amsterdam
        Eindhoven, Nederland, 56## @@, Noord-Brabant, 51.44, 5.48, Europe/Amsterdam
        Groningen, Nederland, 97## @@, Provincie Groningen, 53.22, 6.57, Europe/Amsterdam
        Leeuwarden, Nederland, 89## @@, Friesland, 53.20, 5.80, Europe/Amsterdam
        Zwolle, Nederland, 80## @@, Overijssel, 52.51, 6.09, Europe/Amsterdam
        Maastricht, Nederland, 62## @@, Limburg, 50.85, 5.69, Europe/Amsterdam
        Arnhem, Nederland, 68## @@, Gelderland, 51.98, 5.91, Europe/Amsterdam
        Middelburg, Nederland, 43## @@, Zeeland, 51.50, 3.61, Europe/Amsterdam
        Antwerpen, België, 20##, Provincie Antwerpen, 51.22, 4.40, Europe/Brussels
        Gent, België, 90##, Oost-Vlaanderen, 51.05, 3.72, Europe/Brussels
        Brugge, België, 80##, West-Vlaanderen, 51.21, 3.22, Europe/Brussels
        """)
}
