/// Words, names and places of Japanese. The spelling in Latin letters follows each name and word.
extension WordLists {
    static let japanese = WordLists(
        firstNames: list(
            """
            太郎=taro,一郎=ichiro,健太=kenta,翔太=shota,大輔=daisuke,拓也=takuya,直樹=naoki,和也=kazuya,達也=tatsuya
            誠=makoto,浩二=koji,健一=kenichi,隆=takashi,修=osamu,茂=shigeru,実=minoru,勇=isamu,豊=yutaka,学=manabu
            亮=ryo,翼=tsubasa,海斗=kaito,陸=riku,悠斗=yuto,蓮=ren,颯太=sota,陽翔=haruto,樹=itsuki,大和=yamato
            優太=yuta,花子=hanako,恵子=keiko,洋子=yoko,和子=kazuko,幸子=sachiko,京子=kyoko,節子=setsuko
            久美子=kumiko,由美子=yumiko,真由美=mayumi,明美=akemi,直美=naomi,愛=ai,彩=aya,舞=mai,恵=megumi
            香織=kaori,美咲=misaki,さくら=sakura,陽菜=hina,結衣=yui,葵=aoi,凛=rin,美月=mizuki,七海=nanami
            千尋=chihiro,遥=haruka,真央=mao,莉子=riko,結菜=yuna,楓=kaede,静香=shizuka,美穂=miho,智子=tomoko
            裕子=yuko,正雄=masao,義男=yoshio,文雄=fumio,光=hikaru,薫=kaoru
            """),
        lastNames: list(
            """
            佐藤=sato,鈴木=suzuki,高橋=takahashi,田中=tanaka,伊藤=ito,渡辺=watanabe,山本=yamamoto,中村=nakamura
            小林=kobayashi,加藤=kato,吉田=yoshida,山田=yamada,佐々木=sasaki,山口=yamaguchi,松本=matsumoto
            井上=inoue,木村=kimura,林=hayashi,斎藤=saito,清水=shimizu,山崎=yamazaki,森=mori,池田=ikeda
            橋本=hashimoto,阿部=abe,石川=ishikawa,山下=yamashita,中島=nakajima,石井=ishii,小川=ogawa,前田=maeda
            岡田=okada,長谷川=hasegawa,藤田=fujita,後藤=goto,近藤=kondo,村上=murakami,遠藤=endo,青木=aoki
            坂本=sakamoto,福田=fukuda,太田=ota,西村=nishimura,藤井=fujii,金子=kaneko,岡本=okamoto,藤原=fujiwara
            三浦=miura,中野=nakano,原田=harada,松田=matsuda,竹内=takeuchi,上田=ueda,中川=nakagawa,中山=nakayama
            小野=ono,田村=tamura,和田=wada,森田=morita,石田=ishida,内田=uchida,柴田=shibata,酒井=sakai,工藤=kudo
            宮崎=miyazaki,横山=yokoyama,高木=takagi,宮本=miyamoto,安藤=ando,島田=shimada,谷口=taniguchi
            丸山=maruyama,今井=imai,高田=takada,藤本=fujimoto,村田=murata,武田=takeda,杉山=sugiyama,増田=masuda
            平野=hirano,千葉=chiba,久保=kubo,野口=noguchi,松井=matsui
            """),
        places: japanesePlaces,
        countries: list(
            """
            アイルランド,イタリア,インド,エジプト,オーストラリア,オーストリア,オランダ,カナダ,ギリシャ,ケニア,スイス
            スウェーデン,スペイン,タイ,チリ,デンマーク,ドイツ,トルコ,ニュージーランド,ノルウェー,フィンランド,ブラジル
            フランス,ベトナム,ベルギー,ペルー,ポーランド,ポルトガル,メキシコ,モロッコ,韓国,中国,日本
            """),
        streets: list(
            """
            駅前通り,銀杏通り,大通り,学校通り,川端通り,北通り,公園通り,桜通り,市場通り,中央通り,寺町通り,西通り
            花見通り,東通り,本町通り,松並木通り,緑通り,港通り,南通り,若葉通り
            """),
        numberPrecedesStreet: false, companySuffixes: ["商店", "工業", "製作所", "食品", "電機", "運輸"],
        colors: list("赤,青,黄,緑,紫,白,黒,茶,灰,桃,橙,紺,金,銀"),
        // Words of two characters are different also if they are written without a space.
        words: list(
            """
            青空=aozora,朝日=asahi,夕焼=yuyake,海岸=kaigan,山道=yamamichi,森林=shinrin,草原=sogen,花火=hanabi
            星空=hoshizora,満月=mangetsu,新月=shingetsu,春風=harukaze,夏祭=natsumatsuri,秋空=akizora,冬空=fuyuzora
            初雪=hatsuyuki,大雨=oame,小雨=kosame,霧雨=kirisame,虹色=nijiiro,白雲=shirakumo,黒潮=kuroshio
            波音=namioto,砂浜=sunahama,灯台=todai,港町=minatomachi,帆船=hansen,小舟=kobune,漁船=gyosen,水車=suisha
            風車=fusha,石橋=ishibashi,鉄橋=tekkyo,坂道=sakamichi,小道=komichi,公園=koen,庭園=teien,花壇=kadan
            噴水=funsui,図書=tosho,手紙=tegami,絵本=ehon,音楽=ongaku,楽器=gakki,太鼓=taiko,風鈴=furin,提灯=chochin
            屏風=byobu,茶室=chashitsu,抹茶=matcha,緑茶=ryokucha,紅茶=kocha,果物=kudamono,林檎=ringo,蜜柑=mikan
            葡萄=budo,梅花=baika,牡丹=botan,紅葉=momiji,若葉=wakaba,青葉=aoba,落葉=ochiba,松林=matsubayashi
            竹林=chikurin,稲穂=inaho,麦畑=mugibatake,田園=denen,農村=noson,里山=satoyama,山頂=sancho,渓谷=keikoku
            滝壺=takitsubo,温泉=onsen,湖畔=kohan,川辺=kawabe,水面=minamo,氷山=hyozan,雪原=setsugen,銀河=ginga
            流星=ryusei,彗星=suisei,太陽=taiyo,地平=chihei,時計=tokei,窓辺=madobe,屋根=yane,玄関=genkan
            台所=daidokoro,電車=densha,駅前=ekimae,切符=kippu,旅人=tabibito,地図=chizu,方角=hogaku,北風=kitakaze
            南国=nangoku,東雲=shinonome,西日=nishibi,白鳥=hakucho,小鳥=kotori,金魚=kingyo,子猫=koneko,子犬=koinu
            """),
        phonePrefix: "+81 3 ", writing: .japanese)

