/// Words, names and places of Spanish.
extension WordLists {
    static let spanish = WordLists(
        firstNames: list(
            """
            Adela,Alba,Alejandro,Alicia,Álvaro,Ana,Andrés,Ángela,Antonio,Beatriz,Belén,Bruno,Carlos,Carmen,Catalina
            Clara,Cristina,Daniela,Diego,Dolores,Eduardo,Elena,Emilio,Enrique,Esteban,Eva,Fernando,Francisco
            Gabriela,Gonzalo,Guadalupe,Héctor,Inés,Irene,Isabel,Iván,Javier,Jimena,Joaquín,Jorge,José,Juana,Julián
            Laura,Lucía,Luis,Manuel,Marcos,Marina,Marta,Mateo,Miguel,Nuria,Óscar,Pablo,Paloma,Pedro,Pilar,Rafael
            Raquel,Rocío,Rosa,Santiago,Sergio,Silvia,Sofía,Teresa,Tomás,Vicente,Ximena
            """),
        lastNames: list(
            """
            Aguilar,Alonso,Álvarez,Blanco,Bravo,Cabrera,Calvo,Campos,Castillo,Castro,Cortés,Crespo,Cruz,Delgado,Díaz
            Domínguez,Fernández,Flores,Fuentes,Gallego,García,Garrido,Gil,Gómez,González,Guerrero,Gutiérrez
            Hernández,Herrera,Ibáñez,Iglesias,Jiménez,León,López,Lozano,Marín,Martínez,Medina,Méndez,Molina,Montero
            Mora,Moreno,Muñoz,Navarro,Núñez,Ortega,Ortiz,Peña,Pérez,Prieto,Ramírez,Ramos,Reyes,Rojas,Romero,Rubio
            Ruiz,Sánchez,Santos,Serrano,Soto,Suárez,Torres,Vargas,Vázquez,Vega,Vidal
            """),
        places: spanishPlaces,
        countries: list(
            """
            Alemania,Argentina,Australia,Austria,Bélgica,Brasil,Canadá,Chile,Colombia,Dinamarca,Egipto,España
            Finlandia,Francia,Grecia,India,Irlanda,Italia,Japón,Kenia,Marruecos,México,Noruega,Perú,Polonia,Portugal
            Suecia,Suiza,Turquía
            """),
        streets: list(
            """
            Avenida de América,Avenida del Sol,Calle Alta,Calle Mayor,Calle Nueva,Calle de la Fuente
            Calle de la Iglesia,Calle de la Luna,Calle del Carmen,Calle del Mar,Calle del Molino,Calle del Prado
            Calle Real,Camino Viejo,Paseo del Parque,Plaza de España,Plaza Mayor,Ronda del Norte
            """),
        numberPrecedesStreet: false,
        companySuffixes: ["S.L.", "S.A.", "e Hijos", "Grupo", "Servicios"],
        colors: list(
            """
            amarillo,azul,blanco,dorado,gris,marrón,morado,naranja,negro,plateado,rojo,rosa,verde,violeta
            """),
        words: list(
            """
            abeja,agua,alto,arena,árbol,arroyo,azul,bahía,barco,blanco,bosque,brisa,caja,calle,camino,campana,campo
            canto,casa,cereza,cielo,claro,colina,costa,cuerda,dulce,escalera,espejo,espuma,estrella,faro,flor,fresco
            fuego,fuente,gaviota,grande,hielo,hierba,hoja,huerto,invierno,isla,jardín,lago,lámpara,lento,libro,limón
            lluvia,luna,luz,madera,mapa,mar,mesa,molino,monte,música,naranja,nieve,niebla,noche,norte,nube,ola,otoño
            pan,papel,pared,pequeño,piedra,playa,pluma,puente,puerta,puerto,reloj,río,roca,rosa,ruta,sal,semilla
            sendero,silencio,sol,sombra,suave,sur,tarde,tierra,torre,trigo,valle,vela,ventana,verano,verde,viento
            """),
        phonePrefix: "+34 91 ")

    private static let spanishPlaces = places(
        """
        Madrid, España, 280##, Comunidad de Madrid, 40.42, -3.70, Europe/Madrid
        Barcelona, España, 080##, Cataluña, 41.39, 2.17, Europe/Madrid
        Valencia, España, 460##, Comunidad Valenciana, 39.47, -0.38, Europe/Madrid
        Sevilla, España, 410##, Andalucía, 37.39, -5.98, Europe/Madrid
        Zaragoza, España, 500##, Aragón, 41.65, -0.89, Europe/Madrid
        Málaga, España, 290##, Andalucía, 36.72, -4.42, Europe/Madrid
        Bilbao, España, 480##, País Vasco, 43.26, -2.93, Europe/Madrid
        Granada, España, 180##, Andalucía, 37.18, -3.60, Europe/Madrid
        Oviedo, España, 330##, Asturias, 43.36, -5.85, Europe/Madrid
        Salamanca, España, 370##, Castilla y León, 40.97, -5.66, Europe/Madrid
        Las Palmas, España, 350##, Canarias, 28.12, -15.43, Atlantic/Canary
        Guadalajara, México, 441##, Jalisco, 20.67, -103.35, America/Mexico_City
        Monterrey, México, 640##, Nuevo León, 25.67, -100.31, America/Monterrey
        Bogotá, Colombia, 1101##, Cundinamarca, 4.71, -74.07, America/Bogota
        Lima, Perú, 150##, Provincia de Lima, -12.05, -77.04, America/Lima
        """)
}
