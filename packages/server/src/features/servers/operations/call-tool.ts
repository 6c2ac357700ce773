import type { OutputOf } from '@proofmark/contract';
import type { Action } from '../../../platform/operations/action.ts';
import { recordAudit } from '../../../platform/operations/record-audit.ts';
import type { ServersParts } from '../servers-context.ts';
import { speakToServer } from './speak-to-server.ts';

/**
 * A tool may do anything, so that it was called is in the audit log before it is: also a call that never ended is.
 *
 * `durationMs` and `outputCheck` are our words about the call. A server's own fields of these names are left
 * out, since nobody could tell them from ours; all else is as the server sent it.
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
