"""Word classes and a few small tables of facts, from which data.py makes contrast pairs.

A word swapped for another of its class makes a true sentence false; a phrase of PARAPHRASES swapped for its partner
keeps it true.
"""

CLASSES = [
    "January February March April May June July August September October November December".split(),
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(),
    "two three four five six seven eight nine ten eleven twelve twenty thirty fifty".split(),
    "second third fourth fifth sixth seventh eighth ninth tenth".split(),
    "hundred thousand million billion trillion".split(),
    "north south east west".split(),
    "northern southern eastern western central".split(),
    "red blue green yellow black white brown orange purple pink".split(),
    "Africa Asia Europe Oceania Antarctica".split(),
    "Spain Italy Germany Russia China Japan India Canada Mexico Brazil Argentina Egypt Nigeria Kenya Australia Greece Turkey "
    "Poland Sweden Norway Denmark Finland Portugal Ireland Austria Hungary Iran Iraq Israel Vietnam Thailand Cuba Chile Peru".split(),
    "American British English French German Italian Spanish Russian Chinese Japanese Indian Canadian Mexican Brazilian Irish "
    "Scottish Australian Dutch Greek Turkish Polish Swedish Norwegian Danish Korean Egyptian Austrian Portuguese".split(),
    "California Texas Florida Ohio Georgia Illinois Michigan Virginia Alaska Oregon Arizona Nevada Kansas Maine Iowa Utah".split(),
    "London Berlin Rome Madrid Moscow Tokyo Beijing Vienna Dublin Chicago Boston Toronto Sydney Cairo Athens Delhi".split(),
    "actor singer painter writer lawyer scientist politician footballer engineer poet chef dancer composer journalist".split(),
    "father mother brother sister son daughter uncle aunt cousin grandfather grandmother".split(),
    "basketball football tennis baseball hockey cricket golf rugby swimming boxing".split(),
    "novel film album play song poem opera painting documentary".split(),
    "iron copper gold silver zinc lead tin aluminium".split(),
    "dog cat horse bird fish snake whale insect lion bear".split(),
]

OPPOSITES = [
    ("first", "last"),
    ("largest", "smallest"),
    ("highest", "lowest"),
    ("longest", "shortest"),
    ("oldest", "youngest"),
    ("most", "least"),
    ("more", "fewer"),
    ("before", "after"),
    ("won", "lost"),
    ("increase", "decrease"),
    ("increased", "decreased"),
    ("rise", "fall"),
    ("rising", "falling"),
    ("warming", "cooling"),
    ("higher", "lower"),
    ("early", "late"),
    ("born", "buried"),
    ("husband", "wife"),
    ("king", "queen"),
    ("male", "female"),
    ("men", "women"),
    ("always", "never"),
    ("began", "ended"),
    ("opened", "closed"),
    ("successful", "unsuccessful"),
    ("best", "worst"),
    ("married", "divorced"),
    ("older", "younger"),
    ("left", "joined"),
    ("above", "below"),
    ("all", "none"),
    ("true", "fictional"),
    ("public", "private"),
    ("positive", "negative"),
    ("accepted", "rejected"),
    ("north of", "south of"),
    ("cause", "prevent"),
    ("caused", "prevented"),
    ("hot", "cold"),
    ("win", "lose"),
    ("sold", "bought"),
    ("elder", "younger"),
    ("domestic", "foreign"),
    ("defeated", "lost to"),
    ("includes", "excludes"),
    ("approved", "vetoed"),
    ("alive", "dead"),
    ("hero", "villain"),
]

PARAPHRASES = [
    ("film", "movie"),
    ("began", "started"),
    ("approximately", "about"),
    ("is located in", "is in"),
    ("was located in", "was in"),
    ("was released in", "came out in"),
    ("is situated in", "is in"),
    ("numerous", "many"),
    ("commenced", "began"),
    ("was awarded", "received"),
    ("purchased", "bought"),
    ("died", "passed away"),
    ("children", "kids"),
    ("large", "big"),
    ("attempted to", "tried to"),
    ("assisted", "helped"),
    ("obtained", "got"),
    ("the United States", "America"),
    ("United States", "US"),
    ("also known as", "also called"),
    ("is known as", "is called"),
    ("more than", "over"),
    ("wife", "spouse"),
    ("husband", "spouse"),
    ("constructed", "built"),
    ("killed", "slain"),
    ("known for", "famous for"),
    ("became", "went on to become"),
    ("such as", "like"),
    ("primarily", "mainly"),
    ("however, ", ""),
    ("significant", "important"),
    ("established", "founded"),
    ("in order to", "to"),
    ("participated in", "took part in"),
    ("World War II", "the Second World War"),
    ("resides in", "lives in"),
]

