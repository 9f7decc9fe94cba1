//! The units by symbol, name and currency, with their size in base units and their dimension.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Length, mass, time, current, temperature, amount, luminous intensity, angle, information.
pub(super) type Dimension = [i8; 9];
pub(super) const NONE: Dimension = [0; 9];
pub(super) const LENGTH: Dimension = [1, 0, 0, 0, 0, 0, 0, 0, 0];
pub(super) const AREA: Dimension = [2, 0, 0, 0, 0, 0, 0, 0, 0];
pub(super) const VOLUME: Dimension = [3, 0, 0, 0, 0, 0, 0, 0, 0];
pub(super) const MASS: Dimension = [0, 1, 0, 0, 0, 0, 0, 0, 0];
pub(super) const TIME: Dimension = [0, 0, 1, 0, 0, 0, 0, 0, 0];
pub(super) const CURRENT: Dimension = [0, 0, 0, 1, 0, 0, 0, 0, 0];
pub(super) const TEMPERATURE: Dimension = [0, 0, 0, 0, 1, 0, 0, 0, 0];
pub(super) const AMOUNT: Dimension = [0, 0, 0, 0, 0, 1, 0, 0, 0];
pub(super) const LIGHT: Dimension = [0, 0, 0, 0, 0, 0, 1, 0, 0];
pub(super) const ANGLE: Dimension = [0, 0, 0, 0, 0, 0, 0, 1, 0];
pub(super) const BITS: Dimension = [0, 0, 0, 0, 0, 0, 0, 0, 1];
pub(super) const SPEED: Dimension = [1, 0, -1, 0, 0, 0, 0, 0, 0];
pub(super) const FORCE: Dimension = [1, 1, -2, 0, 0, 0, 0, 0, 0];
pub(super) const PRESSURE: Dimension = [-1, 1, -2, 0, 0, 0, 0, 0, 0];
pub(super) const ENERGY: Dimension = [2, 1, -2, 0, 0, 0, 0, 0, 0];
pub(super) const POWER: Dimension = [2, 1, -3, 0, 0, 0, 0, 0, 0];
pub(super) const FREQUENCY: Dimension = [0, 0, -1, 0, 0, 0, 0, 0, 0];
pub(super) const CHARGE: Dimension = [0, 0, 1, 1, 0, 0, 0, 0, 0];
pub(super) const VOLTAGE: Dimension = [2, 1, -3, -1, 0, 0, 0, 0, 0];
pub(super) const RESISTANCE: Dimension = [2, 1, -3, -2, 0, 0, 0, 0, 0];
pub(super) const CAPACITY: Dimension = [-2, -1, 4, 2, 0, 0, 0, 0, 0];
pub(super) const FIELD: Dimension = [0, 1, -2, -1, 0, 0, 0, 0, 0];
pub(super) const FLUX: Dimension = [2, 1, -2, -1, 0, 0, 0, 0, 0];
pub(super) const INDUCTANCE: Dimension = [2, 1, -2, -2, 0, 0, 0, 0, 0];

pub(super) const MINUTE: f64 = 60.0;
pub(super) const HOUR: f64 = 3_600.0;
pub(super) const DAY: f64 = 86_400.0;
pub(super) const DEGREE: f64 = std::f64::consts::PI / 180.0;
pub(super) const POUND: f64 = 0.453_592_37;

