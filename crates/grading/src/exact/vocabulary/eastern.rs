//! Polish, Russian, Ukrainian, Turkish.

use super::Words;

pub(super) const PL: Words = Words {
    tag: "pl",
    negators: "nie nigdy ani bez oprocz",
    alternatives: "lub albo czy",
    corrections: "lecz ale tylko",
    conjunctions: "i oraz",
    articles: "",
    function_words: "jest sa byl byla bylo to ta ten odpowiedz mysle w z na i oraz wynik rozwiazanie ze prawidlowa nazywa sie o do od \
        po przez jako wynosi rowna",
    copulas: "jest sa byl byla to wynosi wynik odpowiedz rowna",
    prepositions: "w we na z podczas od o przez",
    hedges: "okolo mniej ok prawie",
    reasons: "bo poniewaz gdyz",
    truths: "prawda tak prawdziwe prawdziwy poprawnie p",
    falsehoods: "falsz nieprawda nie falszywe f",
    true_or_false: "prawda czy fałsz|prawda lub fałsz|prawda/fałsz|p czy f|p/f",
    who: "kto kogo",
    no_solution: "brak rozwiązań|brak rozwiązania|zbiór pusty",
    choice_words: "opcja odpowiedz litera",
    numbers: "zero=0 jeden=1 jedna=1 dwa=2 dwie=2 trzy=3 cztery=4 pięć=5 sześć=6 siedem=7 osiem=8 dziewięć=9 dziesięć=10 \
        jedenaście=11 dwanaście=12 trzynaście=13 czternaście=14 piętnaście=15 szesnaście=16 siedemnaście=17 osiemnaście=18 \
        dziewiętnaście=19 dwadzieścia=20 trzydzieści=30 czterdzieści=40 pięćdziesiąt=50 sześćdziesiąt=60 siedemdziesiąt=70 \
        osiemdziesiąt=80 dziewięćdziesiąt=90 sto=100 dwieście=200 trzysta=300 czterysta=400 pięćset=500 sześćset=600 siedemset=700 \
        osiemset=800 dziewięćset=900 tysiąc=1000 tysiące=1000 tysięcy=1000 milion=1000000 miliony=1000000 milionów=1000000",
    parts: "pół=2 połowa=2 trzecia=3 trzecie=3 czwarta=4 czwarte=4 piąta=5 piąte=5 dziesiąta=10 dziesiąte=10",
    number_joints: "",
    points: "przecinek",
    minus: "minus",
    one: "jedna",
};

pub(super) const RU: Words = Words {
    tag: "ru",
    negators: "не нет ни никогда без кроме нельзя",
    alternatives: "или либо",
    corrections: "а но",
    conjunctions: "и да",
    articles: "",
    function_words: "это был была было были ответ думаю я в во на с и есть что результат решение равно равен называется правильный \
        мой по от до из за к как",
    copulas: "это равен равна равно ответ есть был была было составляет результат",
    prepositions: "в во на с из во от по за",
    hedges: "около примерно приблизительно почти",
    reasons: "потому так поскольку",
    truths: "да верно правда правильно истина",
    falsehoods: "нет неверно ложь неправда неправильно",
    true_or_false: "верно или неверно|правда или ложь|верно/неверно|да или нет|правильно или неправильно|истина или ложь",
    who: "кто кого кем",
    no_solution: "нет решений|решений нет|пустое множество",
    choice_words: "вариант ответ буква",
    numbers: "ноль=0 нуль=0 один=1 одна=1 одно=1 два=2 две=2 три=3 четыре=4 пять=5 шесть=6 семь=7 восемь=8 девять=9 десять=10 \
        одиннадцать=11 двенадцать=12 тринадцать=13 четырнадцать=14 пятнадцать=15 шестнадцать=16 семнадцать=17 восемнадцать=18 \
        девятнадцать=19 двадцать=20 тридцать=30 сорок=40 пятьдесят=50 шестьдесят=60 семьдесят=70 восемьдесят=80 девяносто=90 сто=100 \
        двести=200 триста=300 четыреста=400 пятьсот=500 шестьсот=600 семьсот=700 восемьсот=800 девятьсот=900 тысяча=1000 тысячи=1000 \
        тысяч=1000 миллион=1000000 миллиона=1000000 миллионов=1000000 миллиард=1000000000 миллиардов=1000000000",
    parts: "половина=2 вторая=2 вторых=2 треть=3 третья=3 трети=3 третьих=3 четверть=4 четверти=4 четвертых=4 пятая=5 пятых=5 десятая=10 десятых=10",
    number_joints: "",
    points: "запятая",
    minus: "минус",
    one: "одна",
};

