import {
  readEventsDropped,
  readMessages,
  readSteps,
  readTraceSpans,
  readTraceTurns,
} from '@proofmark/domain';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnoseTrial } from '../trials/diagnose-trial.ts';
import { readServerRequests, samplingTokens } from '../trials/read-server-requests.ts';
import { isRunEnded } from './follow-run.ts';
import { verdictTone } from './run-tone.ts';
import { lastedWords, modelsOfRun, runLasted, runSourceWords, runWords } from './run-words.ts';

describe('a trace', () => {
  test('of any shape is read without breaking', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.jsonValue(), (list, other) => {
        expect(readMessages(list)).toHaveLength(list.length);
        for (const read of [readTraceSpans, readTraceTurns, readSteps]) {
          expect(read(list).length).toBeLessThanOrEqual(list.length);
          expect(Array.isArray(read(other))).toBe(true);
        }
      }),
    );
  });

  test('shows texts, calls and results of its messages', () => {
    expect(
      readMessages([
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: [{ type: 'tool-call', toolName: 'add', input: { a: 1 } }] },
        {
          role: 'tool',
          content: [{ type: 'tool-result', toolName: 'add', output: { type: 'json', value: 3 } }],
        },
      ]),
    ).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
      { role: 'assistant', parts: [{ kind: 'call', name: 'add', text: '{\n  "a": 1\n}' }] },
      { role: 'tool', parts: [{ kind: 'result', name: 'add', text: '3' }] },
    ]);
  });

  test('shows what is to know of a step that ended well, and what servers asked', () => {
    const note = 'The model was stopped after 2 answers.';
    expect(readSteps([{ stepId: 'ask', kind: 'prompt', status: 'ok', note }])).toEqual([
      { id: 'ask', kind: 'prompt', status: 'ok', detail: note },
    ]);
    const one = { method: 'elicitation/create', request: {}, answer: { action: 'decline' } };
    expect(readServerRequests([one, null, { method: 7 }])).toEqual([one]);
    const declined = { ...one, withheld: 'It does not fit.' };
    expect(readServerRequests([declined, { ...one, withheld: 7 }])).toEqual([declined, one]);
    expect(readServerRequests('nonsense')).toEqual([]);
    expect(samplingTokens({ totalTokens: 30 })).toBe(30);
    expect(samplingTokens({})).toBeUndefined();
  });

  test('says how much of what servers said was not kept', () => {
    expect([99_500, undefined, 'many', -1].map(readEventsDropped)).toEqual([99_500, 0, 0, 0]);
  });

  test('leaves out a span that has no place in time', () => {
    const span = { id: 'a', category: 'tool', toolName: 'add', status: 'error' };
    expect(
      readTraceSpans([
        { ...span, startMs: 5, endMs: 4 },
        { ...span, startMs: 5 },
      ]),
    ).toEqual([]);
    expect(readTraceSpans([{ ...span, startMs: 5, endMs: 9 }])).toEqual([
      { id: 'a', name: 'add', category: 'tool', isError: true, startMs: 5, endMs: 9 },
    ]);
  });
});

describe('a trial', () => {
  test('is explained on its own page once it ended and did not pass', () => {
    const ids = { projectId: 'prj_1', runId: 'run_1' };
    const trial = {
      id: 'itr_1',
      iterationNumber: 1,
      testCaseId: null,
      title: 'One',
      status: 'completed',
      result: 'failed',
      actualToolCalls: [],
      expectedToolCalls: [],
      error: null,
      stageResultsUnverified: true,
    } as unknown as Parameters<typeof diagnoseTrial>[1];
    expect(diagnoseTrial(ids, trial)).toMatchObject({
      iterationId: 'itr_1',
      result: 'failed',
      chain: { status: 'unverified' },
    });
    expect(diagnoseTrial(ids, { ...trial, result: 'passed' })).toBeUndefined();
    expect(diagnoseTrial(ids, { ...trial, result: null, status: 'running' })).toBeUndefined();
  });
});

describe('a run', () => {
  test('only a measured failure is red, and not where it is waived', () => {
    expect(['passed', 'failed', 'inconclusive', 'notEstablished'].map(verdictTone)).toEqual([
      'pass',
      'fail',
      'hold',
      'none',
    ]);
    const run = { status: 'completed', result: 'failed', verdictSummary: null } as const;
    const waiver = { active: true, expiresAt: 0, createdByEmail: 'a@b.c', reason: 'Known.' };
    expect(runWords({ ...run, gateWaiver: null })).toEqual({ word: 'failed', tone: 'fail' });
    expect(runWords({ ...run, gateWaiver: waiver as never }).tone).toBe('hold');
    const ended = { ...waiver, active: false } as never;
    expect(runWords({ ...run, gateWaiver: ended }).word).toBe('failed');
    expect(runWords({ ...run, status: 'failed', gateWaiver: null })).toEqual({
      word: 'broke off',
      tone: 'none',
    });
    const decided = { ...run, status: 'cancelled', verdictSummary: { verdict: 'inconclusive' } };
    expect(runWords({ ...decided, gateWaiver: null } as never)).toEqual({
      word: 'inconclusive',
      tone: 'hold',
    });
  });

  test('goes on until its status is the last it can have', () => {
    expect(['pending', 'running', 'cancelled'].map(isRunEnded)).toEqual([false, false, true]);
  });

  test('says whether a schedule launched it', () => {
    const notes = 'Launched by the schedule.';
    expect(runSourceWords({ source: 'api', notes })).toBe('the schedule');
    expect(runSourceWords({ source: 'api', notes: 'Mine.' })).toBe('the API');
    expect(runSourceWords({ source: 'ui', notes })).toBe('the console');
    expect(runSourceWords({ source: 'api', notes: null, isSample: true })).toBe('the sample');
  });

  test('lasted so long, in the units people use', () => {
    expect([800, 42_000, 125_000, 3_723_000].map(lastedWords)).toEqual([
      '0.8 s',
      '42 s',
      '2 min 5 s',
      '1 h 2 min',
    ]);
    expect(runLasted({ createdAt: 0, completedAt: null, source: 'api' })).toBe('still going on');
    expect(runLasted({ createdAt: 0, completedAt: 3, source: 'sdk' })).toBeUndefined();
  });
});

test.each([
  ['api', ['a/one', 'b/two'], 0, 'a/one, b/two'],
  ['api', [], 3, 'none: its cases ask no model'],
  ['api', [], 0, undefined],
  ['sdk', [], 3, 'none recorded'],
] as const)(
  'a run of %s with the models %j and %s trials has: %s',
  (source, models, trials, expected) => {
    expect(modelsOfRun({ source }, models, trials)).toBe(expected);
  },
);