/// Symbols that take SI prefixes; their case matters.
pub(super) const PREFIXED: [(&str, f64, Dimension); 26] = [
    ("m", 1.0, LENGTH),
    ("g", 1e-3, MASS),
    ("s", 1.0, TIME),
    ("A", 1.0, CURRENT),
    ("K", 1.0, TEMPERATURE),
    ("mol", 1.0, AMOUNT),
    ("cd", 1.0, LIGHT),
    ("lm", 1.0, LIGHT),
    ("rad", 1.0, ANGLE),
    ("Hz", 1.0, FREQUENCY),
    ("Bq", 1.0, FREQUENCY),
    ("N", 1.0, FORCE),
    ("Pa", 1.0, PRESSURE),
    ("bar", 1e5, PRESSURE),
    ("J", 1.0, ENERGY),
    ("cal", 4.184, ENERGY),
    ("eV", 1.602_176_634e-19, ENERGY),
    ("Wh", HOUR, ENERGY),
    ("W", 1.0, POWER),
    ("C", 1.0, CHARGE),
    ("V", 1.0, VOLTAGE),
    ("Ω", 1.0, RESISTANCE),
    ("F", 1.0, CAPACITY),
    ("T", 1.0, FIELD),
    ("l", 1e-3, VOLUME),
    ("L", 1e-3, VOLUME),
];

pub(super) const PREFIXES: [(&str, f64); 18] = [
    ("Y", 1e24),
    ("Z", 1e21),
    ("E", 1e18),
    ("P", 1e15),
    ("T", 1e12),
    ("G", 1e9),
    ("M", 1e6),
    ("k", 1e3),
    ("h", 1e2),
    ("da", 1e1),
    ("d", 1e-1),
    ("c", 1e-2),
    ("m", 1e-3),
    ("μ", 1e-6),
    ("u", 1e-6),
    ("n", 1e-9),
    ("p", 1e-12),
    ("f", 1e-15),
];

/// Symbols without prefixes; their case matters.
const SYMBOL_LIST: [(&str, f64, Dimension); 46] = [
    ("min", MINUTE, TIME),
    ("h", HOUR, TIME),
    ("hr", HOUR, TIME),
    ("hrs", HOUR, TIME),
    ("d", DAY, TIME),
    ("sec", 1.0, TIME),
    ("secs", 1.0, TIME),
    ("mins", MINUTE, TIME),
    ("wk", 7.0 * DAY, TIME),
    ("yr", 365.25 * DAY, TIME),
    ("t", 1e3, MASS),
    ("u", 1.660_539_066_60e-27, MASS),
    ("lb", POUND, MASS),
    ("lbs", POUND, MASS),
    ("oz", 0.028_349_523_125, MASS),
    ("in", 0.0254, LENGTH),
    ("ft", 0.3048, LENGTH),
    ("yd", 0.9144, LENGTH),
    ("yds", 0.9144, LENGTH),
    ("mi", 1_609.344, LENGTH),
    ("nmi", 1_852.0, LENGTH),
    ("ly", 9.460_730_472_580_8e15, LENGTH),
    ("au", 1.495_978_707e11, LENGTH),
    ("AU", 1.495_978_707e11, LENGTH),
    ("Å", 1e-10, LENGTH),
    ("ha", 1e4, AREA),
    ("ac", 4_046.856_422_4, AREA),
    ("gal", 3.785_411_784e-3, VOLUME),
    ("cc", 1e-6, VOLUME),
    ("ccm", 1e-6, VOLUME),
    ("mph", 0.447_04, SPEED),
    ("kph", 1.0 / 3.6, SPEED),
    ("kmh", 1.0 / 3.6, SPEED),
    ("kt", 1_852.0 / HOUR, SPEED),
    ("atm", 101_325.0, PRESSURE),
    ("mmHg", 133.322_387_415, PRESSURE),
    ("psi", 6_894.757_293_168, PRESSURE),
    ("PS", 735.498_75, POWER),
    ("hp", 745.699_871_582, POWER),
    ("°", DEGREE, ANGLE),
    ("deg", DEGREE, ANGLE),
    ("Wb", 1.0, FLUX),
    ("H", 1.0, INDUCTANCE),
    ("rpm", 1.0 / 60.0, FREQUENCY),
    ("B", 8.0, BITS),
    ("b", 1.0, BITS),
];

