/// Words, names and places of Arabic. The spelling in Latin letters follows each name and word.
extension WordLists {
    static let arabic = WordLists(
        firstNames: list(
            """
            أحمد=ahmad,محمد=muhammad,علي=ali,حسن=hasan,حسين=husayn,عمر=umar,خالد=khalid,يوسف=yusuf,إبراهيم=ibrahim
            إسماعيل=ismail,محمود=mahmud,مصطفى=mustafa,طارق=tariq,سامي=sami,كريم=karim,رامي=rami,زياد=ziyad
            فادي=fadi,نبيل=nabil,جمال=jamal,سعيد=said,وليد=walid,ماجد=majid,فيصل=faysal,سلمان=salman,بدر=badr
            أنس=anas,بلال=bilal,حمزة=hamza,ياسر=yasir,عادل=adil,هشام=hisham,كمال=kamal,منير=munir,رشيد=rashid
            فاطمة=fatima,عائشة=aisha,خديجة=khadija,مريم=maryam,زينب=zaynab,نور=nur,ليلى=layla,سارة=sara,هدى=huda
            سلمى=salma,أمل=amal,رنا=rana,ريم=rim,دينا=dina,منى=muna,سناء=sana,هند=hind,لينا=lina,رغد=raghad
            جنى=jana,سمر=samar,نادية=nadia,سعاد=suad,إيمان=iman,أسماء=asma,نوال=nawal,رباب=rabab,شيماء=shayma
            دعاء=dua,ياسمين=yasmin,وفاء=wafa,غادة=ghada,عبير=abir
            """),
        lastNames: list(
            """
            الحسن=alhasan,الأحمد=alahmad,العلي=alali,الخطيب=alkhatib,الحداد=alhaddad,النجار=alnajjar
            الصباغ=alsabbagh,الخياط=alkhayyat,المصري=almasri,الشامي=alshami,البغدادي=albaghdadi,الحلبي=alhalabi
            التونسي=altunisi,المغربي=almaghribi,العراقي=aliraqi,السوداني=alsudani,القحطاني=alqahtani
            الغامدي=alghamdi,الزهراني=alzahrani,العتيبي=alutaybi,الدوسري=aldosari,الشمري=alshammari,الحربي=alharbi
            المطيري=almutayri,السالم=alsalim,الصالح=alsalih,الراشد=alrashid,الكريم=alkarim,الحكيم=alhakim
            الأمين=alamin,البنا=albanna,الفقيه=alfaqih,القاضي=alqadi,الإمام=alimam,الشيخ=alshaykh,السيد=alsayyid
            عبدالله=abdullah,عبدالرحمن=abdulrahman,عبدالكريم=abdulkarim,منصور=mansur,ناصر=nasir,سليمان=sulayman
            داود=dawud,موسى=musa,عيسى=isa,يعقوب=yaqub,بركات=barakat,حمدان=hamdan,شاهين=shahin,عثمان=uthman
            فرحات=farhat,قاسم=qasim,مراد=murad,نصار=nassar,هاشم=hashim,حجازي=hijazi,درويش=darwish,زيدان=zaydan
            طه=taha,غانم=ghanim,جابر=jabir,رزق=rizq,سرحان=sarhan,شعبان=shaban,عوض=awad,كنعان=kanan,ملحم=mulhim
            بيطار=baytar
            """),
        places: arabicPlaces,
        countries: list(
            """
            الأردن,الإمارات,البحرين,البرازيل,الجزائر,السعودية,السودان,السويد,الصين,العراق,الكويت,المغرب,النرويج
            الهند,اليابان,اليمن,اليونان,إسبانيا,إيطاليا,ألمانيا,تركيا,تونس,سوريا,عُمان,فرنسا,قطر,كندا,كينيا,لبنان
            ليبيا,مصر
            """),
        streets: list(
            """
            شارع الاستقلال,شارع البحر,شارع الجامعة,شارع الحديقة,شارع الحرية,شارع الربيع,شارع الزهور,شارع الزيتون
            شارع السلام,شارع السوق,شارع القلعة,شارع المتحف,شارع المحطة,شارع المدرسة,شارع الميناء,شارع النخيل
            شارع النصر,شارع النيل
            """),
        numberPrecedesStreet: false,
        companySuffixes: ["للتجارة", "وأولاده", "وشركاه", "للخدمات", "للصناعة", "القابضة"],
        colors: list("أحمر,أزرق,أخضر,أصفر,أبيض,أسود,بني,رمادي,برتقالي,بنفسجي,وردي,ذهبي,فضي,كحلي"),
        words: list(
            """
            قمر=qamar,شمس=shams,نجم=najm,سماء=samaa,بحر=bahr,نهر=nahr,جبل=jabal,وادي=wadi,صحراء=sahra,واحة=waha
            نخلة=nakhla,زيتون=zaytun,رمان=rumman,تفاح=tuffah,عنب=inab,تمر=tamr,ليمون=laymun,برتقال=burtuqal
            وردة=warda,زهرة=zahra,ورق=waraq,شجرة=shajara,غابة=ghaba,حديقة=hadiqa,بستان=bustan,ربيع=rabi,صيف=sayf
            خريف=kharif,شتاء=shita,مطر=matar,ثلج=thalj,ريح=rih,غيمة=ghayma,ضباب=dabab,رعد=rad,برق=barq,فجر=fajr
            صباح=sabah,مساء=masaa,ليل=layl,نهار=nahar,ضوء=daw,ظل=zill,نار=nar,ماء=maa,هواء=hawa,تراب=turab
            حجر=hajar,رمل=raml,ذهب=dhahab,فضة=fidda,نحاس=nuhas,حديد=hadid,لؤلؤ=lulu,مرجان=marjan,حرير=harir
            قطن=qutn,صوف=suf,كتاب=kitab,قلم=qalam,دفتر=daftar,رسالة=risala,خريطة=kharita,باب=bab,نافذة=nafidha
            بيت=bayt,سقف=saqf,جدار=jidar,درج=daraj,طريق=tariq,شارع=sharia,جسر=jisr,ميناء=mina,سفينة=safina
            قارب=qarib,منارة=manara,مدينة=madina,قرية=qarya,سوق=suq,متجر=matjar,خبز=khubz,ملح=milh,سكر=sukkar
            عسل=asal,قهوة=qahwa,شاي=shay,حليب=halib,طائر=tair,حمامة=hamama,صقر=saqr,حصان=hisan,غزال=ghazal
            سمكة=samaka,نحلة=nahla,موسيقى=musiqa,لحن=lahn,صديق=sadiq,سلام=salam,أمان=aman
            """),
        phonePrefix: "+20 2 ")

