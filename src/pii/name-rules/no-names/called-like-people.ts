/** Firms, brands, works, bands, teams and programs whose names look like those of people: by their names, and by what stands around. */

import { CLASS_LETTER, charClass } from '../../model/characters.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { coversAll } from '../../patterns/matches-of.js';
import { WordSigns } from '../../patterns/word-signs.js';
import { firstWords, haveListed, isSmallAt, mayBeListed, wordsBehind, wordsOf } from '../words-beside.js';
import { isIntroduced } from './introduced.js';

/** Firms and brands that are called like people, or like a place. */
const COMPANIES = new Set(
  (
    'Baker Hughes|Levi Strauss|Ferrari|Porsche|Peugeot|Citroën|Renault|Bugatti|Maserati|Lancia|Tesla|Chevrolet|Chrysler|Cadillac|Buick|Opel|Audi|Skoda|Škoda|Dacia|Lexus|Bentley|Jaguar|Volvo|Saab|Ducati|Vespa|Burger King|Taco Bell|Dairy Queen|Papa John|Papa Johns|Jimmy Johns|Morgan Stanley|JPMorgan Chase|JP Morgan|J.P. Morgan|Goldman Sachs|Wells Fargo|Charles Schwab|' +
    'Merrill Lynch|Harley Davidson|Harley-Davidson|Ralph Lauren|Calvin Klein|Louis Vuitton|Mercedes Benz|Mercedes-Benz|Rolls Royce|Rolls-Royce|Hewlett Packard|Hewlett-Packard|' +
    'Dodd-Frank|Sarbanes-Oxley|Glass-Steagall|Taft-Hartley|Gramm-Leach-Bliley|Hatch-Waxman|Philip Morris|Eli Lilly|Warner Bros|Edward Jones|Raymond James|Thomson Reuters|Booz Allen|Booz Allen Hamilton|Baker McKenzie|Estée Lauder|Christian Dior|Hugo Boss|' +
    'Mary Kay|John Deere|Eddie Bauer|Tommy Hilfiger|Jack Daniels|Jack Daniel|Fannie Mae|Freddie Mac|Sallie Mae|Bear Stearns|Dow Jones|Albert Heijn|Standard Chartered|' +
    'Credit Suisse|Deutsche Bank|Lehman Brothers|Julius Baer|Julius Bär|Pictet|Lombard Odier|Edmond de Rothschild|Mizuho|Santander|Arthur Andersen|Norton Rose|' +
    'Norton Rose Fulbright|Clifford Chance|Allen Overy|Slaughter and May|Herbert Smith Freehills|Hogan Lovells|Kirkland Ellis|Latham Watkins|White Case|Jones Day|Dentons|' +
    'Skadden Arps|Davis Polk|Sidley Austin|Mayer Brown|Morrison Foerster|Morgan Lewis|Ropes Gray|Freshfields|Freshfields Bruckhaus Deringer|Linklaters|Ashurst|Eversheds|' +
    'Eversheds Sutherland|Pinsent Masons|Simmons Simmons|Bird Bird|Grant Thornton|Baker Tilly|Moss Adams|Crowe Horwath|Roland Berger|Oliver Wyman|Arthur Little|' +
    'Russell Reynolds|Spencer Stuart|Egon Zehnder|Korn Ferry|Michael Page|Robert Half|Robert Walters|Willis Towers Watson|Marsh McLennan|Arthur Gallagher|Giorgio Armani|' +
    'Emporio Armani|Salvatore Ferragamo|Roberto Cavalli|Ermenegildo Zegna|Miu Miu|Jimmy Choo|Manolo Blahnik|Christian Louboutin|Yves Saint Laurent|Saint Laurent|Yves Rocher|' +
    'Jean Paul Gaultier|Pierre Cardin|Guy Laroche|Nina Ricci|Paco Rabanne|Karl Lagerfeld|Jil Sander|Tom Tailor|Marc Jacobs|Michael Kors|Kate Spade|Tory Burch|Vera Wang|' +
    'Donna Karan|Oscar de la Renta|Carolina Herrera|Alexander McQueen|Stella McCartney|Vivienne Westwood|Ted Baker|Laura Ashley|Fred Perry|Samantha Thavasa|Issey Miyake|' +
    'Yohji Yamamoto|Dr. Martens|Doc Martens|Steve Madden|Kenneth Cole|Nine West|Cole Haan|Johnston Murphy|Helly Hansen|Jack Wolfskin|Helena Rubinstein|Elizabeth Arden|' +
    'Bobbi Brown|Charlotte Tilbury|Max Mara|Max Factor|Zadig Voltaire|Adolfo Dominguez|Adolfo Domínguez|Pedro del Hierro|Bimba y Lola|Massimo Dutti|Philipp Plein|Philip Lim|' +
    'Jo Malone|Patek Philippe|Audemars Piguet|Vacheron Constantin|Maurice Lacroix|Raymond Weil|Daniel Wellington|Harry Winston|John Lewis|Marks Spencer|Fortnum Mason|' +
    'Harvey Nichols|Robert Dyas|Charles Tyrwhitt|Thomas Pink|Clinton Cards|Paddy Power|William Hill|Ladbrokes|Wetherspoons|Wagamama|Carluccio|Betty Crocker|Aunt Jemima|' +
    'Uncle Ben|Uncle Bens|Sara Lee|Famous Amos|Johnnie Walker|Jim Beam|Jose Cuervo|José Cuervo|Captain Morgan|Laurent-Perrier|Laurent Perrier|Dom Pérignon|Dom Perignon|' +
    'Veuve Clicquot|Moët|Rémy Martin|Remy Martin|Paulaner|Tim Hortons|Tim Horton|Wendys|Carl Jr|Jack Link|Orville Redenbacher|Oscar Mayer|Jimmy Dean|Trader Joe|Trader Joes|' +
    'Sherwin Williams|Sherwin-Williams|Benjamin Moore|Bosendorfer|Alfa Romeo|Aston Martin|Lamborghini|Harman Kardon|Bowers Wilkins|Dolby|Massey Ferguson|Briggs Stratton|' +
    'Smith Wesson|Otto Bock|Fritz Hansen|Ligne Roset|Le Creuset|Villeroy|Ethan Allen|Charles River|Thermo Fisher|Becton Dickinson|Boehringer Ingelheim|Johnson Matthey|Bayer|' +
    'Carl Zeiss|Robert Bosch|Rohde Schwarz|Ernst Klett|Axel Springer|Gruner Jahr|Hubert Burda|Kraft Heinz|Campbell Soup|Archer Daniels Midland|Lockheed Martin|Northrop Grumman|' +
    'Leo Burnett|Wolff Olins|Young Rubicam|Sotheby|Berlitz|Madame Tussauds|Rand McNally|Simon Schuster|Harper Collins|Houghton Mifflin|Franklin Covey|Franklin Templeton|' +
    'Brown Brothers Harriman|Lidl|Aldi|Edeka|Rossmann|Müller Drogerie|Leroy Merlin|Ferrero|Barilla|Lavazza|Melitta|Dallmayr|Jacobs Kaffee|Dr. Oetker|Kühne|Haribo|Vorwerk|Miele|' +
    'Bristol Myers Squibb|Bristol-Myers Squibb|Johnson Controls|Virginia Mason|Delaware North|Oxford Nanopore|Cambridge Analytica|Berkshire Hathaway|Merck|Pfizer|Novartis|Novo Nordisk|Marsh McLennan|Lazard|Kimberly-Clark|Kimberly Clark|Parker Hannifin|Ingersoll Rand|Rockwell Automation|Alfa Laval|Orlen|Żabka|Biedronka|Adidas|Puma|Nike'
  ).split('|'),
);
/** Firms and bands of two names: each of them is found by itself. */
const BOTH =
  "Johnson (?:&|and) Johnson|(?:Ernst|Young) (?:&|and) (?:Young|Rubicam)|Smith (?:&|and) Wesson|Marks (?:&|and) Spencers?|Ben (?:&|and) (?:Jerry|Jerrys|Jerry['’]s)|Procter (?:&|and) Gamble|Black (?:&|and) Decker|Dolce (?:&|and) Gabbana|Abercrombie (?:&|and) Fitch|Barnes (?:&|and) Noble|Simon (?:&|and) Schuster|Pratt (?:&|and) Whitney|Briggs (?:&|and) Stratton|Bang (?:&|and) Olufsen|Fortnum (?:&|and) Mason|Sullivan (?:&|and) Cromwell|Baker (?:&|and) McKenzie|Holland (?:&|and) Barrett|Harper (?:&|and) Row|Bowers (?:&|and) Wilkins|Crosse (?:&|and) Blackwell|Tate (?:&|and) Lyle|Crabtree (?:&|and) Evelyn|Dun (?:&|and) Bradstreet|Allen (?:&|and) Overy|Slaughter (?:&|and) May|Kirkland (?:&|and) Ellis|White (?:&|and) Case|Arnold (?:&|and) Porter|Rohde (?:&|and) Schwarz|Villeroy (?:&|and) Boch|Heckler (?:&|and) Koch|Peek (?:&|and) Cloppenburg|Hengeler Mueller|Gruner \\+ Jahr|Alice in Chains|Belle (?:&|and) Sebastian|Simon (?:&|and) Garfunkel|Hall (?:&|and) Oates|Florence (?:\\+|&|and) the Machine|Sam (?:&|and) Dave|Tegan (?:&|and) Sara|Angus (?:&|and) Julia Stone|Mumford (?:&|and) Sons|Earth,? Wind (?:&|and) Fire|Thelma (?:&|and) Louise|Romeo (?:&|and|et|y|und) (?:Julie|Juliet|Juliette|Julieta|Julietta)|Bonnie (?:&|and) Clyde|Hansel (?:&|and) Gretel|Hänsel und Gretel|Tristan (?:&|and|und) (?:Isold|Isolde)|Jekyll (?:&|and) Hyde|Tom (?:&|and) Jerry|Lilo (?:&|and) Stitch|Wallace (?:&|and) Gromit|Bill (?:&|and) Ted|Ike (?:&|and) Tina";
