/**
 * Tests calls that timed out while other calls of Proofmark to the same server were in flight. Such
 * a call is repeated with no other call in flight before grading, unless it may have changed
 * something.
 */
import { trialAdvice } from '@proofmark/domain';
import {
  dependenciesFor,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import {
  type FakeAnswer,
  rpcResult,
  sendJson,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import { called, type Definition, pinned, spansOf } from '@proofmark/harness/play-trial.ts';
import { afterAll, expect, test } from 'vitest';
import { runTrial } from './run-trial.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

/** Long enough to open a session even on a busy machine. */
const timeoutMs = 2_000;
const definition: Definition = { steps: [pinned('call', { serverName: 'Weather' })] };
const well = { content: [{ type: 'text', text: 'sunny' }] };

/** Responds only to calls without any overlapping call. */
function slowBesideOthers(): FakeAnswer {
  let open = 0;
  return (response, request) => {
    open += 1;
    const wasAlone = open === 1;
    response.once('close', () => {
      open -= 1;
    });
    setTimeout(() => {
      if (wasAlone && open === 1) sendJson(response, rpcResult(request, well));
    }, 100);
  };
}

async function playTrials(
  count: number,
  answer: FakeAnswer,
  tool: object = {},
  serverId = 'srv_crowded',
  lists = () => true,
) {
  const weather = { name: 'weather', inputSchema: { type: 'object' }, ...tool };
  const server = await startFakeMcpServer({
    'tools/list': (response, request) => {
      if (lists()) sendJson(response, rpcResult(request, { tools: [weather] }));
    },
    'tools/call': answer,
  });
  const servers = [{ id: serverId, name: 'Weather', url: server.url, target: { timeoutMs } }];
  const runServers = runServersFor(mcp, servers);
  const plan = planFor(definition, servers);
  const dependencies = dependenciesFor(runServers, modelOfLines([]));
  try {
    const trial = { ordinal: 1, caseIndex: 0, variantIndex: 0, trialNumber: 1 };
    const records = await Promise.all(
      Array.from({ length: count }, () =>
        runTrial(dependencies, plan, trial, new AbortController().signal),
      ),
    );
    return { records, server };
  } finally {
    await runServers.close();
    await server.stop();
  }
}

test('a server that is slow only beside other calls of ours passes, and each trial tells its second call', async () => {
  const { records, server } = await playTrials(2, slowBesideOthers());
  for (const record of records) {
    expect(record).toMatchObject({ status: 'completed', result: 'passed', error: null });
    expect(record.actualToolCalls).toHaveLength(1);
  }
  const warned = records.filter(({ warnings }) => warnings.length > 0);
  expect(warned.length).toBeGreaterThanOrEqual(1);
  expect(called(server)).toHaveLength(records.length + warned.length);
  for (const record of warned) {
    expect(record.warnings).toEqual([
      {
        path: 'servers[0]',
        code: 'CALL_REPEATED',
        message:
          'The call of "weather" got no answer within 2 s while the server "Weather" was processing other calls from Proofmark, so Proofmark repeated the call without other calls.',
      },
    ]);
    const [span] = spansOf(record).filter(({ category }) => category === 'tool');
    expect(span).toMatchObject({ status: 'ok', repeatedAfterMs: timeoutMs });
  }
  // The repeated call reuses the session of the first call.
  const opened = server.requests.filter(({ message }) => message['method'] === 'initialize');
  expect(opened.length).toBeLessThanOrEqual(records.length);
});

test('a server that is silent alone, too, is graded after the second call', async () => {
  const { records, server } = await playTrials(2, () => undefined);
  for (const record of records) {
    expect(record).toMatchObject({ status: 'completed', result: 'failed' });
    expect(record.chain.firstFailedStage).toBe('call');
    expect(record.error).toMatch(
      /did not answer within 2 s; .*the second time without other calls/,
    );
    expect(record.warnings).toMatchObject([{ code: 'CALL_REPEATED' }]);
  }
  expect(called(server)).toHaveLength(4);
});

test('a server that is still busy with what was given up is not graded, and not called again', async () => {
  let open = 0;
  const answer = () => {
    open += 1;
  };
  const { records, server } = await playTrials(2, answer, {}, 'srv_busy', () => open < 2);
  for (const { status, result, error } of records) {
    expect({ status, result }).toEqual({ status: 'setup_failed', result: null });
    expect(error).toMatch(
      /the server was still busy when Proofmark wanted to repeat it without other calls/,
    );
  }
  expect(called(server)).toHaveLength(2);
});

test('alone from the beginning it is not called twice', async () => {
  const { records, server } = await playTrials(1, () => undefined);
  expect(records).toMatchObject([{ status: 'completed', result: 'failed', warnings: [] }]);
  expect(called(server)).toHaveLength(1);
});

test('a tool held for writing is not called twice: nothing is graded, and the trial says why', async () => {
  const held = { annotations: { readOnlyHint: false } };
  const { records, server } = await playTrials(2, () => undefined, held);
  for (const { status, result, error, chain } of records) {
    expect({ status, result }).toEqual({ status: 'setup_failed', result: null });
    expect(error).toMatch(
      /held for writing \(annotated readOnlyHint: false\), so the call was not made again/,
    );
    const advice = trialAdvice(chain.failureCategory, chain.stageResults, {
      failure: String(error),
    });
    expect(advice).toContain('fewer trials at a time');
  }
  expect(called(server)).toHaveLength(2);
});
