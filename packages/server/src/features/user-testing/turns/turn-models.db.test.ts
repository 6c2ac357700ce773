import { makeId } from '@proofmark/domain';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../../main/operator.ts';
import { ModelFailure } from '../../../outside/model/model-failure.ts';
import type {
  ModelGateway,
  ModelReply,
  ModelRequest,
} from '../../../outside/model/model-gateway.ts';
import { createScriptedModel } from '../../../outside/model/scripted-model.ts';
import { settleSilentReservations } from '../../../platform/spending/store/reservations.ts';
import { settleGuestCredits } from '../store/guest-credits.ts';
import { turnModels } from './turn-models.ts';

let service: TestDatabase;
let place: { organizationId: string; projectId: string };
beforeAll(async () => {
  service = await createTestDatabase();
  place = await createOperator(service.owner, '').bootstrap({
    email: 'owner@strangers.example',
    organization: 'Strangers',
  });
});
afterAll(() => service.drop());

const model = { id: 'scripted/one', provider: 'scripted', name: 'one', hosted: true } as const;
const request: ModelRequest = { messages: [{ role: 'user', content: 'Hello.' }], tools: [] };
const price = { inputPerMillion: 10, outputPerMillion: 100 };
/** The cost in credits of an answer with the maximum number of output tokens. */
const longest = 40.96;
const never = new AbortController().signal;

let made = 0;
function strangers(
  generate: ModelGateway['generate'],
  { dailyCreditCap = 100, creditsPerDay = null as number | null } = {},
) {
  made += 1;
  const scenarioId = `scn_${made}`;
  const id = makeId('visitorTurn', made, new Uint8Array(10));
  const priced = { ...createScriptedModel([]), generate, priceOf: () => price };
  const guest = { budget: { kind: 'capped', dailyCreditCap, price }, ...open } as const;
  const dependencies = { database: service.database, creditsPerDay };
  const turn = { id, scenarioId, ...place, guest };
  const models = turnModels(priced, dependencies, turn);
  const { sql } = service.owner;
  return {
    scenarioId,
    ask: () => models.generate(model, request, { signal: never }),
    async counted() {
      const [row] = await sql<{ used: number; reserved: number }[]>`
        select sum(used)::float8 as used, sum(reserved)::float8 as reserved from daily_counters
        where counter = ${`guestCredits:${scenarioId}`}`;
      return row;
    },
    async ledger() {
      const [row] = await sql<{ credits: number | null; rows: number }[]>`
        select sum(credits)::float8 as credits, count(*)::integer as rows from ledger where ref = ${id}`;
      return row;
    },
  };
}
const open = { onlyReads: false, sharedSkills: true };

const reply = (usage: ModelReply['usage']): ModelReply => ({
  text: 'Hi',
  toolCalls: [],
  finishReason: 'stop',
  attempts: 1,
  usage,
});

const answering = (outputTokens: number): ModelGateway['generate'] => {
  return async (_, __, { onSent }) => {
    onSent?.(true);
    return reply({ inputTokens: 10, outputTokens });
  };
};

test('one that was sent and never answered counts at its worst case, one that was not sent at nothing', async () => {
  const fails = (isSent: boolean) =>
    strangers(async (_, __, { onSent }) => {
      onSent?.(isSent);
      throw isSent ? new ModelFailure('TIMEOUT', 'No answer.', 1) : new Error('left');
    });
  const sent = fails(true);
  await expect(sent.ask()).rejects.toThrow();
  const counted = await sent.counted();
  expect(counted).toMatchObject({ reserved: 0 });
  expect(counted?.used).toBeGreaterThan(longest);
  expect(await sent.ledger()).toEqual({ credits: counted?.used, rows: 1 });
  const left = fails(false);
  await expect(left.ask()).rejects.toThrow('left');
  expect(await left.counted()).toEqual({ used: 0, reserved: 0 });
  expect(await left.ledger()).toEqual({ credits: null, rows: 0 });
});

test('who waits for the provider is told when it is asked', async () => {
  const sentFlags: boolean[] = [];
  const { scenarioId } = strangers(answering(1));
  const turn = { id: 'vtn_told', scenarioId, ...place };
  const priced = { ...createScriptedModel([]), generate: answering(1), priceOf: () => price };
  const members = turnModels(priced, { database: service.database, creditsPerDay: null }, turn);
  await members.generate(model, request, {
    signal: never,
    onSent: (is) => void sentFlags.push(is),
  });
  expect(sentFlags).toEqual([true]);
});