const TWO_NAMES = lean(`(?:${BOTH})(?!\\p{L})`, 'giu');
const TWO_NAMES_UNITS = 28;
/** One of them has a word of these patterns. */
const ofTwoNames = new WordSigns();
ofTwoNames.add(TWO_NAMES.source.match(lean(/\p{L}{3,}/gu))!.join('|'));

/** Works and characters that are called so: somebody only where nothing speaks of works. */
const WORKS = new Set(
  (
    'Erin Brockovich|Forrest Gump|Annie Hall|Hedda Gabler|Uncle Vanya|Vanya|Evita|Tosca|Rigoletto|Fidelio|Elektra|Otello|Falstaff|Parsifal|Lohengrin|Rusalka|Jenufa|' +
    'Peter Grimes|Billy Budd|Don Giovanni|Don Pasquale|Don Quixote|Don Quijote|Eugene Onegin|Boris Godunov|Hamlet|Macbeth|Othello|King Lear|Cymbeline|Coriolanus|' +
    'Titus Andronicus|Timon|Antigone|Medea|Oedipus|Phaedra|Andromache|Lysistrata|Tartuffe|Egmont|Wilhelm Tell|William Tell|Nathan der Weise|Minna von Barnhelm|Emilia Galotti|' +
    'Woyzeck|Peer Gynt|Miss Julie|Cyrano de Bergerac|Yerma|Pygmalion|Gypsy|Mame|Jersey Boys|Billy Elliot|Sweeney Todd|Mary Poppins|Peter Pan|Dear Evan Hansen|Beetlejuice|' +
    'Jane Eyre|Anna Karenina|Madame Bovary|Oliver Twist|David Copperfield|Nicholas Nickleby|Barnaby Rudge|Martin Chuzzlewit|Little Dorrit|Silas Marner|Adam Bede|Daniel Deronda|' +
    'Tom Jones|Tristram Shandy|Robinson Crusoe|Moll Flanders|Huckleberry Finn|Tom Sawyer|Dorian Gray|Lord Jim|Effi Briest|Mrs Dalloway|Mrs. Dalloway|Dalloway|Zorba|Siddhartha|' +
    'Ivanhoe|Rob Roy|Dracula|Frankenstein|Sherlock|Sherlock Holmes|Harry Potter|Percy Jackson|Bridget Jones|Eleanor Oliphant|Olive Kitteridge|John Wick|Jerry Maguire|' +
    'Donnie Darko|Donnie Brasco|Amélie|Napoleon Dynamite|Ferris Bueller|Edward Scissorhands|Barry Lyndon|Michael Clayton|Larry Crowne|Jason Bourne|James Bond|Indiana Jones|' +
    'Rocky Balboa|Dirty Harry|Jack Reacher|Lara Croft|Max Payne|Mad Max|Ace Ventura|Austin Powers|Happy Gilmore|Billy Madison|Bruce Almighty|Evan Almighty|Uncle Buck|' +
    'Barton Fink|Ed Wood|Good Will Hunting|Finding Forrester|Frances Ha|Lady Bird|Marty Supreme|Philomena|Sophie Scholl|Toni Erdmann|Lola rennt|Vera Drake|Veronica Mars|' +
    'Ally McBeal|Frasier|Seinfeld|Ted Lasso|Bojack Horseman|Jessica Jones|Luke Cage|Daredevil|Peaky Blinders|Emily in Paris|Ugly Betty|Hannah Montana|Lizzie McGuire|Peppa Pig|' +
    'Bob the Builder|Thomas the Tank Engine|Mr Bean|Mr. Bean|Mulan|Pocahontas|Moana|Coraline|Super Mario|Mario Kart|Mario Party|Zelda|Tony Hawk|Duke Nukem|Alan Wake|' +
    'Elizabeth Bennet|Emma Woodhouse|Heathcliff|Atticus Finch|Scout Finch|Holden Caulfield|Jay Gatsby|Nick Carraway|Daisy Buchanan|Tess Durbeyfield|Miss Havisham|Ebenezer Scrooge|Sydney Carton|Becky Sharp|Dorothea Brooke|Anne Elliot|Fanny Price|Lady Macbeth|Ophelia|Desdemona|Iago|Mercutio|Gregor Samsa|Hans Castorp|Winston Smith|Bilbo Baggins|Frodo Baggins|Gandalf|Katniss Everdeen|Hermione Granger|Ron Weasley|Severus Snape|Albus Dumbledore|Jon Snow|Sansa Stark|Lisbeth Salander|Hercule Poirot|Miss Marple|Philip Marlowe|Sam Spade|Captain Ahab|Hester Prynne|Huck Finn|Willy Loman|Blanche DuBois|' +
    'Emma Bovary|Bovary|Julien Sorel|Jean Valjean|Eugène de Rastignac|Thérèse Raquin|Ana Ozores|Don Juan Tenorio|Fortunata|Bernarda Alba|Renzo Tramaglino|Lucia Mondella|Zeno Cosini|Mattia Pascal|Capitu|Brás Cubas|Bentinho|Faust|Gretchen|Werther|Max Havelaar|Pan Tadeusz|Stanisław Wokulski|Raskolnikov|Pierre Bezukhov|Natasha Rostova|' +
    'Leon Kennedy|Donkey Kong|Alex Kidd|Sam Fisher|Nathan Drake|Crash Bandicoot|Carmen Sandiego'
  ).split('|'),
);
/** Bands that are called like somebody. */
const BANDS = new Set(
  (
    'Franz Ferdinand|Jethro Tull|Alice Cooper|Lynyrd Skynyrd|Pink Floyd|Steely Dan|Uriah Heep|Molly Hatchet|Marilyn Manson|Van Halen|Bon Jovi|Fleetwood Mac|Kaiser Chiefs|' +
    'Arctic Monkeys|Manfred Mann|Barclay James Harvest|Iron Maiden|Judas Priest|Alice in Chains|Father John Misty|Bonnie Prince Billy|King Krule|Jamiroquai|Skunk Anansie|' +
    'Lady Antebellum|Matchbox Twenty|Ben Folds Five|Dave Matthews Band|Steve Miller Band|Spencer Davis Group|Edison Lighthouse|Kajagoogoo|Duran Duran|Daisy Chainsaw|' +
    'Cocteau Twins|Saint Etienne|Black Sabbath|Max Webster|Ram Jam|Cinderella|Chumbawamba|Rilo Kiley|Camera Obscura|James Gang|Bastille|Portishead|Harvey Danger|Marillion|Thin Lizzy|Jimmy Eat World|Blondie|Milli Vanilli|Cypress Hill|Tally Hall|Wolf Alice|Glass Animals|Royal Blood|Joy Division|' +
    'Mercury Rev|Silbermond|Rammstein|Rosenstolz|Jarabe de Palo|Estopa|Louise Attaque|Dire Straits|Jesus Jones|Violent Femmes|Sister Hazel|Veruca Salt|Wilson Phillips|Mother Mother|Roxy Music|Procol Harum|Pearl Jam|Rosetta Stone|Blind Melon|Led Zeppelin|Deep Purple|Def Leppard|Subway to Sally'
  ).split('|'),
);
/** Bands that nobody is called like, whatever stands around. */
const ONLY_BANDS = new Set(
  'pink floyd|steely dan|lynyrd skynyrd|fleetwood mac|iron maiden|judas priest|black sabbath|led zeppelin|deep purple|def leppard|duran duran|uriah heep|kaiser chiefs|arctic monkeys|alice in chains|procol harum|thin lizzy|pearl jam|joy division|cocteau twins|milli vanilli'.split(
    '|',
  ),
);
/** `Dan` of `Steely Dan`. */
const ENDS_OF_BANDS = new Set(
  [...ONLY_BANDS].flatMap((name) => {
    const end = name.slice(name.lastIndexOf(' ') + 1);
    return [end, end[0]!.toUpperCase() + end.slice(1)];
  }),
);
/** What each such list has before it. */
const SOME_BANDS = ['ands ', 'ands:', 'roup', 'rup', 'espo'];
/** `bands like Steely Dan, Ned's Atomic Dustbin`: the items of a list of bands. */
const LIST_OF_BANDS = lean(
  /(?<!\p{L})(?:[Bb]ands|[Bb]oybands|[Rr]ock groups?|[Gg]roupes?|[Gg]rupos?|[Gg]ruppi|[Zz]espoły) (?:(?:like|such as|called|named|comme|wie|como|come|jak|zoals) |: ?)(?:[\p{Lu}\d][^.;:!?\n]{0,80}(?:, | (?:and|or|und|oder|et|ou|y|o|e|en|i) ))?$/u,
);
/** Football and other teams of which the model knows a place, or somebody, instead. */
const TEAMS = new Set(
  (
    'Ajax|Arsenal|Aston Villa|Celtic|Rangers|Hearts|Hibernian|Hibs|Partick Thistle|Queen of the South|St Johnstone|St. Johnstone|St Mirren|St. Mirren|Raith Rovers|Crystal Palace|Nottingham Forest|Juventus|Juve|Fiorentina|Sampdoria|Atalanta|Feyenoord|Benfica|Anderlecht|Galatasaray|Fenerbahçe|Beşiktaş|' +
    'Boca Juniors|River Plate|Flamengo|Fluminense|Corinthians|Palmeiras|Schalke|Eintracht|Werder|Hoffenheim|Besiktas|Leyton Orient|Port Vale|Tranmere|Wolves|Spurs|Tottenham Hotspur|Schalke 04|Legia|Barça|Betis|Osasuna|Espanyol|Atlético|Al-Nassr|Al-Hilal|Inter Miami|Paris Saint-Germain|Inter Milan'
  ).split('|'),
);
/** What teams of North America are called behind their town. */
const NICKNAME =
  'Spurs|Bulls|Celtics|Mavericks|Nuggets|Packers|Steelers|Raptors|Lakers|Clippers|Knicks|Nets|Jazz|Yankees|Mets|Dodgers|Padres|Astros|Mariners|Orioles|Phillies|Braves|Cubs|Patriots|Cowboys|Seahawks|Broncos|Dolphins|Ravens|Bengals|Buccaneers|Falcons|Panthers|Timberwolves|Grizzlies|Pelicans|Cavaliers|Pistons|Pacers|Bucks|Hornets|Warriors|Canucks|Oilers|Bruins|Sabres|Penguins|Blackhawks|Roosters|Springboks';
