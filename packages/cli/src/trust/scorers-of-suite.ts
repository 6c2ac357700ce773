/**
 * The own scorers that a suite file names, wherever in it: each is sent what was said in a trial, which is agreed to as
 * any other address of the folder is.
 */
import type { ThingToTrust } from '@proofmark/domain';
import { UsageProblem } from '../remote/exit-codes.ts';

/** A row of data could name any host in place of a template, after the address was agreed to. */
function withOneHost(url: string): string {
  const [, authority = url] = /^[a-z]+:\/\/([^/?#]*)/i.exec(url) ?? [];
  if (!authority.includes('{{')) return url;
  throw new UsageProblem(
    `The host of the scorer ${url} is filled from rows of data; write the host into the suite file.`,
  );
}

export function scorersOfSuite(parsed: unknown): ThingToTrust[] {
  const addresses = new Set<string>();
  const seen = new Set<unknown>();
  const open: unknown[] = [parsed];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null || seen.has(one)) continue;
    // A value may stand in many places by its alias.
    seen.add(one);
    const { type, url } = one as { readonly type?: unknown; readonly url?: unknown };
    if (type === 'scorer' && typeof url === 'string') addresses.add(withOneHost(url));
    open.push(...Object.values(one).filter((value) => typeof value === 'object'));
  }
  return [...addresses].sort().map((url) => ({
    stated: { setting: 'scorer', value: url },
    shown: `sends what is said in its trials to ${url} (an own scorer)`,
  }));
}
