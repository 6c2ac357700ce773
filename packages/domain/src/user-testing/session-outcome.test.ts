import { sessionEvidenceOf } from '@proofmark/harness/any-sessions.ts';
import { anyTurn, spansOf, turnOf } from '@proofmark/harness/any-visits.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chainOfUngraded } from '../swarms/session-chain.ts';
import type { SessionEvidence } from '../swarms/session-evidence.ts';
import { outcomeOfEvidence, outcomeOfSession, type SessionToTell } from './session-outcome.ts';
import { toolsOfSession } from './session-tools.ts';
import { evidenceOfVisit, madeCallsOf, spanInTurn } from './visit-evidence.ts';

const [ok, failed] = [{ hasFailed: false }, { hasFailed: true }];
const plain: SessionToTell = { calls: [], authInterrupted: false, lastAnswer: '', rating: null };

test('the outcome of a session is the first rule that holds', () => {
  const noTool = 'No listed tool fits this request.';
  const rows: readonly [Partial<SessionToTell>, string][] = [
    [{ calls: [ok, failed], authInterrupted: true, rating: 5 }, 'errored'],
    [{ calls: [failed, ok], authInterrupted: true, rating: 5 }, 'unresolved'],
    [{ calls: [failed, ok], lastAnswer: noTool }, 'unresolved'],
    [{ calls: [failed, ok], rating: 5 }, 'partial'],
    [{ calls: [ok] }, 'completed'],
    [{ calls: [ok], rating: 1 }, 'completed'],
    [{ rating: 4 }, 'completed'],
    [{ rating: 3 }, 'unclear'],
    [{}, 'unclear'],
  ];
  for (const [session, outcome] of rows) {
    expect([session, outcomeOfSession({ ...plain, ...session })]).toEqual([session, outcome]);
  }
});

test('a call that never reached a tool neither fails nor succeeds', () => {
  const calls = [{ toolName: 'x', arguments: {}, notMade: 'notOffered' as const, spanId: 's1' }];
  const evidence = sessionEvidenceOf({ turns: [calls] });
  const rest = { authInterrupted: false, rating: null };
  expect(outcomeOfEvidence(evidence, rest)).toBe('unclear');
  expect(outcomeOfEvidence(turnOf([{ toolName: 'x' }]), rest)).toBe('completed');
  expect(outcomeOfEvidence(undefined, rest)).toBe('unclear');
});

test('a call that got no result has failed, and a skill that was read is no call of a tool', () => {
  const rest = { authInterrupted: false, rating: null };
  const { seen, ...refused } = turnOf([{ toolName: 'book', failed: true }]);
  const unanswered = { ...refused, seen: { ...seen, toolErrors: [] } };
  expect(outcomeOfEvidence(unanswered, rest)).toBe('errored');
  expect(toolsOfSession(unanswered)).toMatchObject([{ toolName: 'book', calls: 1, errors: 1 }]);
  const skill = sessionEvidenceOf({
    turns: [[{ toolName: 'loadSkill', arguments: {}, spanId: 's9' }]],
  });
  expect(outcomeOfEvidence(skill, rest)).toBe('unclear');
  expect(outcomeOfEvidence(evidenceOfVisit([unanswered, skill]), rest)).toBe('errored');
  expect(toolsOfSession(skill)).toEqual([]);
});

test('the last answer is that of the last turn that had one', () => {
  const { transcript, ...provider } = turnOf();
  const { finalAssistantMessage: _, ...silent } = transcript;
  const visit = evidenceOfVisit([
    turnOf([], 'No listed tool fits this request.'),
    { ...provider, transcript: silent },
  ]);
  expect(outcomeOfEvidence(visit, { authInterrupted: false, rating: null })).toBe('unresolved');
});

test('a tool that failed in a turn and succeeded in a later one: the spans of turns are told apart', () => {
  const visit = evidenceOfVisit([
    turnOf([{ toolName: 'book', failed: true }]),
    turnOf([{ toolName: 'book' }]),
  ]);
  expect(outcomeOfEvidence(visit, { authInterrupted: false, rating: null })).toBe('partial');
  expect(visit?.seen.toolErrors).toMatchObject([{ spanId: '0.s1', promptIndex: 0 }]);
  expect(visit?.transcript.turnCount).toBe(2);
});

