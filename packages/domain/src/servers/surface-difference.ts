/**
 * Compares the listed tools of servers at two times. Servers are paired by id, or else by name,
 * since a server may have been saved again. Tools are paired by name; a removed tool and a similar
 * added one count as renamed. Every field of a tool counts, but the order of the list does not.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json } from '../kernel/json.ts';
import { type PartChange, partChanges } from '../kernel/part-changes.ts';
import { pairRenamed } from '../surfaces/pair-renamed.ts';

export interface SurfaceServer {
  readonly id: string;
  /** Null if the name is no longer known. */
  readonly name: string | null;
  readonly tools: readonly Json[];
}

export const surfaceChanges = ['added', 'removed', 'renamed', 'changed'] as const;
export type SurfaceChange = (typeof surfaceChanges)[number];

export interface ToolDifference {
  readonly change: SurfaceChange;
  readonly name: string;
  readonly formerName?: string;
  /** The similarity of a renamed tool to the former one, from 0 to 1. */
  readonly likeness?: number;
  /** The changed fields; all fields of an added or removed tool. */
  readonly parts: readonly PartChange[];
}

export interface ServerDifference {
  readonly change: SurfaceChange;
  readonly serverId: string;
  readonly serverName: string | null;
  /** The id of the server that this server replaces. */
  readonly formerServerId?: string;
  readonly formerServerName?: string;
  /** The changed tools; all tools of an added or removed server. */
  readonly tools: readonly ToolDifference[];
}

/**
 * Returns the servers with differences: first those in `after`, in its order, then removed servers
 * in the order of `before`.
 */
export function surfaceDifference(
  before: readonly SurfaceServer[],
  after: readonly SurfaceServer[],
): ServerDifference[] {
  const pairs = pairServers(before, after);
  const kept = after.flatMap((is): ServerDifference[] => {
    const was = pairs.get(is);
    const tools = toolDifferences(was?.tools ?? [], is.tools);
    const named = { serverId: is.id, serverName: is.name };
    if (was === undefined) return [{ change: 'added', ...named, tools }];
    const isRenamed = was.name !== null && is.name !== null && was.name !== is.name;
    if (!isRenamed && tools.length === 0) return [];
    return [
      {
        change: isRenamed ? 'renamed' : 'changed',
        ...named,
        ...(was.id !== is.id && { formerServerId: was.id }),
        ...(isRenamed && { formerServerName: was.name ?? '' }),
        tools,
      },
    ];
  });
  const paired = new Set(pairs.values());
  const gone = before.filter((was) => !paired.has(was));
  return [
    ...kept,
    ...gone.map(
      ({ id, name, tools }): ServerDifference => ({
        change: 'removed',
        serverId: id,
        serverName: name,
        tools: toolDifferences(tools, []),
      }),
    ),
  ];
}

/** Limits the number of tools over all servers. Servers beyond the limit keep an empty list. */
export function firstDifferences(
  servers: readonly ServerDifference[],
  mostTools: number,
): ServerDifference[] {
  let left = mostTools;
  return servers.map((server) => {
    const tools = server.tools.slice(0, left);
    left -= tools.length;
    return { ...server, tools };
  });
}

function pairServers(
  before: readonly SurfaceServer[],
  after: readonly SurfaceServer[],
): ReadonlyMap<SurfaceServer, SurfaceServer> {
  const byId = new Map(before.map((one) => [one.id, one]));
  const pairs = new Map<SurfaceServer, SurfaceServer>();
  for (const is of after) {
    const was = byId.get(is.id);
    if (was !== undefined) pairs.set(is, was);
  }
  const paired = new Set(pairs.values());
  const gone = onlyOnes(
    before.filter((one) => !paired.has(one)),
    nameOf,
  );
  const come = onlyOnes(
    after.filter((one) => !pairs.has(one)),
    nameOf,
  );
  for (const [name, is] of come) {
    const was = gone.get(name);
    if (was !== undefined) pairs.set(is, was);
  }
  return pairs;
}

function nameOf({ name }: SurfaceServer): string | undefined {
  return name ?? undefined;
}

/** Returns differences sorted by the tool's current name. */
export function toolDifferences(before: readonly Json[], after: readonly Json[]): ToolDifference[] {
  const found: ToolDifference[] = [];
  const gone: Json[] = [];
  const come: Json[] = [];
  const had = byName(before);
  const has = byName(after);
  for (const name of new Set([...had.keys(), ...has.keys()])) {
    // A server may list a name twice. Tools that are equal on both sides are removed first; the
    // rest is paired.
    const [was, is] = withoutCommon(had.get(name) ?? [], has.get(name) ?? []);
    const pairs = Math.min(was.length, is.length);
    for (let index = 0; index < pairs; index += 1) {
      const parts = partChanges(was[index] ?? {}, is[index] ?? {});
      found.push({ change: 'changed', name, parts });
    }
    gone.push(...was.slice(pairs));
    come.push(...is.slice(pairs));
  }
  const renamed = pairRenamed(gone, come);
  for (const { from, to, likeness } of renamed) {
    const parts = partChanges(withoutName(from), withoutName(to));
    const names = { name: toolName(to), formerName: toolName(from) };
    found.push({ change: 'renamed', ...names, likeness, parts });
  }
  const paired = new Set(renamed.flatMap(({ from, to }) => [from, to]));
  for (const tool of gone.filter((one) => !paired.has(one))) {
    const parts = partChanges(withoutName(tool), {});
    found.push({ change: 'removed', name: toolName(tool), parts });
  }
  for (const tool of come.filter((one) => !paired.has(one))) {
    found.push({
      change: 'added',
      name: toolName(tool),
      parts: partChanges({}, withoutName(tool)),
    });
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : Number(one.name > other.name)));
}

function withoutName(tool: Json): Json {
  const { name: _, ...rest } = tool;
  return rest;
}

function toolName(tool: Json): string {
  return String(tool['name']);
}

/** Groups tools by name, in an order that does not depend on the order of the list. */
function byName(tools: readonly Json[]): Map<string, Json[]> {
  const spelled = tools.map((tool) => ({ tool, text: canonicalJson(tool) }));
  spelled.sort((one, other) => (one.text < other.text ? -1 : Number(one.text > other.text)));
  const named = new Map<string, Json[]>();
  for (const { tool } of spelled) {
    const name = toolName(tool);
    named.set(name, [...(named.get(name) ?? []), tool]);
  }
  return named;
}

function withoutCommon(before: readonly Json[], after: readonly Json[]): [Json[], Json[]] {
  const left = after.map((tool) => ({ tool, text: canonicalJson(tool) }));
  const gone = before.filter((tool) => {
    const text = canonicalJson(tool);
    const at = left.findIndex((one) => one.text === text);
    if (at === -1) return true;
    left.splice(at, 1);
    return false;
  });
  return [gone, left.map(({ tool }) => tool)];
}

/** Leaves out keys that several items share, since an ambiguous key cannot be paired. */
function onlyOnes<One>(
  all: readonly One[],
  keyOf: (one: One) => string | undefined,
): ReadonlyMap<string, One> {
  const byKey = new Map<string, One[]>();
  for (const one of all) {
    const key = keyOf(one);
    if (key !== undefined) byKey.set(key, [...(byKey.get(key) ?? []), one]);
  }
  const single = [...byKey].flatMap(([key, [one, ...others]]) =>
    one !== undefined && others.length === 0 ? [[key, one] as const] : [],
  );
  return new Map(single);
}