/** `Jazz` behind `Utah`. */
const NICKNAME_BEHIND = new RegExp(`^ (?:${NICKNAME})(?![a-z])`);
const HAS_NICKNAME = wordsBehind.add(NICKNAME);
/** What only clubs are called: `Stenhousemuir Rovers`. */
const CLUBS = `Villa|Thistle|Wanderers|Rovers|Hotspur|Albion|Athletic|Argyle|Alexandra|Academical|Rangers|Celtic|Dynamo|Dinamo|Lokomotiv|Spartak|${NICKNAME}`;
const CLUB = lean(`^(?:\\p{Lu}[\\p{L}'’.-]+ ){1,2}(?:${CLUBS})$`, 'u');
const ENDS_OF_CLUBS = new Set(CLUBS.split('|'));
haveListed(COMPANIES, WORKS, BANDS, ONLY_BANDS, ENDS_OF_BANDS, TEAMS);
const IN_A_PLACE = lean(/(?<!\p{L})(?:in|from|near|to|nach|aus|en|à|a|w|do|van|te|em|de) $/u);
const MUSIC = lean(
  /(?<!\p{L})(?:band|bands|gigs?|concerts?|tours?|touring|albums?|vinyl|songs?|festival|listen\p{Ll}*|support from|support act|headlin\p{Ll}+|set ?list|setlist|playlist|playlists|on stage|guitarist|drummer|records?|tickets|Konzert|Album|disco|canción|canciones|chanson|concierto|koncert|zespół|band)(?!\p{L})/iu,
);
const OF_WORKS = lean(
  /(?<!\p{L})(?:watch\p{Ll}*|rewatch\p{Ll}*|binge\p{Ll}*|stream\p{Ll}*|films?|movies?|cinema|sequel|trilogy|novels?|books?|cast|sequels?|remake|re-?read(?:ing)?|reading|stage|staging|theatre|theater|opera|ballet|musicals?|season|episodes?|matinee|premiere\p{Ll}*|performance of|play by|plays|tragedy|Netflix|HBO|DVD|Blu-?ray|Roku|audiobook|games?|gaming|playing|console|Nintendo|Switch|PlayStation|Xbox|Oper|Theater|Roman|Kino|Film|Buch|Aufführung|película|novela|teatro|ópera|film|romanzo|roman|pièce|opéra|cinéma|filme|livro|boek|toneel|powieść|sztuka|kino)(?!\p{L})/iu,
);
/** What pupils and students write of them. */
const OF_ESSAYS = lean(
  /(?<!\p{L})(?:essays?|narrators?|narrates?|protagonists?|heroines?|hero|heroes|villains?|plot|chapters?|themes?|symbolism|opening (?:of|lines?|scene|chapter|paragraph)|ending of|literary|literature|author of|characters?|motifs?|foreshadowing|feminist|gothic|in \d{2,4} words|compare|summari[sz]e|Aufsatz|Erörterung|Hauptfigur|Erzähler|Kapitel|Inhaltsangabe|Interpretation|Handlung|Lektüre|Zusammenfassung|résum\p{Ll}+|dissertation|narrateur|héroïne|personnages?|chapitre|ensayo|resum\p{Ll}+|narrador|protagonista|personajes?|capítulo|tema|riassun\p{Ll}+|saggio|personagg\p{Ll}+|capitolo|redação|personagens?|personages?|hoofdstuk|samenvatting|opstel|hoofdpersoon|rozprawk\p{Ll}+|bohater\p{Ll}*|streszcz\p{Ll}+|lektur\p{Ll}+|rozdział)(?!\p{L})/iu,
);
const AROUND_UNITS = 80;
const SURE_OF_PLACE = 0.7;
/** Nobody is called so. */
const GAME =
  /^(?:(?:super )?mario (?:kart|party|bros|odyssey|maker)|super mario|peppa pig|donkey kong|crash bandicoot|duke nukem|sonic the hedgehog|lara croft|carmen sandiego|hello kitty|winnie the pooh|mickey mouse|donald duck|bugs bunny|santa claus|father christmas)$/iu;
