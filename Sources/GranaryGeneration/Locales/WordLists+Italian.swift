/// Words, names and places of Italian.
extension WordLists {
    static let italian = WordLists(
        firstNames: list(
            """
            Adele,Agnese,Alberto,Alessandro,Alessia,Andrea,Angela,Anna,Antonio,Beatrice,Bianca,Bruno,Camilla,Carlo
            Chiara,Claudio,Cristina,Daniele,Davide,Donatella,Edoardo,Elena,Elisa,Emanuele,Enrico,Fabio,Federica
            Filippo,Francesca,Francesco,Gabriele,Giacomo,Gianluca,Giorgia,Giovanni,Giulia,Giuseppe,Greta,Ilaria
            Irene,Jacopo,Laura,Leonardo,Lorenzo,Luca,Lucia,Ludovica,Marco,Margherita,Marta,Martina,Matteo,Michele
            Nicolò,Noemi,Paola,Paolo,Pietro,Raffaele,Riccardo,Roberta,Rosa,Salvatore,Sara,Serena,Silvia,Simone,Sofia
            Stefano,Teresa,Tommaso,Valentina,Vittoria
            """),
        lastNames: list(
            """
            Amato,Barbieri,Basile,Battaglia,Bellini,Benedetti,Bernardi,Bianchi,Bruno,Caputo,Carbone,Caruso,Cattaneo
            Colombo,Conte,Conti,Coppola,Costa,De Luca,De Santis,Esposito,Fabbri,Farina,Ferrara,Ferrari,Ferri,Fiore
            Fontana,Galli,Gallo,Gatti,Gentile,Giordano,Grassi,Greco,Guerra,Leone,Lombardi,Longo,Mancini,Marchetti
            Mariani,Marini,Marino,Martinelli,Martini,Mazza,Messina,Monti,Morelli,Moretti,Neri,Orlando,Palumbo,Parisi
            Pellegrini,Ricci,Rinaldi,Riva,Rizzo,Romano,Rossi,Ruggiero,Russo,Sala,Santoro,Serra,Silvestri,Testa
            Valentini,Villa,Vitale
            """),
        places: italianPlaces,
        countries: list(
            """
            Argentina,Australia,Austria,Belgio,Brasile,Canada,Cile,Danimarca,Egitto,Finlandia,Francia,Germania
            Giappone,Grecia,India,Irlanda,Italia,Kenya,Marocco,Messico,Norvegia,Paesi Bassi,Perù,Polonia,Portogallo
            Spagna,Svezia,Svizzera,Turchia
            """),
        streets: list(
            """
            Corso Garibaldi,Corso Italia,Largo della Fontana,Piazza del Mercato,Piazza Duomo,Via Dante,Via dei Mille
            Via dei Pini,Via del Ponte,Via della Chiesa,Via della Stazione,Via delle Rose,Via Galileo,Via Mazzini
            Via Nuova,Via Roma,Via Verdi,Viale dei Tigli,Viale Europa,Vicolo Stretto
            """),
        numberPrecedesStreet: false,
        companySuffixes: ["S.r.l.", "S.p.A.", "e Figli", "Gruppo", "Servizi"],
        colors: list(
            """
            arancione,argento,azzurro,beige,bianco,blu,giallo,grigio,marrone,nero,oro,rosa,rosso,verde,viola
            """),
        words: list(
            """
            acqua,albero,alba,alto,amico,ancora,anno,ape,arco,aria,autunno,barca,bello,bianco,bosco,brezza,calmo
            campana,campo,canale,carta,casa,chiaro,ciliegia,cielo,collina,corda,costa,dolce,erba,estate,farfalla
            faro,fieno,finestra,fiore,fiume,foglia,fonte,foresta,fresco,fuoco,gabbiano,giardino,giorno,grande,grano
            inverno,isola,lago,lampada,largo,legno,lento,libro,limone,luce,luna,mare,mattina,mela,miele,monte,mulino
            muro,musica,nebbia,neve,nord,notte,nuvola,olivo,ombra,onda,orto,pane,pesca,piazza,piccolo,pietra,pioggia
            ponte,porta,porto,prato,primavera,riva,roccia,rosa,sabbia,sale,scala,sentiero,sera,silenzio,sole,stella
            strada,sud,tempo,terra,tetto,torre,valle,vela,vento,verde,vigna,voce
            """),
        phonePrefix: "+39 06 ")

    private static let italianPlaces = places(
        """
        Roma, Italia, 001##, Lazio, 41.90, 12.50, Europe/Rome
        Milano, Italia, 201##, Lombardia, 45.46, 9.19, Europe/Rome
        Napoli, Italia, 801##, Campania, 40.85, 14.27, Europe/Rome
        Torino, Italia, 101##, Piemonte, 45.07, 7.69, Europe/Rome
        Palermo, Italia, 901##, Sicilia, 38.12, 13.36, Europe/Rome
        Genova, Italia, 161##, Liguria, 44.41, 8.93, Europe/Rome
        Bologna, Italia, 401##, Emilia-Romagna, 44.49, 11.34, Europe/Rome
        Firenze, Italia, 501##, Toscana, 43.77, 11.26, Europe/Rome
        Bari, Italia, 701##, Puglia, 41.12, 16.87, Europe/Rome
        Venezia, Italia, 301##, Veneto, 45.44, 12.32, Europe/Rome
        Trieste, Italia, 341##, Friuli-Venezia Giulia, 45.65, 13.78, Europe/Rome
        Perugia, Italia, 061##, Umbria, 43.11, 12.39, Europe/Rome
        Cagliari, Italia, 091##, Sardegna, 39.22, 9.12, Europe/Rome
        Lugano, Svizzera, 69##, Canton Ticino, 46.00, 8.95, Europe/Zurich
        """)
}
