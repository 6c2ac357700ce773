/**
 * A session as a case of a suite: its words are fixed, so that what failed can be run again and gated. What the session
 * was asked stays asked; a tool that failed is excused where the session passed in spite of it.
 */

import { cutText } from '../insights/candidate.ts';
import { isRecord } from '../kernel/json.ts';
import { type EvalCaseDefinition, maxCaseAssertions } from '../suites/eval-case.ts';
import type { JourneySnapshot } from './journey-snapshot.ts';
import type { SessionEvidence } from './session-evidence.ts';

export interface SessionToKeep {
  readonly snapshot: Pick<JourneySnapshot, 'journey' | 'persona' | 'rubric'>;
  readonly modelId: string;
  readonly sessionIndex: number;
  readonly messages: readonly unknown[];
  readonly evidence: SessionEvidence;
  readonly result: 'passed' | 'failed' | null;
  readonly title?: string | undefined;
  readonly declaredId?: string | undefined;
  readonly expectCalls: boolean;
}

/** Nothing where no message of the user is kept. */
export function caseOfSession(session: SessionToKeep): EvalCaseDefinition | undefined {
  const { snapshot, evidence, messages } = session;
  const prompts = messages.flatMap(wordsOfUser);
  if (prompts.length === 0) return undefined;
  const { toolErrors } = evidence.seen;
  const failed = new Set(toolErrors.map(({ spanId }) => spanId));
  const succeeded = session.expectCalls
    ? evidence.turns
        .flat()
        .filter(({ notMade, spanId }) => notMade === undefined && !failed.has(spanId))
    : [];
  const expected = succeeded.map(({ toolName, serverName, arguments: args }) => ({
    ...{ type: 'toolCalledWith' as const, toolName },
    ...(serverName !== undefined && { serverName }),
    args: { args, argumentMatching: 'partial' as const },
  }));
  const criteria = snapshot.rubric.map(({ predicate }) => predicate);
  const list = [...criteria, ...expected].slice(0, maxCaseAssertions);
  const isExcused = session.result === 'passed' && toolErrors.length > 0;
  const { journey, persona } = snapshot;
  return {
    title:
      session.title ??
      `${cutText(journey.name, 120)} · ${cutText(persona.name, 60)} · ${session.sessionIndex + 1}`,
    ...(session.declaredId !== undefined && { declaredId: session.declaredId }),
    steps: prompts.map((prompt, index) => ({ id: `turn-${index + 1}`, kind: 'prompt', prompt })),
    models: [{ model: session.modelId }],
    ...(list.length > 0 && { checks: { mode: 'extend', list } }),
    ...(isExcused && { failOnToolError: false }),
  };
}

function wordsOfUser(message: unknown): string[] {
  if (!isRecord(message) || message['role'] !== 'user') return [];
  const { content } = message;
  if (typeof content === 'string') return [content];
  const texts = (Array.isArray(content) ? content : []).flatMap((part) =>
    isRecord(part) && typeof part['text'] === 'string' ? part['text'] : [],
  );
  return texts.length === 0 ? [] : [texts.join('\n')];
}
