/** What is called after somebody or a town: illnesses, dishes, drinks, tools, methods. By the name (`_` is a blank), and what stands around it. */

const ILLNESS =
  '(?:disease|syndrome|palsy|lymphoma|thyroiditis|phenomenon|chorea|dementia|sign|test|reflex|contracture|tremor|oesophagus|esophagus|ulcer|fracture|patients?|meds|medication|diagnosis|symptoms?)(?!\\p{L})';
/** Behind `'s`, where nothing of somebody's follows. */
const ALONE = `(?=$|[.,;:?!)\\n]| (?:and|or|in|with|since|is|was|runs|at|for|from|ruled out|stable|suspected|excluded|confirmed|controlled|flares?|flare-up|mild|severe|untreated)(?!\\p{L})| ${ILLNESS})`;
const MORBUS =
  "(?:Morbus|[Mm]aladie (?:de |d['’])|[Ss]yndrome (?:de |d['’])|[Ee]nfermedad de |[Mm]al de |[Ss]índrome de |[Mm]orbo di |[Ss]indrome di |[Dd]oença de |[Zz]iekte van |[Ss]yndroom van |[Cc]horob[aęy] |[Zz]espół )";
/** Stands before what one eats or orders. */
const ARTICLE = '(?:[Aa]|[Aa]n|[Oo]ne|[Tt]wo|another|of|some|my|with)';

