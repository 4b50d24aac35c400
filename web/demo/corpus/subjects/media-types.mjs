// Media types, also called MIME types: the file name extensions of each, and who keeps it.
import { createRequire } from "node:module";
import { list, paragraph, slug, vary } from "../prose.mjs";

const data = createRequire(import.meta.url)("mime-db");
const SOURCE = "mime-db 1.54.0 (MIT)";

const KINDS = {
  audio: "sound",
  video: "moving pictures",
  image: "pictures",
  font: "fonts",
  text: "text",
  model: "three-dimensional models",
  application: "the data of a particular application",
  chemical: "chemical data",
  message: "messages",
};

export function mediaTypes() {
  return Object.entries(data)
    .filter(
      ([type, { extensions, source }]) =>
        extensions?.length &&
        extensions.length < 7 &&
        source &&
        !/^application\/(?:vnd|prs)|^x-|octet-stream/.test(type),
    )
    .map(([type, { extensions, source, compressible, charset }], i) => {
      const [kind, rest] = type.split("/");
      const endings =
        extensions.length === 1
          ? `the file name extension ${extensions[0]}`
          : `the file name extensions ${list(extensions)}`;
      return {
        id: `media-types/${slug(type.replace("+", "-plus-"))}`,
        title: type,
        text: paragraph(
          vary(i, `The media type ${type} has ${endings}.`, `Files of the media type ${type} have ${endings}.`),
          vary(
            i,
            `The part before the slash, ${kind}, says that it stands for ${KINDS[kind]}.`,
            `It is one of the types of ${kind}, which stand for ${KINDS[kind]}.`,
          ),
          source === "iana"
            ? "It is registered with IANA, the authority that keeps the numbers and names of the Internet."
            : `It is not registered with IANA, but the web server ${source === "nginx" ? "nginx" : "Apache"} knows it.`,
          /\+xml$/.test(rest)
            ? "Its ending says that the data are written in XML."
            : /\+json$/.test(rest)
              ? "Its ending says that the data are written in JSON."
              : /\+zip$/.test(rest)
                ? "Its ending says that the data are packed as a ZIP archive."
                : "",
          compressible === true
            ? "Data of this type gain from compression."
            : compressible === false
              ? "Data of this type gain little from further compression."
              : "",
          charset ? `Its usual character set is ${charset}.` : "",
        ),
        source: SOURCE,
      };
    });
}
