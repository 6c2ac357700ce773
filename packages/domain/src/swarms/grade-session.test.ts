import {
  anyErrorCode,
  criterionOf,
  sessionEvidenceOf,
  snapshotOf,
} from '@proofmark/harness/any-sessions.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Assertion } from '../assertions/assertion.ts';
import type { PatternEngine } from '../assertions/pattern-engine.ts';
import { attemptEnds } from './attempt-ends.ts';
import type { JourneyCriterion } from './criterion.ts';
import { gradeSession } from './grade-session.ts';
import { measureRubric } from './measure-rubric.ts';
import { chainOfUngraded, readSessionChain } from './session-chain.ts';
import type { SessionCall, SessionEvidence } from './session-evidence.ts';

const patterns = { test: () => false };
const schemas = { check: () => ({ state: 'valid' as const }) } as const;

function played(turns: readonly (readonly SessionCall[])[], more: Partial<SessionEvidence> = {}) {
  const calls = turns.flat();
  const base = sessionEvidenceOf();
  return sessionEvidenceOf({
    turns,
    transcript: { ...base.transcript, toolCalls: calls, turnCount: turns.length },
    seen: {
      ...base.seen,
      spans: turns.flatMap((some, promptIndex) =>
        some.map(({ spanId, toolName }) => ({
          id: spanId ?? '',
          category: 'tool',
          status: 'ok' as const,
          toolName,
          promptIndex,
        })),
      ),
    },
    ...more,
  });
}

const call = (toolName: string, spanId: string, args = {}): SessionCall => ({
  toolName,
  spanId,
  arguments: args,
});
const calledWith = (city: string): Assertion => ({
  type: 'toolCalledWith',
  toolName: 'weather',
  args: { args: { city }, argumentMatching: 'partial' },
});

function gradeOf(predicates: readonly Assertion[], evidence: SessionEvidence) {
  const rubric = predicates.map((predicate, index) => criterionOf(`c${index}`, predicate));
  return gradeSession(snapshotOf({ rubric }), measuredBy(rubric, evidence));
}

function measuredBy(
  rubric: readonly JourneyCriterion[],
  evidence: SessionEvidence,
  engine: PatternEngine = patterns,
): SessionEvidence {
  return { ...evidence, measured: measureRubric(rubric, evidence, { patterns: engine, schemas }) };
}

function rowOf({ chain }: ReturnType<typeof gradeSession>, stage: string) {
  const row = chain.stageResults.find((one) => one.stage === stage);
  return `${row?.state}/${row?.reason}`;
}

test('criteria look at the whole conversation, and gating ones alone make the result', () => {
  const evidence = played([[call('weather', 's1', { city: 'Rome' })], []]);
  const graded = gradeOf(
    [
      calledWith('Rome'),
      { type: 'turnCountUnder', turns: 2, role: 'advisory' },
      { type: 'noToolErrors' },
    ],
    evidence,
  );
  expect(graded.result).toBe('passed');
  expect(graded.criteria.map(({ criterionId, passed }) => [criterionId, passed])).toEqual([
    ['c0', true],
    ['c1', false],
    ['c2', true],
  ]);
  expect(gradeOf([{ type: 'turnCountUnder', turns: 2 }], evidence).result).toBe('failed');
});

test('a call with other arguments fails at the call, in its own turn; one never made at selection', () => {
  const mismatched = gradeOf(
    [calledWith('Rome')],
    played([[], [call('weather', 's1', { city: 'Oslo' })]]),
  );
  expect([mismatched.chain.firstFailedStage, mismatched.chain.failureCategory]).toEqual([
    ...['call', 'arguments'],
  ]);
  const row = mismatched.chain.stageResults.find(({ state }) => state === 'failed');
  expect(row?.evidence).toMatchObject({ spanIds: ['s1'], promptIndexes: [1] });
  const missing = gradeOf([calledWith('Rome')], played([[call('clock', 's1')], []]));
  expect([missing.chain.firstFailedStage, missing.chain.failureCategory]).toEqual([
    ...['selection', 'selection'],
  ]);
  expect(missing.result).toBe('failed');
});

test('where nobody asked which tools are chosen, selection is not measured rather than passed', () => {
  const evidence = played([[call('weather', 's1')]]);
  expect(rowOf(gradeOf([{ type: 'noToolErrors' }], evidence), 'selection')).toMatch(/^notMeasured/);
  const chosen = gradeOf([{ type: 'toolCalledAtLeastOnce', toolName: 'weather' }], evidence);
  expect(rowOf(chosen, 'selection')).toBe('passed/observed');
  const advisory = gradeOf(
    [{ type: 'toolCalledAtLeastOnce', toolName: 'weather', role: 'advisory' }],
    evidence,
  );
  expect(rowOf(advisory, 'selection')).toMatch(/^notMeasured/);
});

test('a grader that cannot answer one criterion grades nothing of the session', () => {
  const evidence = played([[]]);
  const broken = {
    test: () => {
      throw new Error('out of time');
    },
  };
  const rubric = [
    criterionOf('a', { type: 'noToolErrors' }),
    criterionOf('b', { type: 'responseMatches', pattern: 'x' }),
  ];
  const graded = gradeSession(snapshotOf({ rubric }), measuredBy(rubric, evidence, broken));
  expect(graded).toMatchObject({ criteria: [], result: null });
  expect(graded.graderError).toContain('out of time');
  expect(graded.chain.failureCategory).toBe('evaluator');
});

