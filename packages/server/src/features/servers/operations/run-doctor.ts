import type { OutputOf } from '@proofmark/contract';
import { examineWidgets, healthOfServer, visibleTools } from '@proofmark/domain';
import type { Action } from '../../../platform/operations/action.ts';
import type { ServersParts } from '../servers-context.ts';
import { storeServerHealth } from '../store/server-health.ts';
import { mayStoreHealth } from './may-store-health.ts';
import { findTarget, orRefusal } from './speak-to-server.ts';

/**
 * Examines a server. Findings are stored, unless the API key has the reading scope. Findings
 * through a client are never stored, because the server may answer that client differently.
 */
export const runDoctor: Action<'runDoctor', ServersParts> = async (context, { params, body }) => {
  const { server, target, sight } = await findTarget(context, { params, body });
  const { signal } = context;
  const report = await orRefusal(
    context.mcp.examine(target, {
      signal,
      onCheck: (check, value) => context.progress({ check, ...value }),
    }),
    signal,
  );
  if (body.clientId === undefined && mayStoreHealth(context.caller)) {
    const health = healthOfServer(report, Date.now());
    await context.tenant((sql) => storeServerHealth(sql, server, health));
  }
  const widgets = examineWidgets(report.tools, context.runLimits.noWidgets);
  const { excludedTools, ...others } = report;
  return {
    ...others,
    ...(excludedTools.length > 0 && { excludedTools }),
    tools: visibleTools(sight, report.tools),
    ...(widgets && { widgets }),
  } as OutputOf<'runDoctor'>;
};
