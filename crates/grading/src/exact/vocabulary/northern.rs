//! English, German, Dutch.

use super::Words;

pub(super) const EN: Words = Words {
    tag: "en",
    negators: "not isnt no never neither nor cannot cant wasnt arent doesnt dont didnt wont werent except without",
    alternatives: "or either",
    corrections: "but rather instead",
    conjunctions: "and plus",
    articles: "the a an",
    function_words: "is are was were be been being am its it this that these those he she they i we you my our answer answers \
        correct right than then final result solution value equals called named known think believe guess would should will say of \
        in on at to for by with from as and so therefore thus hence because since then which who whom whose there here one ones has \
        have had do does did can may must also just only simply probably maybe perhaps sure definitely please thanks",
    copulas: "is are was were equals equal be answer result namely",
    prepositions: "in at on from during by",
    hedges: "about approximately around roughly circa ca",
    reasons: "because since as which where",
    truths: "true yes correct right t y",
    falsehoods: "false no incorrect wrong f n untrue",
    true_or_false: "true or false|true/false|t/f|t or f|true-false",
    who: "who whom whose",
    no_solution: "no solution|no solutions|no real solution|no real solutions|there is no solution|there are no solutions|empty set|the empty set",
    choice_words: "option answer choice letter",
    numbers: "zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 ten=10 eleven=11 twelve=12 thirteen=13 \
        fourteen=14 fifteen=15 sixteen=16 seventeen=17 eighteen=18 nineteen=19 twenty=20 thirty=30 forty=40 fifty=50 sixty=60 \
        seventy=70 eighty=80 ninety=90 hundred=100 thousand=1000 million=1000000 billion=1000000000 trillion=1000000000000",
    parts: "half=2 halves=2 third=3 thirds=3 quarter=4 quarters=4 fourth=4 fourths=4 fifth=5 fifths=5 sixth=6 sixths=6 seventh=7 \
        sevenths=7 eighth=8 eighths=8 ninth=9 ninths=9 tenth=10 tenths=10",
    number_joints: "and",
    points: "point",
    minus: "minus negative",
    one: "a",
};

pub(super) const DE: Words = Words {
    tag: "de",
    negators: "nicht kein keine keinen keinem keiner nie niemals weder ausser ohne",
    alternatives: "oder entweder",
    corrections: "sondern aber",
    conjunctions: "und sowie",
    articles: "der die das den dem des ein eine einen einem einer",
    function_words: "ist sind war waren es er sie wir ich heisst heissen lautet antwort richtige richtig losung loesung ergebnis \
        glaube denke und mit von vom im in zu zur zum fur fuer auf aus bei als also daher wohl man nennt wurde wird betragt \
        betraegt am an das dass nach durch",
    copulas: "ist sind war waren heisst lautet ergibt betragt betraegt antwort ergebnis",
    prepositions: "in im am bei aus an auf wahrend waehrend durch von",
    hedges: "etwa ungefahr ungefaehr circa ca rund",
    reasons: "weil denn da",
    truths: "wahr ja richtig stimmt korrekt w r",
    falsehoods: "falsch nein unwahr inkorrekt f",
    true_or_false: "richtig oder falsch|wahr oder falsch|richtig/falsch|wahr/falsch|r/f|w/f",
    who: "wer wen wem wessen",
    no_solution: "keine lösung|keine lösungen|es gibt keine lösung|leere menge",
    choice_words: "option antwort buchstabe losung loesung",
    numbers: "null=0 eins=1 ein=1 eine=1 zwei=2 drei=3 vier=4 fünf=5 fuenf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 \
        zwölf=12 zwoelf=12 sechzehn=16 siebzehn=17 dreizehn=13 vierzehn=14 fünfzehn=15 fuenfzehn=15 achtzehn=18 neunzehn=19 \
        zwanzig=20 dreißig=30 dreissig=30 vierzig=40 fünfzig=50 fuenfzig=50 sechzig=60 siebzig=70 achtzig=80 neunzig=90 \
        hundert=100 tausend=1000 million=1000000 millionen=1000000 milliarde=1000000000 milliarden=1000000000",
    parts: "halb=2 halbe=2 hälfte=2 drittel=3 viertel=4 fünftel=5 sechstel=6 siebtel=7 achtel=8 neuntel=9 zehntel=10",
    number_joints: "und",
    points: "komma",
    minus: "minus",
    one: "ein eine",
};

pub(super) const NL: Words = Words {
    tag: "nl",
    negators: "niet geen nooit noch zonder behalve",
    alternatives: "of ofwel",
    corrections: "maar",
    conjunctions: "en",
    articles: "de het een",
    function_words: "zijn is was waren van antwoord denk dat dit ik het is er in op te voor met en als dus wordt heet noemt men \
        oplossing uitkomst juiste we om aan door",
    copulas: "is zijn was waren wordt heet antwoord",
    prepositions: "in op bij van tijdens door",
    hedges: "ongeveer circa ca rond",
    reasons: "omdat want doordat",
    truths: "waar ja juist klopt goed",
    falsehoods: "onwaar nee fout onjuist",
    true_or_false: "waar of niet waar|waar of onwaar|juist of onjuist|goed of fout|juist/onjuist|waar/onwaar",
    who: "wie wiens",
    no_solution: "geen oplossing|geen oplossingen",
    choice_words: "optie antwoord letter",
    numbers: "nul=0 een=1 één=1 twee=2 drie=3 vier=4 vijf=5 zes=6 zeven=7 acht=8 negen=9 tien=10 elf=11 twaalf=12 dertien=13 \
        veertien=14 vijftien=15 zestien=16 zeventien=17 achttien=18 negentien=19 twintig=20 dertig=30 veertig=40 vijftig=50 \
        zestig=60 zeventig=70 tachtig=80 negentig=90 honderd=100 duizend=1000 miljoen=1000000 miljard=1000000000",
    parts: "half=2 halve=2 helft=2 derde=3 kwart=4 vierde=4 vijfde=5 tiende=10",
    number_joints: "en ën",
    points: "komma",
    minus: "min minus",
    one: "een",
};
