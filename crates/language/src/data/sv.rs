//! Swedish.

use super::{Labels, Language, Pace, Plural, Signs, Speech};

pub(super) static LANGUAGE: Language =
    Language { tag: "sv", speech: SPEECH, labels: LABELS, page: None, email: None, teaching: None };

const LABELS: Labels = Labels {
    questions: "Frågor",
    check: "Kontrollera svaret",
    right: "Rätt",
    wrong: "Inte rätt",
    answer: "Svar:",
    answers: "Svar",
    several: "Mer än ett svar kan vara rätt.",
};

const SPEECH: Speech = Speech {
    signs: Signs {
        plus: "plus",
        minus: "minus",
        negative: "minus",
        times: "gånger",
        divided_by: "delat med",
        over: "genom",
        plus_minus: "plus minus",
        equals: "{a} är lika med {b}",
        not_equal: "{a} är inte lika med {b}",
        nearly: "{a} är ungefär {b}",
        less: "{a} är mindre än {b}",
        greater: "{a} är större än {b}",
        at_most: "{a} är högst {b}",
        at_least: "{a} är minst {b}",
        root: "kvadratroten ur {x}",
        squared: "{x} i kvadrat",
        cubed: "{x} i kubik",
        power: "{x} upphöjt till {n}",
        function: "{f} av {x}",
        range: "{a} till {b}",
        number: "nummer {n}",
        sharp: "sharp",
        dot: "punkt",
        infinity: "oändligheten",
        per: "{a} per {b}",
        steps_told: "Det är {n} steg. Det första: {first}. Och det sista: {last}.",
        for_example: "Till exempel {text}",
    },
    plural: Plural::Two,
    units: "km=kilometer,kilometer;m=meter,meter;cm=centimeter,centimeter;mm=millimeter,millimeter;kg=kilogram,\
        kilogram;g=gram,gram;mg=milligram,milligram;t=ton,ton;l=liter,liter;ml=milliliter,milliliter;s=sekund,\
        sekunder;min=minut,minuter;h=timme,timmar;°C=grad Celsius,grader Celsius;°F=grad Fahrenheit,grader \
        Fahrenheit;°=grad,grader;%=procent,procent;N=newton,newton;J=joule,joule;kJ=kilojoule,kilojoule;W=watt,\
        watt;kW=kilowatt,kilowatt;kWh=kilowattimme,kilowattimmar;V=volt,volt;Hz=hertz,hertz;Pa=pascal,pascal;\
        mol=mol,mol;km²=kvadratkilometer,kvadratkilometer;m²=kvadratmeter,kvadratmeter;cm²=kvadratcentimeter,\
        kvadratcentimeter;m³=kubikmeter,kubikmeter;cm³=kubikcentimeter,kubikcentimeter;km/h=kilometer i timmen,\
        kilometer i timmen;m/s=meter per sekund,meter per sekund;m/s²=meter per sekundkvadrat,meter per \
        sekundkvadrat;MB=megabyte,megabyte;GB=gigabyte,gigabyte",
    money: "$=dollar,dollar;€=euro,euro;£=pund,pund;¥=yen,yen;₹=rupie,rupier;kr=krona,kronor",
    cents: "{n} {c}",
    greek: "alfa beta gamma delta epsilon theta lambda my pi rho sigma tau fi omega",
    functions: "sinus,cosinus,tangens,logaritmen,naturliga logaritmen,gränsvärdet",
    abbreviations: "t.ex.=till exempel;t. ex.=till exempel;d.v.s.=det vill säga;dvs.=det vill säga;osv.=och så \
        vidare;m.m.=med mera;bl.a.=bland annat;ca=cirka;ca.=cirka;f.Kr.=före Kristus;e.Kr.=efter Kristus;\
        nr=nummer;etc.=et cetera",
    ordinals: "",
    inflecting: "",
    relatives: "som där när eftersom",
    pointing: "nedan;ovan;följande;figur;figuren;i denna lektion;i detta avsnitt;i detta kapitel;se;tabellen;\
        exemplet;detta exempel;diagrammet;bilden;koden",
    pace: Pace {
        syllable: 0.064,
        ideograph: 0.25,
        letter: 0.022,
        word: 0.117,
        digit: 0.259,
        clause: 0.255,
        sentence: 0.35,
    },
};