/// Prefixes of names.
pub(super) const NAME_PREFIXES: [(&str, f64); 13] = [
    ("kilo", 1e3),
    ("chilo", 1e3),
    ("quilo", 1e3),
    ("centi", 1e-2),
    ("milli", 1e-3),
    ("mili", 1e-3),
    ("mega", 1e6),
    ("giga", 1e9),
    ("tera", 1e12),
    ("micro", 1e-6),
    ("nano", 1e-9),
    ("deci", 1e-1),
    ("hecto", 1e2),
];

/// Names in lower case, without marks on Latin letters: plurals where [`ENDINGS`](super::ENDINGS) don't form them.
const NAME_LISTS: [(&str, f64, Dimension); 51] = [
    (
        "meter metre metro metri metr metry metrow метр метра метров м 米 متر أمتار मीटर メートル 미터 เมตร ม",
        1.0,
        LENGTH,
    ),
    (
        "kms км километров километра километр 公里 千米 кілометр كم كيلومتر किलोमीटर किमी キロ キロメートル 킬로미터 กิโลเมตร กม chilometro chilometri quilometro kilometre",
        1e3,
        LENGTH,
    ),
    ("см 厘米 сантиметр сантиметрів سم سنتيمتر सेंटीमीटर सेमी センチ センチメートル 센티미터 เซนติเมตร ซม", 1e-2, LENGTH),
    ("мм миллиметр міліметр ملم मिलीमीटर 毫米 ミリ ミリメートル 밀리미터 มิลลิเมตร มม", 1e-3, LENGTH),
    ("inch inches", 0.0254, LENGTH),
    ("foot feet", 0.3048, LENGTH),
    ("yard", 0.9144, LENGTH),
    ("mile meile miglia miglio milla milha mijl миля миль", 1_609.344, LENGTH),
    (
        "gram gramm gramme gramo grama grammo grammi г грамм граммов 克 грам غرام جرام ग्राम グラム 그램 กรัม ก",
        1e-3,
        MASS,
    ),
    (
        "kilo kgs кг килограмм килограммов 千克 公斤 quilo chilo chili кілограм кіло кило كغ كيلوغرام كيلوجرام किलोग्राम किग्रा किलो キログラム 킬로그램 กิโลกรัม กก กิโล chilogrammo chilogrammi quilograma",
        1.0,
        MASS,
    ),
    ("pound", POUND, MASS),
    ("ounce", 0.028_349_523_125, MASS),
    ("tonne tonelada tonnellata tonnellate tona ton тонна тонн 吨 トン 톤 ตัน", 1e3, MASS),
    (
        "second sekunde seconde segundo secondi секунд 秒 с sekund sekunda secondo seg saniye seconden секунда сек ثانية ثوان सेकंड सेकेंड 초 วินาที",
        1.0,
        TIME,
    ),
    (
        "min minute minuto minuti минут 分钟 minut minuta minuut minuten dakika мин хв минута хвилин хвилина хвилини минуты دقيقة دقائق मिनट 分 分間 분 นาที",
        MINUTE,
        TIME,
    ),
    (
        "hour std godz stunde heure hora ora ore uur час часа часов ч 小时 uren godzina godzin godziny godzine saat година годин години годину ساعة ساعات घंटा घंटे 時間 시간 ชั่วโมง ชม",
        HOUR,
        TIME,
    ),
    (
        "day tag jour dia giorni giorno dag dagen dzien dni gun день дня дней днів дні يوم أيام दिन 天 日間 วัน",
        DAY,
        TIME,
    ),
    (
        "week woche semaine semana settimana settimane weken tydzien tygodnie tygodni hafta неделя недель недели тиждень тижнів тижні أسبوع सप्ताह 周 週間 주 สัปดาห์",
        7.0 * DAY,
        TIME,
    ),
    (
        "month monat mois mes meses mese mesi maand miesiac miesiecy miesiace месяц месяца месяцев місяць місяців شهر महीना महीने 个月 ヶ月 개월 เดือน",
        365.25 * DAY / 12.0,
        TIME,
    ),
    (
        "year jahr annee ans ano anos anno anni jaar lat rok lata yil год года лет рік років роки سنة سنوات वर्ष साल 年间 年間 ปี",
        365.25 * DAY,
        TIME,
    ),
    ("ampere amp", 1.0, CURRENT),
    ("kelvin", 1.0, TEMPERATURE),
    ("mole", 1.0, AMOUNT),
    ("candela", 1.0, LIGHT),
    ("radian", 1.0, ANGLE),
    (
        "degree grad degre grado gradi grau graus graad graden stopien stopnie stopni derece градус градусов градусів درجة डिग्री अंश 度 도 องศา",
        DEGREE,
        ANGLE,
    ),
    ("hertz", 1.0, FREQUENCY),
    ("newton", 1.0, FORCE),
    ("pascal", 1.0, PRESSURE),
    ("atmosphere", 101_325.0, PRESSURE),
    ("joule", 1.0, ENERGY),
    ("calorie", 4.184, ENERGY),
    ("watt", 1.0, POWER),
    ("horsepower", 745.699_871_582, POWER),
    ("coulomb", 1.0, CHARGE),
    ("volt", 1.0, VOLTAGE),
    ("ohm", 1.0, RESISTANCE),
    ("farad", 1.0, CAPACITY),
    ("tesla", 1.0, FIELD),
    ("liter litre litro litri литр литров л 升 litr лит літр لتر लीटर リットル 리터 ลิตร", 1e-3, VOLUME),
    ("gallon", 3.785_411_784e-3, VOLUME),
    ("hectare hektar ettaro ettari hectarea га гектар 公顷 ヘクタール 헥타르 เฮกตาร์", 1e4, AREA),
    ("acre", 4_046.856_422_4, AREA),
    ("knot", 1_852.0 / HOUR, SPEED),
    ("byte", 8.0, BITS),
    ("bit", 1.0, BITS),
    ("мл миллилитр мілілітр 毫升 ミリリットル 밀리리터 มิลลิลิตร มล", 1e-6, VOLUME),
    ("stundenkilometer", 1.0 / 3.6, SPEED),
    ("sqm qm mq metrekare ตรม", 1.0, AREA),
    ("sqft", 0.09290304, AREA),
    ("metrekup", 1.0, VOLUME),
];

