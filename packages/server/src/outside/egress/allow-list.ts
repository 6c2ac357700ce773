/**
 * The operator's list of allowed hosts: host names, addresses and networks such as `10.1.0.0/16`.
 * Every entry except a network may contain a port, for example `127.0.0.1:8080`. Loopback is
 * allowed only by a loopback entry, not by a wide network or by a name that resolves to it.
 */
import ipaddr from 'ipaddr.js';
import { classifyAddress, parseAddress } from './address-class.ts';
import { isLoopbackName, normalizedHost } from './normalized-host.ts';

type Network = [ipaddr.IPv4, number] | [ipaddr.IPv6, number];

interface Entry {
  readonly host: string | undefined;
  readonly networks: readonly Network[];
  /** The only allowed port (default: every port). */
  readonly port: number | undefined;
}

/**
 * Returns whether the operator's list allows `address`, a private or loopback address that
 * `target.host` resolved to.
 */
export function isListed(
  list: readonly string[],
  target: { readonly host: string; readonly port: number },
  address: string,
): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  const isLoopback = classifyAddress(address) === 'loopback';
  const host = normalizedHost(target.host);
  return list.map(parseEntry).some((entry) => {
    if (entry.port !== undefined && entry.port !== target.port) return false;
    if (entry.host !== undefined) return entry.host === host && !isLoopback;
    return entry.networks.some(
      (network) =>
        parsed.kind() === network[0].kind() &&
        parsed.match(network) &&
        (!isLoopback || classifyAddress(network[0].toString()) === 'loopback'),
    );
  });
}

export function checkAllowList(list: readonly string[]): void {
  for (const entry of list) parseEntry(entry);
}

export function listedPorts(list: readonly string[]): readonly (number | undefined)[] {
  return list.map((entry) => parseEntry(entry).port);
}

export function entryOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  return Number(port) || (protocol === 'https:' ? 443 : 80);
}

function parseEntry(written: string): Entry {
  const text = written.trim();
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) {
    return {
      host: undefined,
      networks: [ipaddr.parseCIDR(text) as Network],
      port: undefined,
    };
  }
  const { name, port } = withoutPort(text);
  const bare = name.replace(/^\[(.*)\]$/, '$1');
  const isHost = /^[^\s/?#@\\]+$/.test(bare) && (!bare.includes(':') || ipaddr.IPv6.isValid(bare));
  const url = `http://${bare.includes(':') ? `[${bare}]` : bare}`;
  const isPort = port === undefined || (port >= 1 && port <= 65_535);
  if (!isHost || !isPort || !URL.canParse(url)) {
    throw new RangeError(
      `"${written}" is not a host name, an address or a network; a host or address may have a port.`,
    );
  }
  const host = normalizedHost(new URL(url).hostname);
  if (isLoopbackName(host)) return { host: undefined, networks: loopback, port };
  const address = parseAddress(host);
  if (address === undefined) return { host, networks: [], port };
  return {
    host: undefined,
    networks: [[address, address.kind() === 'ipv4' ? 32 : 128] as Network],
    port,
  };
}

const loopback = ['127.0.0.1/32', '::1/128'].map((text) => ipaddr.parseCIDR(text) as Network);

/**
 * Splits off the port. A v6 address with a port needs brackets, because otherwise its last part
 * would be taken for a port.
 */
function withoutPort(text: string): { name: string; port: number | undefined } {
  const match = /^(\[[^\]]*\]|[^:[\]]*):(\d{1,5})$/.exec(text);
  if (match === null) return { name: text, port: undefined };
  return { name: match[1] as string, port: Number(match[2]) };
}
