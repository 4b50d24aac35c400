//! Which names and nouns are of persons, and of which gender.

/// A person's gender as a pronoun tells it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gender {
    /// "She".
    Female,
    /// "He".
    Male,
}

const WOMEN: &str = " ada adele agatha agnes alice amelia amy angela anita ann anna anne annie antonia audrey barbara beatrice bessie beth \
    betty beyoncé billie boudica camille carla carmen carol caroline catherine cecilia céline charlotte cher christina christine claire clara \
    cleopatra coco constance cynthia daphne deborah diana diane dolly dorothy edith edna elena eleanor eliza elizabeth ella ellen emilia \
    emily emma emmeline emmy esther ethel eva eve evelyn florence frances françoise frida gabriela geraldine gertrude gloria golda grace greta gwendolyn hannah harriet hatshepsut hedy helen \
    helena henrietta hilary hilda hillary ida indira ingrid irene isabel isabella jacqueline jane janet janis jean-marie jeanne jennifer jessica joan joanna joanne josephine joyce judith \
    judy julia julie juliet karen kamala katherine kathleen katharine kathryn katie kate laura lauren leila lena lily linda lisa lise liz louise lucy lydia mabel madeleine \
    madonna malala margaret margot maria mariah marianne marie marilyn marina marlene martha mary matilda maud maya megan mercedes meryl michelle mildred miriam \
    monica nancy naomi natalie nelly nefertiti nina nora oprah olga olivia patricia patti paula pauline penelope phyllis queen rachel rebecca rihanna rita rosa rosalind rose rosie ruth sacagawea \
    sally sandra sappho sarah selma serena shirley simone sofia sonia sophia sophie stella susan suzanne sylvia tamara taylor teresa theodora theresa tina toni ursula valentina vera \
    victoria virginia vivien wangari whitney wilma winnie yoko zaha zadie zelda ";

const MEN: &str = " aaron abraham adam adolf akira alan albert albrecht alberto alec alessandro alexander alexandre alfred ali allen ambrose amadeus anders andre andrea andrew andy \
    antoine anthony anton antonio antonín antoni aristotle arnold arthur auguste augustus babe barack bach beethoven ben benjamin benito bernard bernhard bertrand bill bob bobby boris brad brian bruce buddy caesar caravaggio carl carlos casey \
    charles charlie che christiaan christian christopher chuck claude clement clint confucius constantine copernicus cornelius cristiano dalai dante daniel dave david dennis denis dick diego dmitri dmitry donald donatello duke \
    dwight ed eddie edgar edmund eduard edvard edward edwin eli elias elon elvis emile émile emmanuel enrico enzo eric erik ernest ernst erwin eugene evan evangelista ezra félix federico felix ferdinand fidel filippo francis francisco franco françois frank \
    franklin franz fred frederic frédéric frederick freddie friedrich fritz fyodor gabriel galileo gaius gary genghis geoffrey george georges gerald gerhard giacomo gilbert giorgio giovanni giuseppe glenn gottfried graham gregor gregory guglielmo \
    gustav gustave guy hannibal hans harold harry harvey hayao hector heinrich henri henry herbert herman hermann hippocrates homer horatio howard hugh hugo humphrey ian igor immanuel isaac isambard ivan jack jackson jacob jacques \
    james jan jason jawaharlal jay jean jeff jerome jesse jim jimi jimmy joe johann johannes john johnny jon jonas jonathan jorge josef josé joseph joshua juan jules julian julius justin karl kazuo keith ken kenneth kevin kim klaus kurt kwame lance larry \
    lawrence le lech lenin leo leon leonard leonardo leonhard leopold lev lewis linus lionel lorenzo louis luca lucas luciano ludwig luigi luis luther lyndon mahatma malcolm mao marc marcel marco marcus mario mark marlon martin marvin matthew max \
    maurice maximilian michael michel michelangelo miguel mikhail miles milton mohandas mohamed mozart muhammad napoleon neil nelson nero niccolò nicholas nicolas nicolaus niels nikita nikola nikolai noah noam noel norman novak oliver orson orville oscar otto pablo pat patrick paul pedro \
    pele pelé percy pete peter philip philippe pierre piet plato prince pyotr pythagoras quentin rafael ralph raphael ray raymond rembrandt rené richard robert roald rob robin rod roger roland roman ronald rudolf rudyard rumi russell ryan saladin salvador sam samuel \
    sandro satoshi saul sean sebastian sergei sergey shakespeare shigeru sigmund simon socrates spartacus stan stanley stefan stephen steve steven stewart stuart suleiman sun tenzing ted theodor theodore thomas tiger tim timothy titian tom tommy tony trevor tutankhamun ulysses umberto usain vasco victor vincent virgil vladimir voltaire \
    wallace walt walter warren wassily werner wilbur wilhelm will william winston wolfgang woodrow woody yo-yo yuri zachary zinedine ";

