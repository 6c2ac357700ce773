import {
  type AnalyzedVisit,
  type SessionEvidence,
  type SessionOfScenario,
  sessionOutcomes,
} from '@proofmark/domain';
import fc from 'fast-check';
import { sessionEvidenceOf } from './any-sessions.ts';

export function analyzedVisitOf(more: Partial<AnalyzedVisit> = {}): AnalyzedVisit {
  const { rating = null, path = { id: 'ph_1', label: 'search' } } = more;
  return {
    id: 'cht_1',
    order: 1,
    targetId: 'env_1',
    model: 'm',
    tokensUsed: null,
    tools: [],
    notOffered: [],
    path,
    outcome: 'completed',
    rating,
    ratedAnswers: rating === null ? [] : [{ rating, turn: undefined, path }],
    segment: 'guest-new',
    deviceKind: 'desktop',
    toolErrors: new Map(),
    stages: [],
    failedPrompt: undefined,
    firstFailedStage: undefined,
    failureCategory: undefined,
    ...more,
  };
}

export function scenarioSessionOf(more: Partial<SessionOfScenario> = {}): SessionOfScenario {
  return {
    population: 'real',
    visitor: 'v1',
    startedAt: 0,
    lastActivityAt: 0,
    modelId: 'm',
    deviceKind: 'desktop',
    language: 'en',
    segment: 'guest-new',
    rating: null,
    ratingScale: null,
    tokensUsed: null,
    over: { outcome: 'completed', tools: [] },
    criteria: [],
    ...more,
  };
}

const anyTool = fc.record({
  toolName: fc.constantFrom('search', 'book', '__proto__'),
  serverId: fc.constantFrom('srv_a', 'srv_b'),
  calls: fc.integer({ min: 1, max: 4 }),
  errors: fc.nat(1),
  durationsMs: fc.array(fc.nat(1000), { maxLength: 3 }),
});

export const anyScenarioSession: fc.Arbitrary<SessionOfScenario> = fc
  .record({
    population: fc.constantFrom('real' as const, 'synthetic' as const),
    visitor: fc.constantFrom('a', 'b', 'c'),
    startedAt: fc.nat(10 * 86_400_000),
    modelId: fc.option(fc.constantFrom('m', 'n')),
    rating: fc.option(fc.integer({ min: 1, max: 5 })),
    ratingScale: fc.constantFrom('stars' as const, 'thumbs' as const, null),
    tokensUsed: fc.option(fc.nat(1000)),
    over: fc.option(
      fc.record({
        outcome: fc.constantFrom(...sessionOutcomes),
        tools: fc.uniqueArray(anyTool, {
          selector: ({ serverId, toolName }) => `${serverId}.${toolName}`,
          maxLength: 3,
        }),
      }),
    ),
  })
  .map(({ visitor, ...one }) =>
    // Sessions of a scenario name a visitor instead of a persona.
    scenarioSessionOf({ ...one, visitor: `${one.population} ${visitor}` }),
  );

/**
 * Returns the evidence of a turn with these calls, in order. A call with `failed` returned an
 * error.
 */
export function turnOf(
  calls: readonly { readonly toolName: string; readonly failed?: boolean }[] = [],
  answer = 'Done.',
): SessionEvidence {
  const made = calls.map(({ toolName, failed = false }, index) => ({
    toolName,
    failed,
    spanId: `s${index + 1}`,
  }));
  const failures = made.filter(({ failed }) => failed);
  const plain = sessionEvidenceOf();
  return sessionEvidenceOf({
    seen: {
      ...plain.seen,
      spans: made.map(({ spanId: id, toolName, failed }) => ({
        id,
        category: 'tool',
        toolName,
        promptIndex: 0,
        status: failed ? ('error' as const) : ('ok' as const),
      })),
      toolErrors: failures.map(({ toolName, spanId }) => ({
        kind: 'content-error' as const,
        toolName,
        spanId,
        promptIndex: 0,
      })),
    },
    transcript: {
      toolCalls: made.map(({ toolName }) => ({ toolName, arguments: {}, serverId: 'srv_1' })),
      toolErrors: failures.map(({ toolName, spanId }) => ({
        kind: 'content-error' as const,
        toolName,
        spanId,
        message: `No ${toolName} for 7`,
      })),
      finalAssistantMessage: answer,
      turnCount: 1,
    },
    turns: [
      made.map(({ toolName, spanId }) => ({
        toolName,
        spanId,
        arguments: {},
        serverId: 'srv_1',
        serverName: 'Shop',
      })),
    ],
  });
}

export function spansOf({ seen }: Pick<SessionEvidence, 'seen'>, ms = 5): object[] {
  return seen.spans.map((span, index) => ({
    ...span,
    serverId: 'srv_1',
    startMs: index * 100,
    endMs: index * 100 + ms,
  }));
}

export const anyTurn = fc
  .array(fc.record({ toolName: fc.constantFrom('search', 'book'), failed: fc.boolean() }), {
    maxLength: 3,
  })
  .map((calls) => turnOf(calls));
