import ipaddr from 'ipaddr.js';
import { classifyAddress, parseAddress } from './address-class.ts';

/**
 * Where the service may connect to. Public addresses are allowed. Loopback is allowed only by
 * `allowLoopback`; naming it in the list does not help. Other private and special addresses are
 * allowed only when the operator named the host, the address or its network. Metadata services and
 * addresses that name no one host are never allowed.
 */
export interface EgressPolicy {
  readonly allowLoopback: boolean;
  /** Host names, addresses and networks such as `10.1.0.0/16`. */
  readonly allowedPrivateHosts: readonly string[];
  readonly connectTimeoutMs?: number;
  /** From the call to the last byte of the answer. */
  readonly deadlineMs?: number;
  /** Counted after decompression. */
  readonly maxResponseBytes?: number;
  /** All addresses of a name; the resolver of the system when absent. */
  readonly lookup?: EgressLookup;
}

export type EgressLookup = (
  hostname: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** What can be said about a URL without asking a name server; used when a URL is saved. */
export function checkUrl(
  url: string | URL,
  policy: EgressPolicy,
): { refusal?: 'EGRESS_BLOCKED' | 'INVALID_URL' } {
  const parsed = parseTarget(url);
  if (parsed === undefined) return { refusal: 'INVALID_URL' };
  return isHostAllowed(hostOf(parsed), policy) ? {} : { refusal: 'EGRESS_BLOCKED' };
}

/** An http or https URL without user name and password, or nothing. */
export function parseTarget(url: string | URL): URL | undefined {
  if (!URL.canParse(String(url))) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return hostOf(parsed) === '' ? undefined : parsed;
}

/** Whether a connection to `address`, reached under the name `host`, is allowed. */
export function isAddressAllowed(host: string, address: string, policy: EgressPolicy): boolean {
  const addressClass = classifyAddress(address);
  if (addressClass === 'loopback') return policy.allowLoopback;
  if (addressClass === 'special') return isListed(plainHost(host), address, policy);
  return addressClass === 'public';
}

/** A host as written: an address is judged; a name is judged only if it can mean nothing but loopback. */
export function isHostAllowed(host: string, policy: EgressPolicy): boolean {
  const plain = plainHost(host);
  if (parseAddress(plain) !== undefined) return isAddressAllowed(plain, plain, policy);
  if (plain === 'localhost' || plain.endsWith('.localhost')) return policy.allowLoopback;
  return true;
}

/** Throws when the operator's list holds something that is no host, address or network. */
export function checkAllowedPrivateHosts(policy: EgressPolicy): void {
  for (const entry of policy.allowedPrivateHosts) parseEntry(entry);
}

function isListed(host: string, address: string, policy: EgressPolicy): boolean {
  const parsed = parseAddress(address);
  return policy.allowedPrivateHosts.map(parseEntry).some((entry) => {
    if (typeof entry === 'string') return entry === host;
    return parsed !== undefined && parsed.kind() === entry[0].kind() && parsed.match(entry);
  });
}

type Network = [ipaddr.IPv4, number] | [ipaddr.IPv6, number];

function parseEntry(entry: string): Network | string {
  const text = entry.trim();
  if (ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text)) {
    return ipaddr.parseCIDR(text) as Network;
  }
  const bare = text.replace(/^\[(.*)\]$/, '$1');
  const isHost = /^[^\s/?#@\\]+$/.test(bare) && (!bare.includes(':') || ipaddr.IPv6.isValid(bare));
  const url = `http://${bare.includes(':') ? `[${bare}]` : bare}`;
  if (!isHost || !URL.canParse(url)) {
    throw new RangeError(`"${entry}" is not a host name, an address or a network.`);
  }
  const host = plainHost(hostOf(new URL(url)));
  const address = parseAddress(host);
  return address === undefined
    ? host
    : ([address, address.kind() === 'ipv4' ? 32 : 128] as Network);
}

function hostOf(url: URL): string {
  return plainHost(url.hostname);
}

function plainHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.+$/, '');
}