    private static let arabicPlaces = places(
        """
        القاهرة, مصر, 115##, محافظة القاهرة, 30.04, 31.24, Africa/Cairo
        الإسكندرية, مصر, 215##, محافظة الإسكندرية, 31.20, 29.92, Africa/Cairo
        أسوان, مصر, 815##, محافظة أسوان, 24.09, 32.90, Africa/Cairo
        الرياض, السعودية, 12###, منطقة الرياض, 24.71, 46.68, Asia/Riyadh
        جدة, السعودية, 23###, منطقة مكة المكرمة, 21.49, 39.19, Asia/Riyadh
        الدمام, السعودية, 32###, المنطقة الشرقية, 26.43, 50.10, Asia/Riyadh
        عمّان, الأردن, 111##, محافظة العاصمة, 31.95, 35.93, Asia/Amman
        العقبة, الأردن, 771##, محافظة العقبة, 29.53, 35.01, Asia/Amman
        بغداد, العراق, 100##, محافظة بغداد, 33.31, 44.36, Asia/Baghdad
        البصرة, العراق, 610##, محافظة البصرة, 30.51, 47.78, Asia/Baghdad
        الكويت, الكويت, 130##, محافظة العاصمة, 29.38, 47.99, Asia/Kuwait
        مسقط, عُمان, 11#, محافظة مسقط, 23.59, 58.41, Asia/Muscat
        الرباط, المغرب, 100##, الرباط سلا القنيطرة, 34.02, -6.84, Africa/Casablanca
        الدار البيضاء, المغرب, 200##, الدار البيضاء سطات, 33.57, -7.59, Africa/Casablanca
        فاس, المغرب, 300##, فاس مكناس, 34.03, -5.00, Africa/Casablanca
        مراكش, المغرب, 400##, مراكش آسفي, 31.63, -8.00, Africa/Casablanca
        الجزائر, الجزائر, 160##, ولاية الجزائر, 36.75, 3.06, Africa/Algiers
        وهران, الجزائر, 310##, ولاية وهران, 35.70, -0.63, Africa/Algiers
        تونس, تونس, 10##, ولاية تونس, 36.81, 10.18, Africa/Tunis
        صفاقس, تونس, 30##, ولاية صفاقس, 34.74, 10.76, Africa/Tunis
        الخرطوم, السودان, 111##, ولاية الخرطوم, 15.50, 32.56, Africa/Khartoum
        """)
}
