/** Selects the tools for drafting cases: those of the servers that a run of the suite would use. */

import type { BodyOf } from '@proofmark/contract';
import { type DraftTool, notFound, toolToDraft, visibleTools } from '@proofmark/domain';
import type { Sql } from '../../../../platform/database/database.ts';
import { refuse } from '../../../../platform/operations/action.ts';
import { findServerToCall, listNamedServers, orRefusal, targetOf } from '../../../servers/index.ts';
import type { EvalsProject } from '../../evals-context.ts';
import { contextOf, type LaunchContext, type SuiteOfContext } from '../runs/launch-context.ts';
import { findServerByName } from './find-server-by-name.ts';

export type ServerSelection = Pick<LaunchContext, 'servers' | 'played'>;

export async function selectServers(
  sql: Sql,
  projectId: string,
  { servers, environmentId }: Pick<BodyOf<'generateEvalCases'>, 'servers' | 'environmentId'>,
  suite: SuiteOfContext,
): Promise<ServerSelection> {
  const known = servers === undefined ? [] : await listNamedServers(sql, projectId);
  // A name that matches no server stays unchanged and is rejected like an unknown id.
  const serverIds = servers?.map((one) => findServerByName(known, one)?.id ?? one);
  return contextOf(sql, projectId, { environmentId, serverIds }, suite, 'servers');
}

export async function listToolsToDraft(
  context: EvalsProject,
  { servers, played }: ServerSelection,
): Promise<DraftTool[]> {
  const lists = await Promise.all(
    servers.map(async ({ id, name }) => {
      const found = await context.tenant((sql) =>
        findServerToCall(sql, context.database.vault, context.project.id, id),
      );
      const target = await targetOf(context, found ?? refuse(notFound), played);
      const { signal } = context;
      const listed = await orRefusal(
        context.mcp.use(target, (session) => session.listAll('tools'), { signal }),
        signal,
      );
      return visibleTools(played?.config ?? {}, listed).map((tool) => toolToDraft(name, tool));
    }),
  );
  return lists.flat();
}
