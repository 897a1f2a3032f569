"""Sentences made from the templates of this project, with names, places, addresses and things of many countries."""
import datetime
import os
import random
import re

from faker import Faker

import gazetteer

# Faker counts back from now where nobody says from when.
LAST_DATE = datetime.datetime(2026, 11, 21, 11, 20)
HERE = os.path.dirname(os.path.abspath(__file__))
"""What begins a template whose sentences stand in small letters, or in capitals."""
CASES = {"~": str.lower, "^": str.upper}
SLOT = re.compile(r"\{(\w+)\}")
TYPE_OF = {
    "person": "PERSON", "short": "PERSON", "first": "PERSON", "last": "PERSON", "city": "LOCATION", "country": "LOCATION",
    "address": "LOCATION", "street": "LOCATION", "zip": "LOCATION", "nrp": "NRP", "org": "OTHER", "product": "OTHER",
    "region": "LOCATION", "state": "LOCATION", "prov": "LOCATION", "uf": "LOCATION", "brstate": "LOCATION", "usstate": "LOCATION", "facility": "LOCATION", "placeorg": "OTHER", "event": "OTHER",
}
LOCALES = {
    "en": ["en_US", "en_GB", "en_IN", "en_AU", "en_CA", "en_IE", "en_NZ"],
    "es": ["es_ES", "es_MX", "es_AR", "es_CO", "es_CL"],
    "de": ["de_DE", "de_AT", "de_CH"],
    "fr": ["fr_FR", "fr_CH", "fr_BE", "fr_CA"],
    "it": ["it_IT"],
    "pt": ["pt_PT", "pt_BR"],
    "nl": ["nl_NL", "nl_BE"],
    "pl": ["pl_PL"],
    "sv": ["sv_SE"],
    "da": ["da_DK"],
}
"""The share of names of peoples that Faker hardly knows."""
FAR_NAMES = 0.12
FOREIGN = ["pl_PL", "nl_NL", "tr_TR", "pt_BR", "sv_SE", "ro_RO", "cs_CZ", "fi_FI", "hu_HU", "hr_HR", "no_NO", "da_DK",
           "sk_SK", "sl_SI", "pt_PT", "es_ES", "de_DE", "fr_FR", "it_IT", "vi_VN", "id_ID", "et_EE"]
TITLES = {"en": ["Mr.", "Mrs.", "Ms.", "Dr.", "Mr", "Miss", "Prof."], "es": ["Sr.", "Sra.", "señor", "señora", "Dr."],
          "de": ["Herr", "Frau", "Dr."], "fr": ["M.", "Mme", "monsieur", "madame"], "it": ["Sig.", "Sig.ra", "Dott."],
          "pt": ["Sr.", "Sra.", "Dona", "Dr."], "nl": ["meneer", "mevrouw", "dhr.", "mevr."], "pl": ["Pan", "Pani", "dr"],
          "sv": ["herr", "fru", "dr"], "da": ["hr.", "fru", "dr."]}
MONTHS = {"en": "January March May June August October", "es": "enero marzo mayo junio", "de": "Januar März Mai Juni",
          "fr": "janvier mars mai juin", "it": "gennaio marzo maggio giugno", "pt": "janeiro março maio junho", "nl": "januari maart mei juni",
          "pl": "stycznia marca maja czerwca", "sv": "januari mars maj juni", "da": "januar marts maj juni"}
