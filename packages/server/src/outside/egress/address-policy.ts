import { classifyAddress, parseAddress } from './address-class.ts';
import { checkAllowList, isListed, portOf } from './allow-list.ts';
import type { EgressLookup } from './name-lookup.ts';
import { isLoopbackName, normalizedHost } from './normalized-host.ts';
import { isOwnPort, type OwnPort } from './own-ports.ts';

/**
 * The addresses that the service may connect to. Public addresses are allowed. Loopback, private
 * and other special addresses are allowed only if the operator listed them; loopback also with
 * `allowLoopback`. Metadata services, addresses that identify no single host, and the service's own
 * ports are never allowed.
 */
export interface EgressPolicy {
  /**
   * Whether loopback is allowed, as for a service that one person uses on this machine. A function
   * is called for each request, for a value that can change.
   */
  readonly allowLoopback: boolean | (() => boolean);
  /**
   * The private, loopback and other special addresses that the operator allows: host names,
   * addresses and networks such as `10.1.0.0/16`. Host names and addresses may have a port.
   */
  readonly allowedPrivateHosts: readonly string[];
  /** The ports of the service itself. Ports may be added after the policy was created. */
  readonly ownPorts?: readonly OwnPort[];
  readonly connectTimeoutMs?: number;
  /** The time limit from the call to the last byte of the answer, in milliseconds. */
  readonly deadlineMs?: number;
  /** The maximum size of an answer in bytes, counted after decompression. */
  readonly maxResponseBytes?: number;
  /** The function that looks up names (default: the resolver of the system). */
  readonly lookup?: EgressLookup;
}

/** A host as written in the URL, and its port. */
export interface EgressTarget {
  readonly host: string;
  readonly port: number;
}

/** Checks a URL without asking a name server. Used when a URL is saved. */
export function checkUrl(
  url: string | URL,
  policy: EgressPolicy,
): { refusal?: 'EGRESS_BLOCKED' | 'INVALID_URL' } {
  const parsed = parseTarget(url);
  if (parsed === undefined) return { refusal: 'INVALID_URL' };
  const target = { host: hostOf(parsed), port: portOf(parsed) };
  return isHostAllowed(target, policy) ? {} : { refusal: 'EGRESS_BLOCKED' };
}

/**
 * Returns an http or https URL without user name and password. Returns undefined for any other URL.
 */
export function parseTarget(url: string | URL): URL | undefined {
  if (!URL.canParse(String(url))) return undefined;
  const parsed = new URL(url);
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') return undefined;
  if (parsed.username !== '' || parsed.password !== '') return undefined;
  return hostOf(parsed) === '' ? undefined : parsed;
}

/**
 * Returns whether the policy allows a connection to `address`, which `target.host` resolved to. The
 * caller must check the service's own ports.
 */
export function isAddressAllowed(
  target: EgressTarget,
  address: string,
  policy: EgressPolicy,
): boolean {
  const addressClass = classifyAddress(address);
  if (addressClass === 'loopback' && isLoopbackAllowed(policy)) return true;
  if (addressClass === 'loopback' || addressClass === 'special') {
    return isListed(policy.allowedPrivateHosts, target, address);
  }
  return addressClass === 'public';
}

export function isLoopbackAllowed({ allowLoopback }: EgressPolicy): boolean {
  return typeof allowLoopback === 'function' ? allowLoopback() : allowLoopback;
}

/**
 * Checks a target before any DNS lookup. An IP address is checked completely. A name is rejected
 * only if it always means loopback or this service.
 */
export function isHostAllowed(target: EgressTarget, policy: EgressPolicy): boolean {
  const plain = normalizedHost(target.host);
  if (isOwnPort(plain, target.port, policy.ownPorts ?? [])) return false;
  if (parseAddress(plain) !== undefined) return isAddressAllowed(target, plain, policy);
  if (!isLoopbackName(plain)) return true;
  return ['127.0.0.1', '::1'].some((address) => isAddressAllowed(target, address, policy));
}

export function checkAllowedPrivateHosts(policy: EgressPolicy): void {
  checkAllowList(policy.allowedPrivateHosts);
}

function hostOf(url: URL): string {
  return normalizedHost(url.hostname);
}
