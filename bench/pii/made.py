"""Texts with telephone numbers and social security numbers that Faker makes, as JSON lines: text, language, source, spans.

Orders have nobody's data: whatever is found there besides dates is wrong.

usage: made.py SEED COUNT. The detector was not made with these numbers: the frames are those that people and programs
put numbers in, and Faker knows how numbers of each country are written.
"""
import json
import random
import sys

from faker import Faker

LOCALES = {
    'en_US': 'en', 'en_GB': 'en', 'en_AU': 'en', 'en_IN': 'en', 'de_DE': 'de', 'de_AT': 'de', 'fr_FR': 'fr', 'es_ES': 'es',
    'es_MX': 'es', 'it_IT': 'it', 'nl_NL': 'nl', 'pl_PL': 'pl', 'pt_PT': 'pt', 'pt_BR': 'pt', 'sv_SE': 'sv', 'da_DK': 'da',
}
PHONE_HEADS = {
    'en': ['phone', 'mobile', 'phone_number', 'home_phone', 'tel', 'contact_number'],
    'de': ['telefon', 'handy', 'telefonnummer', 'mobil'],
    'fr': ['telephone', 'tel', 'portable'],
    'es': ['telefono', 'movil', 'celular'],
    'it': ['telefono', 'cellulare'],
    'nl': ['telefoon', 'mobiel'],
    'pl': ['telefon', 'nr_telefonu'],
    'pt': ['telefone', 'telemovel', 'celular'],
    'sv': ['telefon', 'mobil'],
    'da': ['telefon', 'mobil'],
}
SSN_FRAMES = [
    'My SSN is {}.', 'ssn: {}', 'Please update my social security number to {} before Friday.', '{} is the SSN on file.',
    "What's the status of the claim for {}?", 'SSN {}, born in 1981, lives alone.', 'Employee {} has asked for a W-2.',
    'Her social is {} and she wants a copy.', 'Social Security No. {}', '"ssn": "{}"',
]
SSN_HEADS = ['ssn', 'social_security_number', 'SSN', 'tax_ssn']


ORDER_FRAMES = {
    'en': ('Order confirmation', 'Order no.', 'Item', 'Qty', 'Total', 'Tracking number', 'Customer no.', 'Delivery by', 'SKU', 'Your cart has shipped.'),
    'de': ('Bestellbestätigung', 'Bestellnummer', 'Artikel', 'Menge', 'Summe', 'Sendungsnummer', 'Kundennummer', 'Lieferung bis', 'Art.-Nr.', 'Ihre Ware ist unterwegs.'),
    'fr': ('Confirmation de commande', 'Commande n°', 'Article', 'Qté', 'Total', 'Numéro de suivi', 'N° client', 'Livraison avant le', 'Réf.', 'Votre colis est en route.'),
    'es': ('Confirmación de pedido', 'Pedido n.º', 'Artículo', 'Cant.', 'Total', 'Número de seguimiento', 'N.º de cliente', 'Entrega antes del', 'Ref.', 'Su pedido ha salido.'),
    'it': ("Conferma d'ordine", 'Ordine n.', 'Articolo', 'Qtà', 'Totale', 'Numero di spedizione', 'N. cliente', 'Consegna entro il', 'Cod.', 'Il pacco è in viaggio.'),
    'nl': ('Orderbevestiging', 'Bestelnummer', 'Artikel', 'Aantal', 'Totaal', 'Track & trace', 'Klantnummer', 'Bezorging voor', 'Art.nr.', 'Uw pakket is onderweg.'),
    'pl': ('Potwierdzenie zamówienia', 'Nr zamówienia', 'Towar', 'Ilość', 'Razem', 'Nr przesyłki', 'Nr klienta', 'Dostawa do', 'Kod', 'Paczka jest w drodze.'),
    'pt': ('Confirmação da encomenda', 'Encomenda n.º', 'Artigo', 'Qtd.', 'Total', 'Número de envio', 'N.º de cliente', 'Entrega até', 'Ref.', 'A encomenda está a caminho.'),
}
GOODS = {
    'en': 'desk lamp|steel bolts M8|garden hose 20 m|printer paper A4|wool blanket|USB-C cable|paint roller|oak shelf|water filter',
    'de': 'Schreibtischlampe|Stahlschrauben M8|Gartenschlauch 20 m|Druckerpapier A4|Wolldecke|USB-C-Kabel|Farbroller|Wasserfilter',
    'fr': 'lampe de bureau|boulons en acier M8|tuyau de jardin 20 m|papier A4|couverture en laine|câble USB-C|rouleau à peinture',
    'es': 'lámpara de mesa|tornillos de acero M8|manguera 20 m|papel A4|manta de lana|cable USB-C|rodillo de pintura',
    'it': 'lampada da tavolo|bulloni in acciaio M8|tubo da giardino 20 m|carta A4|coperta di lana|cavo USB-C|rullo per pittura',
    'nl': 'bureaulamp|stalen bouten M8|tuinslang 20 m|printpapier A4|wollen deken|USB-C-kabel|verfroller|waterfilter',
    'pl': 'lampka biurkowa|śruby stalowe M8|wąż ogrodowy 20 m|papier A4|koc wełniany|kabel USB-C|wałek malarski|filtr do wody',
    'pt': 'candeeiro de mesa|parafusos de aço M8|mangueira 20 m|papel A4|manta de lã|cabo USB-C|rolo de pintura',
}


