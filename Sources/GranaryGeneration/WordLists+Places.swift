/// Real cities with their countries and the beginnings of their real postcodes.
extension WordLists {
    private static func places(_ text: String) -> [Place] { text.split(separator: "\n").compactMap(Place.init) }

    static let englishPlaces = places(
        """
        Ashford, United Kingdom, TN23 #@@
        Aurora, United States, 8001#
        Bath, United Kingdom, BA1 #@@
        Boston, United States, 0211#
        Bristol, United Kingdom, BS1 #@@
        Cambridge, United Kingdom, CB1 #@@
        Chester, United Kingdom, CH1 #@@
        Cleveland, United States, 441##
        Dallas, United States, 752##
        Denver, United States, 802##
        Dover, United Kingdom, CT16 #@@
        Dublin, Ireland, D02 @###
        Durham, United Kingdom, DH1 #@@
        Exeter, United Kingdom, EX1 #@@
        Houston, United States, 770##
        Kingston, Canada, K7L #@#
        Lancaster, United Kingdom, LA1 #@@
        Leeds, United Kingdom, LS1 #@@
        Lincoln, United Kingdom, LN1 #@@
        London, United Kingdom, E1 #@@
        Madison, United States, 537##
        Manchester, United Kingdom, M1 #@@
        Newport, United Kingdom, NP20 #@@
        Norwich, United Kingdom, NR1 #@@
        Oxford, United Kingdom, OX1 #@@
        Phoenix, United States, 850##
        Portland, United States, 972##
        Richmond, United States, 232##
        Salem, United States, 9730#
        Seattle, United States, 981##
        Springfield, United States, 627##
        Sydney, Australia, 20##
        Toronto, Canada, M5V #@#
        Wellington, New Zealand, 601#
        Winchester, United Kingdom, SO23 #@@
        York, United Kingdom, YO1 #@@
        """)

    static let germanPlaces = places(
        """
        Aachen, Deutschland, 520##
        Augsburg, Deutschland, 861##
        Bamberg, Deutschland, 960##
        Basel, Schweiz, 40##
        Berlin, Deutschland, 101##
        Bern, Schweiz, 30##
        Bonn, Deutschland, 531##
        Bremen, Deutschland, 281##
        Dresden, Deutschland, 010##
        Erfurt, Deutschland, 990##
        Essen, Deutschland, 451##
        Flensburg, Deutschland, 249##
        Freiburg, Deutschland, 791##
        Graz, Österreich, 80##
        Halle, Deutschland, 061##
        Hamburg, Deutschland, 203##
        Hannover, Deutschland, 301##
        Innsbruck, Österreich, 602#
        Jena, Deutschland, 077##
        Kassel, Deutschland, 341##
        Kiel, Deutschland, 241##
        Koblenz, Deutschland, 560##
        Köln, Deutschland, 506##
        Leipzig, Deutschland, 041##
        Linz, Österreich, 40##
        Lübeck, Deutschland, 235##
        Mainz, Deutschland, 551##
        München, Deutschland, 803##
        Münster, Deutschland, 481##
        Nürnberg, Deutschland, 904##
        Potsdam, Deutschland, 144##
        Regensburg, Deutschland, 930##
        Rostock, Deutschland, 180##
        Salzburg, Österreich, 50##
        Stuttgart, Deutschland, 701##
        Trier, Deutschland, 542##
        Ulm, Deutschland, 890##
        Weimar, Deutschland, 994##
        Wien, Österreich, 11#0
        Würzburg, Deutschland, 970##
        Zürich, Schweiz, 80##
        """)

    static let frenchPlaces = places(
        """
        Amiens, France, 800#0
        Angers, France, 490#0
        Annecy, France, 740#0
        Arles, France, 132#0
        Avignon, France, 840#0
        Besançon, France, 250#0
        Bordeaux, France, 33#00
        Brest, France, 292#0
        Bruxelles, Belgique, 10#0
        Caen, France, 140#0
        Cannes, France, 064#0
        Colmar, France, 680#0
        Dijon, France, 210#0
        Genève, Suisse, 12##
        Grenoble, France, 380#0
        Lausanne, Suisse, 10##
        Liège, Belgique, 40#0
        Lille, France, 59#00
        Limoges, France, 870#0
        Lyon, France, 6900#
        Marseille, France, 1300#
        Metz, France, 570#0
        Montpellier, France, 340#0
        Montréal, Canada, H2X #@#
        Mulhouse, France, 681#0
        Nancy, France, 540#0
        Nantes, France, 44#00
        Nice, France, 06#00
        Nîmes, France, 300#0
        Orléans, France, 450#0
        Paris, France, 7500#
        Pau, France, 640#0
        Poitiers, France, 860#0
        Québec, Canada, G1R #@#
        Quimper, France, 290#0
        Reims, France, 511#0
        Rennes, France, 35#00
        Rouen, France, 760#0
        Strasbourg, France, 67#00
        Toulon, France, 83#00
        Toulouse, France, 31#00
        Tours, France, 37#00
        """)
}