test('a judge is heard at user value where no gating criterion belongs there, and never in the result', () => {
  const judge = { model: 'm', threshold: 0.7 };
  const evidence = played([[]]);
  const low = { status: 'scored', score: 0.2, threshold: 0.7, partialFloor: 0.4 } as const;
  const bare = snapshotOf({ judge });
  expect(rowOf(gradeSession(bare, evidence), 'userValue')).toBe('notMeasured/judgePending');
  const judged = gradeSession(bare, evidence, low);
  expect([rowOf(judged, 'userValue'), judged.result]).toEqual(['failed/judgeFailed', null]);
  const rubric = [criterionOf('a', { type: 'turnCountUnder', turns: 9 })];
  const beside = gradeSession(snapshotOf({ judge, rubric }), measuredBy(rubric, evidence), low);
  expect([rowOf(beside, 'userValue'), beside.result]).toEqual(['passed/observed', 'passed']);
});

test('from what is stored, again and again to the same bytes', () => {
  const evidence = played([[call('weather', 's1', { city: 'Oslo' })], [call('clock', 's2')]]);
  const predicates = [calledWith('Rome'), { type: 'noToolErrors' } as const];
  const rubric = predicates.map((predicate, index) => criterionOf(`c${index}`, predicate));
  const stored = JSON.stringify(measuredBy(rubric, evidence));
  const grade = () =>
    JSON.stringify(gradeSession(snapshotOf({ rubric }), JSON.parse(stored) as SessionEvidence));
  const first = grade();
  expect(grade()).toBe(first);
  expect(first).toContain('s1');
});

test('what is cut or hidden when a session is stored changes no grade; what was not measured is no failure', () => {
  const evidence = played([[call('weather', 's1', { city: 'Rome' })]]);
  const rubric = [criterionOf('a', calledWith('Rome'))];
  const whole = measuredBy(rubric, evidence);
  const bare = [[call('weather', 's1', { city: '[hidden]' })]];
  const edited = { ...whole, turns: bare, transcript: { ...whole.transcript, toolCalls: [] } };
  const graded = gradeSession(snapshotOf({ rubric }), edited);
  expect(graded).toEqual(gradeSession(snapshotOf({ rubric }), whole));
  expect(graded.result).toBe('passed');
  const { measured: _, ...unmeasured } = edited;
  expect(gradeSession(snapshotOf({ rubric }), unmeasured)).toMatchObject({
    criteria: [],
    result: null,
    graderError: expect.stringContaining('not measured'),
    chain: { failureCategory: 'evaluator' },
  });
});

test('whatever ended a session, its chain can be read back and blames no tool for what was not measured', () => {
  fc.assert(
    fc.property(anyErrorCode, fc.boolean(), (errorCode, hasError) => {
      const base = sessionEvidenceOf();
      const seen = {
        ...base.seen,
        ...attemptEnds[errorCode].evidence,
        ...(hasError && { toolErrors: [{ kind: 'content-error' as const, toolName: 'x' }] }),
      };
      const chain = chainOfUngraded({ ...base, seen, end: { kind: 'notPlayed', errorCode } });
      expect(readSessionChain(chain)).toMatchObject({ status: 'verified' });
      if (hasError) return;
      expect(chain.firstFailedStage).toBeUndefined();
    }),
  );
});

test('where the simulated user failed, what was measured stands and the rest is put down to it', () => {
  const base = sessionEvidenceOf();
  const end = { kind: 'notPlayed', errorCode: 'persona_driver_failed' } as const;
  const chain = chainOfUngraded({ ...base, seen: { ...base.seen, status: 'failed' }, end });
  expect(chain.failureCategory).toBe('evaluator');
  expect(chain.stageResults.map(({ state, reason }) => `${state}/${reason}`)).toEqual([
    ...['passed/observed', 'passed/observed', 'notMeasured/evaluatorError'],
    ...['notApplicable/notAuthored', 'notApplicable/notAuthored', 'notApplicable/notAuthored'],
  ]);
});

test('a tool that failed before the simulated user did is told, and nobody is sent to the server for it', () => {
  const base = sessionEvidenceOf();
  const end = { kind: 'notPlayed', errorCode: 'persona_driver_failed' } as const;
  const toolErrors = [{ kind: 'content-error' as const, toolName: 'x' }];
  const seen = { ...base.seen, ...attemptEnds[end.errorCode].evidence, toolErrors };
  const rubric = [criterionOf('a', calledWith('Rome'))];
  const chain = chainOfUngraded({ ...base, seen, end }, { rubric, judge: null });
  expect(readSessionChain(chain)).toMatchObject({
    status: 'verified',
    firstFailedStage: 'response',
    failureCategory: 'evaluator',
  });
});

test('a session without criteria waits for its judge from its end on', () => {
  const judge = { model: 'm', threshold: 0.7 };
  const { stageResults } = chainOfUngraded(sessionEvidenceOf(), { rubric: [], judge });
  expect(stageResults.at(-1)).toMatchObject({ stage: 'userValue', reason: 'judgePending' });
  const end = { kind: 'notPlayed', errorCode: 'provider_failed' } as const;
  const stopped = chainOfUngraded({ ...sessionEvidenceOf(), end }, { rubric: [], judge });
  expect(stopped.stageResults.at(-1)?.reason).not.toBe('judgePending');
});
