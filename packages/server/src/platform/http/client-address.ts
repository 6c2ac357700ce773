/**
 * Finds the client address of a request. If a trusted proxy sent the request, the client is the
 * right-most address in X-Forwarded-For that is not a trusted proxy; the client could have forged
 * every address to the left of it. From other senders the header is ignored. `Forwarded` and
 * `X-Real-IP` are never used.
 */
import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Visitor } from '../accounts/passwords.ts';

export type Network = [ipaddr.IPv4, number] | [ipaddr.IPv6, number];

export function parseTrustedProxy(text: string): Network {
  const [written = '', bitsText, ...rest] = text.split('/');
  const address = isIP(written) === 0 || written.includes('%') ? undefined : ipaddr.parse(written);
  if (address === undefined || rest.length > 0) {
    throw new RangeError(`"${text}" is not an address or a network like 10.0.0.0/8.`);
  }
  if (address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress()) {
    throw new RangeError(`"${text}" is an IPv4 address written as IPv6; write it as IPv4.`);
  }
  const most = address.kind() === 'ipv4' ? 32 : 128;
  if (bitsText === undefined) return [address, most] as Network;
  const bits = Number(bitsText);
  if (!/^\d{1,3}$/.test(bitsText) || bits > most) {
    throw new RangeError(
      `"${text}" is not a network: the number after the slash must be from 1 to ${most}.`,
    );
  }
  if (bits === 0)
    throw new RangeError(
      `"${text}" trusts every address; name only the addresses of your proxies.`,
    );
  const first = networkOf(address, bits);
  if (first !== address.toString()) {
    throw new RangeError(`"${text}" is an address inside a network; write ${first}/${bits}.`);
  }
  return [address, bits] as Network;
}

export type AddressedRequest = Pick<IncomingMessage, 'headers'> & {
  socket: { remoteAddress?: string | undefined };
};

export function clientAddress(
  { socket, headers }: AddressedRequest,
  trusted: readonly Network[],
): string | null {
  const sender = parse(socket.remoteAddress ?? '');
  if (sender === undefined) return null;
  let found = sender;
  const hops = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',').reverse();
  for (const hop of hops) {
    if (!isTrusted(found, trusted)) break;
    const next = parse(withoutPort(hop.trim()));
    // The trusted proxy sent no client address, so the proxy itself counts as the client.
    if (next === undefined) break;
    found = next;
  }
  return found.toString();
}

/**
 * Returns whether an untrusted sender claims, by a forwarding header, to be a proxy. All clients
 * behind a proxy share one address. Anybody can make this claim, so it changes the limits but never
 * removes them.
 */
export function isPassedOn(
  { socket, headers }: AddressedRequest,
  trusted: readonly Network[],
): boolean {
  if (!forwardingHeaders.some((name) => headers[name] !== undefined)) return false;
  const sender = parse(socket.remoteAddress ?? '');
  return sender === undefined || !isTrusted(sender, trusted);
}

const forwardingHeaders = ['x-forwarded-for', 'forwarded', 'x-real-ip'];

/**
 * Returns the visitor to whom sign-in limits apply. Without configured proxies, a private or local
 * address may be that of a proxy, so it counts as shared. A public address counts as that of one
 * visitor.
 */
export function visitorAt(address: string | null, trusted: readonly Network[]): Visitor {
  const range = parse(address ?? '')?.range();
  const isNear = range === undefined || nearRanges.has(range);
  return { address: visitorOf(address), isShared: trusted.length === 0 && isNear };
}

const nearRanges = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat']);

/**
 * Returns the address by which limits are counted. For IPv6 that is the network of 64 bits, since a
 * household or a machine has many addresses but only one such network.
 */
export function visitorOf(address: string | null): string {
  const parsed = parse(address ?? '');
  if (parsed === undefined) return 'unknown';
  return parsed.kind() === 'ipv4' ? parsed.toString() : `${networkOf(parsed, 64)}/64`;
}

function isTrusted(address: ipaddr.IPv4 | ipaddr.IPv6, trusted: readonly Network[]): boolean {
  return trusted.some((network) => address.kind() === network[0].kind() && address.match(network));
}

function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const withoutZone = text.replace(/%.*$/s, '');
  return isIP(withoutZone) === 0 ? undefined : ipaddr.process(withoutZone);
}

/**
 * Removes the port that some proxies add, and the brackets that they then put around an IPv6
 * address.
 */
function withoutPort(hop: string): string {
  return hop.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/^([^:]*):\d+$/, '$1');
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const text = `${address.toString()}/${bits}`;
  return address.kind() === 'ipv4'
    ? ipaddr.IPv4.networkAddressFromCIDR(text).toString()
    : ipaddr.IPv6.networkAddressFromCIDR(text).toString();
}
