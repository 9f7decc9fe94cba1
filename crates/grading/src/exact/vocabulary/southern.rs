//! Spanish, French, Portuguese, Italian.

use super::Words;

pub(super) const ES: Words = Words {
    tag: "es",
    negators: "no ni nunca tampoco jamas sin excepto",
    alternatives: "o u",
    corrections: "sino pero",
    conjunctions: "y e",
    articles: "el la los las lo un una unos unas",
    function_words: "es son fue era eran ser del al de y e respuesta correcta resultado solucion creo pienso se llama que por con en \
        a su es esta este porque yo para como",
    copulas: "es son fue era eran vale respuesta resultado igual",
    prepositions: "en de desde durante por a al",
    hedges: "aproximadamente unos cerca alrededor",
    reasons: "porque pues ya",
    truths: "verdadero verdadera si cierto correcto v",
    falsehoods: "falso falsa incorrecto no f",
    true_or_false: "verdadero o falso|verdadero/falso|v o f|v/f|cierto o falso",
    who: "quien quienes",
    no_solution: "sin solución|no hay solución|no tiene solución|conjunto vacío",
    choice_words: "opcion respuesta letra",
    numbers: "cero=0 un=1 uno=1 una=1 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 diez=10 once=11 doce=12 trece=13 \
        catorce=14 quince=15 dieciséis=16 diecisiete=17 dieciocho=18 diecinueve=19 veinte=20 veintiuno=21 veintidós=22 \
        veintitrés=23 veinticuatro=24 veinticinco=25 veintiséis=26 veintisiete=27 veintiocho=28 veintinueve=29 treinta=30 \
        cuarenta=40 cincuenta=50 sesenta=60 setenta=70 ochenta=80 noventa=90 cien=100 ciento=100 doscientos=200 trescientos=300 \
        cuatrocientos=400 quinientos=500 seiscientos=600 setecientos=700 ochocientos=800 novecientos=900 mil=1000 \
        millón=1000000 millones=1000000",
    parts: "medio=2 media=2 mitad=2 tercio=3 tercios=3 cuarto=4 cuartos=4 quinto=5 quintos=5 décimo=10 décimos=10",
    number_joints: "y",
    points: "coma punto",
    minus: "menos",
    one: "un una",
};

pub(super) const FR: Words = Words {
    tag: "fr",
    negators: "pas ne jamais ni aucun aucune sans sauf non",
    alternatives: "ou soit",
    corrections: "mais plutot",
    conjunctions: "et",
    articles: "le la les l un une des du de d",
    function_words: "est sont etait c ce cette ces il elle on je nous reponse resultat solution crois pense et dans en au aux pour \
        par avec que qui donc sa son se s appelle vaut a cest parce car bonne cet d l y",
    copulas: "est cest sont etait etaient vaut reponse resultat egale",
    prepositions: "dans en au a aux depuis pendant par sur",
    hedges: "environ approximativement vers",
    reasons: "parce car puisque",
    truths: "vrai oui exact juste correct v",
    falsehoods: "faux non incorrect f",
    true_or_false: "vrai ou faux|vrai/faux|v ou f|v/f",
    who: "qui",
    no_solution: "pas de solution|aucune solution|ensemble vide",
    choice_words: "option reponse lettre choix",
    numbers: "zéro=0 un=1 une=1 deux=2 trois=3 quatre=4 cinq=5 six=6 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 treize=13 \
        quatorze=14 quinze=15 seize=16 vingt=20 vingts=20 trente=30 quarante=40 cinquante=50 soixante=60 septante=70 huitante=80 \
        nonante=90 cent=100 cents=100 mille=1000 million=1000000 millions=1000000 milliard=1000000000 milliards=1000000000",
    parts: "demi=2 demie=2 moitié=2 tiers=3 quart=4 quarts=4 cinquième=5 cinquièmes=5 dixième=10 dixièmes=10",
    number_joints: "et",
    points: "virgule",
    minus: "moins",
    one: "un une la",
};

