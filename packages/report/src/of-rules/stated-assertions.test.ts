import {
  type Assertion,
  assertedServers,
  choiceProblems,
  namedTools,
  type Step,
} from '@proofmark/domain';
import { expect, test } from 'vitest';
import { assertionText } from '../assertion-text.ts';

const ask: Step = { id: 'ask', kind: 'prompt', prompt: 'Hello' };
const call: Step = {
  id: 'call',
  kind: 'toolCall',
  serverName: 'S',
  toolName: 't',
  arguments: {},
};
const step = (assertion: Assertion): Step => ({ id: assertion.type, kind: 'assert', assertion });

const choosing: Assertion[] = [
  { type: 'toolCallCountUnder', count: 3 },
  { type: 'toolCalledBefore', toolName: 'a', beforeToolName: 'b' },
  { type: 'noDestructiveToolCalled' },
  { type: 'noDeprecatedToolCalled', role: 'advisory' },
];

test.each(choosing)('$type is refused where no step asks a model, wherever it stands', (one) => {
  const older: Assertion = { type: 'toolNeverCalled', toolName: 'x' };
  const list = [older, one];
  const definition = { title: 'T', steps: [call, step(one)], checks: { mode: 'extend', list } };
  const stated = { path: 'body', definition } as const;
  expect(choiceProblems(stated as never).map(({ path }) => path)).toEqual([
    'body.steps[1].assertion.type',
    'body.checks.list[1].type',
  ]);
  const asking = { ...definition, steps: [ask, ...definition.steps] };
  expect(choiceProblems({ path: 'body', definition: asking } as never)).toEqual([]);
});

test('all tools and servers that later kinds name are known', () => {
  const before: Assertion = {
    type: 'toolCalledBefore',
    toolName: 'a',
    serverName: 'S',
    beforeToolName: 'b',
    beforeServerName: 'T',
  };
  const ofServer: Assertion = { type: 'toolLatencyUnder', ms: 5, serverName: 'U' };
  expect(namedTools(before)).toEqual([
    { toolName: 'a', serverName: 'S' },
    { toolName: 'b', serverName: 'T' },
  ]);
  expect(namedTools(ofServer)).toEqual([]);
  expect(assertedServers({ steps: [step(before)], assertions: [ofServer] })).toEqual([
    ...['S', 'T', 'U'],
  ]);
});

test('criteria of a judge are told as people write them', () => {
  const criteria = [
    { name: 'Facts', description: 'It names\na number.', threshold: 0.5 },
    { name: 'Tone', description: 'x'.repeat(500) },
  ];
  expect(assertionText({ type: 'goalCompleted', outcome: 'Told', criteria })).toBe(
    `goalCompleted, outcome "Told", criteria Facts at 0.5 (It names a number.), Tone (${'x'.repeat(99)}…)`,
  );
});

test('an assertion is told in one line, however large what it was given is', () => {
  const schema = { description: 'x\n'.repeat(5000) };
  const line = assertionText({ type: 'toolResultMatchesSchema', schema, toolName: 'a' });
  expect(line).toMatch(/^toolResultMatchesSchema, schema \{"description":"x\\n.*…, toolName "a"$/);
  expect(line.length).toBeLessThan(300);
});