pub(super) const UK: Words = Words {
    tag: "uk",
    negators: "не ні ніколи немає без крім",
    alternatives: "або чи",
    corrections: "а але",
    conjunctions: "і й та",
    articles: "",
    function_words: "це є був була було були відповідь думаю я в у на з зі і й та що результат розвязок дорівнює називається \
        правильна моя до від як по за",
    copulas: "це є дорівнює відповідь був була було становить результат",
    prepositions: "в у на з із від по за",
    hedges: "близько приблизно майже",
    reasons: "бо тому оскільки",
    truths: "так вірно правда правильно істина",
    falsehoods: "ні хибно невірно неправда неправильно хиба",
    true_or_false: "правда чи неправда|правильно чи неправильно|вірно чи невірно|істина чи хиба|так чи ні",
    who: "хто кого ким",
    no_solution: "немає розв'язків|розв'язків немає|порожня множина",
    choice_words: "варіант відповідь буква літера",
    numbers: "нуль=0 один=1 одна=1 одне=1 два=2 дві=2 три=3 чотири=4 п'ять=5 шість=6 сім=7 вісім=8 дев'ять=9 десять=10 одинадцять=11 \
        дванадцять=12 тринадцять=13 чотирнадцять=14 п'ятнадцять=15 шістнадцять=16 сімнадцять=17 вісімнадцять=18 дев'ятнадцять=19 \
        двадцять=20 тридцять=30 сорок=40 п'ятдесят=50 шістдесят=60 сімдесят=70 вісімдесят=80 дев'яносто=90 сто=100 двісті=200 \
        триста=300 чотириста=400 п'ятсот=500 шістсот=600 сімсот=700 вісімсот=800 дев'ятсот=900 тисяча=1000 тисячі=1000 тисяч=1000 \
        мільйон=1000000 мільйони=1000000 мільйонів=1000000",
    parts: "половина=2 третина=3 третини=3 чверть=4 чверті=4",
    number_joints: "",
    points: "кома",
    minus: "мінус",
    one: "одна",
};

pub(super) const TR: Words = Words {
    tag: "tr",
    negators: "degil degildir yok yoktur asla hic haric",
    alternatives: "veya ya",
    corrections: "ama fakat aksine",
    conjunctions: "ve ile",
    articles: "bir",
    function_words: "bu su o ve dir dur cevap cevabi yanit sonuc bence ki olarak olan icin de da dogru mi midir ile adi denir",
    copulas: "bu cevap sonuc esittir yanit",
    prepositions: "",
    hedges: "yaklasik asagi",
    reasons: "cunku zira",
    truths: "dogru evet d",
    falsehoods: "yanlis hayir y",
    true_or_false: "doğru mu yanlış mı|doğru ya da yanlış|doğru veya yanlış|doğru/yanlış|d/y",
    who: "kim kimdir kimin",
    no_solution: "çözüm yok|çözümü yok|boş küme",
    choice_words: "secenek cevap sik yanit",
    numbers: "sıfır=0 bir=1 iki=2 üç=3 dört=4 beş=5 altı=6 yedi=7 sekiz=8 dokuz=9 on=10 yirmi=20 otuz=30 kırk=40 elli=50 altmış=60 \
        yetmiş=70 seksen=80 doksan=90 yüz=100 bin=1000 milyon=1000000 milyar=1000000000",
    parts: "yarım=2 yarısı=2 çeyrek=4",
    number_joints: "",
    points: "virgül",
    minus: "eksi",
    one: "",
};