const HAS_GAME = firstWords.add(wordsOf(GAME));
/** Languages, stores and tools of programs, where the words around speak of programs. */
const PROGRAMS = new Set(
  'Ada|Cassandra|Chef|Clojure|Consul|Crystal|Dart|Delphi|Elm|Hugo|Hudson|Jekyll|Jenkins|Julia|Luigi|Maven|Mercurial|Nix|Pascal|Perl|Phoenix|Prefect|Puppet|Ray|Ruby|Salt|Scala|Selenium|Sinatra|Solr|Spark|Sphinx|Thor|Travis|Vault|Athena|Aurora|Hudi|Iris|Hera|Juno|Lisp|Lua|Marlin|Apollo|Gatsby|Ember|Mercury|Neo4j|Nessie|Sonar|Zod'.split(
    '|',
  ),
);
const OF_PROGRAMS = lean(
  /(?<!\p{L})(?:repo(?:sitory)?|access to|parsers?|programming|languages?|libs?|Haskell|Rust|Perl|Kotlin|Golang|C\+\+|Lisp|typescript|javascript|scripts?|notebooks?|librar(?:y|ies)|packages?|APIs?|clusters?|deploy\p{Ll}*|servers?|database|queries|query|source code|codebase|compile\p{Ll}*|compiler|frameworks?|pipelines?|builds?|CI|Jenkins|Airflow|Travis CI|Tekton|Drone|containers?|modules?|backend|frontend|gem|gems|syntax|migrations?|Django|Rails|Python|Java|Kafka|Postgres|Redis|Docker|Kubernetes|GitHub|SDK|linters?|clauses?|lambda|skills|exporters?|(?:re)?install\p{Ll}*|tests? (?:are|is|fail\p{Ll}*|pass\p{Ll}*)|specs?|sidecars?|pods?|readiness|endpoints?)(?!\p{L})/iu,
);
/** Programs that people speak to. */
const ASSISTANTS = new Set('alexa siri cortana bixby claude Alexa Siri Cortana Bixby Claude'.split(' '));
haveListed(PROGRAMS, ASSISTANTS);
const BESIDE_ASSISTANT = lean(
  /(?<!\p{L})(?:alexa|siri|cortana|bixby|google|gemini|copilot|chat ?gpt|claude|echo|homepod|smart speaker|assistant|amazon|apple|anthropic|prompts?|tokens|LLMs?|models?|chatbot|adaptive)(?!\p{L})|"role"|'s thinking/iu,
);

