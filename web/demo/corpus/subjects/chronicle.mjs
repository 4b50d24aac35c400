// Rulers, battles and great contests, from facts/presidents.tsv, monarchs.tsv, emperors.tsv, battles.tsv and the like.
import { indefinite, ordinal, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const SOURCE = "written for Evident";

/** The years of an office: "in 1841", "from 1801 to 1809". */
const reign = (from, to) => (from === to ? `in ${from}` : `from ${from} to ${to}`);

const presidents = (taken) =>
  table("presidents")
    .filter(({ name }) => !taken(name))
    .map(({ number, name, born, died, from, to, party, before, after, state }, i) => ({
      id: `rulers/${slug(name)}`,
      title: name,
      text: paragraph(
        `${name} was the ${ordinal(Number(number))} president of the United States, ${reign(from, to)}.`,
        `${name} was born in ${born} in ${state} and died in ${died}.`,
        party === "none"
          ? `${name} belonged to no party.`
          : vary(
              i,
              `The party of ${name} was ${party === "Whig" ? "that of the Whigs" : `the ${party} Party`}.`,
              `${name} was ${indefinite(party)}.`.replace(/ Democratic\.$/, " Democrat."),
            ),
        before === "none"
          ? `The presidency passed from ${name} to ${after}.`
          : `${name} came after ${before} and was followed by ${after}.`,
      ),
      source: SOURCE,
    }));

const monarchs = (taken) =>
  table("monarchs")
    .filter(({ name }) => !taken(name))
    .map(({ name, from, to, house, before, after, note }) => {
      const short = name.replace(/ \(.*\)/, "");
      const queen = /^(?:Mary|Elizabeth|Anne|Victoria)/.test(name);
      const title = queen ? "queen" : "king";
      const byname = /\((.*)\)/.exec(name)?.[1];
      const realm = Number(from) >= 1707 ? "the United Kingdom" : "England";
      const country = Number(from) >= 1707 && Number(from) < 1801 ? "Great Britain" : realm;
      return {
        id: `rulers/${slug(short)}-of-england`,
        title: `${short} (${title} of ${country})`,
        text: paragraph(
          `${short}${byname ? `, called ${byname},` : ""} was ${title} of ${country} ${reign(from, to)}.`,
          `${queen ? "She" : "He"} belonged to the house of ${house}.`,
          `${note}.`,
          `${short} followed ${before} and was succeeded by ${after}.`,
        ),
        source: SOURCE,
      };
    });

const emperors = (taken) =>
  table("emperors")
    .filter(({ name }) => !taken(name))
    .map(({ name, from, to, before, after, note }) => ({
      id: `rulers/${slug(name)}`,
      title: `${name} (Roman emperor)`,
      text: paragraph(
        `${name} was a Roman emperor who ruled ${reign(from, to)}.`,
        `${note}.`,
        before === "none"
          ? ""
          : `Before ${name} the emperor was ${before}.`.replace(
              "the emperor was Constantius and",
              "the emperors were Constantius and",
            ),
        after === "none" ? `No emperor followed ${name} in the west.` : `After ${name} the rule passed to ${after}.`,
      ),
      source: SOURCE,
    }));

export const rulers = (taken) => [...presidents(taken), ...monarchs(taken), ...emperors(taken)];

export const battles = (taken) =>
  table("battles")
    .filter(({ name }) => !taken(name))
    .map(({ name, year, war, winner, loser, note }, i) => {
      const undecided = winner.startsWith("neither");
      return {
        id: `battles/${slug(name)}`,
        title: name,
        text: paragraph(
          vary(
            i,
            `The ${name} took place in ${year} and was part of ${war}.`,
            `The ${name} belongs to ${war} and was fought in ${year}.`,
          ),
          undecided
            ? `It was fought by ${loser.replace(/, who .*$/, "")}, and neither side clearly won.`
            : `In the ${name} ${winner.replace(/, (?:which|at) .*$/, "")} defeated ${loser}.`,
          `${note}.`,
        ),
        source: SOURCE,
      };
    });

const cups = () =>
  table("world-cups").map(({ year, host, winner, second, score, city, note }, i) => {
    const place = host === "United States" ? "the United States" : host;
    const loser = second === "Netherlands" ? "the Netherlands" : second;
    return {
      id: `contests/world-cup-${year}`,
      title: `${year} FIFA World Cup`,
      text: paragraph(
        `The FIFA World Cup of ${year} in men's football was held in ${place}.`,
        vary(
          i,
          `${winner} won it by beating ${loser} ${score} in the final.`,
          `In the final of ${year} ${winner} defeated ${loser} ${score}.`,
        ),
        `The final was played in ${city}.`,
        `${note}.`,
      ),
      source: SOURCE,
    };
  });

const olympics = () =>
  table("olympics").map(({ season, year, city, country, note }, i) => ({
    id: `contests/${season.toLowerCase()}-olympics-${year}`,
    title: `${year} ${season} Olympics`,
    text: paragraph(
      vary(
        i,
        `The ${season} Olympic Games of ${year} were held in ${city}.`,
        `In ${year} the ${season} Olympics took place in ${city}.`.replace("In 2020", "As the games of 2020"),
      ),
      `The host country of the ${year} ${season} Games was ${country}.`,
      `${note}.`,
      season === "Winter"
        ? `The sports of these games in ${city} were those of snow and ice.`
        : `${city} thus joined the list of cities that have held the Summer Games.`,
    ),
    source: SOURCE,
  }));

export const contests = () => [...cups(), ...olympics()];
