/**
 * Checks the server's tools. The failing trials beside the findings come from the newest completed
 * run with this server.
 */

import { visibleTools } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { findNewestRunOn, listFailingTrials, presentLint } from '../../evals/index.ts';
import type { ServersParts } from '../servers-context.ts';
import { findTarget, orRefusal } from './speak-to-server.ts';

export const lintServer: Action<'lintServer', ServersParts> = async (context, { params, body }) => {
  const { server, target, sight } = await findTarget(context, { params, body });
  const { signal } = context;
  const listing = context.mcp.use(target, (session) => session.listAll('tools'), { signal });
  const tools = visibleTools(sight, await orRefusal(listing, signal));
  const { runId, failing } = await context.tenant(async (sql) => {
    const newest = await findNewestRunOn(sql, context.project.id, params.serverId);
    const trials = newest === undefined ? [] : await listFailingTrials(sql, newest);
    return { runId: newest ?? null, failing: trials };
  });
  return presentLint(runId, [{ name: server.name, tools }], failing);
};