/// The units by their names. Every word of a question is looked up, with each of its possible endings cut off.
static NAMES: LazyLock<HashMap<&'static str, (f64, Dimension)>> = LazyLock::new(|| {
    let mut names = HashMap::new();
    for (list, factor, dimension) in &NAME_LISTS {
        // A name in two lists is the unit of the first.
        list.split(' ').for_each(|name| {
            names.entry(name).or_insert((*factor, *dimension));
        });
    }
    names
});

/// [`SYMBOL_LIST`] by symbol.
static SYMBOLS: LazyLock<HashMap<&'static str, (f64, Dimension)>> =
    LazyLock::new(|| SYMBOL_LIST.iter().map(|(symbol, factor, dimension)| (*symbol, (*factor, *dimension))).collect());

/// [`SHARE_LISTS`] by name.
static SHARES: LazyLock<HashMap<String, f64>> = LazyLock::new(|| {
    let names = |(list, factor): &(&'static str, f64)| {
        let factor = *factor;
        list.split_ascii_whitespace().map(move |name| (name.replace('~', " "), factor))
    };
    SHARE_LISTS.iter().flat_map(names).collect()
});

/// [`CURRENCIES`] by sign and name.
static CURRENCY_NAMES: LazyLock<HashMap<&'static str, (&'static str, f64)>> =
    LazyLock::new(|| CURRENCIES.iter().map(|(name, code, factor)| (*name, (*code, *factor))).collect());

/// The size and the dimension of a unit by its symbol, which takes no prefix.
pub(super) fn symbol(name: &str) -> Option<(f64, Dimension)> {
    SYMBOLS.get(name).copied()
}

/// The size of a share of one by its name in lower case.
pub(super) fn share(name: &str) -> Option<f64> {
    SHARES.get(name).copied()
}