COMPANY_WORDS = [
    "Corp", "Inc", "Ltd", "LLC", "GmbH", "S.A.", "Group", "Labs", "Systems", "Bank", "& Sons Ltd", "Partners", "Capital",
    "Investments", "Consulting", "Insurance", "Technologies", "Software", "Foundation", "Orchestra", "Solutions", "Media",
    "Research", "Holdings", "Logistics", "Pharma", "Energy", "Foods", "Motors", "Airlines", "Hotels", "Schools", "Records",
]
BEGINNINGS = "Health Data Cloud Loan School Legal Credit Solar Smart Open Bio Geo Web Green Blue Red Trip Job Home Car".split()
ENDINGS = "hub pocket market bridge point labs desk trend works tree stack score dragon list coach map source logic".split()
# Names with a place or a surname in them: what is itself a place, what is an organisation, what is an event.
FACILITIES = [
    f"{{last}} {word}" for word in
    "Park Bridge Hall Stadium Arena Airport Station Square Beach Island Lake Creek Valley Reservoir Mountain Museum Theatre "
    "Plaza Hotel Mall Castle Abbey Cathedral Tower Gardens Pier Forest Canyon Falls Zoo House Center Manor Field Bay".split()
] + [f"{word} {{last}}" for word in ["Lake", "Mount", "Fort", "Port", "Cape", "Camp", "County", "River", "Point", "Loch"]] + [
    "{city} Airport", "{city} International Airport", "{city} Station", "{city} Zoo", "{city} Castle", "{city} Cathedral",
    "{city}-on-Sea", "{city}-upon-{last}", "{city}-on-the-Hill", "{city}-le-{last}", "{city} Town Hall", "{city} Convention Center", "{city} Harbour", "{last} County", "North {city}", "South {city}",
    "East {city}", "West {city}", "downtown {city}", "{city} Opera House", "Port of {city}", "City of {city}",
]
PLACE_ORGANIZATIONS = [
    "University of {city}", "{city} University", "{city} State University", "{city} College", "{city} High School",
    "{city} General Hospital", "{city} Institute of Technology", "Communist Party of {country}", "Liberal Party of {country}",
    "{country} Labour Party", "Bank of {country}", "{city} City Council", "{city} Police Department", "{city} FC",
    "{city} Symphony Orchestra", "{city} Times", "{city} Herald", "{city} Chronicle", "{city} Post", "{city} United",
    "{city} Rovers", "{city} Bears", "{city} Eagles", "{city} Tigers", "Air {country}", "{country} Airlines", "Radio {country}",
    "Supreme Court of {country}", "House of Commons of {country}", "Royal Society of {country}", "Museum of {city}",
    "{city} Stock Exchange", "Diocese of {city}", "Army of {country}", "{city} Motors", "{city} Records", "First {city} Bank",
]
EVENTS = [
    "Battle of {city}", "Siege of {city}", "Treaty of {city}", "Second Battle of {city}", "Peace of {city}", "{city} Marathon",
    "{city} Film Festival", "{city} Jazz Festival", "{city} Fashion Week", "{city} Grand Prix", "{country} Open",
    "{year} {country} general election", "{year} {country} presidential election", "{city} Biennale", "{city} Book Fair",
]
"""The same in other languages."""
NAMED = {
    "it": {
        "facility": (
            "Castello di {city}|castello di {city}|Basilica di San {first}|basilica di San {first}|chiesa di Santa {first}|Golfo di {city}|"
            "golfo di {city}|Stretto di {city}|Canale di {city}|Penisola di {city}|Laguna di {city}|Valle di {last}|Val di {last}|"
            "Provincia di {city}|provincia di {city}|provincia di {city}|provincia di {city}|prefettura di {city}|Duomo di {city}|Palazzo {last}|"
            "Villa {last}|Piazza {last}|piazza {last}|piazza {city}|Via {last}|via {person}|viale {last}|Lago di {city}|Monte {last}|Parco {last}|"
            "Ponte {last}|Porta {last}|{city} in {region}|{city} di Sopra|{city} Terme|{city} Marittima|Castel {last}|San {first} di {city}|"
            "Santa {first} al {last}|Borgo San {first}|Isole {last}|isole {last}|oceano {last}|Italia {last}"
        ),
        "placeorg": (
            "Università di {city}|Università degli Studi di {city}|Politecnico di {city}|Comune di {city}|Tribunale di {city}|"
            "Procura di {city}|Procura della Repubblica di {city}|Questura di {city}|Banca Popolare di {city}|Banca di {region}|"
            "Cassa di Risparmio di {city}|Camera di Commercio di {city}|Corte d'Appello di {city}|Accademia di Belle Arti di {city}|"
            "Ordine degli Avvocati di {city}|Polizia Municipale di {city}|Radio {city}|Gazzetta di {city}|Corriere di {city}|{city} Calcio|"
            "Atletico {city}|Sporting {city}|Partito Comunista di {country}|Regione {region}|Consiglio regionale della {region}|Diocesi di {city}|"
            "Arcidiocesi di {city}|Azienda Ospedaliera di {city}|Banca Centrale di {country}|Orchestra di {city}|Museo Archeologico di {city}|"
            "Fondazione {last}|Istituto {last}|Gruppo {last}|Fratelli {last}"
        ),
        "event": (
            "Gran Premio di {city}|Gran Premio di {country}|Festival di {city}|Trattato di {city}|Battaglia di {city}|Giro di {region}|"
            "Coppa di {country}|Mostra del Cinema di {city}|Conferenza di {city}|Maratona di {city}|Fiera di {city}|Premio {last}|Trofeo {last}|"
            "Pace di {city}|Torneo di {city}"
        ),
    },
    "pt": {
        "facility": (
            "Castelo de {city}|Estádio {last}|Rua {last}|Rua {person}|rua {person}|Praça {last}|Praça {person}|Avenida {person}|avenida {last}|"
            "Serra de {last}|Serra do {last}|Praia de {last}|Ilha de {last}|Lagoa {last}|Rodovia {person}|Aeroporto de {city}|Vale do {last}|Bairro {last}|"
            "Palácio {last}|Parque {last}|Parque {city}|Ponte {last}|Vila {last}|Vila {city}|Porto {last}|{city} do Sul|{city} do Norte|Nova {city}|"
            "São {first} do {last}|Santo {first} de {city}|Santa {first} do {last}|Monte {last}|Largo {last}|Largo de {city}|Quinta do {last}|"
            "Teatro {last}|Museu de {city}|Mercado de {city}|Hospital de {city}|Catedral de {city}|Igreja de São {first}|Centro Cultural {last}|"
            "Casa {last}|Leste de {country}|Cabo de São {first}|Baía de {city}|Golfo de {city}"
        ),
        "placeorg": (
            "Universidade de {city}|Universidade Federal de {city}|Universidade Federal do {brstate}|Universidade do Estado de {brstate}|"
            "Tribunal de Justiça do {brstate}|Tribunal de Justiça do Estado de {brstate}|Tribunal Regional Eleitoral de {brstate}|"
            "Câmara Municipal de {city}|Câmara de {city}|Prefeitura de {city}|Prefeitura Municipal de {city}|Governo do Estado de {brstate}|"
            "Governo do {brstate}|Assembleia Legislativa de {brstate}|Conselho Regional de Medicina do {brstate}|Conselho Regional de Farmácia de {brstate}|"
            "Sindicato dos Médicos do {brstate}|Sindicato dos Bancários de {city}|Associação Comercial de {city}|Associação de Futebol de {city}|"
            "Federação das Indústrias do Estado de {brstate}|Federação de Ténis de {country}|Banco do {country}|Banco de {country}|Rádio {city}|"
            "Diário de {city}|Jornal de {city}|Folha de {city}|Polícia Militar de {brstate}|Polícia Civil do {brstate}|Ministério Público do {brstate}|"
            "Ministério Público do Estado de {brstate}|Defensoria Pública do {brstate}|Procuradoria-Geral do Estado de {brstate}|"
            "Secretaria de Saúde de {brstate}|Bombeiros Voluntários de {city}|Sporting de {city}|{city} Futebol Clube|Atlético de {city}|"
            "Partido Comunista de {country}|Faculdade de Direito de {city}|Arquidiocese de {city}|Orquestra de {city}|Instituto {last}|Fundação {last}|"
            "Escola Secundária de {city}|Estaleiros de {city}|Companhia de Gás de {brstate}"
        ),
        "event": (
            "Copa de {country}|Taça de {country}|Festival de {city}|Feira do Livro de {city}|Batalha de {city}|Tratado de {city}|Maratona de {city}|"
            "Grande Prémio de {city}|Volta a {country}|Conferência de {city}|Prémio {last}|Acordo de {city}|Rali de {city}|Carnaval de {city}"
        ),
    },
}
"""Surnames of two or three letters, most of which are words, too."""
SHORT_NAMES = "So Do Su Yu Ng Wu Li Ma Oh Ko He An Xu Lu Hu Ho Bo To Le Vu Ly Ong Tan Lim Lee Kim Ahn Bae Cho Day May Fox Gee Kay Ray Roy Orr Ash Cox Rix Sun Son Ito Oda Abe Mai".split()
STATES = ("AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR "
          "PA RI SC SD TN TX UT VT VA WA WV WI WY ON BC QC NSW VIC QLD").split()
