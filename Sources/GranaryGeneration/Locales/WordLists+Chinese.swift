/// Words, names and places of Chinese, in simplified characters. The spelling in Latin letters follows each name and
/// word.
extension WordLists {
    static let chinese = WordLists(
        firstNames: list(
            """
            伟=wei,芳=fang,娜=na,敏=min,静=jing,丽=li,强=qiang,磊=lei,军=jun,洋=yang,勇=yong,艳=yan,杰=jie,娟=juan
            涛=tao,明=ming,超=chao,霞=xia,平=ping,刚=gang,红=hong,波=bo,辉=hui,鹏=peng,飞=fei,玲=ling,浩=hao,宇=yu
            轩=xuan,欣=xin,怡=yi,雪=xue,梅=mei,兰=lan,竹=zhu,松=song,凯=kai,瑞=rui,晨=chen,子涵=zihan,浩然=haoran
            雨桐=yutong,梓萱=zixuan,欣怡=xinyi,诗涵=shihan,佳琪=jiaqi,思远=siyuan,文博=wenbo,志强=zhiqiang
            建国=jianguo,海燕=haiyan,春梅=chunmei,秀英=xiuying,桂英=guiying,玉兰=yulan,小红=xiaohong,晓东=xiaodong
            国栋=guodong,天宇=tianyu,嘉怡=jiayi,俊杰=junjie,明轩=mingxuan,雅婷=yating,美玲=meiling,婉清=wanqing
            若曦=ruoxi,一诺=yinuo,可欣=kexin,思琪=siqi,慧敏=huimin,永康=yongkang,家豪=jiahao
            """),
        // Each has one character, so that a whole name can be split.
        lastNames: list(
            """
            王=wang,李=li,张=zhang,刘=liu,陈=chen,杨=yang,黄=huang,赵=zhao,吴=wu,周=zhou,徐=xu,孙=sun,马=ma,朱=zhu
            胡=hu,郭=guo,何=he,林=lin,高=gao,罗=luo,郑=zheng,梁=liang,谢=xie,宋=song,唐=tang,韩=han,冯=feng,于=yu
            董=dong,萧=xiao,程=cheng,曹=cao,袁=yuan,邓=deng,傅=fu,沈=shen,曾=zeng,彭=peng,吕=lyu,苏=su,卢=lu
            蒋=jiang,蔡=cai,贾=jia,丁=ding,魏=wei,薛=xue,叶=ye,阎=yan,潘=pan,杜=du,戴=dai,夏=xia,钟=zhong,田=tian
            任=ren,范=fan,方=fang,石=shi,姚=yao,谭=tan,廖=liao,邹=zou,熊=xiong,金=jin,郝=hao,孔=kong,白=bai,崔=cui
            康=kang,毛=mao,邱=qiu,秦=qin,顾=gu,侯=hou,邵=shao,孟=meng,龙=long,万=wan,段=duan,雷=lei,钱=qian,尹=yin
            """),
        places: chinesePlaces,
        countries: list(
            """
            埃及,爱尔兰,奥地利,澳大利亚,巴西,比利时,秘鲁,波兰,丹麦,德国,法国,芬兰,韩国,荷兰,加拿大,肯尼亚,摩洛哥
            墨西哥,挪威,葡萄牙,日本,瑞典,瑞士,泰国,土耳其,西班牙,希腊,新加坡,新西兰,意大利,印度,越南,智利,中国
            """),
        streets: list(
            """
            北京路,滨海路,长江路,车站路,公园路,光明路,和平路,花园路,黄河路,建设路,解放路,南京路,青年路,人民路
            胜利路,文化路,新华路,学院路,友谊路,中山路
            """),
        numberPrecedesStreet: false, companySuffixes: ["集团", "贸易", "科技", "食品", "建设", "服务"],
        colors: list("红色,橙色,黄色,绿色,青色,蓝色,紫色,黑色,白色,灰色,棕色,粉色,金色,银色"),
        // Words of two characters are different also if they are written without a space.
        words: list(
            """
            春天=chuntian,夏天=xiatian,秋天=qiutian,冬天=dongtian,早晨=zaochen,黄昏=huanghun,月亮=yueliang
            太阳=taiyang,星星=xingxing,白云=baiyun,蓝天=lantian,大海=dahai,小河=xiaohe,高山=gaoshan,森林=senlin
            草原=caoyuan,沙漠=shamo,湖泊=hupo,瀑布=pubu,岛屿=daoyu,海岸=haian,码头=matou,灯塔=dengta,帆船=fanchuan
            小桥=xiaoqiao,流水=liushui,花园=huayuan,果园=guoyuan,竹林=zhulin,松树=songshu,柳树=liushu,梅花=meihua
            兰花=lanhua,荷花=hehua,菊花=juhua,牡丹=mudan,玫瑰=meigui,茉莉=moli,桂花=guihua,苹果=pingguo,葡萄=putao
            西瓜=xigua,橘子=juzi,桃子=taozi,李子=lizi,茶叶=chaye,米饭=mifan,面包=mianbao,豆腐=doufu,蜂蜜=fengmi
            蝴蝶=hudie,燕子=yanzi,喜鹊=xique,孔雀=kongque,白鹤=baihe,金鱼=jinyu,骏马=junma,熊猫=xiongmao
            书本=shuben,铅笔=qianbi,毛笔=maobi,纸张=zhizhang,地图=ditu,音乐=yinyue,钢琴=gangqin,古筝=guzheng
            笛子=dizi,琵琶=pipa,窗户=chuanghu,门口=menkou,屋顶=wuding,阳台=yangtai,厨房=chufang,客厅=keting
            街道=jiedao,车站=chezhan,火车=huoche,轮船=lunchuan,飞机=feiji,学校=xuexiao,图书=tushu,老师=laoshi
            朋友=pengyou,城市=chengshi,乡村=xiangcun,田野=tianye,麦田=maitian,稻谷=daogu,雨水=yushui,雪花=xuehua
            彩虹=caihong,微风=weifeng,露珠=luzhu,云彩=yuncai,石头=shitou,珍珠=zhenzhu,黄金=huangjin,白银=baiyin
            青铜=qingtong,丝绸=sichou,棉花=mianhua
            """),
        phonePrefix: "+86 10 ", writing: .chinese)

