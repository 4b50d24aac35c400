// Books, plays, films, pictures and music from facts/works.tsv: maker, year and what each is about.
import { indefinite, paragraph, slug, vary } from "../prose.mjs";
import { table } from "../tables.mjs";

const SOURCE = "written for Evident";
const BY = {
  film: "directed",
  "animated film": "directed",
  painting: "painted",
  fresco: "painted",
  triptych: "painted",
  "series of paintings": "painted",
  "woodblock print": "designed",
  "marble statue": "carved",
  "bronze statue": "made",
};
const MUSIC =
  /concerto|choral|oratorio|opera|operetta|incidental|symphony|piano|music|ballet|poem|orchestra|musical|band/;

function making(kind) {
  if (BY[kind]) return BY[kind];
  return MUSIC.test(kind) ? "composed" : "written";
}

export function works(taken) {
  return table("works")
    .filter(({ title }) => !taken(title) || title.includes("("))
    .map(({ title, kind, maker, nation, year, about }, i) => {
      const name = title.replace(/ \(.*\)/, "");
      const made = making(kind);
      const dated = year
        ? made === "written" || kind.includes("film")
          ? vary(i, `It came out in ${year}.`, `${name} appeared in ${year}.`)
          : vary(i, `${name} dates from ${year}.`, `It was made in ${year}.`)
        : "";
      const story = about.startsWith("no story; ") ? `${about.slice(10)[0].toUpperCase()}${about.slice(11)}.` : "";
      return {
        id: `works/${slug(name)}`,
        title: /[ (]/.test(title) ? title : `${title} (${kind})`,
        text: paragraph(
          vary(
            i,
            `${name} is ${indefinite(kind)} that was ${made} by ${maker}.`,
            `${name}, ${indefinite(kind)}, was ${made} by ${maker}.`,
            `The ${kind} ${name} is by ${maker}.`,
          ),
          maker.includes(" and ") || /studio/.test(maker)
            ? ""
            : vary(
                i,
                `${maker} is known as ${indefinite(nation)} ${nounOf(made, kind)}.`,
                `Its maker, ${maker}, is known as ${indefinite(nation)} ${nounOf(made, kind)}.`,
              ),
          dated,
          story ||
            `${name} ${made === "written" || made === "composed" || made === "directed" ? "is about" : "shows"} ${about}.`,
        ),
        source: SOURCE,
      };
    });
}

function nounOf(made, kind) {
  if (made === "directed") return "film director";
  if (made === "painted") return "painter";
  if (made === "composed") return "composer";
  if (made === "carved" || made === "made") return "sculptor";
  if (made === "designed") return "artist";
  return kind === "play" ? "writer of plays" : "writer";
}