"""Slots for words that are nobody, though people are called like them."""
THINGS = {"drink": "drinks", "drug": "medicines", "plant": "plants", "party": "parties"}
"""Streets of languages that are not learnt by themselves."""
WORLD_STREETS = (
    "Triq {}|Jalan {}|Jl. {}|Lorong {}|Đường {}|Phố {}|Soi {}|{} Marg|{} Nagar|{} utca|{} út|{} tér|{}katu|{}tie|{}gata|{}veien|"
    "{} Sokak|{} Caddesi|{} iela|{} gatvė|Rruga {}|Strada {}|Bulevardul {}|Calea {}|Trg {}|Ulice {}|Odos {}|Leoforos {}"
).split("|")
"""What Faker calls states: provinces of Italy, and states of Brazil."""
STATES_OF = {"prov": ("it_IT", "state_abbr"), "uf": ("pt_BR", "state_abbr"), "brstate": ("pt_BR", "state")}
FILLED = {"facility": FACILITIES, "placeorg": PLACE_ORGANIZATIONS, "event": EVENTS}
"""What is called by its first letters is a body, a programme or a thing, where it is no country."""
ACRONYM = re.compile(r"[A-Z]{2,5}")
SHORT_STREETS = {
    "en": ["{} St", "{} Rd", "{} Ave", "{} Ln", "{} Dr", "{} Blvd", "{} View", "{} Row", "{} Mews", "{} Close", "{} Wharf"],
    "es": ["C/ {}", "C/{}", "calle {}", "calle de {}", "plaza {}", "Avda. {}", "Av. de {}", "Pza. {}", "Pº de {}", "Rda. {}"],
    "de": ["{}str.", "{}weg", "{}gasse", "{}platz", "Am {}", "An der {}", "{}allee"],
    "fr": ["av. {}", "bd {}", "pl. {}", "rue {}", "imp. {}", "chemin de {}", "quai {}"],
    "it": ["via {}", "viale {}", "piazza {}", "P.zza {}", "C.so {}", "V.le {}", "Largo {}", "Vicolo {}"],
    "pt": ["Av. {}", "Rua {}", "rua {}", "Travessa {}", "Largo {}", "Praça {}"],
    "nl": ["{}straat", "{}laan", "{}gracht", "{}weg", "{}kade", "{}plein", "{}singel"],
    "pl": ["ul. {}", "ulica {}", "al. {}", "os. {}", "pl. {}"],
    "sv": ["{}gatan", "{}vägen", "{}torget", "{}gränd"],
    "da": ["{}gade", "{}vej", "{}alle", "{}stræde"],
}
SECONDARY = {"en": ["Apt. {}", "Suite {}", "Unit {}", "Flat {}", "Apt {}", "Floor {}", "#{}"],
             "es": ["piso {}", "{}º B", "{}º A", "puerta {}", "{}º Izq."], "de": ["Whg. {}", "Top {}"], "fr": ["appt {}", "bât. {}"],
             "it": ["int. {}", "scala {}"], "pt": ["apto {}", "{}º Esq."], "nl": ["bus {}", "{} hs"], "pl": ["m. {}", "lok. {}"],
             "sv": ["lgh {}"], "da": ["{}. tv.", "st. {}"]}


