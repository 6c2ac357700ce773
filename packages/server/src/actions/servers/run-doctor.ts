import type { OutputOf } from '@proofmark/contract';
import { visibleTools } from '@proofmark/domain';
import type { Action } from '../action.ts';
import { findTarget, orRefusal } from './speak-to-server.ts';

/** The check counts the tools that the server lists; the report holds those the client lets a model see. */
export const runDoctor: Action<'runDoctor'> = async (context, { params, body }) => {
  const { target, sight } = await findTarget(context, { params, body });
  const { signal } = context;
  const report = await orRefusal(
    context.mcp.examine(target, {
      signal,
      onCheck: (check, value) => context.progress({ check, ...value }),
    }),
    signal,
  );
  return { ...report, tools: visibleTools(sight, report.tools) } as OutputOf<'runDoctor'>;
};
