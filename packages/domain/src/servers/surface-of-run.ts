/**
 * The tool lists of a run over all its trials. A server may change its tools during a run. The list
 * that most trials saw is then used, and the number of different lists is returned with it.
 */
import { canonicalJson } from '../kernel/canonical-json.ts';
import type { Json } from '../kernel/json.ts';
import type { SurfaceServer } from './surface-difference.ts';

export type ToolsByServer = Readonly<Record<string, readonly Json[]>>;

export interface ServerOfRun extends SurfaceServer {
  readonly lists: number;
}

/**
 * Returns servers sorted by name. `surfaces` must begin with the tool lists that most trials saw.
 */
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
