/// Real cities with their countries, the beginnings of their real postcodes, their regions, coordinates and time zones.
extension WordLists {
    static func places(_ text: String) -> [Place] { text.split(separator: "\n").compactMap(Place.init) }

    static let englishPlaces = places(
        """
        Ashford, United Kingdom, TN23 #@@, Kent, 51.15, 0.87, Europe/London
        Aurora, United States, 8001#, Colorado, 39.73, -104.83, America/Denver
        Bath, United Kingdom, BA1 #@@, Somerset, 51.38, -2.36, Europe/London
        Boston, United States, 0211#, Massachusetts, 42.36, -71.06, America/New_York
        Bristol, United Kingdom, BS1 #@@, Bristol, 51.45, -2.59, Europe/London
        Cambridge, United Kingdom, CB1 #@@, Cambridgeshire, 52.21, 0.12, Europe/London
        Chester, United Kingdom, CH1 #@@, Cheshire, 53.19, -2.89, Europe/London
        Cleveland, United States, 441##, Ohio, 41.50, -81.69, America/New_York
        Dallas, United States, 752##, Texas, 32.78, -96.80, America/Chicago
        Denver, United States, 802##, Colorado, 39.74, -104.99, America/Denver
        Dover, United Kingdom, CT16 #@@, Kent, 51.13, 1.31, Europe/London
        Dublin, Ireland, D02 @###, Leinster, 53.35, -6.26, Europe/Dublin
        Durham, United Kingdom, DH1 #@@, County Durham, 54.78, -1.58, Europe/London
        Exeter, United Kingdom, EX1 #@@, Devon, 50.72, -3.53, Europe/London
        Houston, United States, 770##, Texas, 29.76, -95.37, America/Chicago
        Kingston, Canada, K7L #@#, Ontario, 44.23, -76.49, America/Toronto
        Lancaster, United Kingdom, LA1 #@@, Lancashire, 54.05, -2.80, Europe/London
        Leeds, United Kingdom, LS1 #@@, West Yorkshire, 53.80, -1.55, Europe/London
        Lincoln, United Kingdom, LN1 #@@, Lincolnshire, 53.23, -0.54, Europe/London
        London, United Kingdom, E1 #@@, Greater London, 51.51, -0.13, Europe/London
        Madison, United States, 537##, Wisconsin, 43.07, -89.40, America/Chicago
        Manchester, United Kingdom, M1 #@@, Greater Manchester, 53.48, -2.24, Europe/London
        Newport, United Kingdom, NP20 #@@, Gwent, 51.58, -3.00, Europe/London
        Norwich, United Kingdom, NR1 #@@, Norfolk, 52.63, 1.30, Europe/London
        Oxford, United Kingdom, OX1 #@@, Oxfordshire, 51.75, -1.26, Europe/London
        Phoenix, United States, 850##, Arizona, 33.45, -112.07, America/Phoenix
        Portland, United States, 972##, Oregon, 45.52, -122.68, America/Los_Angeles
        Richmond, United States, 232##, Virginia, 37.54, -77.44, America/New_York
        Salem, United States, 9730#, Oregon, 44.94, -123.04, America/Los_Angeles
        Seattle, United States, 981##, Washington, 47.61, -122.33, America/Los_Angeles
        Springfield, United States, 627##, Illinois, 39.80, -89.64, America/Chicago
        Sydney, Australia, 20##, New South Wales, -33.87, 151.21, Australia/Sydney
        Toronto, Canada, M5V #@#, Ontario, 43.65, -79.38, America/Toronto
        Wellington, New Zealand, 601#, Wellington Region, -41.29, 174.78, Pacific/Auckland
        Winchester, United Kingdom, SO23 #@@, Hampshire, 51.06, -1.31, Europe/London
        York, United Kingdom, YO1 #@@, North Yorkshire, 53.96, -1.08, Europe/London
        """)

