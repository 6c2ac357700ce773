import {
  type AgentProject,
  chatMessage,
  startAgentProject,
} from '@proofmark/harness/agent-project.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ModelFailure } from '../../../outside/model/model-failure.ts';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';
import { defaultSpending } from '../../../platform/spending/spending.ts';

let project: AgentProject;
let service: AgentProject['service'];
let tenant: AgentProject['tenant'];
let turn: AgentProject['turn'];
let withModel: AgentProject['withModel'];
let countOf: AgentProject['countOf'];

beforeAll(async () => {
  project = await startAgentProject();
  ({ service, tenant, turn, withModel, countOf } = project);
});
afterAll(() => project.stop());

test('turns of a day are counted when they are accepted', async () => {
  const [row] = await service.owner.sql<{ used: number }[]>`
    select used::integer from daily_counters
    where counter = 'agentTurnsPerDay' and organization_id = ${tenant.organizationId}`;
  const limits = { ...defaultSpending.limits, agentTurnsPerDay: (row?.used ?? 0) + 1 };
  const other = await service.another({ spending: { limits, brakes: false } });
  expect((await turn([chatMessage('hello')], {}, other.baseUrl)).status).toBe(200);
  const refused = await turn([chatMessage('hello')], {}, other.baseUrl);
  await other.stop();
  expect([refused.status, refused.body.details.limit]).toEqual([429, 'agentTurnsPerDay']);
  expect(await countOf('agent_slots')).toBe(0);
});

test('where credits are capped a model without a price is refused, and the built-in agent is not', async () => {
  const limits = { ...defaultSpending.limits, creditsPerDay: 5 };
  const model = await withModel([], { spending: { limits, brakes: false } });
  const refused = await model.turn('hello');
  await model.stop();
  expect([refused.status, refused.body.details.reason]).toEqual([403, 'MODEL_UNPRICED']);
  const other = await service.another({ spending: { limits, brakes: false } });
  expect((await turn([chatMessage('hello')], {}, other.baseUrl)).status).toBe(200);
  await other.stop();
  expect(await countOf('agent_slots')).toBe(0);
});

test('a refusal of the provider uses no credits up, and one that nobody can read uses the worst case', async () => {
  const creditsOf = async (failure: ModelFailure) => {
    const spent = async () => {
      const [row] = await service.owner.sql<{ credits: number }[]>`
        select sum(credits)::float8 as credits from ledger where model = 'scripted/one'`;
      return row?.credits ?? 0;
    };
    const before = await spent();
    const limits = { ...defaultSpending.limits, creditsPerDay: 100_000 };
    const models = {
      ...createScriptedModel([failure]),
      priceOf: () => ({ inputPerMillion: 100, outputPerMillion: 1000 }),
    };
    const model = await withModel([], { models, spending: { limits, brakes: false } });
    expect((await model.turn('go')).status).toBeGreaterThanOrEqual(429);
    await model.stop();
    return (await spent()) - before;
  };
  expect(await creditsOf(new ModelFailure('RATE_LIMITED', 'Too often.', 2))).toBe(0);
  expect(await creditsOf(new ModelFailure('INVALID_RESPONSE', 'Odd.', 1))).toBeGreaterThan(1);
});
