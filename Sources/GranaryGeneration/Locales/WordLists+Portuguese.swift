/// Words, names and places of Portuguese.
extension WordLists {
    static let portuguese = WordLists(
        firstNames: list(
            """
            Adriana,Afonso,Alexandre,Alice,Ana,André,Antônio,Artur,Beatriz,Benedita,Bernardo,Bruna,Caetano,Camila
            Carolina,Catarina,Cláudia,Cristiano,Daniel,Davi,Diana,Diogo,Duarte,Edson,Eduarda,Elisa,Felipe,Fernanda
            Filipa,Flávio,Francisca,Gabriel,Gonçalo,Guilherme,Helena,Henrique,Inês,Isabela,João,Joana,Joaquim,Jorge
            José,Júlia,Juliana,Larissa,Leonor,Letícia,Lourenço,Lucas,Luís,Luísa,Mafalda,Manuel,Margarida,Mariana
            Mateus,Miguel,Nuno,Otávio,Paula,Pedro,Rafaela,Renata,Ricardo,Rodrigo,Rui,Salvador,Sílvia,Sofia,Teresa
            Tiago,Tomás,Valéria,Vasco,Vitória
            """),
        lastNames: list(
            """
            Abreu,Almeida,Alves,Amaral,Andrade,Antunes,Araújo,Azevedo,Baptista,Barbosa,Barros,Borges,Braga,Branco
            Brito,Cardoso,Carneiro,Carvalho,Castro,Coelho,Correia,Costa,Cruz,Cunha,Dias,Duarte,Esteves,Faria
            Fernandes,Ferreira,Figueiredo,Fonseca,Freitas,Garcia,Gomes,Gonçalves,Henriques,Leal,Leite,Lima,Lopes
            Loureiro,Macedo,Machado,Marques,Martins,Matos,Melo,Mendes,Miranda,Monteiro,Moreira,Mota,Moura,Neves
            Nogueira,Nunes,Oliveira,Pacheco,Pereira,Pinheiro,Pinto,Pires,Ramos,Reis,Ribeiro,Rocha,Rodrigues,Santos
            Silva,Soares,Sousa,Tavares,Teixeira,Vaz,Vieira
            """),
        places: portuguesePlaces,
        countries: list(
            """
            Alemanha,Argentina,Austrália,Áustria,Bélgica,Brasil,Canadá,Chile,Dinamarca,Egito,Espanha,Finlândia
            França,Grécia,Índia,Irlanda,Itália,Japão,Marrocos,México,Moçambique,Noruega,Países Baixos,Peru,Polônia
            Portugal,Suécia,Suíça,Turquia
            """),
        streets: list(
            """
            Alameda das Flores,Avenida Brasil,Avenida da Liberdade,Avenida do Mar,Largo da Igreja,Praça do Comércio
            Rua Augusta,Rua da Escola,Rua da Fonte,Rua da Paz,Rua das Palmeiras,Rua das Rosas,Rua do Carmo
            Rua do Moinho,Rua do Sol,Rua Direita,Rua Nova,Travessa do Norte
            """),
        numberPrecedesStreet: false,
        companySuffixes: ["Lda.", "S.A.", "e Filhos", "Grupo", "Serviços"],
        colors: list(
            """
            amarelo,azul,branco,castanho,cinza,dourado,laranja,preto,prateado,rosa,roxo,verde,vermelho,violeta
            """),
        words: list(
            """
            abelha,água,alto,amigo,areia,árvore,asa,azul,baía,barco,branco,brisa,calmo,caminho,campo,canto,carta
            casa,cedo,céu,chuva,cidade,claro,colina,concha,corda,costa,doce,dia,escada,espelho,espuma,estrada
            estrela,farol,fio,flor,floresta,folha,fonte,fogo,fresco,frio,gaivota,gelo,grande,horta,ilha,inverno
            jardim,janela,lago,lâmpada,lento,leve,livro,limão,lua,luz,madeira,manhã,mapa,mar,mesa,moinho,monte
            música,neve,névoa,noite,norte,nuvem,onda,outono,ouro,pão,papel,pedra,pequeno,pinho,ponte,porta,porto
            praça,praia,quente,raiz,rio,rocha,rosa,sal,semente,serra,silêncio,sol,sombra,suave,sul,tarde,telhado
            terra,torre,trigo,vale,vela,vento,verão,verde,vila,vinha
            """),
        phonePrefix: "+351 21 ")

    private static let portuguesePlaces = places(
        """
        Lisboa, Portugal, 11#0-###, Distrito de Lisboa, 38.72, -9.14, Europe/Lisbon
        Porto, Portugal, 41#0-###, Distrito do Porto, 41.15, -8.61, Europe/Lisbon
        Coimbra, Portugal, 30#0-###, Distrito de Coimbra, 40.21, -8.43, Europe/Lisbon
        Braga, Portugal, 47#0-###, Distrito de Braga, 41.55, -8.42, Europe/Lisbon
        Faro, Portugal, 80#0-###, Distrito de Faro, 37.02, -7.93, Europe/Lisbon
        Évora, Portugal, 70#0-###, Distrito de Évora, 38.57, -7.91, Europe/Lisbon
        Funchal, Portugal, 90#0-###, Madeira, 32.65, -16.91, Atlantic/Madeira
        Ponta Delgada, Portugal, 95#0-###, Açores, 37.74, -25.67, Atlantic/Azores
        São Paulo, Brasil, 01###-###, Estado de São Paulo, -23.55, -46.63, America/Sao_Paulo
        Recife, Brasil, 50###-###, Pernambuco, -8.05, -34.88, America/Recife
        Salvador, Brasil, 40###-###, Bahia, -12.97, -38.50, America/Bahia
        Curitiba, Brasil, 80###-###, Paraná, -25.43, -49.27, America/Sao_Paulo
        Manaus, Brasil, 69###-###, Amazonas, -3.12, -60.02, America/Manaus
        Porto Alegre, Brasil, 90###-###, Rio Grande do Sul, -30.03, -51.23, America/Sao_Paulo
        """)
}
