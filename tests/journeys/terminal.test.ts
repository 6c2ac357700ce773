import { fileURLToPath } from 'node:url';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AtTerminal, hasTerminal, runAtTerminal } from './at-terminal.ts';
import { createReadyWorkspace } from './ready-workspace.ts';

const program = fileURLToPath(
  new URL('../../packages/harness/src/journeys/built-command.mjs', import.meta.url),
);

describe.skipIf(!hasTerminal)('at a terminal (needs `script` of util-linux)', () => {
  const workspace = createReadyWorkspace();
  const { folder } = workspace;
  const environment = { PROOFMARK_DATA_DIR: workspace.dataDir };
  const started = ['--server-command', 'node shop.mjs'];
  const opened: AtTerminal[] = [];
  let service: ServiceHere;

  const atTerminal = (parameters: readonly string[], more: Record<string, string> = {}) => {
    const one = runAtTerminal({
      folder,
      program,
      parameters,
      environment: { ...environment, ...more },
    });
    opened.push(one);
    return one;
  };
  const shows = (one: AtTerminal, words: RegExp) =>
    until(() => words.test(one.written()), `${words} is shown`);

  beforeAll(async () => {
    writeOwnServer(`${folder}/shop.mjs`);
    service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
    const made = await workspace.runHere(['init', ...started], environment);
    expect(made.code, made.stderr).toBe(0);
  });
  afterAll(async () => {
    for (const one of opened) one.kill();
    await service?.stop();
    await workspace.remove();
  });

  test('a test ends by its verdict, below a line for each case with its stages and its time', async () => {
    const one = atTerminal(['test', 'shop.suite.yaml']);
    expect(await one.ended).toBe(0);
    const [drawn = '', decision = ''] = one.written().split(/\r\n(?=PASSED: 3 of 3 cases)/);
    const last = drawn.slice(drawn.lastIndexOf('␛[0J') + 4);
    expect(last).toMatch(/^␛\[32m✓␛\[0m Finds opening_time +✓✓✓✓✓– +1\/1 +[\d.]+ m?s\r\n/);
    expect(decision).toContain('Case variants that met their threshold');
  });

  async function asksThenCancels(...parameters: string[]): Promise<void> {
    writeOwnServer(`${folder}/shop.mjs`, { callMs: 60_000 });
    const one = atTerminal(parameters, { NO_COLOR: '1' });
    await shows(one, /✓ Small talk calls no tool/);
    one.pressInterrupt();
    await shows(one, /cancel the run\? Press Ctrl\+C again; otherwise it continues\./);
    expect(one.written()).not.toContain('cancelling the run');
    one.pressInterrupt();
    expect(await one.ended).toBe(3);
    expect(one.written()).toMatch(/INCONCLUSIVE: .*the run was cancelled before its end/is);
    expect(one.written()).not.toMatch(/␛\[\d*m/);
    const runId = /Run (run_\w+)/.exec(one.written())?.[1] as string;
    const status = await workspace.runHere(['eval', 'status', runId, '--json'], environment);
    expect(JSON.parse(status.stdout)).toMatchObject({ status: 'cancelled' });
  }
  test('test: Ctrl+C asks, and the second cancels the run on the service', () =>
    asksThenCancels('test', 'shop.suite.yaml'));
  test('eval run: Ctrl+C asks, and the second cancels the run on the service', {}, () =>
    asksThenCancels('eval', 'run', 'shop', '--wait'),
  );

  test('a test that is not at a terminal cancels its run when it is interrupted', async () => {
    const latest = async () => {
      const { stdout } = await workspace.runHere(['suite', 'list', '--json'], environment);
      return JSON.parse(stdout)[0].latestRun;
    };
    const before = (await latest())?.id;
    const child = workspace.spawn(['test', 'shop.suite.yaml'], environment);
    await until(async () => (await latest())?.id !== before, 'the run is launched');
    process.kill(child.pid, 'SIGINT');
    expect(await child.ended).toEqual({ code: 3, signal: null });
    expect((await latest()).status).toBe('cancelled');
  });

  test('watching draws over itself, failing cases first, and Ctrl+C ends with the last verdict', async () => {
    writeOwnServer(`${folder}/shop.mjs`);
    const one = atTerminal(['test', 'shop.suite.yaml', '--watch', '--watch-path', '.']);
    await shows(one, /waiting for changes/);
    const before = one.written().length;
    writeOwnServer(`${folder}/shop.mjs`, { toolName: 'something_else' });
    const again = () => one.written().slice(before);
    await until(() => /waiting for changes/.test(again()), 'it was tested again');
    one.pressInterrupt();
    expect(await one.ended).toBe(1);
    const frames = again().split('␛[0J');
    const last = frames.at(-1) ?? '';
    expect(last).toMatch(/^␛\[31m✗␛\[0m Finds opening_time +✓✓✗○○○ /);
    expect(last).toContain('"opening_time" was never called.');
    // Every frame is lower than the window, so nothing scrolls and the window is not cleared.
    expect(Math.max(...frames.map((frame) => frame.split('\n').length))).toBeLessThanOrEqual(24);
    expect(one.written()).not.toMatch(/␛\[[23]?J/);
  });
});