const SHE_NOUNS: &str = " mrs ms miss queen princess empress duchess lady actress mother daughter wife sister aunt niece grandmother woman girl nun countess baroness heroine goddess \
    businesswoman chairwoman sportswoman ballerina soprano widow dame mum mom girlfriend suffragette suffragist priestess waitress hostess ";
const HE_NOUNS: &str = " mr king prince emperor duke lord sir actor father son husband brother uncle nephew grandfather man boy monk count baron god pope pharaoh tsar sultan \
    businessman chairman sportsman tenor widower dad boyfriend priest bishop statesman friar caliph shogun kaiser ";
const PERSONS: &str = " person politician writer author poet painter composer singer dancer player footballer lawyer teacher doctor nurse soldier officer general admiral leader ruler monarch president minister chancellor governor mayor senator \
    engineer inventor explorer astronaut cosmonaut pilot sailor navigator architect sculptor designer director producer filmmaker philosopher mathematician physician musician magician politician historian statistician electrician technician librarian comedian \
    scientist physicist chemist biologist artist novelist journalist economist psychologist activist pianist violinist guitarist dramatist naturalist botanist zoologist geologist linguist cartoonist essayist dentist botanist scholar professor researcher programmer runner sprinter swimmer cyclist \
    boxer golfer driver racer skater athlete champion coach entrepreneur founder industrialist banker merchant farmer cook chef baker playwright diplomat revolutionary theologian saint prophet reformer missionary nobleman noble aristocrat slave rebel outlaw pirate criminal murderer victim child student pupil nationalist \
    performer entertainer rapper songwriter conductor critic editor publisher translator photographer model astronomer cosmologist aviator physiologist geneticist surgeon crystallographer codebreaker cryptanalyst logician spy agent knight warrior commander emperor ";

/// What something has: its name as a subject is about what was named before.
const PROPERTIES: &str = " symbol name capital population size colour color area length height mass density weight age temperature surface atmosphere core diameter radius title author nickname \
    word term number result reason cause purpose effect process answer idea price cost value speed distance depth width volume currency language flag anthem climate economy government president king queen \
    largest smallest highest longest most main first second third last next other same original whole entire ";

fn has(list: &str, word: &str) -> bool {
    !word.is_empty()
        && list.match_indices(word).any(|(at, _)| list[..at].ends_with(' ') && list[at + word.len()..].starts_with(' '))
}

/// The gender of those who have this first name.
pub(crate) fn gender_of_first_name(name: &str) -> Option<Gender> {
    let name = name.to_lowercase();
    match (has(WOMEN, &name), has(MEN, &name)) {
        (true, false) => Some(Gender::Female),
        (false, true) => Some(Gender::Male),
        _ => None,
    }
}

/// The gender that a title or a noun tells, in lower case: "queen".
pub(crate) fn gender_of_noun(noun: &str) -> Option<Gender> {
    match (has(SHE_NOUNS, noun), has(HE_NOUNS, noun)) {
        (true, _) => Some(Gender::Female),
        (_, true) => Some(Gender::Male),
        _ => None,
    }
}

/// Whether a noun, in lower case, is what a person can be: "physicist".
pub(crate) fn is_person_noun(noun: &str) -> bool {
    has(PERSONS, noun) || gender_of_noun(noun).is_some() || noun.len() > 6 && noun.ends_with("ologist")
}

/// Whether a noun, in lower case, is of something that was named before: "symbol", "capital".
pub(crate) fn is_property(noun: &str) -> bool {
    has(PROPERTIES, noun)
}
