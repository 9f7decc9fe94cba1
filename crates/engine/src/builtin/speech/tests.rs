//! How each language is spoken, as tables.

use super::*;

fn check(tag: &str, cases: &[(&str, &str)]) {
    let voice = Voice::of(tag);
    for (written, said) in cases {
        assert_eq!(voice.say(written).as_deref(), Some(*said), "{tag}: {written}");
    }
}

#[test]
fn formulas_are_read_aloud() {
    check(
        "en",
        &[
            (r"$x=-\frac{b}{2a}$", "x equals minus b over 2 a."),
            (
                r"$x = \frac{-b \pm \sqrt{b^2 - 4ac}}{2a}$",
                "x equals minus b plus or minus the square root of b squared minus 4 a c, over 2 a.",
            ),
            (r"The area is $A = \pi r^2$.", "The area is A equals pi r squared."),
            (r"Here $a^{n}$ is a power.", "Here a to the power of n is a power."),
            (r"$0 < x \leq 5$", "0 is less than x, x is at most 5."),
            ("2 + 3 = 5", "2 plus 3 equals 5."),
            ("If a > 0, the parabola opens upwards.", "If a is greater than 0, the parabola opens upwards."),
            ("The rule is speed = distance / time.", "The rule is speed equals distance divided by time."),
            (r"$f(x) = x^3 - 1$", "f of x equals x cubed minus 1."),
            (r"$2(x+3) = 14$", "2 times x plus 3 equals 14."),
            (r"An angle of $90^\circ$ is right.", "An angle of 90 degrees is right."),
            ("The cube has the volume a³.", "The cube has the volume a cubed."),
            ("E = mc² is famous.", "E equals mc squared is famous."),
            (r"$v = 5 \text{ m/s}$", "v equals 5 meters per second."),
            ("The chance is 1/2 here.", "The chance is 1 over 2 here."),
            ("The temperature fell to −5 °C.", "The temperature fell to minus 5 degrees Celsius."),
            (r"$\sin(x)$ is a function", "sine of x is a function."),
        ],
    );
}

#[test]
fn amounts_are_read_aloud() {
    check(
        "en",
        &[
            ("It drives 5 km/h.", "It drives 5 kilometers per hour."),
            ("A field of 3 m² and 20% of it", "A field of 3 square meters and 20 percent of it."),
            ("It costs $5.50 or $6.", "It costs 5 dollars 50 or 6 dollars."),
            ("It cost $5 million, then 12 €.", "It cost 5 million dollars, then 12 euros."),
            ("About 5–10 km in 1914–1918.", "About 5 to 10 kilometers in 1914 to 1918."),
            ("1 km is 1,000 m.", "1 kilometer is 1,000 meters."),
            ("See 2024-05-01 at 12:30.", "See 2024-05-01 at 12:30."),
            ("Water boils at 100°C (212 °F).", "Water boils at 100 degrees Celsius (212 degrees Fahrenheit)."),
            ("Rule #1: be kind.", "Rule number 1: be kind."),
        ],
    );
}

#[test]
fn code_and_abbreviations_are_read_aloud() {
    check(
        "en",
        &[
            ("C# and C++ run on .NET.", "C sharp and C plus plus run on dot NET."),
            ("Use my_list and append() here.", "Use my list and append here."),
            ("Test whether a >= 0 && b != 2.", "Test whether a is at least 0 and b does not equal 2."),
            ("Fruits, e.g. apples, i.e. food, etc.", "Fruits, for example apples, that is food, and so on."),
            ("Dr. Smith said no.", "Doctor Smith said no."),
            ("See no. 5 & no. 6.", "See number 5 and number 6."),
            ("Read https://www.example.org/a?b=c for more", "Read example.org for more."),
            ("CO₂ rises → it gets warmer", "CO2 rises, it gets warmer."),
            ("He and/or she", "He and, or she."),
        ],
    );
}

#[test]
fn what_no_listener_could_follow_is_not_spoken() {
    let voice = Voice::of("en");
    for written in [
        r"Here $\sum_{i=1}^{n} i$ stands.",
        r"$\frac{\frac{a}{b}}{c}$",
        r"$a+b+c+d+e+f+g+h+i+j+k+l = 12$",
        "Write print(\"Hi\", 5) now.",
        "int main() { return 0; }",
        r"Use \begin{matrix} here",
        "***",
        "",
    ] {
        assert_eq!(voice.say(written), None, "{written}");
    }
}

