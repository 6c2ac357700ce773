/**
 * Turns a session into a case with fixed prompts, so that a failure can be reproduced and can block
 * a release. The session's criteria become assertions. If the session passed although a tool
 * failed, tool errors do not fail the case.
 */
import type { Assertion } from '../assertions/assertion.ts';
import { cutText } from '../insights/candidate.ts';
import type { Refusal } from '../kernel/refusal.ts';
import { type EvalCaseDefinition, maxCaseAssertions } from '../suites/eval-case.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';
import { isPlayed, type SessionCall, type SessionEvidence } from './session-evidence.ts';

export interface SessionToKeep {
  readonly snapshot: Pick<JourneySnapshot, 'journey' | 'persona' | 'rubric'>;
  readonly modelId: string;
  readonly sessionIndex: number;
  readonly prompts: readonly string[];
  readonly evidence: SessionEvidence;
  readonly result: 'passed' | 'failed' | null;
  readonly title?: string | undefined;
  readonly declaredId?: string | undefined;
  readonly expectCalls: boolean;
}

/**
 * Refuses a session that was not played to its end, or whose prompts or calls are not stored
 * completely. The case made from it would look complete.
 */
export function refuseCaseOf(session: SessionToKeep): Refusal | undefined {
  if (session.prompts.length === 0) return notKept;
  if (!isPlayed(session.evidence.end)) return notPlayed;
  if (
    session.expectCalls &&
    succeededCalls(session).some(({ argumentsNotWhole }) => argumentsNotWhole)
  )
    return callsNotKept;
  return checksOf(session).length > maxCaseAssertions ? tooManyCalls : undefined;
}

export const notKept: Refusal = {
  code: 'CONFLICT',
  message: 'The messages of this session are not stored, so it cannot become a case.',
  details: { reason: 'TRACE_NOT_AVAILABLE' },
};

const notPlayed: Refusal = {
  code: 'CONFLICT',
  message:
    'This session was not played to its end, so the last message of its user has no answer to check.',
  details: { reason: 'SESSION_NOT_PLAYED' },
};

const callsNotKept: Refusal = {
  code: 'CONFLICT',
  message:
    'The exact arguments of calls of this session are not stored, because they hold secrets or are too long; remove expectCalls.',
  details: { reason: 'CALLS_NOT_KEPT' },
};

const tooManyCalls: Refusal = {
  code: 'CONFLICT',
  message: `The calls and criteria of this session exceed the ${maxCaseAssertions} checks that a case may have; remove expectCalls.`,
  details: { reason: 'TOO_MANY_CALLS', limit: maxCaseAssertions },
};

/** The caller must check first that `refuseCaseOf` does not refuse the session. */
export function caseOfSession(session: SessionToKeep): EvalCaseDefinition {
  const list = checksOf(session);
  const isExcused = session.result === 'passed' && session.evidence.seen.toolErrors.length > 0;
  const { journey, persona } = session.snapshot;
  return {
    title:
      session.title ??
      `${cutText(journey.name, 120)} · ${cutText(persona.name, 60)} · ${session.sessionIndex + 1}`,
    ...(session.declaredId !== undefined && { declaredId: session.declaredId }),
    steps: session.prompts.map((prompt, index) => ({
      id: `turn-${index + 1}`,
      kind: 'prompt',
      prompt,
    })),
    models: [{ model: session.modelId }],
    ...(list.length > 0 && { checks: { mode: 'extend', list } }),
    ...(isExcused && { failOnToolError: false }),
  };
}

function succeededCalls({ evidence }: SessionToKeep): SessionCall[] {
  const { toolErrors } = evidence.seen;
  const failed = new Set(toolErrors.map(({ spanId }) => spanId));
  return evidence.turns
    .flat()
    .filter(({ notMade, spanId }) => notMade === undefined && !failed.has(spanId));
}

function checksOf(session: SessionToKeep): Assertion[] {
  const criteria = session.snapshot.rubric.map(({ predicate }) => predicate);
  if (!session.expectCalls) return criteria;
  const expected = succeededCalls(session).map(({ toolName, serverName, arguments: args }) => ({
    type: 'toolCalledWith' as const,
    toolName,
    ...(serverName !== undefined && { serverName }),
    args: { args, argumentMatching: 'partial' as const },
  }));
  return [...criteria, ...expected];
}