    private static let japanesePlaces = places(
        """
        東京, 日本, 100-####, 東京都, 35.68, 139.76, Asia/Tokyo
        横浜, 日本, 220-####, 神奈川県, 35.44, 139.64, Asia/Tokyo
        大阪, 日本, 530-####, 大阪府, 34.69, 135.50, Asia/Tokyo
        京都, 日本, 600-####, 京都府, 35.01, 135.77, Asia/Tokyo
        神戸, 日本, 650-####, 兵庫県, 34.69, 135.20, Asia/Tokyo
        奈良, 日本, 630-####, 奈良県, 34.69, 135.80, Asia/Tokyo
        名古屋, 日本, 450-####, 愛知県, 35.18, 136.91, Asia/Tokyo
        札幌, 日本, 060-####, 北海道, 43.06, 141.35, Asia/Tokyo
        仙台, 日本, 980-####, 宮城県, 38.27, 140.87, Asia/Tokyo
        新潟, 日本, 950-####, 新潟県, 37.92, 139.04, Asia/Tokyo
        金沢, 日本, 920-####, 石川県, 36.56, 136.66, Asia/Tokyo
        長野, 日本, 380-####, 長野県, 36.65, 138.18, Asia/Tokyo
        静岡, 日本, 420-####, 静岡県, 34.98, 138.38, Asia/Tokyo
        岡山, 日本, 700-####, 岡山県, 34.66, 133.93, Asia/Tokyo
        広島, 日本, 730-####, 広島県, 34.39, 132.46, Asia/Tokyo
        松山, 日本, 790-####, 愛媛県, 33.84, 132.77, Asia/Tokyo
        福岡, 日本, 810-####, 福岡県, 33.59, 130.40, Asia/Tokyo
        熊本, 日本, 860-####, 熊本県, 32.80, 130.71, Asia/Tokyo
        鹿児島, 日本, 890-####, 鹿児島県, 31.60, 130.56, Asia/Tokyo
        那覇, 日本, 900-####, 沖縄県, 26.21, 127.68, Asia/Tokyo
        """)
}