# country, capital, another city, continent, language
COUNTRIES = [
    line.split(",")
    for line in """\
Spain,Madrid,Seville,Europe,Spanish
Italy,Rome,Milan,Europe,Italian
Germany,Berlin,Hamburg,Europe,German
Portugal,Lisbon,Porto,Europe,Portuguese
Greece,Athens,Thessaloniki,Europe,Greek
Poland,Warsaw,Gdansk,Europe,Polish
Hungary,Budapest,Debrecen,Europe,Hungarian
Sweden,Stockholm,Gothenburg,Europe,Swedish
Norway,Oslo,Bergen,Europe,Norwegian
Denmark,Copenhagen,Aarhus,Europe,Danish
Finland,Helsinki,Tampere,Europe,Finnish
Romania,Bucharest,Cluj,Europe,Romanian
Bulgaria,Sofia,Plovdiv,Europe,Bulgarian
Serbia,Belgrade,Nis,Europe,Serbian
Croatia,Zagreb,Split,Europe,Croatian
Ukraine,Kyiv,Odesa,Europe,Ukrainian
Russia,Moscow,Novosibirsk,Europe,Russian
Turkey,Ankara,Istanbul,Asia,Turkish
Iran,Tehran,Isfahan,Asia,Persian
Japan,Tokyo,Osaka,Asia,Japanese
China,Beijing,Shanghai,Asia,Mandarin
Thailand,Bangkok,Phuket,Asia,Thai
Vietnam,Hanoi,Da Nang,Asia,Vietnamese
Mongolia,Ulaanbaatar,Erdenet,Asia,Mongolian
India,New Delhi,Mumbai,Asia,Hindi
Nepal,Kathmandu,Pokhara,Asia,Nepali
Egypt,Cairo,Alexandria,Africa,Arabic
Morocco,Rabat,Casablanca,Africa,Arabic
Kenya,Nairobi,Mombasa,Africa,Swahili
Ethiopia,Addis Ababa,Gondar,Africa,Amharic
Nigeria,Abuja,Lagos,Africa,English
Ghana,Accra,Kumasi,Africa,English
Senegal,Dakar,Thies,Africa,French
Canada,Ottawa,Toronto,North America,English
Mexico,Mexico City,Guadalajara,North America,Spanish
Cuba,Havana,Santiago de Cuba,North America,Spanish
Brazil,Brasilia,Sao Paulo,South America,Portuguese
Argentina,Buenos Aires,Rosario,South America,Spanish
Chile,Santiago,Valparaiso,South America,Spanish
Colombia,Bogota,Medellin,South America,Spanish
Peru,Lima,Cusco,South America,Spanish
Ecuador,Quito,Guayaquil,South America,Spanish
Australia,Canberra,Melbourne,Oceania,English
New Zealand,Wellington,Auckland,Oceania,English""".splitlines()
]

# element, symbol, atomic number, kind
ELEMENTS = [
    line.split(",")
    for line in """\
Hydrogen,H,1,gas
Helium,He,2,noble gas
Lithium,Li,3,alkali metal
Beryllium,Be,4,alkaline earth metal
Boron,B,5,metalloid
Nitrogen,N,7,gas
Oxygen,O,8,gas
Fluorine,F,9,halogen
Neon,Ne,10,noble gas
Sodium,Na,11,alkali metal
Magnesium,Mg,12,alkaline earth metal
Aluminium,Al,13,metal
Silicon,Si,14,metalloid
Phosphorus,P,15,solid
Sulfur,S,16,solid
Chlorine,Cl,17,halogen
Argon,Ar,18,noble gas
Potassium,K,19,alkali metal
Calcium,Ca,20,alkaline earth metal
Titanium,Ti,22,transition metal
Iron,Fe,26,transition metal
Nickel,Ni,28,transition metal
Copper,Cu,29,transition metal
Zinc,Zn,30,transition metal
Silver,Ag,47,transition metal
Tin,Sn,50,metal
Iodine,I,53,halogen
Xenon,Xe,54,noble gas
Gold,Au,79,transition metal
Mercury,Hg,80,transition metal
Lead,Pb,82,metal
Uranium,U,92,actinide""".splitlines()
]
