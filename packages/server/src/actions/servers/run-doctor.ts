import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../action.ts';
import { findTarget, orRefusal } from './speak-to-server.ts';

export const runDoctor: Action<'runDoctor'> = async (context, { params }) => {
  const { target } = await findTarget(context, params.serverId);
  const { signal } = context;
  const report = await orRefusal(
    context.mcp.examine(target, {
      signal,
      onCheck: (check, value) => context.progress({ check, ...value }),
    }),
    signal,
  );
  return report as OutputOf<'runDoctor'>;
};