#[test]
fn every_language_is_read_in_its_own_words() {
    check(
        "de",
        &[
            (r"$x=-\frac{b}{2a}$", "x ist gleich minus b durch 2 a."),
            ("Das sind 5 km/h bei 20 °C.", "Das sind 5 Kilometer pro Stunde bei 20 Grad Celsius."),
            ("Am 3. Oktober 1990, im 19. Jahrhundert", "Am dritten Oktober 1990, im neunzehnten Jahrhundert."),
            ("Der 2. Versuch, z. B. mit 3.5 g Salz", "Der zweite Versuch, zum Beispiel mit 3,5 Gramm Salz."),
            ("Das kostet 5,50 € bzw. 12 €.", "Das kostet 5 Euro 50 beziehungsweise 12 Euro."),
            ("Wenn a > 0 ist, d. h. positiv", "Wenn a ist größer als 0 ist, das heißt positiv."),
            ("Etwa 5–10 m² usw.", "Etwa 5 bis 10 Quadratmeter und so weiter."),
        ],
    );
    check(
        "es",
        &[
            (r"$a^2 + b^2 = c^2$", "a al cuadrado más b al cuadrado es igual a c al cuadrado."),
            ("Cuesta 5,50 € y mide 3 m, p. ej. aquí", "Cuesta 5 euros con 50 y mide 3 metros, por ejemplo aquí."),
            ("El 20 % de EE. UU.", "El 20 por ciento de Estados Unidos."),
        ],
    );
    check(
        "fr",
        &[
            (r"$\sqrt{x} \geq 2$", "racine carrée de x est supérieur ou égal à 2."),
            ("Il y a 60 000 habitants et 1,5 km.", "Il y a 60000 habitants et 1,5 kilomètre."),
            ("M. Dupont paie 3 €, p. ex. ici", "Monsieur Dupont paie 3 euros, par exemple ici."),
        ],
    );
    check(
        "it",
        &[
            ("A 30 km/h costa 2,50 €.", "A 30 chilometri all'ora costa 2 euro e 50."),
            ("Mele, pere ecc.", "Mele, pere eccetera."),
        ],
    );
    check(
        "pt",
        &[("São 3 m² ou 10 %.", "São 3 metros quadrados ou 10 por cento."), ("Custa R$ 5,50.", "Custa 5 reais e 50.")],
    );
    check(
        "nl",
        &[
            ("Dat is 5 km/h, d.w.z. snel.", "Dat is 5 kilometer per uur, dat wil zeggen snel."),
            ("x < 3", "x is kleiner dan 3."),
        ],
    );
    check(
        "pl",
        &[
            ("To 2,5 km, np. tutaj, w 966 r.", "To 2,5 kilometra, na przykład tutaj, w 966 roku."),
            ("22 m", "22 metry."),
        ],
    );
    check(
        "ru",
        &[
            ("Это 21 км/ч, т. е. быстро.", "Это 21 километр в час, то есть быстро."),
            ("В 1492 г. было 3 °C.", "В 1492 году было 3 градуса Цельсия."),
        ],
    );
    check("uk", &[("Це 5 кг, напр. тут.", "Це 5 кілограмів, наприклад тут."), ("$x > 1$", "x більше за 1.")]);
    check(
        "tr",
        &[
            ("Suyun %30 kadarı, 3. adım", "Suyun yüzde 30 kadarı, üçüncü adım."),
            ("5 km, örn. burada", "5 kilometre, örneğin burada."),
        ],
    );
    check(
        "ar",
        &[("المسافة 5 km والحرارة 20 °C", "المسافة 5 كيلومترات والحرارة 20 درجة مئوية."), ("x = 5", "x يساوي 5.")],
    );
    check("hi", &[("गति 5 km/h है", "गति 5 किलोमीटर प्रति घंटा है।"), ("x + 2 = 5", "x धन 2 बराबर 5.")]);
    check(
        "zh",
        &[
            ("水在100°C沸腾。", "水在100摄氏度沸腾。"),
            ("当a > 0时，约20%。", "当a大于0时，约百分之20。"),
            ("光合作用", "光合作用。"),
        ],
    );
    check(
        "ja",
        &[
            ("水は100℃で沸騰する。", "水は100度で沸騰する。"),
            ("速さは5km/hです。", "速さは5キロメートル毎時です。"),
            (r"$x^2$", "xの2乗。"),
        ],
    );
    check(
        "ko",
        &[
            ("물은 100°C에서 끓는다.", "물은 섭씨 100도에서 끓는다."),
            ("속력은 5 km/h이다.", "속력은 5킬로미터 매 시이다."),
        ],
    );
    check("sv", &[("Det är 5 km/h, t.ex. här.", "Det är 5 kilometer i timmen, till exempel här.")]);
    check("fa", &[("x = 5", "x مساوی 5.")]);
    check("he", &[("x = 5", "x שווה 5.")]);
    check("ur", &[("x = 5", "x برابر 5.")]);
}

#[test]
fn formulas_are_shown_as_plain_text() {
    for (latex, shown) in [
        (r"x=-\frac{b}{2a}", "x = −b/(2a)"),
        (r"a^2 + b^2 = c^2", "a² + b² = c²"),
        (r"\frac{1}{2}", "1/2"),
        (r"x_1 = \sqrt{2}", "x₁ = √2"),
        (r"x = \frac{-b \pm \sqrt{b^2-4ac}}{2a}", "x = (−b ± √(b² − 4ac))/(2a)"),
        (r"v = 5 \text{ km/h}", "v = 5 km/h"),
        (r"10^{-3}", "10⁻³"),
        (r"\pi r^2", "πr²"),
    ] {
        assert_eq!(plain(latex).as_deref(), Some(shown), "{latex}");
    }
    assert_eq!(plain(r"\sum_{i=1}^{n} i"), None);
    assert_eq!(formulas(r"If $a=1$ and \(b=2\), it costs $5 and $6."), ["a=1", "b=2"]);
}

#[test]
fn long_texts_are_cut_within_the_limit() {
    let voice = Voice::of("en");
    let parts = voice.split(&"word ".repeat(400), 40.0);
    assert!(parts.len() > 2 && parts.iter().all(|part| voice.seconds(part) <= 41.0));
    let voice = Voice::of("zh");
    assert!(voice.split(&"水".repeat(900), 40.0).iter().all(|part| voice.seconds(part) <= 41.0));
}

#[test]
fn durations_have_a_floor_and_one_decimal() {
    let voice = Voice::of("en");
    assert_eq!(voice.duration("Hi."), 3.0);
    let long = voice.duration(&"word ".repeat(26));
    assert!(long > 5.0 && (long * 10.0 - (long * 10.0).round()).abs() < 1e-9);
}

#[test]
fn sentences_that_point_at_what_only_readers_see_are_told() {
    assert!(Voice::of("en").points("As the figure shows, it grows.") && !Voice::of("en").points("It grows."));
    assert!(Voice::of("de").points("Die folgende Tabelle zeigt es."));
    assert!(Voice::of("zh").points("如图所示，它在生长。"));
}