class Synthesis:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.fakers = {}
        self.first, self.last, self.common = gazetteer.people()
        self.own = gazetteer.own_people()
        found = gazetteer.cities()
        self.cities = sorted(found)
        self.large = sorted(name for name, population in found.items() if population > gazetteer.LARGE_CITY)
        self.countries = gazetteer.countries()
        self.regions = gazetteer.regions()
        self.us_states = gazetteer.us_states()
        self.nrp = gazetteer.nationalities()
        self.languages = gazetteer.languages()
        self.products = self.spelled(gazetteer.things("products"))
        self.things = {slot: gazetteer.things(name) for slot, name in THINGS.items()}
        self.known_places = {
            language: {*names, *self.regions.get(language, ())} for language, names in self.countries.items()
        }
        self.bodies = gazetteer.bodies()
        self.large_cities = set(self.large)
        """Places of several words, in all languages."""
        self.whole_places = {
            name for names in [found, gazetteer.small_towns(), *self.countries.values(), *self.regions.values()]
            for name in names if len(name.replace("'", " ").split()) > 1
        }
        self.home_towns = gazetteer.home_towns()
        self.last_names = set(self.last)
        self.common_names = set(self.common) | {
            name for language in LOCALES for locale in LOCALES[language] for name in gazetteer.faker_first_names(locale)
        }

    def is_first_name(self, word):
        return word in self.common_names and word not in self.large_cities

    def kind_of(self, language, name, town, other):
        """PERSON, LOCATION or OTHER (a body) where the lists leave no doubt, else `other`; `town` if it is a town."""
        if name in self.known_places[language]:
            return "LOCATION"
        if name in self.large_cities and name not in self.last_names:
            return town or other
        words = name.lower().split()
        is_somebody = name in self.last_names or name in self.common_names
        is_home = name in self.home_towns.get(language, ()) and words[0] not in self.bodies[language]
        if town == "LOCATION" and is_home and not is_somebody:
            return town
        if ACRONYM.fullmatch(name) or words[0] in self.bodies[language] or words[-1] in self.bodies[language]:
            return "OTHER"
        first, *more = name.split()
        is_named = first in self.common_names and 1 <= len(more) <= 2 and all(word[0].isupper() for word in more)
        return "PERSON" if is_named and more[-1] not in self.large_cities else other

    def spelled(self, words):
        special = {"postgresql": "PostgreSQL", "mysql": "MySQL", "github": "GitHub", "gitlab": "GitLab",
                   "mongodb": "MongoDB", "javascript": "JavaScript", "typescript": "TypeScript", "openai": "OpenAI",
                   "chatgpt": "ChatGPT", "sqlite": "SQLite", "graphql": "GraphQL", "wordpress": "WordPress"}
        return [special.get(w, w.upper() if len(w) <= 3 else w.capitalize()) for w in words]

    def faker(self, locale):
        if locale not in self.fakers:
            self.fakers[locale] = Faker(locale)
            self.fakers[locale].seed_instance(self.random.randrange(1 << 30))
        return self.fakers[locale]

    def locale(self, language, foreign):
        pick = self.random
        return pick.choice(FOREIGN) if pick.random() < foreign else pick.choice(LOCALES[language])

    def first_name(self, language):
        pick = self.random
        if pick.random() < FAR_NAMES:
            return pick.choice(self.own["FIRST"])
        if pick.random() < 0.6:
            return self.faker(self.locale(language, 0.4)).first_name()
        return pick.choice(self.common if pick.random() < 0.5 else self.first)

    def last_name(self, language):
        pick = self.random
        if pick.random() < FAR_NAMES:
            return pick.choice(self.own["LAST"])
        if pick.random() < 0.6:
            return self.faker(self.locale(language, 0.4)).last_name()
        return pick.choice(self.last)

    def person(self, language):
        pick = self.random
        kind = pick.random()
        if kind < 0.12:
            return self.first_name(language)
        if kind < 0.2:
            return self.last_name(language)
        if kind < 0.24:
            return f"{pick.choice(self.own['EAST-LAST'])} {pick.choice(self.own['EAST-FIRST'])}"
        first = self.first_name(language)
        if pick.random() < 0.12:
            first += f" {pick.choice('ABCDEFGHIJKLMNOPRSTVW')}" + pick.choice([".", ".", ""])
        elif pick.random() < 0.05:
            first += pick.choice(["-", " "]) + self.first_name(language)
        last = self.last_name(language)
        if language == "es" and pick.random() < 0.3:
            last += " " + self.last_name(language)
        elif pick.random() < 0.05:
            last = pick.choice(["van ", "de ", "von ", "di ", "O'", "Mc", "da "]) + last
        return f"{first} {last}"

    def city(self, language):
        pick = self.random
        kind = pick.random()
        if kind < 0.45:
            name = pick.choice(self.large)
        elif kind < 0.75:
            name = pick.choice(self.cities)
        else:
            name = self.faker(self.locale(language, 0.5)).city()
        return name.upper() if pick.random() < 0.06 else name

    def country(self, language):
        pick = self.random
        name = pick.choice(self.countries[language])
        return re.sub(r" \(.*\)", "", name)

    def street(self, language):
        faker = self.faker(self.locale(language, 0.45))
        kind = self.random.random()
        if kind < 0.05:
            return self.random.choice(WORLD_STREETS).format(self.last_name(language))
        if kind < 0.15 and language in SHORT_STREETS:
            return self.random.choice(SHORT_STREETS[language]).format(self.last_name(language))
        if kind < 0.8:
            return faker.street_name()
        return f"{self.last_name(language)} {faker.street_suffix()}" if hasattr(faker, "street_suffix") else faker.street_name()

    def address(self, language):
        pick = self.random
        kind = pick.random()
        local = self.faker(self.locale(language, 0.35))
        if kind < 0.25:
            text = local.address()
        elif kind < 0.35:
            text = local.street_address()
        elif kind < 0.4:
            text = f"P.O. Box {pick.randrange(10, 9999)}, {self.city(language)}"
        elif kind < 0.43:
            state = pick.choice(["AA", "AE", "AP"])
            text = pick.choice([
                f"PSC {pick.randrange(1, 9999)}, Box {pick.randrange(1, 9999)}\nAPO {state} {pick.randrange(10000, 99999)}",
                f"Unit {pick.randrange(1, 9999)} Box {pick.randrange(1, 9999)}\nDPO {state} {pick.randrange(10000, 99999)}",
                f"USS {self.last_name(language)}\nFPO {state} {pick.randrange(10000, 99999)}",
            ])
        elif kind < 0.47:
            number = f" {pick.randrange(1, 200)}" if pick.random() < 0.5 else ""
            other = self.first_name(language) if pick.random() < 0.4 else self.street(language)
            text = f"{pick.choice(['the corner of ', ''])}{other} and {self.street(language)}{number}"
        else:
            text = self.assembled_address(language)
        breaks = pick.random()
        if breaks < 0.25:
            text = re.sub(r"\s*\n\s*", ", ", text)
        elif breaks < 0.4:
            text = re.sub(r"\s*\n\s*", "\n" + " " * pick.randrange(1, 5), text)
        return text.strip()

    def assembled_address(self, language):
        """Street, number, flat, city, country and code in the many orders and separators that people use."""
        pick = self.random
        number = str(pick.randrange(1, 10 ** pick.choice([1, 2, 3, 4, 5])))
        street = self.street(language)
        number_first = language in ("en", "fr") if pick.random() < 0.8 else pick.random() < 0.5
        line = f"{number} {street}" if number_first else f"{street} {number}"
        if language == "en" and pick.random() < 0.12:
            return self.house_with_name(line)
        if pick.random() < 0.15:
            line = f"{pick.randrange(1, 99999)} {line}"
        parts = [line]
        if pick.random() < 0.4:
            flat = pick.choice(SECONDARY[language if pick.random() < 0.6 else "en"]).format(pick.randrange(1, 999))
            if pick.random() < 0.5:
                parts[0] = f"{line} {flat}"
            else:
                parts.append(flat)
        code = self.faker(self.locale(language, 0.5)).postcode()
        if pick.random() < 0.8:
            city = self.city(language)
            shape = pick.random()
            parts.append(city if shape < 0.4 else f"{city} {code}" if shape < 0.7 else f"{code} {city}")
            if pick.random() < 0.4:
                country = self.country(language)
                parts.append(country if pick.random() < 0.6 else f"{country} {pick.randrange(1000, 99999)}")
        separator = pick.choice([", ", ", ", ", ", "\n", "\n ", "\n ", "\n, ", " "])
        return separator.join(parts)

    def house_with_name(self, street):
        """A British address: its house has a name, and the code stands last."""
        pick = self.random
        house = f"{self.last_name('en')} {pick.choice(['Cottage', 'House', 'Farm', 'Lodge', 'Barn', 'Villa'])}"
        street = street if pick.random() < 0.5 else f"{self.last_name('en')} {pick.choice(['Lane', 'Road', 'Hill', 'Close', 'Green'])}"
        town = [self.city("en")] if pick.random() < 0.6 else [self.city("en"), self.city("en")]
        separator = pick.choice([", ", "\n", "\n"])
        return separator.join([f"{house}, {street}", *town, self.faker("en_GB").postcode()])

    def address_lines(self, language):
        """An address laid out as a record, each fact a span of its own: [(text, is it a place)]."""
        pick = self.random
        number = str(pick.randrange(1, 10 ** pick.choice([1, 2, 3, 4, 5])))
        street = self.street(language)
        if pick.random() < 0.7:
            street += f" {pick.randrange(1, 999)}"
        elif pick.random() < 0.3:
            street = f"{pick.randrange(1, 999)} {street}"
        flat = pick.choice(SECONDARY["en" if pick.random() < 0.7 else language]).format(pick.randrange(1, 999))
        code = self.faker(self.locale(language, 0.5)).postcode()
        indent = pick.choice(["\n", "\n", "\n ", "\n    ", "\n- "])
        line = [(number, True), (" ", False), (street, True)]
        second = [(pick.choice([indent, indent, " "]), False), (flat, True)] if pick.random() < 0.75 else []
        if pick.random() < 0.25 and second:
            line = [(flat, True), (" ", False)] + line
            second = []
        third = [(indent, False), (self.city(language), True)]
        region = pick.random()
        if region < 0.35:
            third += [(pick.choice([indent, " "]), False), (pick.choice(["NY", "ZH", "SK", "WLG", "MA", "TX", "QC"]), True)]
        if region > 0.25:
            third += [(indent, False), (self.country(language), True)]
        if pick.random() < 0.8:
            third += [(pick.choice([" ", " ", indent]), False), (code, True)]
        return line + second + third

    def word(self, language, slot):
        pick = self.random
        if slot in ("person", "city", "country", "address", "street"):
            return getattr(self, slot)(language)
        if slot in FILLED:
            own = NAMED.get(language, {}).get(slot)
            return self.filled(language, self.random.choice(FILLED[slot] if own is None else own.split("|")))
        if slot in STATES_OF:
            locale, kind = STATES_OF[slot]
            return getattr(self.faker(locale), kind)()
        if slot == "region":
            return pick.choice(self.regions.get(language, self.regions["any"]))
        if slot == "state":
            return pick.choice(STATES) if pick.random() < 0.6 else pick.choice(self.regions["any"])
        if slot == "usstate":
            return pick.choice(self.us_states)
        if slot == "first":
            return self.first_name(language)
        if slot == "last":
            return self.last_name(language)
        if slot == "nrp":
            word = pick.choice(self.nrp[language])
            return word[0].upper() + word[1:] if language != "en" and pick.random() < 0.2 else word
        if slot in THINGS:
            return self.random.choice(self.things[slot]).capitalize()
        if slot == "short":
            return pick.choice(SHORT_NAMES)
        if slot == "org":
            return self.organization(language)
        if slot == "product":
            return pick.choice(self.products)
        if slot == "zip":
            return self.faker(self.locale(language, 0.4)).postcode()
        if slot == "title":
            return pick.choice(TITLES[language])
        if slot == "language":
            return pick.choice(self.languages[language])
        if slot == "month":
            return pick.choice(MONTHS[language].split())
        return self.number_like(language, slot)

    def filled(self, language, pattern):
        """The words of a name that has other names in it."""
        return SLOT.sub(lambda slot: self.word(language, slot[1]), pattern)

    def organization(self, language):
        pick = self.random
        kind = pick.random()
        if kind < 0.45:
            return self.faker(self.locale(language, 0.3)).company()
        if kind < 0.65:
            name = pick.choice([self.last_name(language), self.last_name(language), self.made_up()])
            return f"{name} {pick.choice(COMPANY_WORDS)}"
        if kind < 0.72:
            return f"{self.last_name(language)}, {self.last_name(language)} and {self.last_name(language)} {pick.choice(COMPANY_WORDS)}"
        if kind < 0.85:
            return self.made_up()
        return pick.choice(self.products)

    def made_up(self):
        """Names such as young companies give themselves."""
        begin, end = self.random.choice(BEGINNINGS), self.random.choice(ENDINGS)
        return self.random.choice([begin + end, f"{begin} {end.capitalize()}", begin + end.capitalize()])

    def number_like(self, language, slot):
        pick = self.random
        faker = self.faker(self.locale(language, 0.1))
        if slot == "order":
            digits = pick.randrange(10 ** 4, 10 ** pick.randrange(5, 10))
            return pick.choice(["#", "PO", "INV-", "SO-", "PO-", "no. ", "TCK-", ""]) + str(digits)
        if slot == "code":
            letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
            shape = pick.choice(["LLNNNNNNNL", "LNNNNNNN", "LLNNNNNNN", "LNLNLLNLNL", "LLLLLNNNNL", "LLNNLLNNNN", "NNNNNNNNL",
                                 "NNNNNNNNNNN", "NNN NNN NNNN", "LLNN NNNN NNNN NNNN NN", "LLLLLLNNLNNLNNNL", "NNN-NN-NNNN"])
            return "".join(pick.choice(letters) if c == "L" else str(pick.randrange(10)) if c == "N" else c for c in shape)
        if slot == "number":
            return str(pick.randrange(1, 10 ** pick.randrange(1, 6)))
        if slot == "version":
            return f"{pick.choice(['v', ''])}{pick.randrange(20)}.{pick.randrange(40)}.{pick.randrange(100)}"
        if slot == "year":
            return str(pick.randrange(1940, 2027))
        if slot == "date":
            return pick.choice([faker.date(end_datetime=LAST_DATE), f"{pick.randrange(1, 29)}/{pick.randrange(1, 13)}/{pick.randrange(1940, 2027)}",
                                f"{pick.randrange(1, 29)} {pick.choice(MONTHS[language].split())} {pick.randrange(1940, 2027)}"])
        if slot == "email":
            return faker.email()
        if slot == "phone":
            return faker.phone_number()
        if slot == "job":
            return faker.job().lower()
        raise ValueError(f"unknown slot {slot}")

    def sentence(self, language, template):
        text, spans, at = "", [], 0
        for match in SLOT.finditer(template):
            text += template[at:match.start()]
            at = match.end()
            if match[1] == "lines":
                for piece, is_place in self.address_lines(language):
                    if is_place:
                        spans.append([len(text), len(text) + len(piece), "LOCATION"])
                    text += piece
                continue
            value = self.word(language, match[1])
            if match[1] in TYPE_OF:
                spans.append([len(text), len(text) + len(value), TYPE_OF[match[1]]])
            text += value
        return text + template[at:], spans

    def all(self, repeat):
        for language in gazetteer.LANGUAGES:
            lines = open(f"{HERE}/templates/{language}.txt", encoding="utf-8").read().splitlines()
            for template in lines:
                change = CASES.get(template[0], str)
                template = template.lstrip("~^").replace("\\n", "\n")
                slots = [m for m in SLOT.findall(template) if m in TYPE_OF or m == "lines"]
                times = max(2, round(repeat * min(1, 0.3 + 0.35 * len(slots))))
                for _ in range(times):
                    text, spans = self.sentence(language, template)
                    changed = change(text)
                    text = changed if len(changed) == len(text) else text
                    source = "templates" if change is str else "templates in one case"
                    yield language, text, spans, source
