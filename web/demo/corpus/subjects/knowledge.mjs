// Smaller subjects of science and technology, each from a table of its own in facts.
import { indefinite, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const SOURCE = "written for Evident";

/** The rows of `facts/NAME.tsv` whose subject has no passage yet, each as one passage. */
const passages = (name, taken, render) =>
  table(name)
    .filter(({ name: title }) => !taken(title))
    .map((row, i) => ({ id: `${name}/${slug(row.code ?? row.name)}`, ...render(row, i), source: SOURCE }));

const dinosaurs = (taken) =>
  passages("dinosaurs", taken, ({ name, meaning, group, diet, period, where, length, named }, i) => ({
    title: name,
    text: paragraph(
      vary(i, `${name} was ${group} that lived in ${period}.`, `The dinosaur ${name}, ${group}, lived in ${period}.`),
      `Its fossils have been found in ${where}.`,
      `${name} grew about ${length} metres long and fed on ${diet}.`,
      vary(
        i,
        `Its name means ${meaning} and was given in ${named}.`,
        `It was named in ${named}; the name means ${meaning}.`,
      ),
    ),
  }));

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

const programming = (taken) =>
  passages("programming", taken, ({ name, year, maker, note }, i) => ({
    title: `${name} (programming language)`,
    id: `programming/${slug(name.replace("++", " plus plus").replace("#", " sharp"))}`,
    text: paragraph(
      vary(
        i,
        `${name} is a programming language that appeared in ${year}.`,
        `The programming language ${name} dates from ${year}.`,
      ),
      `${name} was created by ${maker}.`,
      `${note}.`,
      `Among programming languages ${name} is thus one of the ${year.slice(0, 3)}0s.`,
    ),
  }));

const gods = (taken) =>
  passages("gods", taken, ({ name, people, kind, domain, kin, other }, i) => ({
    title: `${name} (${people} ${kind})`,
    text: paragraph(
      vary(
        i,
        `In ${people} mythology ${name} is the ${kind} of ${domain}.`,
        `${name} is the ${people} ${kind} of ${domain}.`,
      ),
      kin.startsWith("not ") ? `${name} was ${kin}.` : `${name} is ${kin}.`,
      `${other}.`,
      `The myths of ${name} belong to the ${people} tradition.`,
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

const missions = (taken) =>
  passages("missions", taken, ({ name, who, kind, launch, deed }, i) => {
    const bare = name.replace(/ \(.*\)/, "");
    return {
      title: name.includes("(") ? name : `${name} (${kind})`,
      text: paragraph(
        vary(
          i,
          `${bare}, ${indefinite(kind)} of ${who}, was launched in ${launch}.`,
          `The ${kind} ${bare} of ${who} was launched in ${launch}.`,
        ),
        `${deed}.`,
        `The launch of ${bare} in ${launch} belongs to the history of spaceflight.`,
      ),
    };
  });

const lower = (letter) => letter.toLowerCase();

export const knowledge = (taken) =>
  [dinosaurs, minerals, moons, asteroids, statusCodes, programming, gods, instruments, missions].flatMap((render) =>
    render(taken),
  );