    static let germanPlaces = places(
        """
        Aachen, Deutschland, 520##, Nordrhein-Westfalen, 50.78, 6.08, Europe/Berlin
        Augsburg, Deutschland, 861##, Bayern, 48.37, 10.90, Europe/Berlin
        Bamberg, Deutschland, 960##, Bayern, 49.89, 10.89, Europe/Berlin
        Basel, Schweiz, 40##, Basel-Stadt, 47.56, 7.59, Europe/Zurich
        Berlin, Deutschland, 101##, Berlin, 52.52, 13.40, Europe/Berlin
        Bern, Schweiz, 30##, Kanton Bern, 46.95, 7.45, Europe/Zurich
        Bonn, Deutschland, 531##, Nordrhein-Westfalen, 50.73, 7.10, Europe/Berlin
        Bremen, Deutschland, 281##, Bremen, 53.08, 8.80, Europe/Berlin
        Dresden, Deutschland, 010##, Sachsen, 51.05, 13.74, Europe/Berlin
        Erfurt, Deutschland, 990##, Thüringen, 50.98, 11.03, Europe/Berlin
        Essen, Deutschland, 451##, Nordrhein-Westfalen, 51.46, 7.01, Europe/Berlin
        Flensburg, Deutschland, 249##, Schleswig-Holstein, 54.78, 9.44, Europe/Berlin
        Freiburg, Deutschland, 791##, Baden-Württemberg, 47.99, 7.85, Europe/Berlin
        Graz, Österreich, 80##, Steiermark, 47.07, 15.44, Europe/Vienna
        Halle, Deutschland, 061##, Sachsen-Anhalt, 51.48, 11.97, Europe/Berlin
        Hamburg, Deutschland, 203##, Hamburg, 53.55, 9.99, Europe/Berlin
        Hannover, Deutschland, 301##, Niedersachsen, 52.37, 9.73, Europe/Berlin
        Innsbruck, Österreich, 602#, Tirol, 47.27, 11.39, Europe/Vienna
        Jena, Deutschland, 077##, Thüringen, 50.93, 11.59, Europe/Berlin
        Kassel, Deutschland, 341##, Hessen, 51.31, 9.49, Europe/Berlin
        Kiel, Deutschland, 241##, Schleswig-Holstein, 54.32, 10.14, Europe/Berlin
        Koblenz, Deutschland, 560##, Rheinland-Pfalz, 50.36, 7.59, Europe/Berlin
        Köln, Deutschland, 506##, Nordrhein-Westfalen, 50.94, 6.96, Europe/Berlin
        Leipzig, Deutschland, 041##, Sachsen, 51.34, 12.37, Europe/Berlin
        Linz, Österreich, 40##, Oberösterreich, 48.31, 14.29, Europe/Vienna
        Lübeck, Deutschland, 235##, Schleswig-Holstein, 53.87, 10.69, Europe/Berlin
        Mainz, Deutschland, 551##, Rheinland-Pfalz, 50.00, 8.27, Europe/Berlin
        München, Deutschland, 803##, Bayern, 48.14, 11.58, Europe/Berlin
        Münster, Deutschland, 481##, Nordrhein-Westfalen, 51.96, 7.63, Europe/Berlin
        Nürnberg, Deutschland, 904##, Bayern, 49.45, 11.08, Europe/Berlin
        Potsdam, Deutschland, 144##, Brandenburg, 52.40, 13.06, Europe/Berlin
        Regensburg, Deutschland, 930##, Bayern, 49.01, 12.10, Europe/Berlin
        Rostock, Deutschland, 180##, Mecklenburg-Vorpommern, 54.09, 12.10, Europe/Berlin
        Salzburg, Österreich, 50##, Land Salzburg, 47.80, 13.04, Europe/Vienna
        Stuttgart, Deutschland, 701##, Baden-Württemberg, 48.78, 9.18, Europe/Berlin
        Trier, Deutschland, 542##, Rheinland-Pfalz, 49.75, 6.64, Europe/Berlin
        Ulm, Deutschland, 890##, Baden-Württemberg, 48.40, 9.99, Europe/Berlin
        Weimar, Deutschland, 994##, Thüringen, 50.98, 11.33, Europe/Berlin
        Wien, Österreich, 11#0, Wien, 48.21, 16.37, Europe/Vienna
        Würzburg, Deutschland, 970##, Bayern, 49.79, 9.95, Europe/Berlin
        Zürich, Schweiz, 80##, Kanton Zürich, 47.37, 8.54, Europe/Zurich
        """)

