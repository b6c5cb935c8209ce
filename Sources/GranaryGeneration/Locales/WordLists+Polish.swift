/// Words, names and places of Polish.
extension WordLists {
    static let polish = WordLists(
        firstNames: list(
            """
            Adam,Agata,Agnieszka,Aleksander,Aleksandra,Alicja,Andrzej,Anna,Antoni,Barbara,Bartosz,Beata,Bogdan
            Bożena,Cezary,Dariusz,Dominik,Dorota,Edyta,Elżbieta,Emilia,Ewa,Filip,Franciszek,Grażyna,Grzegorz,Halina
            Hanna,Henryk,Igor,Irena,Iwona,Jacek,Jadwiga,Jakub,Jan,Joanna,Józef,Julia,Justyna,Kamil,Karolina
            Katarzyna,Kinga,Krzysztof,Łukasz,Maciej,Magdalena,Małgorzata,Marcin,Marek,Marta,Mateusz,Michał,Mikołaj
            Monika,Natalia,Oliwia,Patryk,Paweł,Piotr,Rafał,Renata,Robert,Stanisław,Sylwia,Szymon,Tadeusz,Tomasz
            Urszula,Wanda,Wiktor,Wojciech,Zbigniew,Zofia,Zuzanna
            """),
        lastNames: list(
            """
            Adamczyk,Bąk,Błaszczyk,Borkowski,Chmiel,Cieślak,Czarnecki,Dąbrowski,Duda,Dudek,Gajewski,Głowacki,Górski
            Grabowski,Jabłoński,Jakubowski,Jankowski,Jaworski,Kaczmarek,Kamiński,Kaźmierczak,Kołodziej,Kowalczyk
            Kowalski,Kozłowski,Krajewski,Krawczyk,Król,Kubiak,Kucharski,Kwiatkowski,Laskowski,Lewandowski,Lis
            Maciejewski,Majewski,Malinowski,Marciniak,Mazur,Michalak,Mróz,Nowak,Nowicki,Olszewski,Ostrowski,Pawlak
            Pawłowski,Piątek,Pietrzak,Piotrowski,Przybylski,Rutkowski,Sawicki,Sikora,Sokołowski,Stępień,Szczepański
            Szewczyk,Szulc,Szymański,Tomaszewski,Urbański,Walczak,Wiśniewski,Witkowski,Wojciechowski,Woźniak,Wójcik
            Wróbel,Wysocki,Zając,Zalewski,Zawadzki,Zieliński
            """),
        places: polishPlaces,
        countries: list(
            """
            Australia,Austria,Belgia,Brazylia,Chile,Czechy,Dania,Egipt,Finlandia,Francja,Grecja,Hiszpania,Holandia
            Indie,Irlandia,Japonia,Kanada,Kenia,Maroko,Meksyk,Niemcy,Norwegia,Peru,Polska,Portugalia,Szwajcaria
            Szwecja,Turcja,Włochy
            """),
        streets: list(
            """
            Aleja Lipowa,Aleja Róż,Brzozowa,Długa,Dworcowa,Kościelna,Krótka,Kwiatowa,Leśna,Łąkowa,Mickiewicza
            Młyńska,Ogrodowa,Parkowa,Plac Wolności,Polna,Rynek,Słoneczna,Sosnowa,Szkolna,Wiśniowa,Zamkowa,Zielona
            """),
        numberPrecedesStreet: false,
        companySuffixes: ["Sp. z o.o.", "S.A.", "i Synowie", "Grupa", "Usługi"],
        colors: list(
            """
            beżowy,biały,brązowy,czarny,czerwony,fioletowy,niebieski,pomarańczowy,różowy,srebrny,szary,zielony,złoty
            żółty
            """),
        words: list(
            """
            balkon,biały,blask,brama,brzeg,brzoza,burza,chleb,chmura,cichy,cień,ciepły,czas,dach,dąb,deszcz,dolina
            dom,droga,drzewo,dzień,dzwon,fala,góra,grusza,gwiazda,herbata,iskra,jabłko,jasny,jesień,jezioro,kamień
            kanał,karta,klon,kłos,kolor,koń,kot,kropla,książka,kwiat,las,lato,latarnia,lawenda,lekki,liść,łąka,łódź
            mały,mapa,miasto,miód,młyn,morze,most,mróz,mur,muzyka,niebo,noc,nowy,ocean,ogień,ogród,okno,olcha,orzech
            owoc,papier,pień,piasek,plaża,płot,pogoda,pole,południe,port,potok,północ,ptak,pszczoła,rano,rosa,rower
            róża,ryba,rynek,rzeka,sad,siano,skała,słońce,sosna,spokój,stary,staw,strumień,szkło,szlak,śnieg,świt
            trawa,ulica,wiatr,wieczór,wieża,wiosna,woda,wóz,wyspa,zamek,zatoka,zboże,zielony,zima,źródło,żagiel
            """),
        phonePrefix: "+48 22 ")

    private static let polishPlaces = places(
        """
        Warszawa, Polska, 00-###, mazowieckie, 52.23, 21.01, Europe/Warsaw
        Kraków, Polska, 30-###, małopolskie, 50.06, 19.94, Europe/Warsaw
        Łódź, Polska, 90-###, łódzkie, 51.77, 19.46, Europe/Warsaw
        Wrocław, Polska, 50-###, dolnośląskie, 51.11, 17.03, Europe/Warsaw
        Poznań, Polska, 60-###, wielkopolskie, 52.41, 16.93, Europe/Warsaw
        Gdańsk, Polska, 80-###, pomorskie, 54.35, 18.65, Europe/Warsaw
        Szczecin, Polska, 70-###, zachodniopomorskie, 53.43, 14.55, Europe/Warsaw
        Bydgoszcz, Polska, 85-###, kujawsko-pomorskie, 53.12, 18.01, Europe/Warsaw
        Lublin, Polska, 20-###, lubelskie, 51.25, 22.57, Europe/Warsaw
        Białystok, Polska, 15-###, podlaskie, 53.13, 23.16, Europe/Warsaw
        Katowice, Polska, 40-###, śląskie, 50.26, 19.02, Europe/Warsaw
        Kielce, Polska, 25-###, świętokrzyskie, 50.87, 20.63, Europe/Warsaw
        Rzeszów, Polska, 35-###, podkarpackie, 50.04, 22.00, Europe/Warsaw
        Olsztyn, Polska, 10-###, warmińsko-mazurskie, 53.78, 20.48, Europe/Warsaw
        """)
}