    private static let chinesePlaces = places(
        """
        北京, 中国, 1000##, 北京市, 39.90, 116.41, Asia/Shanghai
        上海, 中国, 2000##, 上海市, 31.23, 121.47, Asia/Shanghai
        天津, 中国, 3000##, 天津市, 39.08, 117.20, Asia/Shanghai
        重庆, 中国, 4000##, 重庆市, 29.56, 106.55, Asia/Shanghai
        广州, 中国, 5100##, 广东省, 23.13, 113.26, Asia/Shanghai
        深圳, 中国, 5180##, 广东省, 22.54, 114.06, Asia/Shanghai
        成都, 中国, 6100##, 四川省, 30.57, 104.07, Asia/Shanghai
        武汉, 中国, 4300##, 湖北省, 30.59, 114.31, Asia/Shanghai
        西安, 中国, 7100##, 陕西省, 34.34, 108.94, Asia/Shanghai
        南京, 中国, 2100##, 江苏省, 32.06, 118.80, Asia/Shanghai
        苏州, 中国, 2150##, 江苏省, 31.30, 120.58, Asia/Shanghai
        杭州, 中国, 3100##, 浙江省, 30.27, 120.16, Asia/Shanghai
        沈阳, 中国, 1100##, 辽宁省, 41.81, 123.43, Asia/Shanghai
        大连, 中国, 1160##, 辽宁省, 38.91, 121.61, Asia/Shanghai
        青岛, 中国, 2660##, 山东省, 36.07, 120.38, Asia/Shanghai
        济南, 中国, 2500##, 山东省, 36.65, 117.12, Asia/Shanghai
        长沙, 中国, 4100##, 湖南省, 28.23, 112.94, Asia/Shanghai
        昆明, 中国, 6500##, 云南省, 25.04, 102.71, Asia/Shanghai
        哈尔滨, 中国, 1500##, 黑龙江省, 45.80, 126.53, Asia/Shanghai
        厦门, 中国, 3610##, 福建省, 24.48, 118.09, Asia/Shanghai
        郑州, 中国, 4500##, 河南省, 34.75, 113.63, Asia/Shanghai
        兰州, 中国, 7300##, 甘肃省, 36.06, 103.83, Asia/Shanghai
        桂林, 中国, 5410##, 广西, 25.27, 110.29, Asia/Shanghai
        合肥, 中国, 2300##, 安徽省, 31.82, 117.23, Asia/Shanghai
        """)
}
