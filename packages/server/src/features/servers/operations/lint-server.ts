/**
 * Checks a server's tools without a model. The failing trials shown beside the findings come from
 * the newest completed run with this server.
 */

import { visibleTools } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import { findNewestRunOn, listFailingTrials, presentLint } from '../../evals/index.ts';
import type { ServersParts } from '../servers-context.ts';
import { findTarget, orRefusal } from './speak-to-server.ts';

export const lintServer: Action<'lintServer', ServersParts> = async (context, { params, body }) => {
  const { server, target, sight } = await findTarget(context, { params, body });
  const { signal } = context;
  // The second list, of the same session, shows whether the order is stable.
  const listing = context.mcp.use(
    target,
    async (session) => ({
      first: await session.listAll('tools'),
      second: await session.listAll('tools'),
      excludedTools: session.excludedTools,
    }),
    { signal },
  );
  const { first, second, excludedTools } = await orRefusal(listing, signal);
  const [tools, listedAgain] = [visibleTools(sight, first), visibleTools(sight, second)];
  const { runId, failing } = await context.tenant(async (sql) => {
    const newest = await findNewestRunOn(sql, context.project.id, params.serverId);
    const trials = newest === undefined ? [] : await listFailingTrials(sql, newest);
    return { runId: newest ?? null, failing: trials };
  });
  return presentLint(runId, [{ name: server.name, tools, listedAgain, excludedTools }], {
    failing,
  });
};
