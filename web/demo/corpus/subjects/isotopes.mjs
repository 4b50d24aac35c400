// Isotopes from facts/isotopes.tsv: what the nucleus holds, whether it lasts, how it decays and when it was found.
import { paragraph, quantity, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";
import { indefinite } from "./wordnet.mjs";

const SOURCE = "mendeleev 1.3.0 (MIT)";

const DECAY = {
  "B-": "beta decay",
  "B+": "positron emission or electron capture",
  EC: "electron capture",
  A: "alpha decay",
  SF: "spontaneous fission",
  IT: "an isomeric transition",
  "2B-": "double beta decay",
};
const UNITS = [
  [31556926, "year"],
  [86400, "day"],
  [3600, "hour"],
  [60, "minute"],
  [1, "second"],
];

function duration(seconds) {
  const [size, unit] = UNITS.find(([least]) => seconds >= least * 1.5) ?? UNITS.at(-1);
  const count = Number((seconds / size).toPrecision(3));
  if (count >= 1e15) return `${quantity(Number((count / 1e15).toPrecision(2)))} million billion years`;
  if (count >= 1e12) return `${Number((count / 1e12).toPrecision(3))} trillion years`;
  if (count >= 1e9) return `${Number((count / 1e9).toPrecision(3))} billion years`;
  return `${quantity(count)} ${unit}${count === 1 ? "" : "s"}`;
}

const PRODUCT = { "B-": 1, "B+": -1, EC: -1, A: -2 };
const MASS_LOST = { A: 4 };

export function isotopes() {
  const rows = table("isotopes").filter(({ halflife }) => Number(halflife || 0) < 31556926e18);
  const names = new Map(rows.map(({ protons, element }) => [Number(protons), element]));
  return rows.map(({ symbol, element, protons, mass, abundance, halflife, modes, year }, i) => {
    const name = `${element}-${mass}`;
    const inText = name.toLowerCase();
    const neutrons = Number(mass) - Number(protons);
    const ways = modes ? modes.split(",").map((mode) => mode.split(":")) : [];
    const [main] = ways;
    const daughter = main && Number(main[1]) >= 90 && names.get(Number(protons) + (PRODUCT[main[0]] ?? Number.NaN));
    const share =
      Number(abundance) >= 99
        ? `${Number(abundance).toFixed(2)} per cent`
        : Number(abundance) >= 1
          ? `${Number(Number(abundance).toPrecision(3))} per cent`
          : "less than one per cent";
    const counts = `${protons} ${protons === "1" ? "proton" : "protons"} and ${neutrons === 0 ? "no neutrons" : `${neutrons} ${neutrons === 1 ? "neutron" : "neutrons"}`}`;
    return {
      id: `isotopes/${slug(name)}`,
      title: name,
      text: paragraph(
        vary(
          i,
          `${name} is ${indefinite(halflife ? "radioactive isotope" : "stable isotope")} of ${element.toLowerCase()} with ${counts} in its nucleus.`,
          `The nucleus of ${inText}, ${indefinite(halflife ? "radioactive isotope" : "stable isotope")} of the element ${element.toLowerCase()}, holds ${counts}.`,
        ),
        halflife
          ? vary(
              i,
              `Its half-life is about ${duration(Number(halflife))}.`,
              `The half-life of ${inText} is about ${duration(Number(halflife))}.`,
            )
          : "It does not decay, as far as is known.",
        main
          ? `It decays ${Number(main[1]) < 99 ? "mainly " : ""}by ${DECAY[main[0]]}${daughter ? `, which turns it into ${daughter.toLowerCase()}-${Number(mass) - (MASS_LOST[main[0]] ?? 0)}` : ""}.`
          : "",
        Number(abundance) === 100
          ? `All ${element.toLowerCase()} found in nature is ${inText}.`
          : abundance
            ? vary(
                i,
                `About ${share} of the ${element.toLowerCase()} found in nature is ${inText}.`,
                `It makes up about ${share} of natural ${element.toLowerCase()}.`,
              ).replace(/(^|It makes up )[Aa]bout less/, (all, start) => (start ? "It makes up less" : "Less"))
            : "",
        year ? vary(i, `It was identified in ${year}.`, `${name} was first observed in ${year}.`) : "",
        `Its mass number is ${mass}${abundance && !halflife ? "" : `, and its symbol is ${symbol} with that number`}.`,
      ),
      source: SOURCE,
    };
  });
}
