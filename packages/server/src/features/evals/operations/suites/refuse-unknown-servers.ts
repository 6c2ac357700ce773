/**
 * Rejects steps with a server id outside the project. A missing server and one of another
 * organization get the same response. Servers that the case already used are not checked again,
 * because they may have been deleted since.
 */
import { asksServer, type EvalCaseDefinition, type SuiteSettings } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuseMissing } from '../../../../platform/operations/refuse-missing.ts';
import { findServerIds } from '../../../servers/index.ts';

type Calls = Partial<Pick<EvalCaseDefinition, 'steps' | 'before' | 'after'>>;

interface PlacedCalls {
  readonly path: string;
  readonly definition: Calls;
}

/** Returns the set-up and clean-up calls of the suite settings, each with its path in a request. */
export function callsOfSettings(settings: SuiteSettings | undefined): PlacedCalls {
  const { before, after } = settings ?? {};
  return {
    path: 'body.settings',
    definition: { ...(before && { before }), ...(after && { after }) },
  };
}

export async function refuseUnknownServers(
  sql: Sql,
  projectId: string,
  cases: readonly PlacedCalls[],
  before: readonly Calls[] = [],
): Promise<void> {
  const [first] = await unknownServers(sql, projectId, cases, before);
  if (first !== undefined) refuseMissing('server', first);
}

export async function unknownServers(
  sql: Sql,
  projectId: string,
  cases: readonly PlacedCalls[],
  before: readonly Calls[] = [],
): Promise<string[]> {
  const named = cases.flatMap(serversIn);
  if (named.length === 0) return [];
  const had = before.flatMap((definition) => serversIn({ path: '', definition }));
  const known = new Set(had.map(({ serverId }) => serverId));
  const ids = [...new Set(named.map(({ serverId }) => serverId))].filter((id) => !known.has(id));
  const found = await findServerIds(sql, projectId, ids);
  return named
    .filter(({ serverId }) => !known.has(serverId) && !found.has(serverId))
    .map(({ path }) => path);
}

function serversIn({ path, definition }: PlacedCalls) {
  const { steps = [], before = [], after = [] } = definition;
  return Object.entries({ steps, before, after }).flatMap(([name, list]) =>
    list.flatMap((step, index) =>
      asksServer(step) && step.serverId !== undefined
        ? [{ path: `${path}.${name}[${index}].serverId`, serverId: step.serverId }]
        : [],
    ),
  );
}
