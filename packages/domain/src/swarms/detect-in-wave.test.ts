import {
  analyzedSessionOf,
  anyAnalyzedSessions,
  anyUnplayedSession,
} from '@proofmark/harness/any-sessions.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AnalyzedSession } from './analyzed-session.ts';
import { detectInWave } from './detect-in-wave.ts';

function many(count: number, of: (index: number) => Partial<AnalyzedSession> = () => ({})) {
  return Array.from({ length: count }, (_, index) =>
    analyzedSessionOf({ id: `cht_${index}`, order: index, ...of(index) }),
  );
}

function found(sessions: readonly AnalyzedSession[]) {
  return detectInWave(sessions).detections.map(({ detector, subject, fired, slice, metric }) =>
    [detector, subject.id, fired.length, slice.length, metric].filter((one) => one !== undefined),
  );
}

const grade = (passed: boolean) => ({
  criteria: [{ criterionId: 'crt_1', passed, reason: 'no', label: 'Books' }],
});
const search = (errors: number) => ({
  tools: [{ serverId: 'srv', toolName: 'search', errors, durationsMs: [] }],
});

test('a criterion fires from one graded session on, over the graded ones', () => {
  const sessions = [
    ...many(3, (index) => grade(index > 0)),
    analyzedSessionOf({ id: 'x', isGraded: false, result: null }),
  ];
  expect(found(sessions)).toEqual([['criterion_fail', 'jny_1.crt_1', 1, 3]]);
  expect(found(many(3, () => grade(true)))).toEqual([]);
});

test('criteria of two journeys that are called alike are told apart', () => {
  const sessions = many(2, (index) => ({
    ...grade(false),
    journey: { id: `jny_${index}`, name: index === 0 ? 'Buy' : 'Return' },
  }));
  expect(detectInWave(sessions).detections.map(({ subject }) => subject.label)).toEqual([
    'Books (Buy)',
    'Books (Return)',
  ]);
});

test('a tool is told of from a quarter of the sessions that called it', () => {
  expect(found(many(4, (index) => search(index === 0 ? 2 : 0)))).toEqual([
    ['tool_errors', 'srv.search', 1, 4, 2],
  ]);
  expect(found(many(5, (index) => search(index === 0 ? 2 : 0)))).toEqual([]);
});

test('half of the sessions without a call, or at the limit of turns, tell of the journey', () => {
  const silent = (index: number) => ({ callCount: index < 2 ? 0 : 1 });
  expect(found(many(4, silent))).toEqual([['no_tools_used', 'jny_1', 2, 4]]);
  expect(found(many(5, silent))).toEqual([]);
  expect(found(many(4, () => ({ callCount: 0, toolsOffered: 0 })))).toEqual([]);
  const capped = (index: number) => ({ endedAtCap: index < 2, maxTurns: 7 });
  expect(found(many(4, capped))).toEqual([['turn_cap_grind', 'jny_1', 2, 4, 7]]);
  expect(found(many(5, capped))).toEqual([]);
});

test('a target stands out with twice the share of the others, and only beside others', () => {
  const on = (id: string) => ({
    target: { kind: 'environment', id, label: id } as const,
    targetId: `environment:${id}`,
  });
  const failing = many(4, () => ({ ...on('e'), ...search(1) }));
  const onlyOwn = found(failing).filter(([detector]) => detector === 'target_failures');
  expect(onlyOwn).toEqual([]);
  const others = (errors: number) =>
    many(4, (index) => ({ ...on('f'), id: `f${index}`, ...search(index < errors ? 1 : 0) }));
  const of = (errors: number) =>
    found([...failing, ...others(errors)]).filter(([detector]) => detector === 'target_failures');
  expect(of(2)).toEqual([['target_failures', 'e', 4, 4]]);
  expect(of(3)).toEqual([]);
});