pub(super) const PT: Words = Words {
    tag: "pt",
    negators: "nao nem nunca jamais tampouco sem exceto",
    alternatives: "ou",
    corrections: "mas senao",
    conjunctions: "e",
    articles: "o a os as um uma uns umas",
    function_words: "foi e era sao da do das dos de no na nos nas em que resposta resultado solucao acho penso correta eu isso este \
        esta porque se chama por com para ao",
    copulas: "e sao foi era eram vale resposta resultado igual",
    prepositions: "em no na de desde durante por",
    hedges: "aproximadamente cerca uns",
    reasons: "porque pois",
    truths: "verdadeiro verdadeira sim certo correto v",
    falsehoods: "falso falsa nao incorreto errado errada f",
    true_or_false: "verdadeiro ou falso|verdadeiro/falso|v ou f|v/f|certo ou errado",
    who: "quem",
    no_solution: "sem solução|não há solução|não tem solução|conjunto vazio",
    choice_words: "opcao resposta letra alternativa",
    numbers: "zero=0 um=1 uma=1 dois=2 duas=2 três=3 quatro=4 cinco=5 seis=6 sete=7 oito=8 nove=9 dez=10 onze=11 doze=12 treze=13 \
        catorze=14 quatorze=14 quinze=15 dezesseis=16 dezasseis=16 dezessete=17 dezassete=17 dezoito=18 dezenove=19 dezanove=19 \
        vinte=20 trinta=30 quarenta=40 cinquenta=50 sessenta=60 setenta=70 oitenta=80 noventa=90 cem=100 cento=100 duzentos=200 \
        trezentos=300 quatrocentos=400 quinhentos=500 seiscentos=600 setecentos=700 oitocentos=800 novecentos=900 mil=1000 \
        milhão=1000000 milhões=1000000",
    parts: "meio=2 meia=2 metade=2 terço=3 terços=3 quarto=4 quartos=4 quinto=5 quintos=5 décimo=10 décimos=10",
    number_joints: "e",
    points: "vírgula ponto",
    minus: "menos",
    one: "um uma",
};

pub(super) const IT: Words = Words {
    tag: "it",
    negators: "non no mai ne nemmeno neanche senza tranne",
    alternatives: "o oppure ovvero",
    corrections: "ma bensi",
    conjunctions: "e ed",
    articles: "il lo la i gli le l un uno una",
    function_words: "e sono era fu di della dello dei delle del degli risposta risultato soluzione credo penso nel nella corretta \
        si chiama che con per da in a al alla questo questa perche giusta",
    copulas: "e sono era fu vale risposta risultato uguale",
    prepositions: "in nel nella di da durante a",
    hedges: "circa approssimativamente intorno quasi",
    reasons: "perche poiche",
    truths: "vero vera si giusto corretto v",
    falsehoods: "falso falsa no sbagliato scorretto errato f",
    true_or_false: "vero o falso|vero/falso|v o f|v/f",
    who: "chi",
    no_solution: "nessuna soluzione|impossibile|insieme vuoto",
    choice_words: "opzione risposta lettera",
    numbers: "zero=0 un=1 uno=1 una=1 due=2 tre=3 quattro=4 cinque=5 sei=6 sette=7 otto=8 nove=9 dieci=10 undici=11 dodici=12 \
        tredici=13 quattordici=14 quindici=15 sedici=16 diciassette=17 diciotto=18 diciannove=19 venti=20 vent=20 trenta=30 trent=30 \
        quaranta=40 quarant=40 cinquanta=50 cinquant=50 sessanta=60 sessant=60 settanta=70 settant=70 ottanta=80 ottant=80 \
        novanta=90 novant=90 cento=100 mille=1000 mila=1000 milione=1000000 milioni=1000000 miliardo=1000000000 miliardi=1000000000",
    parts: "mezzo=2 mezza=2 metà=2 terzo=3 terzi=3 quarto=4 quarti=4 quinto=5 quinti=5 decimo=10 decimi=10",
    number_joints: "e",
    points: "virgola",
    minus: "meno",
    one: "un uno una",
};
