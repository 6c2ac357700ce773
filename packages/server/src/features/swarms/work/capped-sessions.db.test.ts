/**
 * The daily credit cap covers the total cost of all sessions and their judge. But the cost reserved
 * for a call is so high that calls must wait for each other.
 */
import { type SwarmFixture, startSwarmFixture } from '@proofmark/harness/swarm-fixture.ts';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import {
  keepSpent,
  release,
  reserveCredits,
} from '../../../platform/spending/store/reservations.ts';

/**
 * The price in USD per million tokens. The longest possible answer costs 0.82 cents, the usual one
 * 0.002 cents.
 */
const price = { inputPerMillion: 1, outputPerMillion: 2 };
const creditsPerDay = 1.5;
const others = { kind: 'trial_step', ref: 'run/1', step: 'm 1', model: 'm' } as const;
const longest = { timeout: 30_000 };
let fixture: SwarmFixture;
let environmentId: string;

beforeAll(async () => {
  fixture = await startSwarmFixture(
    {
      one: async ({ messages }) => {
        await aWhile();
        const calls = messages.filter(({ role }) => role === 'tool').length;
        if (calls === 3) return { text: 'It is sunny.' };
        return { toolCalls: [{ name: 'weather', arguments: { city: `Oslo ${calls}` } }] };
      },
      judge: async () => {
        await aWhile();
        return { text: '{"score": 1, "reason": "All of it.", "rubricHits": []}' };
      },
    },
    { creditsPerDay, sessionsPerRun: 8 },
    { one: price, judge: price },
  );
  environmentId = await fixture.environment([(await fixture.mcpServer()).id]);
});
afterEach(() => inTenant((sql) => release(sql, [others])));
afterAll(() => fixture?.stop());

/** Delays an answer by 30 ms, so that concurrent calls overlap. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 30));

function inTenant<Result>(
  work: Parameters<typeof fixture.service.database.tenant<Result>>[1],
): Promise<Result> {
  return fixture.service.database.tenant([fixture.tenant.organizationId], work);
}

async function launch(fields: object): Promise<string> {
  const made = { environmentIds: [environmentId], maxTurns: 1, ...fields };
  return (await fixture.launch(await fixture.journey(made))).id;
}

test('calls at once wait for each other, and a run is played and judged while its credits do', async () => {
  const judgeConfig = { goalCompletion: { autoRun: true, judgeModel: 'local/judge' } };
  const runId = await launch({ sessionsPerTarget: 8, judgeConfig });
  const run = await fixture.ended(runId);
  expect(run).toMatchObject({ status: 'completed', summary: { total: 8, succeeded: 8 } });
  const judged = async () => {
    const sessions = await fixture.sessions(runId);
    return sessions.map(({ goalScore }) => goalScore.status);
  };
  await vi.waitUntil(async () => !(await judged()).includes('pending'), longest);
  expect(new Set(await judged())).toEqual(new Set(['completed']));
  const { organizationId } = fixture.tenant;
  const { ledger, counters } = await fixture.service.operator.readSpending(
    organizationId,
    undefined,
  );
  expect(ledger.map(({ kind, steps }) => [kind, steps])).toEqual([
    ['host_step', 32],
    ['judge', 8],
  ]);
  expect(counters.find(({ name }) => name === 'credits')).toMatchObject({ reserved: 0 });
}, 60_000);

test('a step waits for credits that somebody under way may give back', async () => {
  const reserved = { ...others, credits: creditsPerDay - 0.5 };
  await inTenant((sql) => reserveCredits(sql, fixture.tenant, reserved, creditsPerDay));
  const asked = fixture.provider.count('one');
  const runId = await launch({ sessionsPerTarget: 1 });
  const begun = async () =>
    (await fixture.get(200, 'GET', `journey-runs/${runId}`)).attempts[0].begun === 1;
  await vi.waitUntil(begun, longest);
  await inTenant((sql) => release(sql, [others]));
  expect((await fixture.ended(runId)).status).toBe('completed');
  expect(fixture.provider.count('one') - asked).toBe(4);
});

test('a run ends for credits where a step does not fit and nobody is under way', async () => {
  const spent = { ...others, credits: creditsPerDay - 0.5 };
  await inTenant((sql) => keepSpent(sql, fixture.tenant, spent, false));
  const asked = fixture.provider.count('one');
  const run = await fixture.ended(await launch({ sessionsPerTarget: 2 }));
  expect(run).toMatchObject({ status: 'rate_limited', summary: { total: 2, rateLimited: 2 } });
  expect(fixture.provider.count('one')).toBe(asked);
});
