import { type VisitorMessage, visitBounds } from '@proofmark/domain';
import { findOpenApproval } from '../store/visitor-approvals.ts';
import { interruptSilentTurns, readTurns, type TurnToRead } from '../store/visitor-turns.ts';
import { findSessionOfBrowser, inScenario } from './enter-visit.ts';
import type { VisitAction } from './visit-action.ts';

/** Visitors can read their messages even if they no longer have access to the scenario. */
export const getVisitorSession: VisitAction<'getVisitorSession'> = (context, { params }) =>
  inScenario(context, params.scenarioId, async (sql) => {
    const session = await findSessionOfBrowser(sql, context, params);
    await interruptSilentTurns(sql, session.scenarioId, visitBounds.silentMs);
    const turns = await readTurns(sql, session.id);
    const last = turns.at(-1);
    const approval =
      last?.status === 'awaitingApproval' ? await findOpenApproval(sql, last.id) : undefined;
    return {
      sessionId: session.id,
      status: session.isIdle ? 'ended' : session.status,
      messages: turns.flatMap(messagesOf),
      turns: turns.map(turnOf),
      ...(last !== undefined &&
        last.status !== 'completed' && {
          turn: {
            ...turnOf(last),
            ...(approval && {
              approval: {
                approvalId: approval.id,
                callId: approval.callId,
                toolName: approval.toolName,
                serverName: approval.serverName,
                arguments: approval.arguments,
                argumentsHash: approval.argumentsHash,
                expiresAt: approval.expiresAt.getTime(),
              },
            }),
          },
        }),
    };
  });

function turnOf({ id: turnId, clientTurnId, status, error }: TurnToRead) {
  return { turnId, clientTurnId, status, ...(error !== null && { error }) };
}

function messagesOf(turn: TurnToRead): readonly (VisitorMessage & { readonly turnId: string })[] {
  const { id: turnId, messages, text, createdAt } = turn;
  if (messages.length > 0) return messages.map((message) => ({ ...message, turnId }));
  return [{ role: 'user', text, createdAt: createdAt.getTime(), turnId }];
}
