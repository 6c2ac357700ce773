import { EventEmitter } from 'node:events';
import { describe, expect, test, vi } from 'vitest';
import { askBeforeCancel } from './ask-before-cancel.ts';
import { type LiveTrial, liveLines } from './live-lines.ts';
import { redrawnOn } from './redrawn-lines.ts';
import { isLive } from './watch-run.ts';

const screen = { ascii: false, width: 80, rows: 20, isColoured: false };
const trial = (title: string, more: Partial<LiveTrial> = {}): LiveTrial => ({
  testCaseId: null,
  title,
  model: null,
  status: 'completed',
  result: 'passed',
  durationMs: 1200,
  ...more,
});
const states = (letters: string) => ({
  stageResults: [...letters].map((letter) => ({
    state: ({ p: 'passed', f: 'failed', n: 'notReached' } as const)[letter as 'p' | 'f' | 'n'],
  })),
});
const waiting = { status: 'pending', result: null, durationMs: null } as const;
const cost = (credits: number, priced = true) => ({ spending: { credits, priced } });

describe('each case has a line', () => {
  const trials = [
    trial('Tells the price of a book', { ...states('pppppp'), ...cost(0.4) }),
    trial('Tells the price of a book', { ...states('pppppp'), ...cost(0.35) }),
    trial('Finds an order', { ...states('pppppp'), ...cost(0, false) }),
    trial('Finds an order', { ...states('ppfnnn'), result: 'failed', ...cost(1, false) }),
    trial('Asks a free model', { ...states('pppppp'), ...cost(0) }),
    trial('Has no price', { ...states('pppppp'), ...cost(0, false) }),
    trial('Waits', waiting),
    trial('Goes on', { ...waiting, status: 'running' }),
    trial('Breaks off', { status: 'setup_failed', result: null }),
  ];

  test('with its stages, what passed, its time and what it cost', () => {
    expect(liveLines(trials, screen)).toEqual([
      '✓ Tells the price of a book                 ✓✓✓✓✓✓    2/2    2.4 s  0.75 credits',
      '✗ Finds an order                            ✓✓✗○○○    1/2    2.4 s     1 credit+',
      '✓ Asks a free model                         ✓✓✓✓✓✓    1/1    1.2 s',
      '✓ Has no price                              ✓✓✓✓✓✓    1/1    1.2 s      no price',
      '  Waits                                               0/1     0 ms',
      '… Goes on                                             0/1     0 ms',
      '– Breaks off                                          0/1    1.2 s',
    ]);
  });

  test('and those that fail come first where that is wanted', () => {
    const lines = liveLines(trials, { ...screen, failingFirst: true });
    expect(lines.map((line) => line[0]).join('')).toBe('✗–… ✓✓✓');
  });

  test('and those that fail come first where not all fit', () => {
    const lines = liveLines(trials, { ...screen, rows: 3 });
    expect(lines.map((line) => line.slice(0, 12).trimEnd())).toEqual([
      '✗ Finds an o',
      '– Breaks off',
      '  and 5 more',
    ]);
  });

  test('with its model only where there are several', () => {
    const [small, large] = [trial('a', { model: 'small' }), trial('a', { model: 'large' })];
    expect(liveLines([small, small], screen).join()).toMatch(/^✓ a {2}/);
    expect(liveLines([small, large], screen).join()).toMatch(/^✓ a on small .*✓ a on large /);
  });

  test('within the width, whatever a title holds, and in colour only where that is shown', () => {
    const title = `\u001b[31m${'long '.repeat(40)}`;
    const odd = [trial(title, { model: 'm'.repeat(99) }), trial('b', { model: 'n' })];
    for (const width of [40, 60, 80]) {
      const [line = ''] = liveLines(odd, { ...screen, width });
      expect([...line].length).toBeLessThanOrEqual(width);
      expect(line).not.toContain('\u001b');
    }
    expect(liveLines([trial('a')], { ...screen, isColoured: true })[0]).toContain('\u001b[32m✓');
  });
});

test('lines are drawn over again, below what is said meanwhile', () => {
  let written = '';
  const drawn = redrawnOn((text) => {
    written += text;
  });
  drawn.draw(['one', 'two']);
  drawn.draw(['one', 'two']);
  drawn.above('said\n');
  drawn.draw(['three']);
  const erased = '\r\u001b[2A\u001b[0J';
  expect(written).toBe(`one\ntwo\n${erased}said\none\ntwo\n${erased}three\n`);
});

test('a line that is longer than the terminal is erased whole, and colours take no room', () => {
  let written = '';
  const drawn = redrawnOn(
    (text) => {
      written += text;
    },
    () => 10,
  );
  drawn.draw(['x'.repeat(21), `\u001b[31m${'y'.repeat(10)}\u001b[0m`]);
  drawn.draw([]);
  expect(written).toContain('\u001b[4A');
});

test('Ctrl+C asks once, then cancels, and then ends the process as ever', async () => {
  const signals = new EventEmitter();
  const [ask, cancel] = [vi.fn(), vi.fn(async () => undefined)];
  let end = (_how: string) => {};
  const following = new Promise<string>((resolve) => {
    end = resolve;
  });
  const ended = askBeforeCancel(following, { ask, cancel }, signals);
  signals.emit('SIGINT');
  expect([ask.mock.calls.length, cancel.mock.calls.length]).toEqual([1, 0]);
  signals.emit('SIGINT');
  expect([ask.mock.calls.length, cancel.mock.calls.length]).toEqual([1, 1]);
  expect(signals.listenerCount('SIGINT')).toBe(0);
  end('cancelled');
  expect(await ended).toBe('cancelled');
});

test.each([
  [{ isTTY: true }, {}, true],
  [{}, {}, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false],
  [{ isTTY: true }, { CI: 'true' }, false],
])('%j with %j draws over again: %s', (stream, environment, live) => {
  expect(isLive(stream, environment)).toBe(live);
});