test('where traces are gone, nobody looked whether a target failed', () => {
  const on = (id: string) => ({ target: { kind: 'environment', id, label: id } as const });
  const sessions = (isLost: boolean) => [
    ...many(4, () => ({ ...on('e'), tools: [], hasTrace: !isLost })),
    ...many(4, (index) => ({ ...on('f'), id: `f${index}`, ...search(0) })),
  ];
  const looked = (isLost: boolean) =>
    [...detectInWave(sessions(isLost)).measured].filter((one) => one.includes('target_failures'));
  expect(looked(false)).toHaveLength(2);
  expect(looked(true)).toEqual([]);
});

test('a persona stands out by its failed sessions, and only beside others', () => {
  const of = (id: string, failed: number) =>
    many(4, (index) => ({
      id: `${id}${index}`,
      persona: { id, name: id },
      result: index < failed ? 'failed' : 'passed',
    }));
  expect(found([...of('p', 3), ...of('q', 2)])).toEqual([['persona_struggles', 'p', 3, 4]]);
  expect(found([...of('p', 3), ...of('q', 3)])).toEqual([]);
  expect(found(of('p', 4))).toEqual([]);
});

test('a pass just above the threshold, and one after an error, are told', () => {
  const judged = (score: number) => ({ judged: { score, threshold: 0.7 } });
  expect(found(many(2, () => judged(0.75)))).toEqual([['marginal_pass', 'jny_1', 2, 2]]);
  expect(found(many(1, () => judged(0.76)))).toEqual([]);
  expect(found(many(1, () => judged(0.69)))).toEqual([]);
  const recovered = { ...search(0), recovered: ['srv.search'] };
  expect(found(many(2, () => recovered))).toEqual([['error_recovered_pass', 'srv.search', 2, 2]]);
  expect(found(many(2, () => ({ ...recovered, result: 'failed' as const })))).toEqual([]);
});

test('what was called and not offered, slow tools and costly models are told as in runs', () => {
  expect(found(many(2, (index) => ({ notOffered: index === 0 ? ['gone'] : [] })))).toEqual([
    ['hallucinated_tool', 'gone', 1, 2],
  ]);
  const costly = many(6, (index) => ({
    model: index < 3 ? 'm' : 'n',
    tokensUsed: index < 3 ? 400 : 100,
  }));
  expect(found(costly)).toEqual([['token_outlier', 'm', 3, 3, 400]]);
});

test('only what the wave could have seen is measured', () => {
  const { measured } = detectInWave(many(2, () => ({ ...grade(true), ...search(0) })));
  expect([...measured].sort()).toEqual([
    'criterion_fail:criterion:jny_1.crt_1',
    'error_recovered_pass:tool:srv.search',
    'no_tools_used:journey:jny_1',
    'tool_errors:tool:srv.search',
    'turn_cap_grind:journey:jny_1',
  ]);
});

test('faults of the platform and of providers fire nothing, stand in no slice and measure nothing', () => {
  fc.assert(
    fc.property(
      anyAnalyzedSessions,
      fc.array(anyUnplayedSession, { maxLength: 10 }),
      (played, faults) => {
        const with_ = faults.map((one, index) => ({ ...one, id: `fault_${index}` }));
        expect(detectInWave([...played, ...with_])).toEqual(detectInWave(played));
      },
    ),
  );
});

test('whatever was played: what fired stands in its slice and was measured, and the order of sessions changes no count', () => {
  fc.assert(
    fc.property(anyAnalyzedSessions, (sessions) => {
      const { detections, measured } = detectInWave(sessions);
      for (const { detector, subject, fired, slice } of detections) {
        expect(fired.every((one) => slice.includes(one))).toBe(true);
        expect([...measured].some((one) => one.startsWith(`${detector}:${subject.kind}`))).toBe(
          true,
        );
      }
      expect(found(sessions.toReversed()).map(String).sort()).toEqual(
        found(sessions).map(String).sort(),
      );
    }),
  );
});
