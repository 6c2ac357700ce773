import { expect, test } from 'vitest';
import { stepsOfTrial } from './steps-of-trial.ts';

const planned = [
  { id: 'ask', kind: 'prompt', prompt: 'Hello' },
  { id: 'expect', kind: 'assert' },
];
const ended = { status: 'completed', result: 'failed', error: null };
const span = (id: string, more: object = {}) => ({ id, category: 'tool', ...more });

test('a step has the span that names it, all spans below it, and the messages of that span', () => {
  const trace = {
    steps: [{ stepId: 'ask', kind: 'prompt', promptIndex: 0, status: 'ok', note: 'Cut.' }],
    spans: [
      span('llm-2', { parentId: 'step-1' }),
      span('tool-3', { parentId: 'llm-2' }),
      span('step-1', { authoredStepId: 'ask', messageStartIndex: 0, messageEndIndex: 3 }),
      span('connection-1'),
    ],
  };
  const [first, second] = stepsOfTrial(planned, { ...ended, trace });
  expect(first).toEqual({
    stepId: 'ask',
    stepIndex: 0,
    kind: 'prompt',
    status: 'ok',
    reason: null,
    evidence: {
      promptIndex: 0,
      messageStartIndex: 0,
      messageEndIndex: 3,
      note: 'Cut.',
      spanIds: ['step-1', 'llm-2', 'tool-3'],
    },
  });
  expect(second).toMatchObject({ stepId: 'expect', status: 'skipped', evidence: {} });
});

test('without a trace a step waits while the trial goes on, and says how the trial ended afterwards', () => {
  const without = { result: null, error: null, trace: null };
  for (const status of ['pending', 'running']) {
    expect(stepsOfTrial(planned, { ...without, status })).toMatchObject([
      { status: 'pending', reason: null, evidence: {} },
      { status: 'pending', reason: null, evidence: {} },
    ]);
  }
  const cancelled = { ...without, status: 'cancelled', error: 'The run was cancelled.' };
  expect(stepsOfTrial(planned, cancelled)[1]).toMatchObject({
    status: 'skipped',
    reason: 'The run was cancelled.',
    evidence: {},
  });
  expect(stepsOfTrial(planned, { ...cancelled, error: null })[0]?.reason).toContain('nothing');
  const passed = { ...without, status: 'completed', result: 'passed' };
  expect(stepsOfTrial(planned, passed)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
});

test('a plan that cannot be read leaves the steps that the trace names', () => {
  const steps = [{ stepId: 'ask', kind: 'prompt', status: 'fail', reason: 'No.' }];
  expect(stepsOfTrial(undefined, { ...ended, trace: { steps } })).toEqual([
    {
      stepId: 'ask',
      stepIndex: 0,
      kind: 'prompt',
      status: 'fail',
      reason: 'No.',
      evidence: {},
    },
  ]);
  expect(stepsOfTrial(undefined, { ...ended, trace: null })).toEqual([]);
});

test('whatever a trace holds, the answer is made of known words, and spans in a circle end', () => {
  const trace = {
    steps: [null, 7, { stepId: 'ask', status: 'great', reason: {}, promptIndex: 'x', note: 1 }],
    spans: [
      'x',
      span('one', { authoredStepId: 'ask', parentId: 'two', messageStartIndex: 0.5 }),
      span('two', { parentId: 'one' }),
      { authoredStepId: 'ask' },
    ],
  };
  const [first] = stepsOfTrial([...planned, null, { id: 'z', kind: 'fly' }], { ...ended, trace });
  expect(first).toMatchObject({ status: 'pending', reason: null });
  expect(first?.evidence).toEqual({ spanIds: ['one', 'two'] });
  expect(stepsOfTrial(planned, { ...ended, trace: { steps: {}, spans: 3 } })).toHaveLength(2);
});
