import { expect, test } from 'vitest';
import { swarmFindingText } from './swarm-finding-text.ts';

const evidence = {
  waveId: 'wav_1',
  affected: 2,
  sliceTotal: 3,
  contrastSessionIds: [],
  targets: [],
  exemplars: [
    { runId: 'jrn_1', sessionId: 'cht_1', tracePath: '/t', reason: '"weigh" was never called.' },
  ],
  patterns: [{ pattern: '<text> was never called.', affected: 2 }],
};
const finding = {
  id: 'fnd_1',
  fingerprint: 'f',
  dimension: 'criterion_fail',
  status: 'new' as const,
  subject: { kind: 'criterion', id: 'jny_1.a', label: 'noToolErrors' },
  occurrenceCount: 1,
  lastSeenWaveId: 'wav_1',
  firstSeenAt: 1,
  lastSeenAt: 1,
  updatedAt: 1,
  resolvedAt: null,
  dismissedAt: null,
  title: 'A check did not hold: “No tool fails”',
  journeyId: 'jny_1' as string | null,
  nextAction: 'Look.',
  evidence,
};
const names = new Map([['jny_1', 'Weigh pens']]);
const textOf = (of: typeof finding) => swarmFindingText(of, names, { ascii: true, width: 80 });

test('a finding names its journey, since subjects of several are called alike', () => {
  expect(textOf(finding).split('\n')).toEqual([
    'A check did not hold: "No tool fails"',
    '  Journey: Weigh pens',
    '  new: 2 of 3 graded sessions, seen in 1 wave.',
    '  Most often, like: "weigh" was never called.',
    '  Next: Look.',
    '  Example: session cht_1 of run jrn_1',
    '  Id: fnd_1',
  ]);
  const titled = { ...finding, title: 'A check did not hold: “No tool fails (Weigh pens)”' };
  expect(textOf(titled)).not.toContain('Journey:');
  expect(textOf({ ...finding, journeyId: 'jny_old' })).toContain('  Journey: jny_old\n');
  const subject = { kind: 'journey', id: 'jny_1', label: 'Weigh pens' };
  for (const one of [
    { ...finding, subject },
    { ...finding, journeyId: null },
  ]) {
    expect(textOf(one)).not.toContain('Journey:');
  }
});

test('the sessions that a count is of are named', () => {
  const tool = { kind: 'tool', id: 'srv.weigh', label: 'weigh' };
  const countedOf = (dimension: string, subject = finding.subject) =>
    /2 of 3 .*(?=, seen)/.exec(textOf({ ...finding, dimension, subject }))?.[0];
  expect(countedOf('marginal_pass')).toBe('2 of 3 judged sessions');
  expect(countedOf('persona_struggles')).toBe('2 of 3 graded sessions');
  expect(countedOf('turn_cap_grind')).toBe('2 of 3 played sessions');
  expect(countedOf('tool_errors', tool)).toBe('2 of 3 played sessions that called it');
  expect(countedOf('hallucinated_tool', tool)).toBe('2 of 3 played sessions');
});
