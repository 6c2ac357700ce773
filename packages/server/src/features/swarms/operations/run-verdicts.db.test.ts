/**
 * Tests that every list shows the same verdict of a journey run. The verdict follows the scorecard
 * (the grades by criterion) and ignores the judges.
 */
import { journeyVerdict } from '@proofmark/domain';
import { projectCaller } from '@proofmark/harness/project-caller.ts';
import {
  callsOnce,
  type SwarmFixture,
  startSwarmFixture,
} from '@proofmark/harness/swarm-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { defaultRunLimits } from '../../../platform/spending/run-limits.ts';

let fixture: SwarmFixture;
let failing: string;

beforeAll(async () => {
  fixture = await startSwarmFixture(
    { one: callsOnce('weather', { city: 'Oslo' }) },
    {},
    { one: { inputPerMillion: 1000, outputPerMillion: 1000 } },
  );
  const server = await fixture.mcpServer({
    'tools/call': { content: [{ type: 'text', text: 'no' }], isError: true },
  });
  failing = await fixture.environment([server.id]);
});

afterAll(() => fixture.stop());

const rubric = [
  { id: 'crt_1', label: 'No errors', predicate: { type: 'noToolErrors' } },
  {
    id: 'crt_2',
    predicate: { type: 'toolCalledAtLeastOnce', toolName: 'other', role: 'advisory' },
  },
];

async function played(fields: object) {
  const journeyId = await fixture.journey({ rubric, ...fields });
  const { id, waveId } = await fixture.launch(journeyId);
  await fixture.ended(id);
  await expect
    .poll(async () => (await fixture.get(200, 'GET', `waves/${waveId}`)).terminal)
    .toBe(true);
  return { journeyId, id, waveId };
}

async function listed({ journeyId, id, waveId }: Awaited<ReturnType<typeof played>>) {
  const of = async (path: string) => fixture.get(200, 'GET', path);
  const byId = (one: { id?: string; runId?: string }) => (one.runId ?? one.id) === id;
  const journeys = (await of('journeys')).items;
  return {
    run: await of(`journey-runs/${id}`),
    lists: [
      (await of(`journeys/${journeyId}/runs`)).items.find(byId),
      (await of('journeys-overview')).runs.find(byId),
      (await of(`waves/${waveId}`)).runs.find(byId),
      journeys.find((one: { id: string }) => one.id === journeyId).latestRun,
    ],
  };
}

test('every list tells the verdict of the scorecard and what it rests on', async () => {
  const run = await played({ environmentIds: [failing], sessionsPerTarget: 2 });
  const card = await fixture.get(200, 'GET', `journey-runs/${run.id}/scorecard`);
  const { run: whole, lists } = await listed(run);
  const { criteria, runId: _, ...counts } = card;
  for (const one of [whole, ...lists]) {
    expect(one.verdict).toBe(journeyVerdict({ status: 'completed' }, card));
    expect(one.verdict).toBe('failed');
    expect(one.grades).toMatchObject(counts);
    expect(one.grades.criteria).toEqual([
      expect.objectContaining({
        id: 'crt_1',
        label: 'No errors',
        failCount: criteria[0].failCount,
      }),
    ]);
  }
});

test('what was not played has no verdict, and whose doing it was is told', async () => {
  const dead = await fixture.save('http://127.0.0.1:9/mcp');
  const { run, lists } = await listed(
    await played({ environmentIds: [await fixture.environment([dead.id])] }),
  );
  for (const one of [run, ...lists]) {
    expect(one).toMatchObject({
      verdict: 'notEstablished',
      grades: { sessionsGraded: 0, sessionsTotal: 1, ungraded: { setup: 1, ours: 0 } },
    });
  }
});

test('a journey that was never run has no latest run, and a run without criteria no grades', async () => {
  const journeyId = await fixture.journey({});
  const latest = async (id: string) => {
    const { items } = await fixture.get(200, 'GET', 'journeys');
    return items.find((one: { id: string }) => one.id === id).latestRun;
  };
  expect(await latest(journeyId)).toBeNull();
  const bare = await played({ rubric: null, environmentIds: [failing] });
  expect(await latest(bare.journeyId)).toMatchObject({ verdict: 'notEstablished', grades: null });
});

test('what a judge says of a run stands apart, and is null where nobody judged', async () => {
  const judgeConfig = { goalCompletion: { autoRun: true } };
  const { id } = await played({ environmentIds: [failing], judgeConfig });
  const read = () => fixture.get(200, 'GET', `journey-runs/${id}`);
  await expect.poll(async () => (await read()).goalCompletion.pendingCount).toBe(0);
  const { goalCompletion, verdict } = await read();
  expect(goalCompletion).toMatchObject({ gradedCount: 1, failedCount: 0 });
  expect(verdict).toBe('failed');
  const [session] = await fixture.sessions(id);
  expect(session.goalScore).toMatchObject({ threshold: 0.7, judgeModel: 'proofmark/rule-judge-1' });
  const other = await played({ environmentIds: [failing] });
  expect((await fixture.get(200, 'GET', `journey-runs/${other.id}`)).goalCompletion).toBeNull();
});

test('an estimate names the models, and the credits that are left where they are limited', async () => {
  const journeyId = await fixture.journey({ environmentIds: [failing] });
  const path = `journeys/${journeyId}/runs/estimate`;
  expect(await fixture.get(200, 'POST', path, {})).toMatchObject({
    creditsLeft: null,
    assistantModels: ['local/one'],
    judgeModel: null,
    ownModels: [],
    personaModel: 'proofmark/scripted-user-1',
  });
  const runLimits = { ...defaultRunLimits, creditsPerDay: 1000 };
  const limited = await fixture.service.another({ models: fixture.models, runLimits });
  try {
    const { body } = await projectCaller(limited, fixture.tenant)('POST', path, {});
    expect(body.creditsLeft).toBeGreaterThan(0);
    expect(body.creditsLeft).toBeLessThan(1000);
  } finally {
    await limited.stop();
  }
});