test('a provider is told how long an answer may be, and one that takes more is expected to do so again', async () => {
  const bounds: (number | undefined)[] = [];
  const strangersOf = strangers(
    async (chosen, asked, options) => {
      bounds.push(asked.maxOutputTokens);
      return answering(6000)(chosen, asked, options);
    },
    { dailyCreditCap: 110 },
  );
  await strangersOf.ask();
  expect(bounds).toEqual([4096]);
  // 60 credits are spent, so another answer of maximum length could exceed the cap.
  await expect(strangersOf.ask()).rejects.toMatchObject({
    refusal: { details: { limit: 'dailyCreditCap', allowedValue: 110 } },
  });
  expect(bounds).toHaveLength(1);
});

test('of a process that died the worst case stays counted, and the ledger is told of it', async () => {
  const dead = strangers(() => new Promise(() => undefined), { dailyCreditCap: 50 });
  void dead.ask();
  await expect.poll(async () => (await dead.counted())?.reserved ?? 0).toBeGreaterThan(longest);
  await expect(dead.ask()).rejects.toMatchObject({ refusal: { code: 'RATE_LIMITED' } });
  await service.owner
    .sql`update credit_reservations set reserved_at = now() - interval '16 minutes'`;
  expect(await settleSilentReservations(service.database)).toBe(1);
  const counted = await dead.counted();
  expect(await dead.ledger()).toEqual({ credits: counted?.reserved, rows: 1 });
  expect(await settleSilentReservations(service.database)).toBe(0);
});

test('what was set aside before midnight is settled on its own day', async () => {
  const late = strangers(answering(100));
  await late.ask();
  const { organizationId } = place;
  const { sql } = service.owner;
  const counter = `guestCredits:${late.scenarioId}`;
  await sql`
    insert into daily_counters (organization_id, day, counter, used, reserved)
    select organization_id, day - 1, counter, 0, 41 from daily_counters where counter = ${counter}`;
  const [row] = await sql<{ day: string }[]>`
    select min(day)::text as day from daily_counters where counter = ${counter}`;
  const step = { day: row?.day ?? '', reserved: 41, spent: 7 };
  await service.database.tenant([organizationId], (tenant) =>
    settleGuestCredits(tenant, { organizationId, scenarioId: late.scenarioId }, step),
  );
  const days = await sql`
    select used::float8 as used, reserved::float8 as reserved from daily_counters
    where counter = ${counter} order by day`;
  expect(days).toEqual([
    { used: 7, reserved: 0 },
    { used: expect.closeTo(1.01, 5), reserved: 0 },
  ]);
});

test('how much the organization has is no visitor’s matter', async () => {
  const poor = strangers(answering(1), { creditsPerDay: 1 });
  await expect(poor.ask()).rejects.toMatchObject({
    refusal: { code: 'FORBIDDEN', details: { limit: 'credits' } },
  });
  const failure = await poor.ask().catch((error: unknown) => error);
  expect(JSON.stringify(failure)).not.toContain('Value');
  expect(await poor.counted()).toEqual({ used: 0, reserved: 0 });
});

test('whatever calls come to, the day is never passed, and the ledger is told the same', async () => {
  const outcome = fc.oneof(
    fc.integer({ min: 0, max: 4096 }),
    fc.constantFrom('unsent', 'timeout', 'refused', 'untold'),
  );
  const property = fc.asyncProperty(
    fc.array(outcome, { minLength: 1, maxLength: 12 }),
    fc.integer({ min: 0, max: 200 }),
    async (outcomes, dailyCreditCap) => {
      let next = 0;
      const many = strangers(
        async (chosen, asked, options) => {
          const came = outcomes[next++];
          if (came === 'unsent') throw new Error('left');
          if (typeof came === 'number') return answering(came)(chosen, asked, options);
          options.onSent?.(true);
          if (came === 'timeout') throw new ModelFailure('TIMEOUT', 'No answer.', 1);
          if (came === 'refused') throw new ModelFailure('REQUEST_REFUSED', 'No.', 1);
          return reply({});
        },
        { dailyCreditCap },
      );
      await Promise.allSettled(outcomes.map(() => many.ask()));
      const counted = await many.counted();
      const ledger = await many.ledger();
      expect(counted?.reserved ?? 0).toBe(0);
      expect(counted?.used ?? 0).toBeLessThanOrEqual(dailyCreditCap);
      expect(ledger?.credits ?? 0).toBeCloseTo(counted?.used ?? 0, 6);
    },
  );
  await fc.assert(property, { numRuns: 40 });
});
