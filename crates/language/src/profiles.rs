//! The data of the languages, one constant each; `UND` is for languages that are not here.
//!
//! Lists hold what changes results, not everything that a grammar knows.

use super::profile::{Data, Style};

pub(crate) const ALL: [&Data; 17] =
    [&EN, &DE, &ES, &FR, &IT, &PT, &NL, &PL, &RU, &UK, &TR, &AR, &HI, &ZH, &JA, &KO, &UND];

/// The defaults of the other constants, and the data of languages without a constant.
const UND: Data = Data {
    tag: "und",
    stop: "",
    weak: "",
    anaphora: "",
    abbreviations: "",
    articles: "",
    is: "",
    a: "",
    means: "",
    openers: "",
    style: Style::Copula,
    no_noun: "",
    nouns_are_capitalised: false,
    ordinal_dots: false,
};

const EN: Data = Data {
    tag: "en",
    stop: "a about above after again all also although am among an and another any are as at be became because \
        become been before being below between both but by can come contains could day did do does doing done \
        down during each either especially even ever every few first following for found from further gave \
        get gives go goes had has have having he help her here high him his how however if in include \
        includes including instead into is it its itself just keep last least less let like little look made \
        make makes making many may me means might more most much must my near need needs never new next no \
        nor not nothing now of off often on once one only onto or other others our out over own per put \
        rather really same second see seen several shall she should show shows since so some something \
        sometimes soon still such take takes than that the their them then there therefore these they this \
        those three through thus to together too took toward try turn two under until up upon us use used \
        uses using usually very want was we well were what when where whether which while who whose why will \
        with within without would yes yet you your",
    weak: "green red blue white black yellow brown grey big long short low old young full empty common simple \
        complex natural human main real whole single double different various certain special central modern \
        ancient early thin thick wide deep warm cold light dark heavy consist consists contain carry carries \
        store stores release releases produce produces describe described describes control controls absorb \
        absorbs reflect reflects separate separates surround surrounds display displays follow follows answer \
        answers form forms allow allows provide provides require requires cause causes change changes move \
        moves lead leads begin begins began start starts happen happens grow grows live lives enter leave \
        leaves fill fills add read write wrote written built build known called million billion thousand \
        hundred percent four five six seven eight nine ten number part parts people place point year years \
        thing things time times way ways work word kind general important different similar possible early \
        late later large small great good known early period result results example examples fact case group \
        groups type types amount level levels side end",
    anaphora: "it they this these that those he she him her its their his here there such both however therefore \
        thus then also so but and or because instead another others some many most each every one all we you \
        i what when if after before later soon today now in-addition moreover furthermore similarly finally \
        next first second third afterwards let note remember see please",
    abbreviations: "dr mr mrs ms prof st vs etc e.g i.e fig no approx ca cf al inc ltd jr sr vol pp p ed dept est min max",
    articles: "a an the",
    is: "is are",
    a: "a an the any one some",
    means: "means|refers to|is called|are called|is known as|is defined as|denotes|describes|consists of|stands \
        for|occurs when",
    openers: "a an the of in on by with from for into its their his her your our some any every each these those no \
        between through per and or",
    no_noun: "ly ing ed ous ful ive able ible",
    ..UND
};

