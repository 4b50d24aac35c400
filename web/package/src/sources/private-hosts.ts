/** Which hosts are of a private network: no answer may cause a request to them. */

/** Names that stand for hosts of the network that the reader is in, with all names below them. */
const PRIVATE_NAMES = "localhost localdomain local internal lan home corp private intranet home.arpa fritz.box".split(
  " ",
);

/** IPv4 blocks that are not public (IANA's special-purpose registry, RFC 6890): the first address, and its fixed bits. */
const PRIVATE_V4: [start: string, bits: number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/**
 * Whether the host of an http address, or an IP address that a name stands for, is private: by name, or as a loopback,
 * private, link-local, shared or reserved address. `host` is as `URL` writes it, which has made "0x7f.1" and
 * "2130706433" plain "127.0.0.1".
 */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[|\]$|\.$/g, "");
  if (name.includes(":")) return isPrivateV6(name);
  const v4 = numberOf(name);
  if (v4 !== null) return isPrivateV4(v4);
  return !name.includes(".") || PRIVATE_NAMES.some((end) => name === end || name.endsWith(`.${end}`));
}

/** The number that an IPv4 address is; null for anything else. */
function numberOf(address: string): number | null {
  if (!/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return null;
  return address.split(".").reduce((number, part) => number * 256 + Number(part), 0);
}

function isPrivateV4(address: number): boolean {
  return PRIVATE_V4.some(([start, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor((numberOf(start) ?? 0) / size);
  });
}

function isPrivateV6(address: string): boolean {
  const groups = groupsOf(address.split("%", 1)[0] ?? "");
  if (!groups) return true; // it is no valid address
  const [first = 0, second = 0] = groups;
  const v4 = (at: number) => isPrivateV4((groups[at] ?? 0) * 65_536 + (groups[at + 1] ?? 0));
  const startsWith = (...start: number[]) => start.every((group, at) => groups[at] === group);
  if (startsWith(0, 0, 0, 0, 0, 0xffff) || startsWith(0x64, 0xff9b, 0, 0, 0, 0)) return v4(6); // IPv4 in IPv6, NAT64
  if (startsWith(0x2002)) return v4(1); // 6to4
  if (first === 0x2001) return second < 0x200 || second === 0xdb8; // RFC 6890
  return (first & 0xe000) !== 0x2000 || (first === 0x3fff && second < 0x1000); // RFC 4291, 9637
}

/** The eight groups of an IPv6 address; null for anything else. */
function groupsOf(address: string): number[] | null {
  const v4 = numberOf(address.slice(address.lastIndexOf(":") + 1));
  const whole =
    v4 === null
      ? address
      : `${address.slice(0, address.lastIndexOf(":") + 1)}${Math.floor(v4 / 65_536).toString(16)}:${(v4 % 65_536).toString(16)}`;
  const [before = "", after, ...more] = whole.split("::");
  const [start, end] = [before, after ?? ""].map((part) => (part ? part.split(":") : [])) as [string[], string[]];
  const missing = 8 - start.length - end.length;
  if (more.length > 0 || (after === undefined ? missing !== 0 : missing < 1)) return null;
  const groups = [...start, ...Array<string>(missing).fill("0"), ...end];
  return groups.every((group) => /^[0-9a-f]{1,4}$/.test(group))
    ? groups.map((group) => Number.parseInt(group, 16))
    : null;
}
