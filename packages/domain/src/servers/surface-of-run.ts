/**
 * What a run was listed, of all its trials together. Servers may change their tools while it goes on, and trials may use
 * different servers: of each server counts the list that most trials saw, and how many lists there were is told.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json } from '../kernel/json.ts';
import type { SurfaceServer } from './surface-difference.ts';

/** Tools by the id of their server. */
export type ToolsByServer = Readonly<Record<string, readonly Json[]>>;

export interface ServerOfRun extends SurfaceServer {
  /** How many different lists trials saw of it. */
  readonly lists: number;
}

/** By name; surfaces that more trials saw come first. */
export function serversOfRun(
  surfaces: readonly ToolsByServer[],
  nameOf: (serverId: string) => string | undefined,
): ServerOfRun[] {
  const found = new Map<string, { readonly tools: readonly Json[]; readonly texts: Set<string> }>();
  for (const surface of surfaces) {
    for (const [id, tools] of Object.entries(surface)) {
      const known = found.get(id) ?? { tools, texts: new Set() };
      known.texts.add(canonicalJson(tools));
      found.set(id, known);
    }
  }
  const servers = [...found].map(
    ([id, { tools, texts }]): ServerOfRun => ({
      id,
      name: nameOf(id) ?? null,
      tools,
      lists: texts.size,
    }),
  );
  const key = ({ name, id }: ServerOfRun) => `${name ?? ''}\n${id}`;
  return servers.sort((one, other) => (key(one) < key(other) ? -1 : 1));
}