const DE: Data = Data {
    tag: "de",
    stop: "ab aber alle allem allen aller alles als also am an ander andere anderen auch auf aus bei beim \
        bereits besonders bevor bis da dabei dadurch dafür damit danach dann das dass dazu dein dem den denn \
        der deren des dessen deshalb die dies diese diesem diesen dieser dieses doch dort durch ein eine \
        einem einen einer eines einige er erst es etwa etwas euch für gegen gibt ging hat hatte hatten haben \
        habe hier hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden \
        jeder jedes jetzt kann kein keine keinen können konnte lange machen machte man manche mehr mehrere \
        mein mit muss müssen musste nach nachdem neben nicht nichts noch nun nur ob oder ohne schon sehr sein \
        seine seinem seinen seiner seit sich sie sind so sogar sollen sondern sowie später statt über um und \
        uns unter viel viele vielen vom von vor war waren wäre was weil welche wenn wer werden wie wieder \
        will wir wird wo wurde wurden während zu zum zur zwei zwischen zwar jahr jahre teil zeit",
    weak: "jahr jahre jahren zeit teil beispiel art weise form ende anfang seite mal tag tage",
    anaphora: "er sie es dies diese dieser dieses dieser diesen das jene jener dort dabei damit dadurch deshalb \
        daher darum dann danach daraufhin außerdem jedoch aber und oder auch so hier sein seine ihr ihre \
        beide beides später zudem allerdings trotzdem wer was man wir ihr du ich viele einige manche alle \
        jeder jede zuerst zunächst schließlich heute denn doch",
    abbreviations: "dr prof hr fr bzw usw ca nr str z.b d.h u.a v.chr n.chr vgl evtl ggf inkl max min mio mrd abb bd s \
        chr st sog geb gest jh jhd tel",
    articles: "der die das ein eine einen einem eines",
    is: "ist sind",
    a: "ein eine einer einen der die das jene jener jenes diejenige derjenige dasjenige",
    means: "bezeichnet|bedeutet|heißt|nennt man|wird genannt|beschreibt|besteht aus|versteht man",
    nouns_are_capitalised: true,
    ordinal_dots: true,
    ..UND
};

const ES: Data = Data {
    tag: "es",
    stop: "a al algo algunas algunos ante antes aquel aquella así aún aunque bien cada casi como con contra cual \
        cuando cuya cuyo de del desde después donde dos durante e el ella ellas ellos en entonces entre era \
        eran es esa ese eso esta estaba estado están estar este esto estos estas fue fueron ha había hace \
        hacen hacer hacia han hasta hay la las le les lo los más me mediante menos mi mientras mismo misma \
        mucha muchas mucho muchos muy nada ni no nos nosotros nuestra nuestro o otra otras otro otros para \
        parte pero poco por porque primera primero pronto puede pueden pues que quien se según ser si sí sido \
        siempre sin sino sobre son su sus también tan tanto tener tiene tienen toda todas todo todos tras \
        tres tu un una unas uno unos usted va vez veces y ya yo",
    weak: "gran grande grandes pequeño pequeña nuevo nueva bueno buena parte vez año años forma manera tipo \
        ejemplo largo alto bajo muchos importante importantes diferente diferentes",
    anaphora: "él ella ellos ellas esto este esta estos estas eso ese esa esos esas así además entonces después \
        luego pero y también por aquí allí ahí su sus ambos sin-embargo muchos algunos cada cuando si como \
        ello lo hoy finalmente primero",
    abbreviations: "dr dra sr sra srta ud uds etc p.ej núm pág aprox a.c d.c ee.uu art cap fig máx mín",
    articles: "el la los las un una unos unas",
    is: "es son",
    a: "un una unos unas el la los las aquel aquella cualquier",
    means: "significa|se llama|se llaman|se denomina|se define como|se refiere a|consiste en|consta de",
    openers: "el la los las un una unos unas de del en al con por sin su sus entre sobre cada este esta estos estas",
    no_noun: "mente ando iendo ar er ir",
    ..UND
};

const FR: Data = Data {
    tag: "fr",
    stop: "a à afin ainsi alors après assez au aucun aujourd'hui auquel aussi autre autres aux avant avec avoir \
        avait beaucoup bien c'est car ce ceci cela celle celui ces cet cette ceux chaque chez comme comment \
        contre d'un d'une dans de depuis des deux devant donc dont du durant elle elles en encore enfin entre \
        est et étaient était été être eu eux faire fait fois font grâce il ils je jusqu'à l'on la le les leur \
        leurs lors lorsque lui ma mais même mes moins mon ne ni non nos notre nous on ont ou où par parce \
        parfois pas pendant permet permettent peu peut peuvent plus plusieurs pour pourquoi pouvoir première \
        premier près puis qu'il qu'un quand que quel quelle quelques qui quoi sa sans se selon ses seulement \
        si sien soit son sont sous souvent sur ta tandis te tel tes ton toujours tous tout toute toutes très \
        trop tu un une vers voici voilà vos votre vous y c’est d’un d’une l’on qu’il qu’un",
    weak: "grand grande grands petit petite nouveau nouvelle bon bonne partie fois an ans année années forme \
        façon type exemple important importante différent différents",
    anaphora: "il elle ils elles ce cela ceci cette ces cet c'est c’est celui celle ceux ainsi alors ensuite puis \
        donc mais et aussi car ici là leur leurs son sa ses tous toutes plusieurs certains on nous vous je tu \
        cependant toutefois enfin d'abord lorsque quand si comme après aujourd'hui",
    abbreviations: "m mm mme mlle dr pr st ste etc p.ex env cf fig av apr j.-c n° vol chap max min",
    articles: "le la les un une des l",
    is: "est sont",
    a: "un une des le la les l'ensemble l’ensemble",
    means: "désigne|désignent|signifie|s'appelle|s’appelle|se définit comme|consiste à|consiste en|correspond à",
    openers: "le la les un une des de du au aux en avec par sans son sa ses leur leurs ce cet cette ces chaque dans \
        sur",
    no_noun: "ment ant er ir",
    ..UND
};

