/// Words, names and places of Swedish.
extension WordLists {
    static let swedish = WordLists(
        firstNames: list(
            """
            Agneta,Albin,Alva,Anders,Anette,Anna,Arvid,Astrid,Axel,Birgitta,Björn,Bo,Carina,Cecilia,Christer,Ebba
            Elin,Elsa,Emil,Erik,Eva,Filip,Fredrik,Frida,Gösta,Greta,Gunilla,Gustav,Hampus,Hans,Henrik,Hugo,Håkan
            Inger,Ingrid,Jonas,Karin,Katarina,Kerstin,Klara,Lars,Leif,Lena,Linnéa,Lisa,Love,Maja,Malin,Margareta
            Marie,Mats,Mattias,Mikael,Moa,Nils,Olle,Oskar,Otto,Per,Pontus,Rickard,Sigrid,Signe,Sixten,Sofia,Stina
            Sven,Tilda,Tobias,Tove,Ulf,Vera,Viktor,Wilma,Åke,Åsa,Örjan
            """),
        lastNames: list(
            """
            Ahlgren,Andersson,Arvidsson,Axelsson,Bengtsson,Berg,Bergman,Bergqvist,Berglund,Björk,Blom,Blomqvist
            Carlsson,Dahl,Dahlberg,Danielsson,Ek,Eklund,Ekström,Engström,Eriksson,Falk,Forsberg,Fransson,Fredriksson
            Gustafsson,Hansson,Hedlund,Hellström,Henriksson,Holm,Holmgren,Isaksson,Jansson,Johansson,Jonsson
            Karlsson,Larsson,Lindberg,Lindgren,Lindholm,Lindqvist,Lindström,Löfgren,Lund,Lundberg,Lundgren,Lundin
            Lundqvist,Magnusson,Mattsson,Mårtensson,Nilsson,Norberg,Nordin,Nyberg,Nyström,Olofsson,Olsson,Persson
            Pettersson,Sandberg,Sjöberg,Samuelsson,Sjögren,Strömberg,Sundberg,Svensson,Söderberg,Wallin,Wikström
            Åberg,Åkesson,Öberg
            """),
        places: swedishPlaces,
        countries: list(
            """
            Australien,Belgien,Brasilien,Chile,Danmark,Egypten,Finland,Frankrike,Grekland,Indien,Irland,Island
            Italien,Japan,Kanada,Kenya,Marocko,Mexiko,Nederländerna,Norge,Peru,Polen,Portugal,Schweiz,Spanien
            Sverige,Turkiet,Tyskland,Österrike
            """),
        streets: list(
            """
            Björkvägen,Backgatan,Ekgatan,Fabriksgatan,Hamngatan,Järnvägsgatan,Kungsgatan,Kyrkogatan,Lindvägen
            Norra vägen,Parkgatan,Sjövägen,Skogsvägen,Skolgatan,Smedjegatan,Stationsgatan,Storgatan,Strandvägen
            Stora torget,Södra vägen,Trädgårdsgatan,Ängsvägen
            """),
        numberPrecedesStreet: false,
        companySuffixes: ["AB", "Handelsbolag", "och Söner", "Gruppen", "Tjänster"],
        colors: list(
            """
            beige,blå,brun,grå,grön,gul,guld,lila,orange,rosa,röd,silver,svart,vit
            """),
        words: list(
            """
            afton,ankare,ask,bär,berg,bild,björk,blad,blomma,blå,bok,bro,bröd,by,bäck,båt,dag,dal,dimma,djup,dörr,ek
            eld,fjord,fjäll,flod,frisk,frost,fyr,fågel,fält,fönster,glas,gran,gryning,gräs,gård,hall,hamn,hav,hed
            himmel,hus,höst,is,isflak,jord,karta,klar,klippa,klocka,korg,kulle,kust,kväll,lampa,land,ljus,lugn,luft
            lund,lätt,löv,mark,mild,mjuk,morgon,moln,mur,måne,natt,norr,nät,ny,ort,papper,port,regn,ren,ros,rund
            sand,segel,sjö,skepp,skog,skugga,skål,smal,snö,sol,sommar,spegel,stad,stark,stege,sten,stig,stjärna,stor
            strand,ström,svala,sång,söder,tak,tall,tegel,torg,torn,tyst,vass,vatten,vik,vind,vinter,vit,våg,vår,vägg
            väg,äng,äpple,öde,öppen,öster,över
            """),
        phonePrefix: "+46 8 ")

    private static let swedishPlaces = places(
        """
        Stockholm, Sverige, 11# ##, Stockholms län, 59.33, 18.07, Europe/Stockholm
        Göteborg, Sverige, 41# ##, Västra Götalands län, 57.71, 11.97, Europe/Stockholm
        Malmö, Sverige, 21# ##, Skåne län, 55.60, 13.00, Europe/Stockholm
        Lund, Sverige, 22# ##, Skåne län, 55.70, 13.19, Europe/Stockholm
        Uppsala, Sverige, 75# ##, Uppsala län, 59.86, 17.64, Europe/Stockholm
        Linköping, Sverige, 58# ##, Östergötlands län, 58.41, 15.62, Europe/Stockholm
        Örebro, Sverige, 70# ##, Örebro län, 59.27, 15.21, Europe/Stockholm
        Västerås, Sverige, 72# ##, Västmanlands län, 59.61, 16.55, Europe/Stockholm
        Umeå, Sverige, 90# ##, Västerbottens län, 63.83, 20.26, Europe/Stockholm
        Luleå, Sverige, 97# ##, Norrbottens län, 65.58, 22.15, Europe/Stockholm
        Kalmar, Sverige, 39# ##, Kalmar län, 56.66, 16.36, Europe/Stockholm
        Visby, Sverige, 62# ##, Gotlands län, 57.63, 18.29, Europe/Stockholm
        Mariehamn, Finland, 221##, Åland, 60.10, 19.94, Europe/Mariehamn
        Helsingfors, Finland, 001##, Nyland, 60.17, 24.94, Europe/Helsinki
        """)
}