/** Without accents. */
const plain = (name: string) => name.normalize('NFD').replace(/\p{M}/gu, '');
/** The same names in small letters, as people write them in chats, also without accents. */
const lower = (names: ReadonlySet<string>) =>
  new Set([...names].flatMap((name) => [name.toLowerCase(), plain(name.toLowerCase())]));
const PROGRAMS_IN_SMALL = lower(PROGRAMS);
const COMPANIES_IN_SMALL = lower(COMPANIES);
const WORKS_IN_SMALL = lower(WORKS);
const BANDS_IN_SMALL = lower(BANDS);

function isIn(found: string, names: ReadonlySet<string>, inSmall: ReadonlySet<string>): boolean {
  return (
    names.has(found) ||
    (charClass[found.charCodeAt(0)] === CLASS_LETTER && inSmall.has(found) && found.includes(' '))
  );
}

function hasNicknameBehind(text: string, end: number): boolean {
  return text[end] === ' ' && (wordsBehind.at(text, end + 1) & HAS_NICKNAME) !== 0;
}

/** Whether it is a band, or the last word of one. */
function isBand(text: string, start: number, found: string): boolean {
  if (!ENDS_OF_BANDS.has(found.slice(found.lastIndexOf(' ') + 1))) return false;
  const before = found.includes(' ') ? '' : /\p{L}+ $/u.exec(text.slice(Math.max(0, start - 12), start))?.[0];
  return ONLY_BANDS.has(`${before ?? ''}${found}`.toLowerCase());
}