/// The code and the size of a currency by its sign or its name in lower case.
pub(super) fn currency(name: &str) -> Option<(&'static str, f64)> {
    CURRENCY_NAMES.get(name).copied()
}

/// The size and the dimension of a named unit.
pub(super) fn named(name: &str) -> Option<(f64, Dimension)> {
    NAMES.get(name).copied()
}

/// Words and signs for a degree, without the marks on Latin letters, the longest first.
pub(super) const DEGREES: [&str; 23] = [
    "degrees",
    "degree",
    "degré",
    "degrés",
    "градусов",
    "градусів",
    "градуса",
    "градус",
    "stopnie",
    "stopni",
    "graden",
    "derece",
    "grados",
    "graus",
    "gradi",
    "grad",
    "درجة",
    "डिग्री",
    "deg",
    "°",
    "度",
    "도",
    "องศา",
];

/// Shares of one, with their names.
const SHARE_LISTS: [(&str, f64); 2] = [
    (
        "% percent per~cent percentage pct prozent pourcent pour~cent por~ciento por~cento per~cento percento procent procenten procento \
            процентов процента процент відсотків відсотки відсоток بالمئة بالمائة प्रतिशत 百分比 パーセント 퍼센트 프로 yüzde เปอร์เซ็นต์ เปอร์เซนต์",
        1e-2,
    ),
    ("‰ promille permille", 1e-3),
];

pub(super) const CURRENCIES: [(&str, &str, f64); 47] = [
    ("＄", "USD", 1.0),
    ("$", "USD", 1.0),
    ("usd", "USD", 1.0),
    ("dollar", "USD", 1.0),
    ("dollars", "USD", 1.0),
    ("cent", "USD", 0.01),
    ("cents", "USD", 0.01),
    ("¢", "USD", 0.01),
    ("€", "EUR", 1.0),
    ("eur", "EUR", 1.0),
    ("euro", "EUR", 1.0),
    ("euros", "EUR", 1.0),
    ("£", "GBP", 1.0),
    ("gbp", "GBP", 1.0),
    ("pence", "GBP", 0.01),
    ("¥", "JPY", 1.0),
    ("jpy", "JPY", 1.0),
    ("yen", "JPY", 1.0),
    ("円", "JPY", 1.0),
    ("yuan", "CNY", 1.0),
    ("cny", "CNY", 1.0),
    ("rmb", "CNY", 1.0),
    ("元", "CNY", 1.0),
    ("₹", "INR", 1.0),
    ("inr", "INR", 1.0),
    ("rs", "INR", 1.0),
    ("rupees", "INR", 1.0),
    ("₽", "RUB", 1.0),
    ("руб", "RUB", 1.0),
    ("рублей", "RUB", 1.0),
    ("рубля", "RUB", 1.0),
    ("рубль", "RUB", 1.0),
    ("грн", "UAH", 1.0),
    ("гривень", "UAH", 1.0),
    ("₴", "UAH", 1.0),
    ("złotych", "PLN", 1.0),
    ("złote", "PLN", 1.0),
    ("lira", "TRY", 1.0),
    ("tl", "TRY", 1.0),
    ("₩", "KRW", 1.0),
    ("zł", "PLN", 1.0),
    ("₺", "TRY", 1.0),
    ("chf", "CHF", 1.0),
    ("฿", "THB", 1.0),
    ("thb", "THB", 1.0),
    ("บาท", "THB", 1.0),
    ("สตางค์", "THB", 0.01),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_symbol_share_or_currency_is_listed_twice() {
        let shares = SHARE_LISTS.iter().map(|(list, _)| list.split_ascii_whitespace().count()).sum::<usize>();
        assert_eq!((SYMBOLS.len(), CURRENCY_NAMES.len(), SHARES.len()), (SYMBOL_LIST.len(), CURRENCIES.len(), shares));
        assert_eq!((share("per cent"), symbol("min")), (Some(1e-2), Some((MINUTE, TIME))));
    }
}
