/**
 * Tests replays of trials with widgets from recorded reads and calls. If a needed exchange was not
 * recorded, the widget gets no verdict.
 */
import { type Recording, readIgnore } from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { fakeRenderer } from '@proofmark/harness/fake-widget-renderer.ts';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import type { Step } from '@proofmark/harness/play-trial.ts';
import { act, callOf, see, shop } from '@proofmark/harness/play-widgets.ts';
import { afterAll, expect, test } from 'vitest';
import { finishRecording } from './finish-recording.ts';
import { OpenedRecordingOfTrial } from './opened-recording.ts';
import { replayedDependencies } from './replayed-dependencies.ts';
import { TrialRecorder } from './trial-recorder.ts';
import { TrialReplay } from './trial-replay.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

const saved = see({ kind: 'widgetToolCalled', toolName: 'form', calledToolName: 'save' }, 'saved');
const steps = [callOf('form'), act(), saved];

function widgets(copies: number) {
  return fakeRenderer(() => ({
    act: async (_action, host) => {
      await host.callTool('save', { copies }).catch(() => undefined);
      return { ok: true };
    },
  }));
}

async function record(played: readonly Step[], shown: Parameters<typeof dependenciesFor>[2]) {
  const content = [{ type: 'text', text: 'done' }];
  const server = await startFakeMcpServer(shop({ 'tools/call': { content } }));
  const servers = [{ id: 'srv_1', name: 'Weather', url: server.url }];
  const runServers = runServersFor(mcp, servers);
  const recorder = new TrialRecorder(servers, () => performance.now());
  const own = recorder.around(dependenciesFor(runServers, modelOfLines([]), shown));
  const { result } = await firstTrial(own, planFor({ steps: [...played] }, servers));
  expect(result).toBe('passed');
  await runServers.close();
  await server.stop();
  const finished = finishRecording(recorder, [], 1);
  if (finished.state !== 'kept') throw new Error('It is too large.');
  return new OpenedRecordingOfTrial(JSON.parse(finished.content) as Recording, finished.durations);
}

async function replay(
  recorded: OpenedRecordingOfTrial,
  copies: number,
  before: (replay: TrialReplay) => void = () => undefined,
) {
  const servers = [{ id: 'srv_1', name: 'Weather', url: 'http://127.0.0.1:9/mcp' }];
  const runServers = runServersFor(mcp, servers);
  const sides = { model: 'recorded', servers: 'recorded', onDivergence: 'stop' } as const;
  const terms = { ...sides, asksModel: false, ignore: readIgnore() };
  const played = new TrialReplay(recorded, terms, servers, () => []);
  before(played);
  const own = dependenciesFor(runServers, modelOfLines([]), { widgets: widgets(copies) });
  const again = await firstTrial(replayedDependencies(played, own), planFor({ steps }, servers));
  await runServers.close();
  return { again, divergence: played.divergence };
}

test('what it read and called is answered when its server is gone', async () => {
  const { again, divergence } = await replay(await record(steps, { widgets: widgets(2) }), 2);
  expect(divergence).toBeUndefined();
  expect(again).toMatchObject({ status: 'completed', result: 'passed' });
});

test('a call that was not recorded ends the trial, though the widget keeps silent about it', async () => {
  const { again, divergence } = await replay(await record(steps, { widgets: widgets(2) }), 3);
  expect(divergence).toMatchObject({ kind: 'call', toolName: 'save', path: '/copies' });
  expect(again).toMatchObject({ status: 'skipped', result: null, error: divergence?.message });
  expect(again.chain).not.toHaveProperty('failureCategory');
});

test('a widget that nobody had shown cannot be shown, which blames nobody', async () => {
  const { again, divergence } = await replay(await record([callOf('form')], {}), 2);
  expect(again).toMatchObject({ status: 'skipped', result: null });
  expect(divergence?.message).toBe(
    'The method resources/read of "Weather" was called with parameters that were not recorded.',
  );
});

test('a divergence that nobody handed on ends the trial all the same', async () => {
  const recorded = await record(steps, { widgets: widgets(2) });
  const nothing = { path: '', before: undefined, after: undefined };
  const { again } = await replay(recorded, 2, (played) => {
    const diverge = () => played.diverge({ side: 'model', kind: 'missing' }, nothing);
    expect(diverge).toThrow();
  });
  expect(again).toMatchObject({
    status: 'skipped',
    result: null,
    error: 'The trial needed one more answer of the model than was recorded.',
  });
});