const IT: Data = Data {
    tag: "it",
    stop: "a ad ai al alla alle allo anche ancora avere aveva bene c'è che chi ci coi col come con contro cui da \
        dai dal dalla dalle degli dei del della delle dello dentro di dopo dove due durante e è ed era erano \
        essere fa fanno fare fino fra già gli ha hanno i il in io la le lei li lo loro lui ma mentre mi molta \
        molte molti molto ne negli nei nel nella nelle no noi non nostra nostro o ogni oltre per perché più \
        poco poi possono può prima proprio qualche quale quali quando quanto quasi quella quelle quelli \
        quello questa queste questi questo qui se sempre senza si sia sono sopra sotto stata stato su sua sue \
        sui sul sulla suo suoi te tra tre tu tutta tutte tutti tutto un una uno vengono viene voi",
    weak: "grande grandi piccolo piccola nuovo nuova buono parte volta anno anni forma modo tipo esempio \
        importante diverso diversi",
    anaphora: "esso essa essi esse questo questa questi queste quello quella così inoltre poi quindi perciò ma e \
        anche qui là loro suo sua egli lui lei tuttavia infine dopo quando se ciò entrambi molti alcuni ogni \
        oggi",
    abbreviations: "dott sig sig.ra prof ecc es pag fig ca a.c d.c n max min",
    articles: "il lo la i gli le un uno una l",
    is: "è sono",
    a: "un uno una un'importante il lo la i gli le l'insieme l’insieme",
    means: "significa|indica|si chiama|si definisce|consiste in|consiste nel",
    openers: "il lo la i gli le un uno una di del dello della dei degli delle in nel nella nei con per su sul sulla \
        da dal dalla",
    no_noun: "mente ando endo are ere ire",
    ..UND
};

const PT: Data = Data {
    tag: "pt",
    stop: "a à ao aos aquela aquele as às assim até cada com como contra da das de dela dele demais depois desde \
        dessa desse desta deste do dois dos e é ela elas ele eles em enquanto entre era eram essa essas esse \
        esses esta está estão estas este estes eu faz fazer foi foram há isso isto já la lhe mais mas me \
        menos mesmo muita muitas muito muitos na não nas nem no nos nós nossa nosso num numa o onde os ou \
        outra outras outro outros para parte pela pelas pelo pelos pode podem por porque pouco qual quando \
        que quem são se seja sem sempre ser seu seus si sobre sua suas também tão tem têm ter toda todas todo \
        todos três tu um uma umas uns vez você",
    weak: "grande grandes pequeno pequena novo nova bom boa parte vez ano anos forma modo tipo exemplo \
        importante diferente",
    anaphora: "ele ela eles elas isto isso este esta estes estas esse essa esses essas assim também depois então mas \
        e aqui ali seu sua seus suas ambos porém contudo além quando se como cada muitos alguns hoje \
        finalmente",
    abbreviations: "dr dra sr sra prof etc ex pág fig aprox a.c d.c núm máx mín",
    articles: "o a os as um uma uns umas",
    is: "é são",
    a: "um uma uns umas o a os as aquele aquela",
    means: "significa|chama-se|denomina-se|refere-se a|consiste em|define-se como",
    openers: "o a os as um uma de do da dos das em no na nos nas com por pelo pela sem seu sua",
    no_noun: "mente ando endo indo ar er ir",
    ..UND
};

