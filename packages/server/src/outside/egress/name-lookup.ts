/**
 * The system's resolver (getaddrinfo) blocks one of few threads while a name server does not
 * answer. The hosts file and the name servers are therefore queried without threads. Only local
 * names and unknown names go to the system's resolver, a few at a time.
 */
import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { Semaphore } from '@proofmark/domain';

export type EgressLookup = (
  hostname: string,
) => Promise<readonly { readonly address: string; readonly family: number }[]>;

export interface NameLookupOptions {
  readonly hostsFile?: string;
  /** The addresses of the name servers to ask (default: those of the system). */
  readonly nameServers?: readonly string[];
  readonly system?: EgressLookup;
}

export function createNameLookup(options: NameLookupOptions = {}): EgressLookup {
  const hosts = new HostsFile(options.hostsFile ?? '/etc/hosts');
  const system = options.system ?? ((name: string) => systemLookup(name, { all: true }));
  return async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '');
    const written = hosts.addressesOf(name);
    if (written.length > 0) return written.map(answerOf);
    const isLocal = !name.includes('.') || name.endsWith('.localhost');
    if (isLocal) return aFewAtATime('local', () => system(hostname));
    const found = await askNameServers(name, options.nameServers);
    return found ?? aFewAtATime('unknown', () => system(hostname));
  };
}

/** Asks the name servers. Returns undefined if none of them knows the name. */
async function askNameServers(name: string, nameServers: readonly string[] | undefined) {
  // A resolver reads the system's name servers only once, but they may change. A new resolver is
  // therefore created for each lookup.
  const resolver = new Resolver({ timeout: firstTryMs, tries: 2 });
  if (nameServers !== undefined) resolver.setServers(nameServers);
  const both = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const addresses = both.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  if (addresses.length > 0) return addresses.map(answerOf);
  const codes = both.map((one) =>
    one.status === 'rejected' ? String(one.reason.code) : 'ENODATA',
  );
  if (codes.every((code) => code === 'ENOTFOUND')) return undefined;
  // Throws the codes of the system's resolver. The original code for a query that a name server
  // refused (ECONNREFUSED) would look like a refused connection.
  throw lookupError(codes.every((code) => isNoAddress.has(code)) ? 'ENOTFOUND' : 'EAI_AGAIN');
}

/** The hosts file. It is read again when it has changed. */
class HostsFile {
  readonly #path: string;
  #version = '';
  #addresses = new Map<string, string[]>();

  constructor(path: string) {
    this.#path = path;
  }

  addressesOf(name: string): readonly string[] {
    try {
      const { mtimeMs, size, ino } = statSync(this.#path);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (version !== this.#version) this.#addresses = parseHosts(readFileSync(this.#path, 'utf8'));
      this.#version = version;
    } catch {
      this.#addresses.clear();
      this.#version = '';
    }
    return this.#addresses.get(name) ?? [];
  }
}

function parseHosts(text: string): Map<string, string[]> {
  const addresses = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names.map((written) => written.toLowerCase())) {
      const known = addresses.get(name) ?? [];
      if (!known.includes(address)) addresses.set(name, [...known, address]);
    }
  }
  return addresses;
}

function answerOf(address: string): { address: string; family: number } {
  return { address, family: isIP(address) };
}

function lookupError(code: string): Error {
  return Object.assign(new Error('The host name has no address; check the name.'), { code });
}

async function aFewAtATime<Result>(
  kind: keyof typeof codeAfterWait,
  work: () => Promise<Result>,
): Promise<Result> {
  const signal = AbortSignal.timeout(longestWaitMs);
  const release = await lookups.acquire(kind, { signal }).catch(() => {
    throw lookupError(codeAfterWait[kind]);
  });
  return work().finally(release);
}

const longestWaitMs = 4_000;
/**
 * Limits lookups by the system. The process has four shared threads: two may look up local names
 * and one unknown names, so one remains for everything else.
 */
const lookups = new Semaphore((kind) => (kind === 'local' ? 2 : 1));
const codeAfterWait = { local: 'EAI_AGAIN', unknown: 'ENOTFOUND' };
/**
 * The time limit for the first try, in milliseconds. The second try waits twice as long; both fit
 * into the time limit for connecting.
 */
const firstTryMs = 1_000;
const isNoAddress = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