export const NAMED_AFTER: readonly (readonly [words: string, around: string])[] = [
  [
    'parkinson crohn alzheimer hashimoto raynaud huntington tourette hodgkin sjögren sjogren ménière meniere bechterew barrett wilson',
    `~['’]s${ALONE}|~-(?:Syndrom|Krankheit|Patient)|${MORBUS}~`,
  ],
  [
    'bell addison cushing graves asperger lyme paget perthes marfan guillain-barré turner hodgkin gilbert lynch rett edwards still behçet behcet kawasaki dupuytren horner klinefelter korsakoff wernicke sever osgood munchausen stockholm charcot peyronie wegener bright',
    `~(?:['’]s)? ${ILLNESS}|${MORBUS}~|~['’]s (?:ruled out|stable|suspected|excluded|confirmed|controlled|flares?|flare-up|untreated)`,
  ],
  [
    'epstein-barr guillain-barré tay-sachs creutzfeldt-jakob ehlers-danlos charcot-marie-tooth prader-willi stevens-johnson wolff-parkinson-white henoch-schönlein osgood-schlatter zollinger-ellison budd-chiari gilles_de_la_tourette arnold-chiari bence-jones coombs trousseau',
    '~',
  ],
  [
    'dijkstra kalman bellman-ford kruskal prim viterbi floyd-warshall sobel canny gauss laplace hough runge-kutta levenberg-marquardt nelder-mead',
    `~[^.\\n]{0,60}(?:A\\*|filter|\\d ?ms(?!\\p{L})|algorithm|heuristic|matrix|convolution)|(?:A\\*|filter|\\d ?ms|algorithm|heuristic|matrix|convolution)[^.\\n]{0,60} ~`,
  ],
  [
    'blackwell hopper ampere turing volta curie davinci babbage lovelace grace',
    `(?:CUDA|GPUs?|NVIDIA|Nvidia|VRAM|[ABH][12]00|L40S?|RTX)[^\\n]{0,60} ~|~[^\\n]{0,40} (?:CUDA|GPUs?|NVIDIA|VRAM|[ABH][12]00|RTX|style models?|models (?:are|were))`,
  ],
  [
    'holter foley babinski romberg doppler ambu hickman kirschner swan-ganz weber rinne lasègue',
    `~ (?:for \\d|monitor|catheter|sign|test|wires?|ECG|EKG|bag|line|sonography|positive|negative|in situ|\\d)|(?:[Pp]ositive|[Nn]egative|\\d+[- ]hour|[Tt]ransthoracic) ~`,
  ],
  [
    'visa maestro amex',
    '(?:[Mm]y|[Hh]er|[Hh]is|[Oo]ur|[Yy]our|[Tt]heir|[Aa]|[Tt]he) ~|~ (?:cards?|is \\d|ending|\\d|payments?|debit|credit)',
  ],
  ['glasgow', '~ (?:[Cc]oma|outcome) [Ss]'],
  [
    'tomlin calderbank mareva anton_piller norwich_pharmacal miranda bolam wednesbury quistclose beddoe mckenzie salduz brady daubert terry',
    '~ (?:orders?|offers?|letters?|injunctions?|warnings?|rights|test|principle|unreasonableness|trusts?|friends?|hearings?|stops?|material|disclosures?)(?!\\p{L})',
  ],
  [
    'waterlow braden norton glasgow barthel hartmann ringer whipple hickman yankauer guedel venturi mallampati kocher pfannenstiel bakri thomas zimmer tubigrip redon ryles buscopan mcburney murphy trendelenburg fowler valsalva',
    "~(?:['’]s)? (?:\\d|scores?|scales?|charts?|solution|lactate|procedure|lines?|suckers?|airways?|masks?|forceps|incisions?|balloons?|splints?|frames?|drains?|tubes?|points?|signs?|positions?|manoeuvre|maneuver)(?!\\p{L})",
  ],
  [
    'norton avira kaspersky',
    '(?:[Aa]nti-?virus|firewall|VPN|scanner)[^.\\n]{0,24} ~|~ (?:[Aa]nti-?virus|360|Internet|VPN|Security)',
  ],
  [
    'jackson gson moshi',
    '(?:[Dd]e-?seriali|[Ss]eriali|ObjectMapper|JSON|POJO)[^.\\n]{0,48} ~|~[^.\\n]{0,48} (?:[Dd]e-?seriali|[Ss]eriali|ObjectMapper|JSON|POJO)',
  ],
  [
    'georgia victoria geneva monaco chicago verdana garamond rockwell franklin palatino cambria candara constantia lora',
    '~ (?:falls? back|fonts?|typeface|italic|bold)(?!\\p{L})|(?:fonts?|typeface)(?! ?:)[^.\\n]{0,48} ~',
  ],
  [
    'hilbert euler taylor maclaurin newton bessel legendre hermite lagrange jacobi riemann lebesgue cauchy bézier bezier hamming huffman voronoi delaunay mandelbrot julia gray karnaugh venn gantt pareto gini likert rorschach turing ishikawa fibonacci sierpinski nash lorenz lorentz maxwell schrödinger planck boltzmann coulomb faraday fresnel doppler monte',
    "~(?:['’]s)? (?:curves?|angles?|series|functions?|polynomials?|transforms?|sums?|integrals?|methods?|numbers?|codes?|coding|diagrams?|charts?|maps?|sets?|test|scales?|index|coefficient|fronts?|frontier|principle|cages?|effect|equations?|constant|force|lens|equilibri\\p{Ll}+|attractor|triangulation|distance|matri(?:x|ces)|expansion|machines?|splines?|triangle|sequence|inequality|identity|Carlo)(?!\\p{L})",
  ],
  ['wellington', '[Bb]eef ~|~ boots?'],
  [
    'battenberg dundee simnel',
    `${ARTICLE} ~(?! (?:Castle|Street|Road|family|palace))(?=$|[.,;:?!)\\n]| (?:cake|slice|or|and))|~ (?:cakes?|slices?)`,
  ],
  ['stroganoff kiev bourguignon', '(?:[Bb]eef|[Cc]hicken|[Mm]ushroom|[Bb]œuf) ~'],
  ['peking', '~ (?:duck|ravioli)'],
  ['bakewell', '~ (?:tarts?|slices?|pudding)'],
  ['florentine benedict rockefeller thermidor', '(?:[Ee]ggs|[Oo]ysters|[Ll]obster) ~'],
  ['melba', '(?:[Pp]each|[Pp]êche) ~|~ toast'],
  ['suzette', '[Cc]rêpes? ~|[Cc]repes? ~'],
  ['belle-hélène helene hélène', '(?:[Pp]oire|[Pp]ears?) (?:[Bb]elle )?~'],
  ['victoria', '~ (?:sponges?|sandwich|plums?)'],
  ['eton', '~ mess'],
  ['yorkshire', '~ (?:puddings?|puds?|tea|terriers?)'],
  ['brussels', '~ sprouts?'],
  ['boston', '~ (?:cream pie|terriers?|lettuce|baked beans)'],
  ['buffalo', '~ (?:wings?|sauce|mozzarella|cauliflower|chicken)'],
  ['philadelphia', '~ (?:cream cheese|cheesesteaks?|rolls?)|(?:tub|pack) of ~'],
  ['manhattan singapore', '~ (?:[Ss]ling|noodles|cocktail|clam chowder)'],
  ['jerusalem', '~ artichokes?'],
  [
    'cheddar parma parmesan gouda edam brie camembert roquefort stilton gorgonzola dijon tabasco worcester',
    '~ (?:cheese|ham|mustard|sauce|toast|sandwich|rind)|(?:slice|slices|wedge|grated|melted|block|wheel) (?:of )?~',
  ],
  ['lancashire', '~ hot-?pot'],
  ['cumberland lincolnshire toulouse', '~ (?:sausages?|ring|sauce)'],
  ['alaska', '[Bb]aked ~'],
  ['walker beam daniel', `${ARTICLE} (?:Johnnie|Jim|Jack) ~`],
  ['mercury venus mars jupiter saturn', '~ (?:is |was |goes )?(?:in )?(?:retrograde|conjunction|opposition)'],
  ['cox braeburn gala fuji mcintosh', "~(?:['’]s)? (?:apples?|Orange Pippin)"],
  [
    'stillson stanley allen phillips',
    '~ (?:wrench(?:es)?|kni(?:fe|ves)|blades?|keys?|screws?|screwdrivers?|heads?|bolts?)(?!\\p{L})',
  ],
  [
    'geiger zimmer bunsen petri rubik ferris ponzi molotov faraday davy leyden franklin tesla nissen',
    "~(?:['’]s)? (?:counters?|frames?|burners?|dish(?:es)?|cubes?|wheels?|schemes?|cocktails?|cages?|lamps?|jars?|stoves?|coils?|huts?)(?!\\p{L})",
  ],
  ['chelsea panama bristol kelly', '~ (?:boots?|hats?|board|green|buns?)(?!\\p{L})'],
  [
    'ken barbie',
    '~ (?:and Barbie )?dolls?(?!\\p{L})|(?:Ken|Barbie) and ~(?: dolls?)?|~ and (?:Ken|Barbie)(?!\\p{L})',
  ],
  [
    'hoover dyson jacuzzi kenwood breville tupperware',
    '(?:[Tt]he|[Aa]|[Oo]ur|[Mm]y) ~(?=$|[.,;:?!)\\n]| (?:is|was|and|or|broke|works)(?!\\p{L}))',
  ],
  [
    'bechstein bösendorfer stradivarius marshall roland gibson martin fender vox korg yamaha ibanez epiphone rickenbacker wurlitzer rhodes steinway',
    '~ (?:amps?|amplifiers?|stack|synth(?:s|esi[sz]ers?)?|guitars?|bass(?:es)?|acoustics?|pianos?|keyboards?|drums?|pedals?|cabinet|combo)(?!\\p{L})',
  ],
  ['earl_grey lady_grey gin_fizz', '~'],
  ['grey', 'Earl ~'],
  ['earl', '~ Grey'],
  [
    'tom_collins john_collins shirley_temple arnold_palmer harvey_wallbanger moscow_mule mai_tai manhattan_iced_tea rob_roy jim_beam jack_daniel johnnie_walker captain_morgan jose_cuervo',
    `${ARTICLE} ~(?! \\p{Lu})`,
  ],
  ['walker beam daniel', `${ARTICLE} (?:Johnnie|Jim|Jack) ~`],
  ['morgan', 'Captain ~(?=$|[.,;:?!)\\n]| (?:and|or|with|rum|spiced)(?!\\p{L}))'],
  ['moscow', '~ [Mm]ules?'],
  ['general_tso', "~['’]s"],
  ['tso', "General ~['’]s"],
  ['general', "~ Tso['’]s"],
  ['black_forest', '~ (?:gateau|gâteau|cake|ham|gateaux)'],
  ['new_york', '~(?:-style)? (?:cheesecake|strip|steak|pizza|bagels?)'],
  [
    'carpaccio bellini',
    `(?:[Aa]n?|[Oo]ne|[Tt]wo|another|my) ~s?(?=$|[.,;:?!)\\n]| (?:and|or|please|with|on|of|for|is|was|called|named)(?!\\p{L}))|(?:[Bb]eef|[Pp]each|[Tt]una|[Ss]almon) ~|~(?:, | or | and )(?:Bellini|Carpaccio|Prosecco|Spritz|Negroni)`,
  ],
  [
    'jack_russell saint_bernard st_bernard',
    `~ (?:pupp\\p{Ll}+|terriers?|dogs?|mix|cross)|(?:[Aa]|[Aa]n|[Oo]ur|[Mm]y|[Tt]wo|[Aa] rescue|Dane (?:and|or)) ~s?(?=$|[.,;:?!)\\n]| (?:and|or|please|with|on|of|for|is|was|called|named)(?!\\p{L}))`,
  ],
  ['russell', '(?:a|our|my) Jack ~(?! \\p{Lu})|Jack ~ (?:pupp\\p{Ll}+|terriers?)'],
  ['st_john', "~['’]s wort"],
  ["st_john's", '~ wort'],
  ['john', "St\\.? ~['’]s wort"],
  ['queen_anne', "~['’]s lace|~ (?:chairs?|legs?|furniture|house)"],
  ['king_edward', '~s? (?:potato|spud)\\p{Ll}*'],
  ['pink_lady', '~(?=$|[.,;:?!)\\n]| (?:apples?|and|or))'],
  ['sweet_william', '~(?=$|[.,;:?!)\\n]| (?:seeds?|plants?|flowers?|and|or|in|by))'],
  ['william', 'Sweet ~'],
  ['down_syndrome', '~'],
  ['graves', "~['’] (?:disease|eye|thyroid)"],
  [
    'franz_ferdinand',
    '(?:listen|play|album|song|gig|speakers?|vinyl|band|playlist)[^.!?\\n]{0,40} ~|~ (?:album|gig|song|tour)',
  ],
  ['bayern_munich', '~'],
  [
    'spearman student cronbach cohen fisher wilcoxon mann-whitney kruskal-wallis bonferroni tukey pearson shapiro-wilk kolmogorov levene kendall',
    "~(?:['’]s)? (?:rho|tau|t|d|U|H|alpha|kappa|exact|test|corrections?|correlations?|coefficients?)(?!\\p{L})",
  ],
  [
    'achilles adam heimlich apgar kegel langerhans eustachian',
    "~(?:['’]s)? (?:tendon|apple|manoeuvre|maneuver|score|\\d|exercises|islets|cells|tube)",
  ],
  ['braxton_hicks ruy_lopez caro-kann lorem_ipsum foo_bar debbie_downer', '~'],
  [
    'halley hubble planck cassini kepler webb voyager',
    "~(?:['’]s)? (?:[Cc]omet|(?:[Ss]pace )?[Tt]elescope|satellite|probe|mission|orbiter)",
  ],
  [
    "patrick st._patrick valentine st._valentine st._valentine's george st._george andrew st._andrew martin_luther_king guy_fawkes columbus",
    "(?:(?:St|Saint)\\.? ~|(?<=^|[^\\p{L}])~)(?:['’]s)? (?:Day|[Nn]ight|[Ee]ve)(?!\\p{L})",
  ],
  [
    'geneva schengen paris kyoto hague lisbon maastricht minsk dayton oslo bologna',
    '~ (?:[Cc]onventions?|[Pp]rotocol|[Vv]isas?|[Aa]greement|[Aa]ccords?|[Tt]reaty|[Pp]rocess)(?!\\p{L})',
  ],
  ['stockholm_syndrome', '~'],
  ['stockholm', '~ syndrome'],
  ['delhi', '~ belly'],
  ['queen king', "~['’]s (?:gambit|Gambit|Indian|pawn|speech)"],
  [
    'jersey cashmere damask tweed denim windsor oxford derby',
    '~ (?:fabric|scar(?:f|ves)|sweaters?|jumpers?|jackets?|cloth|curtains|dress(?:es)?|sheets?|knots?|shoes?|shirts?|comma)(?!\\p{L})',
  ],
  ['bob', '~ up and down'],
  ['tom', '[Pp]eeping ~'],
  ['karen', '(?:be|such|total|real) a ~(?=$|[.,;:?!)\\n])|an? ~(?=[.,;:?!)\\n]? (?:moment|haircut))'],
  ['opel škoda skoda dacia citroën vauxhall', '~'],
  [
    'nyquist nesterov gibbs xavier adam gantt pavlov schrödinger schrodinger bloom merkle lamport butterworth chebyshev kalman maslow',
    "~(?:['’]s)? (?:rate|frequency|limit|momentum|sampling|init|initiali[sz]ation|optimi[sz]er|charts?|dogs?|cat|filters?|trees?|clocks?|timestamps?|pyramid|hierarchy)(?!\\p{L})",
  ],
  ['adam_optimizer adam_optimiser jaro-winkler levenshtein paxos kanban', '~'],
  [
    'zeus gandalf batman superman rapunzel cinderella snow_white jack_frost easter_bunny mordor gotham hogwarts narnia westeros sauron voldemort pikachu hans_wurst otto_normalverbraucher greggs',
    '~',
  ],
  ['holle', 'Frau ~'],
  ['bolt', '~ (?:ride|driver|app|scooter)|Uber(?:,| or| and) ~'],
];