const NL: Data = Data {
    tag: "nl",
    stop: "aan al alle als altijd ander andere bij dan dat de deze die dit doen door drie dus een eens en er \
        geen haar had hadden heb hebben heeft hem het hier hij hoe hun iets ik in is ja je kan kunnen maar \
        meer men met mij na naar niet niets nog nu of om omdat onder ons ook op over sinds te tegen toch toen \
        tot twee uit uw van veel vaak voor waar wanneer want waren was wat we werd werden wie wij word worden \
        wordt zal ze zeer zich zij zijn zo zonder zou",
    weak: "grote groot kleine klein nieuwe goed deel keer jaar jaren vorm manier soort voorbeeld belangrijk",
    anaphora: "hij zij ze het dit dat deze die daar daarna daarom daardoor dus maar en ook hier er toen later \
        bovendien echter beide vele sommige elke als wanneer vandaag we je",
    abbreviations: "dr dhr mevr prof bijv enz d.w.z ca nr o.a m.b.v max min",
    articles: "de het een",
    is: "is zijn",
    a: "een de het",
    means: "betekent|heet|noemt men|verwijst naar|bestaat uit",
    openers: "de het een van in op met door voor zijn haar hun uit aan bij",
    no_noun: "lijk end",
    ..UND
};

const PL: Data = Data {
    tag: "pl",
    stop: "a aby albo ale ani bardzo bez bo by być był była było były co czy dla do dwa gdy gdzie go i ich ile \
        im inne innych ja jak jako jego jej jest jeszcze już każdy kiedy która które którego której którą \
        który których którzy lub ma mają może można my na nad nie nich niż o od on ona one oni oraz po pod \
        podczas ponieważ przed przez przy się są swoje ta tak także tam te tego tej ten to tu ty tylko tym u \
        w we więc wiele z za ze że",
    anaphora: "on ona ono oni one to ten ta te tego dlatego potem następnie jednak ale i także tam tu jego jej ich \
        oba wiele niektóre każdy gdy jeśli dziś więc",
    abbreviations: "dr prof np itd itp tj ok r w im św ul nr tzw m.in p.n.e n.e godz min",
    means: "to|jest to|oznacza|nazywamy|składa się z",
    no_noun: "ać eć ić yć ować",
    ordinal_dots: true,
    ..UND
};

const RU: Data = Data {
    tag: "ru",
    stop: "а без более больше будет бы был была были было быть в вам вас во вот все всего всех вы где да даже \
        для до его ее её если есть еще ещё же за здесь и из или им их к как какой когда кто ли между меня мне \
        многие может можно мы на над надо нас не него нее нет ни них но ну о об один она они оно от очень \
        перед по под после потом потому при про с со свои своей своих себя так также такие такой там тем то \
        того тоже той только том ты у уже хотя чего чем что чтобы эта эти это этого этой этом этот я которые \
        который которая которое которых",
    weak: "большой большая новый новая часть раз год лет время вид пример также",
    anaphora: "он она оно они это этот эта эти тот та те там здесь затем потом поэтому однако но и а также его её их \
        оба многие некоторые каждый когда если сегодня так такой такие",
    abbreviations: "г гг в вв т.е т.д т.п т.к др пр им ул см стр рис напр тыс млн млрд н.э до",
    means: "это|называется|называют|означает|состоит из|представляет собой",
    style: Style::Dash,
    no_noun: "ть ться ый ий ая ое ые ого его ому ых",
    ..UND
};

const UK: Data = Data {
    tag: "uk",
    stop: "а або але без більше був буде була були було бути в вам вас вже ви від він вона вони воно все всі та \
        де для до є ж за з зі і із їх його її й як яка яке який які коли ми може можна на над нас не неї \
        немає ні них о один однак перед по під після при про саме свої себе так також там те тим тільки то \
        тому у хоча це цей ця ці цього цьому через чи що щоб я",
    weak: "великий велика новий нова частина рік час вид приклад",
    anaphora: "він вона воно вони це цей ця ці той та ті там тут потім тому однак але і й а також його її їх обидва \
        багато деякі кожен коли якщо сьогодні так",
    abbreviations: "р рр ст т.д т.п т.з ін ім вул див мал напр тис млн млрд н.е",
    means: "це|називається|називають|означає|складається з",
    style: Style::Dash,
    no_noun: "ти тися ий ій а́я ого ому их",
    ..UND
};

