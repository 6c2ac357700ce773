import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts } from '../servers-context.ts';
import { speakToServer } from './speak-to-server.ts';

/**
 * Calls a tool. The audit line is written before the call, because a tool may do anything and the
 * call may never end. Proofmark adds `durationMs` and `outputCheck`; server fields with these names
 * are left out.
 */
export const callTool: Action<'callTool', ServersParts> = async (context, { params, body }) => {
  const outcome = await speakToServer(context, { params, body }, async (session) => {
    await context.tenant((sql) =>
      recordAudit(sql, context, {
        action: 'server.toolCalled',
        subjectId: params.serverId,
        details: { tool: body.toolName },
      }),
    );
    return session.callTool(body.toolName, body.parameters ?? {});
  });
  const { durationMs: _duration, outputCheck: _check, ...result } = outcome.result;
  const { durationMs, outputCheck } = outcome;
  return {
    ...result,
    durationMs,
    ...(outputCheck && { outputCheck }),
  } as OutputOf<'callTool'>;
};
