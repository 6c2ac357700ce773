import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createOperator } from '../../main/operator.ts';
import type { ModelGateway } from '../../outside/model/model-gateway.ts';
import { createScriptedModel } from '../../outside/model/scripted-model.ts';
import { payingModels } from './paying-models.ts';
import { release, reserveCredits, settleSilentReservations } from './store/reservations.ts';

let service: TestDatabase;
let place: { organizationId: string; projectId: string };
beforeAll(async () => {
  service = await createTestDatabase();
  place = await createOperator(service.owner, '').bootstrap({
    email: 'owner@paying.example',
    organization: 'Paying',
  });
});
afterAll(() => service.drop());

const model = { id: 'scripted/one', provider: 'scripted', name: 'one', hosted: true } as const;
const request = { messages: [{ role: 'user', content: 'Judge.' }], tools: [] } as const;

async function abandoned(isSent: boolean) {
  const leaving = new AbortController();
  const hangs: ModelGateway['generate'] = (_, __, { signal, onSent }) => {
    if (isSent) onSent?.(true);
    setImmediate(() => leaving.abort(new Error('left')));
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const priced: ModelGateway = {
    ...createScriptedModel([]),
    generate: hangs,
    priceOf: () => ({ inputPerMillion: 1, outputPerMillion: 2 }),
  };
  const payer = { database: service.database, creditsPerDay: 5, place } as const;
  const paying = payingModels(priced, { ...payer, kind: 'judge', ref: 'run/1' });
  const asked = paying.generate(model, request, { signal: leaving.signal });
  await expect(asked).rejects.toThrow('left');
  const [row] = await service.owner.sql<{ used: number; reserved: number; rows: number }[]>`
    select used::float8 as used, reserved::float8 as reserved, (select count(*)::integer from ledger) as rows
    from daily_counters where counter = 'credits'`;
  return row;
}

test('one that waited for a place costs nothing, and one that was sent its worst case', async () => {
  expect(await abandoned(false)).toEqual({ used: 0, reserved: 0, rows: 0 });
  const sent = await abandoned(true);
  expect(sent).toMatchObject({ reserved: 0, rows: 1 });
  expect(sent?.used).toBeGreaterThan(0.8);
});

test('one that may wait gets the credits that another gives back, and is refused at once where they are spent', async () => {
  const answering: ModelGateway = {
    ...createScriptedModel([{ text: 'Yes.' }, { text: 'Yes.' }]),
    priceOf: () => ({ inputPerMillion: 1, outputPerMillion: 2 }),
  };
  const others = { kind: 'trial_step', ref: 'run/9', step: 'one 1' } as const;
  const tenant = [place.organizationId];
  const inTenant = service.database.tenant.bind(service.database);
  await service.owner
    .sql`update daily_counters set used = 0, reserved = 0 where counter = 'credits'`;
  await inTenant(tenant, (sql) =>
    reserveCredits(sql, place, { ...others, model: 'm', credits: 4.9 }, 5),
  );
  const ask = (mostWaitMs: number) =>
    payingModels(answering, {
      database: service.database,
      creditsPerDay: 5,
      place,
      kind: 'judge',
      ref: 'run/2',
      mostWaitMs,
    }).generate(model, request, { signal: new AbortController().signal });
  await expect(ask(0)).rejects.toMatchObject({ refusal: { code: 'FORBIDDEN' } });
  const waits = ask(60_000);
  await inTenant(tenant, (sql) => release(sql, [others]));
  expect((await waits).text).toBe('Yes.');
  await service.owner.sql`update daily_counters set used = 4.9 where counter = 'credits'`;
  await expect(ask(60_000)).rejects.toMatchObject({ refusal: { code: 'FORBIDDEN' } });
});

test('one that waits long for its place is not settled as silent, and is paid by what it used', async () => {
  const { sql } = service.owner;
  await sql`update daily_counters set used = 0, reserved = 0 where counter = 'credits'`;
  const usage = { inputTokens: 10, outputTokens: 5 };
  let givePlace = (): void => undefined;
  const placed = new Promise<void>((resolve) => {
    givePlace = resolve;
  });
  const crowded: ModelGateway = {
    ...createScriptedModel([]),
    priceOf: () => ({ inputPerMillion: 1, outputPerMillion: 2 }),
    async generate(_, __, { onSent }) {
      await placed;
      onSent?.(true);
      return { text: 'Yes.', toolCalls: [], finishReason: 'stop', usage, attempts: 1 };
    },
  };
  const payer = { database: service.database, creditsPerDay: 5, place } as const;
  const paying = payingModels(crowded, { ...payer, kind: 'judge', ref: 'run/3' });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const asked = paying.generate(model, request, { signal: new AbortController().signal });
    const since = async () => {
      const rows = await sql<{ isOld: boolean }[]>`
        select reserved_at < now() - interval '15 minutes' as is_old from credit_reservations where ref = 'run/3'`;
      return rows[0]?.isOld;
    };
    await expect.poll(since).toBe(false);
    await sql`update credit_reservations set reserved_at = now() - interval '16 minutes' where ref = 'run/3'`;
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.poll(since).toBe(false);
    expect(await settleSilentReservations(service.database)).toBe(0);
    givePlace();
    await asked;
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
  const rows = await sql`
    select input_tokens::integer, output_tokens::integer from ledger where ref = 'run/3'`;
  expect(rows).toEqual([usage]);
});

test('a database that is away for a moment loses neither the answer nor what it cost', async () => {
  await service.owner
    .sql`update daily_counters set used = 0, reserved = 0 where counter = 'credits'`;
  const answering: ModelGateway = {
    ...createScriptedModel([{ text: 'Yes.' }]),
    priceOf: () => ({ inputPerMillion: 1, outputPerMillion: 2 }),
  };
  const away = Object.assign(new Error('cut'), { code: 'CONNECTION_CLOSED' });
  let tries = 0;
  // Every odd call of `tenant` throws after its commit has succeeded, as if the answer had been
  // lost.
  const blinking: typeof service.database = Object.assign(Object.create(service.database), {
    async tenant(...asked: Parameters<typeof service.database.tenant>) {
      tries += 1;
      const done = await service.database.tenant(...asked);
      if (tries % 2 === 1) throw away;
      return done;
    },
  });
  const paying = payingModels(answering, {
    database: blinking,
    creditsPerDay: 5,
    place,
    kind: 'judge',
    ref: 'run/blink',
  });
  const reply = await paying.generate(model, request, { signal: new AbortController().signal });
  expect(reply.text).toBe('Yes.');
  const rows = await service.owner.sql`select step from ledger where ref = 'run/blink'`;
  expect(rows).toHaveLength(1);
  const [day] = await service.owner
    .sql`select reserved::float8 as reserved from daily_counters where counter = 'credits'`;
  expect(day).toEqual({ reserved: 0 });
  expect(tries).toBe(4);
});
