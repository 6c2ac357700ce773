import {
  type DerivedChain,
  deriveChain,
  type JudgeEvidence,
  rederiveWithJudge,
  type Stage,
} from '@proofmark/domain';
import {
  dependenciesFor,
  firstTrial,
  modelOfLines,
  planFor,
  runServersFor,
} from '@proofmark/harness/engine-trial.ts';
import { gatewayForTest } from '@proofmark/harness/mcp-servers/gateway-for-test.ts';
import type { StageRow } from '@proofmark/harness/stage-row.ts';
import { startStageServer } from '@proofmark/harness/stage-servers.ts';
import { stageTable } from '@proofmark/harness/stage-table.ts';
import { afterAll, expect, test } from 'vitest';
import { createScriptedModel } from '../outside/model/scripted-model.ts';
import { judgeTrial } from './judge-trial.ts';
import type { TrialRecord } from './trial-record.ts';

const mcp = gatewayForTest();
afterAll(() => mcp.close());

test.each(stageTable.map((row) => [row.name, row] as const))('%s', async (_, row) => {
  const server = await startStageServer(row.server);
  try {
    const { record, chain } = await play(row, server.url);
    const { stage, reason, evidence, category, others = {}, error } = row.expected;
    const failed = chain.stageResults.find((one) => one.stage === chain.firstFailedStage);
    expect({
      status: record.status,
      result: record.result,
      stage: chain.firstFailedStage,
      reason: failed?.reason,
      category: chain.failureCategory,
    }).toEqual({
      status: row.expected.status,
      result: row.expected.result,
      stage,
      reason,
      category,
    });
    if (evidence !== undefined) expect(failed?.evidence).toEqual(evidence);
    for (const name of Object.keys(others) as Stage[]) {
      const found = chain.stageResults.find((one) => one.stage === name);
      expect([name, found?.reason]).toEqual([name, others[name]]);
    }
    if (error === undefined)
      expect(record.result === 'passed' && record.error).not.toBeTypeOf('string');
    else expect(record.error).toContain(error);
  } finally {
    await server.stop();
  }
});

test('a row of the table fails at each of the six stages and in each of the seven categories', () => {
  const stages = new Set(stageTable.flatMap(({ expected }) => expected.stage ?? []));
  const categories = new Set(stageTable.flatMap(({ expected }) => expected.category ?? []));
  expect(stages.size).toBe(6);
  expect(categories.size).toBe(7);
});

async function play(
  row: StageRow,
  url: string,
): Promise<{ record: TrialRecord; chain: DerivedChain }> {
  const servers = [{ id: 'srv_1', name: 'Weather', url }];
  const runServers = runServersFor(mcp, servers, {
    verifyEgress: async () => row.egressWorks !== false,
  });
  const plan = planFor(row.definition, servers, {
    ...(row.client && { client: row.client }),
    ...(row.toolPolicy && { toolPolicy: row.toolPolicy }),
    limits: { maxModelSteps: 5, trialTimeoutMs: row.trialTimeoutMs ?? 20_000 },
  });
  const record = await firstTrial(dependenciesFor(runServers, modelOfLines(row.model)), plan);
  if (row.judge !== undefined) {
    return { record, chain: rederiveWithJudge(record.evidence, await judged(row, record)) };
  }
  const { attribution } = row;
  return attribution === undefined
    ? { record, chain: record.chain }
    : { record, chain: deriveChain({ ...record.evidence, attribution }) };
}

function judged({ judge, definition }: StageRow, { trace }: TrialRecord): Promise<JudgeEvidence> {
  const { expectedOutput } = definition;
  return judgeTrial(
    { models: createScriptedModel([{ text: judge ?? '' }]) },
    {
      title: 'Case',
      query: 'What is the weather in Rome?',
      messages: trace['messages'] as unknown[],
      ...(expectedOutput === undefined ? {} : { expectedOutput }),
    },
    {
      model: { hosted: true, id: 'scripted/one', provider: 'scripted', name: 'one' },
      threshold: 0.7,
    },
    new AbortController().signal,
  );
}
