// Smaller subjects of science and technology, each from a table of its own in facts.
import { indefinite, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const SOURCE = "written for Evident";

/** The rows of `facts/NAME.tsv` whose subject has no passage yet, each as one passage. */
const passages = (name, taken, render) =>
  table(name)
    .filter(({ name: title }) => !taken(title))
    .map((row, i) => ({ id: `${name}/${slug(row.code ?? row.name)}`, ...render(row, i), source: SOURCE }));

const minerals = (taken) =>
  passages("minerals", taken, ({ name, formula, hardness, system, colour, use }, i) => {
    const bare = name.replace(/ \(.*\)/, "");
    return {
      title: bare === "Diamond" || bare === "Sulfur" ? `${bare} (mineral)` : bare,
      text: paragraph(
        vary(
          i,
          `${bare} is a mineral with the formula ${formula}.`,
          `The mineral ${bare.toLowerCase()} has the chemical formula ${formula}.`,
        ),
        `On the Mohs scale its hardness is ${hardness}.`,
        `Its crystals are ${system}, and its colour is ${colour}.`,
        `${use}.`,
      ),
    };
  });

const moons = (taken) =>
  passages("moons", taken, ({ name, planet, year, discoverer, diameter, note }, i) => ({
    title: `${name} (moon)`,
    text: paragraph(
      vary(
        i,
        `${name} is a moon of ${planet} with a diameter of about ${diameter} kilometres.`,
        `The moon ${name} goes round ${planet} and is about ${diameter} kilometres across.`,
      ),
      `${name} was discovered by ${discoverer} in ${year}.`,
      `${note}.`,
    ),
  }));

const asteroids = (taken) =>
  passages("asteroids", taken, ({ name, kind, year, discoverer, diameter, note }, i) => ({
    title: `${name} (${kind})`,
    text: paragraph(
      `${name} is ${indefinite(kind === "distant body" ? "body beyond the orbit of Neptune" : kind)} that measures about ${diameter} kilometres across.`,
      vary(i, `It was discovered in ${year} by ${discoverer}.`, `${name} was found in ${year} by ${discoverer}.`),
      `${note}.`,
    ),
  }));

const statusCodes = (taken) =>
  passages("status-codes", taken, ({ code, name, meaning, kind }, i) => ({
    title: `HTTP status ${code} ${name}`,
    text: paragraph(
      vary(
        i,
        `The HTTP status code ${code} is called ${name}.`,
        `In HTTP the status code ${code} has the name ${name}.`,
      ),
      `It means that ${meaning}.`,
      `As its first digit is ${code[0]}, the code ${code} stands for ${kind}.`,
    ),
  }));

const instruments = (taken) =>
  passages("instruments", taken, ({ name, family, sound, note }, i) => ({
    title: `${name} (instrument)`,
    text: paragraph(
      vary(
        i,
        `The ${name.replace(/^[A-Z](?!nglish|rench)/, lower)} is counted among the ${family}.`,
        `Among the ${family} is the ${name.replace(/^[A-Z](?!nglish|rench)/, lower)}.`,
      ),
      `Its sound is made by ${sound}.`,
      `${note}.`,
    ),
  }));

const lower = (letter) => letter.toLowerCase();

export const knowledge = (taken) =>
  [minerals, moons, asteroids, statusCodes, instruments].flatMap((render) => render(taken));
