/**
 * The content of a plugin version: servers, and skills at the version that was current when the
 * plugin version was created. Equal content has the same hash, since ids are unique and sorted in
 * the canonical text.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { ResolvedSkill } from './resolve-environment.ts';

export interface PluginContent {
  readonly declaredVersion?: string;
  readonly servers: readonly {
    readonly serverId: string;
    readonly name: string;
    readonly placement: 'remote' | 'local';
  }[];
  readonly skills: readonly ResolvedSkill[];
}

export function canonicalPluginContent(content: PluginContent): string {
  return canonicalJson({
    declaredVersion: content.declaredVersion,
    servers: ordered(content.servers, ({ serverId }) => serverId),
    skills: ordered(content.skills, ({ skillId }) => skillId),
  });
}

export function componentKeys(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    const words = name
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu);
    const key = words?.join('-') ?? 'component';
    let free = key;
    for (let number = 2; taken.has(free); number += 1) free = `${key}-${number}`;
    taken.add(free);
    return free;
  });
}

/** Sorts by UTF-16 units, so that the order is the same on every machine. */
function ordered<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  return [...byId].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}
