import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * The class of an address. It matters because others may trick the service into connecting to an
 * address.
 *
 * - `public`: globally routed unicast.
 * - `loopback`: this machine.
 * - `special`: private networks and all other ranges that are not public.
 * - `never`: metadata services of clouds, in every notation; addresses that identify no single host
 *   (unspecified, multicast, broadcast; connecting to the unspecified address reaches loopback);
 *   and text that is not an address in its usual notation.
 *
 * A v4-mapped address counts as its v4 address, as in the kernel. A NAT64 address is public if its
 * v4 address is public. If that v4 address is private, the translator would connect to it in
 * another network, so it is never allowed.
 */
export type AddressClass = 'public' | 'loopback' | 'special' | 'never';

export function classifyAddress(text: string): AddressClass {
  const address = parseAddress(text);
  if (address === undefined || isMetadata(address)) return 'never';
  if (address.kind() === 'ipv4') return classOfRange(address);
  const v6 = address as ipaddr.IPv6;
  const inside = embeddedV4(v6);
  if (inside.some(isMetadata)) return 'never';
  if (v6.match(wellKnownNat64)) {
    return inside.every((v4) => classOfRange(v4) === 'public') ? 'public' : 'never';
  }
  return classOfRange(v6);
}

/**
 * Parses an address into the form used for connecting: without a zone, and as v4 if it is
 * v4-mapped.
 */
export function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const withoutZone = text.replace(/%.*$/s, '');
  const version = isIP(withoutZone);
  if (version === 0) return undefined;
  if (version === 4) return ipaddr.IPv4.parse(withoutZone);
  // ipaddr.js mistakes `::1.2.3.4` for a v4-mapped address. The URL parser first rewrites it in
  // hexadecimal.
  return ipaddr.process(new URL(`http://[${withoutZone}]`).hostname.slice(1, -1));
}

/**
 * Returns all addresses that a connection to this address may reach, as normalized text: itself,
 * and the v4 addresses that it contains.
 */
export function spellingsOf(text: string): readonly string[] {
  const address = parseAddress(text);
  if (address === undefined) return [];
  const inside = address.kind() === 'ipv6' ? embeddedV4(address as ipaddr.IPv6) : [];
  return [address, ...inside].map((one) => one.toNormalizedString());
}

const wellKnownNat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
const localNat64 = ipaddr.IPv6.parseCIDR('64:ff9b:1::/48');
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

const metadataRanges = [
  // Link-local metadata services of most clouds, which return credentials of instances, tasks and
  // pods.
  '169.254.169.0/24',
  '169.254.170.0/24',
  '169.254.0.23/32',
  '169.254.42.42/32',
  // Metadata services of Alibaba and Oracle, and the host service of Azure, which has a public
  // address.
  '100.100.100.200/32',
  '192.0.0.192/32',
  '168.63.129.16/32',
  // The metadata services over IPv6: AWS, Google, Scaleway, OpenStack.
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  'fd00:42::42/128',
  'fe80::a9fe:a9fe/128',
].map((range) => ipaddr.parseCIDR(range));

function isMetadata(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return metadataRanges.some(
    ([range, bits]) => range.kind() === address.kind() && address.match(range, bits),
  );
}

function classOfRange(address: ipaddr.IPv4 | ipaddr.IPv6): AddressClass {
  const range = address.range();
  if (range === 'unspecified' || range === 'multicast' || range === 'broadcast') return 'never';
  if (range === 'loopback') return 'loopback';
  if (range !== 'unicast') return 'special';
  if (address.kind() === 'ipv4') return 'public';
  return (address as ipaddr.IPv6).match(globalUnicast) ? 'public' : 'special';
}

/**
 * Returns the v4 addresses that a tunnel or translator would extract from this v6 address and
 * connect to.
 */
function embeddedV4(address: ipaddr.IPv6): ipaddr.IPv4[] {
  const bytes = address.toByteArray();
  const at = (...positions: number[]) => new ipaddr.IPv4(positions.map((i) => bytes[i] ?? 0));
  const last = at(12, 13, 14, 15);
  if (address.match(wellKnownNat64)) return [last];
  if (address.match(localNat64)) return [last, at(6, 7, 9, 10), at(9, 10, 11, 12)];
  if (address.range() === '6to4') return [at(2, 3, 4, 5)];
  // Teredo stores the client's address with every bit inverted.
  if (address.range() === 'teredo') {
    return [at(4, 5, 6, 7), new ipaddr.IPv4(last.octets.map((octet) => octet ^ 0xff))];
  }
  const isTranslatedOrCompatible = bytes.slice(0, 8).every((byte) => byte === 0);
  const isIsatap = bytes[10] === 0x5e && bytes[11] === 0xfe;
  return isTranslatedOrCompatible || isIsatap ? [last] : [];
}