class Text:
    def __init__(self):
        self.text, self.spans = '', []

    def add(self, piece, kind=None):
        if kind is not None:
            self.spans.append({'start': len(self.text), 'end': len(self.text) + len(piece), 'entity_type': kind})
        self.text += piece
        return self


def csv(heads, rows, kind, sign):
    made = Text().add(sign.join(heads) + '\n')
    for row in rows:
        for at, (head, value) in enumerate(zip(heads, row)):
            quoted = sign in value
            made.add(sign if at else '').add('"' if quoted else '').add(value, kind if head == heads[-2] else None).add('"' if quoted else '')
        made.add('\n')
    return made


def sql(heads, rows, kind):
    made = Text().add(f'INSERT INTO customers ({", ".join(heads)}) VALUES\n')
    for last, row in enumerate(rows, 1):
        made.add('(')
        for at, (head, value) in enumerate(zip(heads, row)):
            made.add(', ' if at else '').add("'").add(value.replace("'", "''"), kind if head == heads[-2] else None).add("'")
        made.add(');\n' if last == len(rows) else '),\n')
    return made


def order(language, fake):
    title, number, item, quantity, total, tracking, customer, until, code, end = ORDER_FRAMES[language]
    lines = [title, f'{number} {fake.numerify(random.choice(["#########", "###-#######-#######", "A-########", "##########"]))}']
    lines.append(f'{customer} {fake.numerify(random.choice(["######", "##########", "K-#######"]))}')
    lines.append(f'{code:16}{item:28}{quantity:>6}{total:>12}')
    for _ in range(random.randint(2, 6)):
        sku = random.choice([fake.ean13(), fake.bothify('??-####-##').upper(), fake.numerify('########')])
        goods = random.choice(GOODS[language].split('|'))
        lines.append(f'{sku:16}{goods:28}{random.randint(1, 40):>6}{random.uniform(2, 900):>12.2f}')
    lines.append(f'{total}: {random.uniform(20, 9000):.2f} EUR')
    lines.append(f'{tracking}: {fake.bothify(random.choice(["1Z######################", "JD##################", "############", "??#########??"])).upper()}')
    lines.append(f'{until} {fake.date_this_year()}. {end}')
    return Text().add('\n'.join(lines))


def table(kind, head, values, fake):
    heads = ['id', 'name', head, 'created']
    rows = [[str(fake.random_int(1, 9999)), fake.name(), value, str(fake.date_this_decade())] for value in values]
    return heads, rows


def main(seed, count):
    random.seed(seed)
    Faker.seed(seed)
    fakes = {locale: Faker(locale) for locale in LOCALES}
    out = []
    for locale, language in LOCALES.items():
        fake = fakes[locale]
        for _ in range(count):
            values = [fake.phone_number() for _ in range(4)]
            heads, rows = table('PHONE_NUMBER', random.choice(PHONE_HEADS[language]), values, fake)
            out.append(('phones, CSV', language, csv(heads, rows, 'PHONE_NUMBER', random.choice(',;\t|'))))
            out.append(('phones, SQL', language, sql(heads, rows, 'PHONE_NUMBER')))
    fake = fakes['en_US']
    for _ in range(8 * count):
        before, behind = random.choice(SSN_FRAMES).split('{}')
        out.append(('SSN, text', 'en', Text().add(before).add(fake.ssn(), 'US_SSN').add(behind)))
        heads, rows = table('US_SSN', random.choice(SSN_HEADS), [random.choice([fake.ssn(), fake.ssn().replace('-', '')]) for _ in range(4)], fake)
        out.append(('SSN, CSV', 'en', csv(heads, rows, 'US_SSN', random.choice(',;\t|'))))
        out.append(('SSN, SQL', 'en', sql(heads, rows, 'US_SSN')))
    for language in ORDER_FRAMES:
        out.extend(('orders', language, order(language, fake)) for _ in range(2 * count))
    for source, language, made in out:
        print(json.dumps({'source': f'{source}', 'language': language, 'text': made.text, 'spans': made.spans}))


main(int(sys.argv[1]), int(sys.argv[2]))
