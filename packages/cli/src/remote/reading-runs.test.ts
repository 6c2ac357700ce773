import { describe, expect, test } from 'vitest';
import { insightsLines } from '../commands/eval/insights.ts';
import { statusFacts } from '../commands/eval/status.ts';
import { duration } from './durations.ts';
import { gateLines, gateOfReplay } from './gate-lines.ts';
import { traceLines } from './trace-lines.ts';
import { readExpiry } from './waiver-expiry.ts';

const terminal = { ascii: true, width: 80 };

test('a trace reads as a conversation, with calls in their place', () => {
  const messages = [
    { role: 'user', content: 'What is the price of book 3?' },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolName: 'get_book', input: { bookId: 3 } }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolName: 'get_book',
          output: { type: 'json', value: { price: 7 } },
        },
      ],
    },
    { role: 'assistant', content: 'It costs 7.\n\u001b[31mTake it.' },
  ];
  const spans = [{ category: 'tool', toolName: 'get_book', startMs: 10, endMs: 52 }];
  expect(traceLines({ traceVersion: 1, messages, spans }, terminal)).toEqual([
    'user',
    '  What is the price of book 3?',
    '> call get_book {"bookId":3}',
    '< result of get_book after 42 ms: {"price":7}',
    'assistant',
    '  It costs 7.',
    '  ?[31mTake it.',
  ]);
  expect(traceLines({ traceVersion: 1, messages: [] }, terminal)).toEqual([
    'No message was recorded.',
  ]);
  const long = Array.from({ length: 50 }, (_, at) => `${at} ${'word '.repeat(30)}`).join('\n');
  const lines = traceLines(
    { traceVersion: 1, messages: [{ role: 'user', content: long }] },
    terminal,
  );
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines.at(-1)).toBe('  (10 more lines; --json has all)');
});

describe('the end of a waiver', () => {
  const now = Date.UTC(2026, 10, 17, 8);
  test.each([
    ['12h', now + 12 * 3_600_000],
    ['7d', now + 7 * 24 * 3_600_000],
    ['2026-12-01', Date.UTC(2026, 11, 1)],
    ['2026-12-01T08:30:00Z', Date.UTC(2026, 11, 1, 8, 30)],
  ])('%s', (text, atMs) => {
    expect(readExpiry(text, now)).toBe(atMs);
  });
  test.each(['soon', '7', '2026-13-01', '-1d', ''])('%s is none', (text) => {
    expect(() => readExpiry(text, now)).toThrow(
      /is not a valid end of a waiver; give for example 12h, 7d/,
    );
  });
});

describe('a gate', () => {
  const waiver = { until: '2026-11-18', by: 'ops@example.com', reason: 'rebuild' };
  const summary = { verdict: 'failed', verdictSource: 'legacy' } as never;
  test('opens with WAIVED, then says what each bound came to', () => {
    const gates = [{ gate: 'minimumPassRate', outcome: 'failed', reason: 'Too few.' }] as const;
    const bounds = { outcome: 'failed', gates } as const;
    expect(gateLines({ word: 'WAIVED', summary, waiver, bounds }, terminal)).toEqual([
      'WAIVED until 2026-11-18 by ops@example.com.',
      'FAILED by the given bounds:',
      '  Too few.',
    ]);
    expect(gateLines({ word: 'FAILED', summary }, terminal)).toEqual([]);
  });
  test('of a replay that went another way never says that it passed', () => {
    const gates = [{ gate: 'minimumPassRate', outcome: 'passed', reason: 'Enough.' }] as const;
    const replay = { diverged: 1, notRecorded: 0 } as never;
    const bounds = gateOfReplay({ outcome: 'passed', gates }, replay);
    expect(gateLines({ word: 'INCONCLUSIVE', summary, bounds }, terminal)).toEqual([
      'INCONCLUSIVE by the given bounds:',
      '  Enough.',
    ]);
  });
  test.each([
    [
      'notEstablished',
      'INCONCLUSIVE',
      ['INCONCLUSIVE: the run has no result that a gate can use.'],
    ],
    ['inconclusive', 'INCONCLUSIVE', []],
    ['passed', 'PASSED', []],
  ] as const)('of a run that is %s begins with %s', (verdict, word, lines) => {
    expect(gateLines({ word, summary: { verdict } as never }, terminal)).toEqual(lines);
  });
  test('that passed where nothing was called says so itself', () => {
    const called = { verdict: 'passed', nothingCalled: true } as never;
    expect(gateLines({ word: 'PASSED', summary: called }, terminal)).toEqual(['PASSED.']);
  });
  test('says what it could not have seen, first if that decides', () => {
    const passed = { verdict: 'passed' } as never;
    const unseenDrop = { drop: 0.1, smallestDrop: 0.25 };
    expect(gateLines({ word: 'INCONCLUSIVE', summary: passed, unseenDrop }, terminal)).toEqual([
      'INCONCLUSIVE: this gate could not have seen a drop of 10 %: the smallest that it',
      '  can see is 25 %. Play more trials, or state a plan.',
    ]);
    const none = { drop: 0.1, smallestDrop: null };
    expect(gateLines({ word: 'PASSED', summary: passed, unseenDrop: none }, terminal)).toEqual([
      'PASSED.',
      'This gate could not have seen a drop of 10 %: it cannot see any drop. Play more',
      '  trials, or state a plan.',
    ]);
  });
});

test('insights say what to do where nobody explained them', () => {
  const insights = { status: 'not_requested', candidateCount: 2 } as never;
  expect(insightsLines({ id: 'run_1', insights }, terminal)).toEqual([
    '2 findings without an explanation. Request one: proofmark eval insights run_1',
    '  --explain',
  ]);
});

test('the status of a run names the next command', () => {
  const run = { id: 'run_1', runNumber: 2, suiteId: 'ste_1', verdict: 'notEstablished' };
  const open = { status: 'running', completedAt: null, iterationCount: 1, expectedIterations: 4 };
  const facts = new Map(statusFacts({ ...run, ...open, gateWaiver: null } as never));
  expect(facts.get('Trials')).toBe('1 of 4 trials done.');
  expect(facts.get('Next')).toBe('proofmark eval watch run_1');
  expect([facts.has('Replay'), facts.has('Overlay')]).toEqual([false, false]);
});

test('the status of a run says first that it is a replay, or under an overlay', () => {
  const run = { id: 'run_1', status: 'running', verdict: 'notEstablished', completedAt: null };
  const sides = { model: 'recorded', servers: 'recorded', onDivergence: 'stop' };
  const none = { trials: 0, diverged: 0, notRecorded: 0, mostFrequent: null };
  const more = { replay: { runId: 'run_0', ...sides, ...none }, overlay: { hash: 'ab', tools: 2 } };
  const facts = statusFacts({ ...run, ...more, gateWaiver: null } as never);
  expect(facts.slice(3, 5)).toEqual([
    ['Replay', 'Replayed from run run_0, with its recorded model and servers.'],
    ['Overlay', 'its overlay changes 2 tools for models'],
  ]);
});

test.each([
  [340, '340 ms'],
  [2_449, '2.4 s'],
  [59_999, '59.9 s'],
  [185_000, '3 min 5 s'],
])('%i ms are told as %s', (ms, text) => {
  expect(duration(ms)).toBe(text);
});