/** `john` of `john wick`. */
function isBegun(text: string, start: number, end: number): boolean {
  if (text[end] !== ' ' || !isSmallAt(text, start)) return false;
  const word = /^ \p{Ll}+/u.exec(text.slice(end, end + 16))?.[0];
  return word !== undefined && isIn(text.slice(start, end) + word, WORKS, WORKS_IN_SMALL);
}

/** A firm that is called like somebody, or one of the two names of a firm. */
export function isCompany(text: string, { start, end }: NameSpan): boolean {
  const mayBe = mayBeListed(text, start) || text[start - 1] === '-';
  if (mayBe && isIn(wholeWord(text, start, end), COMPANIES, COMPANIES_IN_SMALL))
    return !isIntroduced(text, start);
  if (ofTwoNames.in(text, start, end) === 0) return false;
  const from = Math.max(0, start - TWO_NAMES_UNITS);
  const around = text.slice(from, end + TWO_NAMES_UNITS);
  return coversAll(around, TWO_NAMES, start - from, end - from);
}

/** With what a hyphen joins to it: `Harley` of `Harley-Davidson`. */
function wholeWord(text: string, start: number, end: number): string {
  if (text[start - 1] !== '-' && text[end] !== '-') return text.slice(start, end);
  const before = /[\p{L}\p{M}]+-$/u.exec(text.slice(Math.max(0, start - 24), start))?.[0].length ?? 0;
  const after = /^-[\p{L}\p{M}]+/u.exec(text.slice(end, end + 24))?.[0].length ?? 0;
  return text.slice(start - before, end + after);
}