const TR: Data = Data {
    tag: "tr",
    stop: "ama ancak arasında artık aynı az bazı belki ben beri bile bir biri birkaç birçok biz bu buna bunda \
        bundan bunlar bunu bunun çok çünkü da daha de değil diğer diye en fakat gibi göre ha hem hep her hiç \
        için ile ilk ise iki kadar kendi ki kim mi mı mu mü ne neden nasıl o olan olarak oldu olduğu olur on \
        ona onlar onu onun oysa öyle sadece siz son sonra şey şu tarafından tüm üç üzere var ve veya ya yani \
        yer yok",
    anaphora: "o bu şu onlar bunlar bunun onun böylece sonra ancak fakat ama ve ayrıca burada orada her bazı birçok \
        eğer bugün daha çünkü",
    abbreviations: "dr prof sn vb vs yy m.ö m.s örn bkz no cad",
    means: "denir|anlamına gelir",
    style: Style::Suffix,
    no_noun: "mek mak yor",
    ordinal_dots: true,
    ..UND
};

const AR: Data = Data {
    tag: "ar",
    stop: "أن إن أو أي إلى التي الذي الذين اللذان إذا إلا أما أيضا أيضًا بعد بعض بل بين تحت تم ثم حتى حيث خلال \
        دون ذلك عن على عند عندما غير فقد فهو فهي في فيها فيه قبل قد كان كانت كل كما كيف لا لأن لكن لم لن له \
        لها ليس ما مثل مع من منذ منها منه نحو هذا هذه هم هنا هناك هو هي و وقد وكان ولا وهو وهي يتم يكون تكون \
        يمكن عدة أكثر جدا جدًا كثيرة أنواع عبر بها به وذلك",
    anaphora: "هذا هذه ذلك تلك هو هي هم وهو وهي ثم لكن ولكن وقد كما لذلك ولذلك هنا هناك بعد وبعد أيضا وفي وتسمى وكان \
        وكانت بعضها كلها اليوم فهو فهي لأن إذا عندما و",
    abbreviations: "د أ م هـ ق.م",
    means: "هو|هي|هم|يعني|تعني|يسمى|تسمى|عبارة عن",
    ..UND
};

const HI: Data = Data {
    tag: "hi",
    stop: "अपना अपनी अपने अब अभी आदि आप इन इनका इस इसका इसकी इसके इसमें इसे इसी उन उनका उनकी उनके उस उसका उसकी \
        उसके एक एवं और कई कर करता करते करना करने करती का कि किया की कुछ के को कोई क्या गई गए गया जब जा जाता \
        जाती जाते जैसे जो तक तथा तब तो था थी थे दो द्वारा दिया न नहीं ने पर परन्तु फिर बहुत बाद भी में मैं \
        यदि यह यहाँ ये या रहा रहे लिए लेकिन वह वहाँ वाले वाली वे सकता सकते सभी साथ से हम ही हुआ हुई हुए है \
        हैं हो होता होती होते होने प्रकार रूप",
    anaphora: "यह ये वह वे इस इसका इसकी इसके इससे इसमें इन उस उसका उनके उन फिर लेकिन और तब इसलिए यहाँ वहाँ दोनों कई \
        कुछ हर जब यदि आज बाद",
    abbreviations: "डॉ प्रो श्री ई.पू सं",
    means: "एक|वह|वे",
    no_noun: "ना ता ते ती कर",
    ..UND
};

const ZH: Data = Data { tag: "zh", style: Style::Chinese, ..UND };

const JA: Data = Data { tag: "ja", style: Style::Japanese, ..UND };

const KO: Data = Data {
    tag: "ko",
    stop: "그 그리고 이 저 것 수 등 및 또는 그러나 하지만 때문에 있는 있다 있습니다 하는 한다 합니다 된다 됩니다 에서 으로 통해 위해 대한 또한 매우 많은 여러 모든 가장 더 이러한 \
        그런 이런",
    anaphora: "이 그 저 이것은 그것은 이는 그는 그녀는 이러한 그러한 또한 그러나 하지만 그리고 따라서 그래서 이때 여기서 이들은 그들은 다음",
    style: Style::Korean,
    no_noun: "다 요 고 며 는 한 된 하여",
    ..UND
};