    static let frenchPlaces = places(
        """
        Amiens, France, 800#0, Hauts-de-France, 49.89, 2.30, Europe/Paris
        Angers, France, 490#0, Pays de la Loire, 47.47, -0.55, Europe/Paris
        Annecy, France, 740#0, Auvergne-Rhône-Alpes, 45.90, 6.13, Europe/Paris
        Arles, France, 132#0, Provence-Alpes-Côte d’Azur, 43.68, 4.63, Europe/Paris
        Avignon, France, 840#0, Provence-Alpes-Côte d’Azur, 43.95, 4.81, Europe/Paris
        Besançon, France, 250#0, Bourgogne-Franche-Comté, 47.24, 6.02, Europe/Paris
        Bordeaux, France, 33#00, Nouvelle-Aquitaine, 44.84, -0.58, Europe/Paris
        Brest, France, 292#0, Bretagne, 48.39, -4.49, Europe/Paris
        Bruxelles, Belgique, 10#0, Région de Bruxelles-Capitale, 50.85, 4.35, Europe/Brussels
        Caen, France, 140#0, Normandie, 49.18, -0.37, Europe/Paris
        Cannes, France, 064#0, Provence-Alpes-Côte d’Azur, 43.55, 7.01, Europe/Paris
        Colmar, France, 680#0, Grand Est, 48.08, 7.36, Europe/Paris
        Dijon, France, 210#0, Bourgogne-Franche-Comté, 47.32, 5.04, Europe/Paris
        Genève, Suisse, 12##, Canton de Genève, 46.20, 6.14, Europe/Zurich
        Grenoble, France, 380#0, Auvergne-Rhône-Alpes, 45.19, 5.72, Europe/Paris
        Lausanne, Suisse, 10##, Canton de Vaud, 46.52, 6.63, Europe/Zurich
        Liège, Belgique, 40#0, Province de Liège, 50.63, 5.57, Europe/Brussels
        Lille, France, 59#00, Hauts-de-France, 50.63, 3.06, Europe/Paris
        Limoges, France, 870#0, Nouvelle-Aquitaine, 45.83, 1.26, Europe/Paris
        Lyon, France, 6900#, Auvergne-Rhône-Alpes, 45.76, 4.84, Europe/Paris
        Marseille, France, 1300#, Provence-Alpes-Côte d’Azur, 43.30, 5.37, Europe/Paris
        Metz, France, 570#0, Grand Est, 49.12, 6.18, Europe/Paris
        Montpellier, France, 340#0, Occitanie, 43.61, 3.88, Europe/Paris
        Montréal, Canada, H2X #@#, Province de Québec, 45.50, -73.57, America/Toronto
        Mulhouse, France, 681#0, Grand Est, 47.75, 7.34, Europe/Paris
        Nancy, France, 540#0, Grand Est, 48.69, 6.18, Europe/Paris
        Nantes, France, 44#00, Pays de la Loire, 47.22, -1.55, Europe/Paris
        Nice, France, 06#00, Provence-Alpes-Côte d’Azur, 43.70, 7.27, Europe/Paris
        Nîmes, France, 300#0, Occitanie, 43.84, 4.36, Europe/Paris
        Orléans, France, 450#0, Centre-Val de Loire, 47.90, 1.91, Europe/Paris
        Paris, France, 7500#, Île-de-France, 48.86, 2.35, Europe/Paris
        Pau, France, 640#0, Nouvelle-Aquitaine, 43.30, -0.37, Europe/Paris
        Poitiers, France, 860#0, Nouvelle-Aquitaine, 46.58, 0.34, Europe/Paris
        Québec, Canada, G1R #@#, Province de Québec, 46.81, -71.21, America/Toronto
        Quimper, France, 290#0, Bretagne, 48.00, -4.10, Europe/Paris
        Reims, France, 511#0, Grand Est, 49.26, 4.03, Europe/Paris
        Rennes, France, 35#00, Bretagne, 48.11, -1.68, Europe/Paris
        Rouen, France, 760#0, Normandie, 49.44, 1.10, Europe/Paris
        Strasbourg, France, 67#00, Grand Est, 48.57, 7.75, Europe/Paris
        Toulon, France, 83#00, Provence-Alpes-Côte d’Azur, 43.12, 5.93, Europe/Paris
        Toulouse, France, 31#00, Occitanie, 43.60, 1.44, Europe/Paris
        Tours, France, 37#00, Centre-Val de Loire, 47.39, 0.69, Europe/Paris
        """)
}
