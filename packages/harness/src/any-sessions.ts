import {
  type AnalyzedSession,
  attemptErrorCodes,
  type JourneyCriterion,
  type JourneySnapshot,
  type SessionEvidence,
} from '@proofmark/domain';
import fc from 'fast-check';

export function analyzedSessionOf(more: Partial<AnalyzedSession> = {}): AnalyzedSession {
  return {
    id: 'cht_1',
    runId: 'jrn_1',
    order: 1,
    targetId: 'environment:e',
    journey: { id: 'jny_1', name: 'Book' },
    persona: { id: 'per_1', name: 'Ann' },
    target: { kind: 'environment', id: 'e', label: 'Test' },
    hasTrace: true,
    wasPlayed: true,
    isGraded: true,
    result: 'passed',
    criteria: [],
    model: 'm',
    tokensUsed: null,
    tools: [],
    notOffered: [],
    callCount: 1,
    toolsOffered: 1,
    endedAtCap: false,
    maxTurns: 4,
    recovered: [],
    judged: null,
    toolErrors: new Map(),
    stages: [],
    failedPrompt: undefined,
    firstFailedStage: undefined,
    failureCategory: undefined,
    ...more,
  };
}

const anyName = fc.constantFrom('a', 'b', 'c:d', 'line\nend', '__proto__');

export const anyAnalyzedSession = fc
  .record({
    wasPlayed: fc.constant(true),
    journey: anyName.map((name) => ({ id: `jny_${name}`, name })),
    persona: anyName.map((name) => ({ id: `per_${name}`, name })),
    target: anyName.map((id) => ({ kind: 'environment' as const, id, label: id })),
    targetId: anyName,
    isGraded: fc.boolean(),
    result: fc.constantFrom('passed' as const, 'failed' as const, null),
    criteria: fc.uniqueArray(
      fc.record({
        criterionId: anyName,
        passed: fc.boolean(),
        reason: fc.constantFrom('The tool "x" failed 3 times.', 'No call.'),
        label: fc.string(),
      }),
      { selector: ({ criterionId }) => criterionId, maxLength: 3 },
    ),
    model: fc.option(anyName),
    tokensUsed: fc.option(fc.nat(1000)),
    tools: fc.uniqueArray(
      fc.record({
        serverId: fc.constantFrom('srv_a', 'srv_b'),
        toolName: anyName,
        errors: fc.nat(2),
        durationsMs: fc.array(fc.nat(1000), { maxLength: 3 }),
      }),
      { selector: ({ serverId, toolName }) => `${serverId}.${toolName}`, maxLength: 3 },
    ),
    notOffered: fc.uniqueArray(anyName, { maxLength: 2 }),
    callCount: fc.nat(2),
    toolsOffered: fc.nat(2),
    endedAtCap: fc.boolean(),
    judged: fc.option(
      fc.record({ score: fc.constantFrom(0.5, 0.7, 0.74), threshold: fc.constant(0.7) }),
    ),
  })
  .map(({ isGraded, ...one }) =>
    analyzedSessionOf({
      ...one,
      isGraded,
      result: isGraded ? one.result : null,
      criteria: isGraded ? one.criteria : [],
    }),
  );

export const anyAnalyzedSessions = fc
  .array(anyAnalyzedSession, { maxLength: 25 })
  .map((sessions) => sessions.map((one, index) => ({ ...one, id: `cht_${index}`, order: index })));

/**
 * A session that a technical problem stopped. Its data looks like a failure, but rules about
 * servers must ignore it.
 */
export const anyUnplayedSession = anyAnalyzedSession.map((one) => ({ ...one, wasPlayed: false }));

export const anyErrorCode = fc.constantFrom(...attemptErrorCodes);

export function criterionOf(
  id: string,
  predicate: JourneyCriterion['predicate'],
): JourneyCriterion {
  const role = 'role' in predicate && predicate.role === 'advisory' ? 'advisory' : 'gating';
  return { id, label: null, predicate, role, severity: null };
}

export function snapshotOf(more: Partial<JourneySnapshot> = {}): JourneySnapshot {
  return {
    snapshotVersion: 1,
    journey: { id: 'jny_1', name: 'Book' },
    goal: 'Book a table.',
    persona: { id: 'per_1', name: 'Ann', role: 'guest', notes: null },
    rubric: [],
    judge: null,
    personaModel: 'proofmark/scripted-user-1',
    sessionsPerTarget: 2,
    maxTurns: 4,
    prices: [],
    targets: [],
    limits: {
      maxModelSteps: 5,
      sessionTimeoutMs: 1000,
      turnTimeoutMs: 1000,
      userTimeoutMs: 1000,
      journeyRunTimeoutMs: 1000,
      sessionsPerRun: 4,
    },
    ...more,
  };
}

export function sessionEvidenceOf(more: Partial<SessionEvidence> = {}): SessionEvidence {
  return {
    evidenceVersion: 1,
    seen: {
      status: 'completed',
      tracePresent: true,
      executorEmitsSpans: true,
      spans: [],
      toolErrors: [],
      connect: { ok: true },
      toolsList: { ok: true },
      toolCount: 1,
    },
    transcript: { toolCalls: [], toolErrors: [], finalAssistantMessage: 'Done.', turnCount: 1 },
    turns: [[]],
    toolsOffered: [{ toolName: 'book', serverId: 'srv_a' }],
    end: { kind: 'personaEnded' },
    ...more,
  };
}