test('of a session of any turns all calls and errors stand in their turns, each with a name of its own', () => {
  fc.assert(
    fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 5 }), (turns) => {
      const visit = evidenceOfVisit(turns);
      const spans = visit?.seen.spans ?? [];
      expect(new Set(spans.map(({ id }) => id)).size).toBe(spans.length);
      expect(spans).toHaveLength(turns.flatMap(({ seen }) => seen.spans).length);
      expect(visit?.turns.map(({ length }) => length)).toEqual(
        turns.map((turn) => turn.turns.flat().length),
      );
      const failures = turns.flatMap(({ seen }) => seen.toolErrors).length;
      expect(visit && madeCallsOf(visit).filter(({ hasFailed }) => hasFailed)).toHaveLength(
        failures,
      );
    }),
  );
  expect(evidenceOfVisit([])).toBeUndefined();
});

test('the chain measures what servers did and says of nothing else that it was right', () => {
  const failing = evidenceOfVisit([turnOf(), turnOf([{ toolName: 'book', failed: true }])]);
  const stateOf = (chain: ReturnType<typeof chainOfUngraded> | undefined) =>
    Object.fromEntries(chain?.stageResults.map(({ stage, state }) => [stage, state]) ?? []);
  const chain = failing && chainOfUngraded(failing);
  expect(stateOf(chain)).toEqual({
    connection: 'passed',
    discovery: 'passed',
    selection: 'notMeasured',
    call: 'notApplicable',
    response: 'failed',
    userValue: 'notReached',
  });
  const fine = evidenceOfVisit([turnOf([{ toolName: 'book' }])]);
  expect(stateOf(fine && chainOfUngraded(fine))).toMatchObject({
    selection: 'notMeasured',
    call: 'notApplicable',
    userValue: 'notApplicable',
  });
  expect(chain?.firstFailedStage).toBe('response');
  const row = chain?.stageResults.find(({ stage }) => stage === 'response');
  expect(row?.evidence?.promptIndexes).toEqual([1]);
  const away = { ok: false, attribution: 'theirs', egressVerified: true } as const;
  const unreached = sessionEvidenceOf({
    seen: {
      status: 'setup_failed',
      tracePresent: true,
      executorEmitsSpans: true,
      spans: [],
      toolErrors: [],
      connect: away,
    },
    end: { kind: 'notPlayed', errorCode: 'server_unreachable' },
  });
  const failedStage = (turns: SessionEvidence[]) => {
    const visit = evidenceOfVisit(turns);
    return visit && chainOfUngraded(visit).firstFailedStage;
  };
  expect(failedStage([unreached, unreached])).toBe('connection');
  expect(failedStage([unreached, turnOf()])).toBeUndefined();
  expect(failedStage([turnOf([{ toolName: 'book' }]), unreached, unreached])).toBe('connection');
});

test('a provider that failed once and answered later takes nothing away', () => {
  const provider = sessionEvidenceOf({
    seen: { ...turnOf().seen, providerError: true },
    end: { kind: 'notPlayed', errorCode: 'provider_failed' },
  });
  expect(evidenceOfVisit([provider, turnOf()])?.seen.providerError).toBeUndefined();
  expect(evidenceOfVisit([turnOf(), provider])?.seen.providerError).toBeUndefined();
  expect(evidenceOfVisit([provider])?.seen.providerError).toBe(true);
});

test('each tool of a session is counted once with its calls, errors and times', () => {
  const turns = [
    turnOf([{ toolName: 'book', failed: true }, { toolName: 'search' }]),
    turnOf([{ toolName: 'book' }]),
  ];
  const spans = turns.flatMap((turn, index) =>
    (spansOf(turn, 7) as { id: string }[]).map((span) => ({
      ...span,
      id: spanInTurn(index, span.id),
    })),
  );
  const server = { serverId: 'srv_1', serverName: 'Shop' };
  expect(toolsOfSession(evidenceOfVisit(turns), spans)).toEqual([
    { toolName: 'book', ...server, calls: 2, errors: 1, durationsMs: [7, 7] },
    { toolName: 'search', ...server, calls: 1, errors: 0, durationsMs: [7] },
  ]);
  expect(toolsOfSession(evidenceOfVisit(turns))[0]?.durationsMs).toEqual([]);
});