/** Whether it stands in a list of bands. */
function isListedBand(text: string, start: number): boolean {
  const before = text.slice(Math.max(0, start - AROUND_UNITS - 24), start);
  return SOME_BANDS.some((sign) => before.includes(sign)) && LIST_OF_BANDS.test(before);
}

/** Whether a person or a place that the model found is a team, or a work, a band or a program that its surroundings speak of. */
export function isCalledLike(text: string, { type, start, end, score }: NameSpan): boolean {
  const found = text.slice(start, end);
  if (type === 'NRP') return false;
  const mayBe = mayBeListed(text, start);
  if (mayBe && type === 'LOCATION' && COMPANIES.has(found) && (score < SURE_OF_PLACE || found.includes(' ')))
    return true;
  if (mayBe && TEAMS.has(found) && !IN_A_PLACE.test(text.slice(Math.max(0, start - 6), start))) return true;
  const blank = found.lastIndexOf(' ');
  if (blank > 0 && ENDS_OF_CLUBS.has(found.slice(blank + 1)) && CLUB.test(found)) return true;
  if (type === 'LOCATION' && hasNicknameBehind(text, end) && NICKNAME_BEHIND.test(text.slice(end, end + 16)))
    return true;
  const around = () =>
    `${text.slice(Math.max(0, start - AROUND_UNITS), start)} ${text.slice(end, end + AROUND_UNITS)}`;
  if (type !== 'PERSON') return mayBe && PROGRAMS.has(found) && OF_PROGRAMS.test(around());
  if (blank > 0 && (firstWords.at(text, start) & HAS_GAME) !== 0 && GAME.test(found)) return true;
  if (!mayBe) return isListedBand(text, start);
  if (PROGRAMS.has(found) || PROGRAMS_IN_SMALL.has(found)) return OF_PROGRAMS.test(around());
  if (ASSISTANTS.has(found)) return BESIDE_ASSISTANT.test(around());
  if (isBand(text, start, found)) return true;
  if (isIn(found, BANDS, BANDS_IN_SMALL)) return MUSIC.test(around());
  if (isListedBand(text, start)) return true;
  const isWork = isIn(found, WORKS, WORKS_IN_SMALL) || isBegun(text, start, end);
  return isWork && (OF_WORKS.test(around()) || OF_ESSAYS.test(around()));
}
