/**
 * What a plugin version holds: servers, and skills with the version each has when the plugin version is made. One
 * spelling for one content, so that the same content has the same hash: ids have no order and come once.
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

/** What the bundle hash is the hash of. */
export function canonicalPluginContent(content: PluginContent): string {
  return canonicalJson({
    declaredVersion: content.declaredVersion,
    servers: ordered(content.servers, ({ serverId }) => serverId),
    skills: ordered(content.skills, ({ skillId }) => skillId),
  });
}

/** Short names for programs and models, made from those people gave; no two are the same. */
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

/** Sorted by UTF-16 units, which is the same on every machine. */
function ordered<Item>(items: readonly Item[], idOf: (item: Item) => string): Item[] {
  const byId = new Map(items.map((item) => [idOf(item), item]));
  return [...byId].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, item]) => item);
}
