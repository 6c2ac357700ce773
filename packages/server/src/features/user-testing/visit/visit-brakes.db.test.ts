import { defaultVisitLimits } from '@proofmark/domain';
import { startVisitFixture, type VisitFixture } from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseTrustedProxy } from '../../../platform/http/client-address.ts';
import { defaultSpending } from '../../../platform/spending/spending.ts';

let fixture: VisitFixture;
let braked: Awaited<ReturnType<VisitFixture['service']['another']>>;
beforeAll(async () => {
  fixture = await startVisitFixture();
  braked = await fixture.service.another({
    spending: defaultSpending,
    trustedProxies: [parseTrustedProxy('127.0.0.1')],
  });
});
afterAll(async () => {
  await braked.stop();
  await fixture.stop();
});

const from = (address: string) => ({ 'x-forwarded-for': address });

async function buckets(name: string): Promise<string[]> {
  const rows = await fixture.service.owner.sql<{ bucket: string }[]>`
    select bucket from rate_limits where bucket like ${`visit:${name}:%`}`;
  return rows.map(({ bucket }) => bucket);
}

test('who guesses links is braked, fills no table, and holds up nobody who has one', async () => {
  const { token, id } = await fixture.scenario();
  const guest = await fixture.visitor(from('203.0.113.1'), braked.baseUrl);
  const tries: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    tries.push((await guest.redeem({ token: `${count}`.repeat(43) })).status);
    tries.push((await guest.redeem({ scenarioId: `scn_${count}` })).status);
  }
  expect(tries.slice(0, 10)).toEqual(Array.from({ length: 5 }, () => [404, 403]).flat());
  expect(tries.slice(12)).toEqual([429, 429, 429, 429]);
  const refused = await guest.redeem({ token: 'x'.repeat(43) });
  expect(refused.body.details).toMatchObject({ limit: 'visitorRedeemsPerMinute' });
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(await buckets('visitorRedeemsPerMinute')).toHaveLength(1);
  expect((await guest.redeem({ token })).status).toBe(200);
  expect((await guest.redeem({ scenarioId: id })).status).toBe(200);
});

test('ten a minute open a link from one address, and others are not held up by them', async () => {
  const { token } = await fixture.scenario();
  const here = await fixture.visitor(from('203.0.113.2'), braked.baseUrl);
  const there = await fixture.visitor(from('203.0.113.3'), braked.baseUrl);
  const tries: number[] = [];
  for (let count = 0; count < 14; count += 1) tries.push((await here.redeem({ token })).status);
  expect(tries.slice(0, 10)).toEqual(Array(10).fill(200));
  expect(tries).toContain(429);
  expect((await there.redeem({ token })).status).toBe(200);
});

test('thirty browsers an hour are made for one address; the address itself is kept nowhere', async () => {
  const arrive = async (address: string) =>
    fetch(`${braked.baseUrl}/visit/v1/session`, { headers: from(address) });
  const before = await fixture.count('visitors');
  const statuses: number[] = [];
  for (let count = 0; count < 31; count += 1) statuses.push((await arrive('203.0.113.77')).status);
  expect(statuses.slice(0, 30)).toEqual(Array(30).fill(200));
  expect(statuses[30]).toBe(429);
  expect(await fixture.count('visitors')).toBe(before + 30);
  // In `x-forwarded-for`, only the last entry was written by the trusted proxy. The entries to its
  // left can be forged and must be ignored.
  expect((await arrive('198.51.100.1, 203.0.113.77')).status).toBe(429);
  expect((await arrive('203.0.113.78')).status).toBe(200);
  expect((await buckets('visitorIdentitiesPerHour')).join()).not.toContain('203.0.113');
});

test('a scenario has a pace of its own; with brakes off there is none', async () => {
  const paced = { ...defaultVisitLimits, scenarioTurnsPerMinute: 2 };
  const slow = await fixture.service.another({ spending: defaultSpending, visitLimits: paced });
  const off = { ...defaultSpending, brakes: false };
  const free = await fixture.service.another({ spending: off, visitLimits: paced });
  const { token } = await fixture.scenario();
  const talk = async (baseUrl: string) => {
    const answers = [];
    for (let count = 0; count < 4; count += 1) {
      const guest = await (await fixture.visitor({}, baseUrl)).enter(token);
      answers.push(await guest.turn('Hello'));
    }
    return answers;
  };
  const answers = await talk(slow.baseUrl);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.details).toMatchObject({ limit: 'scenarioTurnsPerMinute' });
  expect(refused?.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect((await talk(free.baseUrl)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  await slow.stop();
  await free.stop();
});

test('behind a proxy that is not trusted new browsers are counted by link, and the operator is warned', async () => {
  const limits = { visitorIdentitiesPerHour: 2, linkIdentitiesPerHour: 4 };
  const behind = await fixture.service.another({
    spending: defaultSpending,
    visitLimits: { ...defaultVisitLimits, ...limits },
  });
  const [busy, other] = [await fixture.scenario(), await fixture.scenario()];
  const arrive = async (link?: string) =>
    fetch(`${behind.baseUrl}/visit/v1/session`, {
      headers: { ...from('203.0.113.5'), ...(link && { 'x-share-link': link }) },
    });
  const statuses: number[] = [];
  for (let count = 0; count < 5; count += 1) statuses.push((await arrive(busy.token)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 429]);
  expect((await arrive(other.token)).status).toBe(200);
  // Invalid links are counted per address. Counting them per link would create a row for every
  // guessed link.
  for (let count = 0; count < 3; count += 1) await arrive(`${count}`.repeat(43));
  expect([(await arrive('x'.repeat(43))).status, (await arrive()).status]).toEqual([429, 429]);
  expect(await buckets('linkIdentitiesPerHour')).toHaveLength(2);
  const guests = await Promise.all(
    [1, 2].map(() => fixture.visitor({ 'x-share-link': other.token }, behind.baseUrl)),
  );
  for (const guest of guests)
    for (let count = 0; count < 7; count += 1)
      expect((await guest.redeem({ token: other.token })).status).toBe(200);
  const warnings = fixture.service.logLines.filter((line) => line.includes('not trusted'));
  expect(warnings).toHaveLength(1);
  expect(warnings.join()).toContain('127.0.0.1');
  expect(warnings.join()).not.toContain('203.0.113');
  await behind.stop();
});

test('who is not trusted and says that it passes requests on escapes no limit by that', async () => {
  const other = await fixture.service.another({
    spending: defaultSpending,
    trustedProxies: [parseTrustedProxy('192.0.2.1')],
    visitLimits: { ...defaultVisitLimits, visitorIdentitiesPerHour: 2, linkIdentitiesPerHour: 3 },
  });
  const { token } = await fixture.scenario();
  const statuses: number[] = [];
  for (let count = 0; count < 4; count += 1) {
    const headers = { ...from(`203.0.113.${count}`), 'x-share-link': token };
    statuses.push((await fetch(`${other.baseUrl}/visit/v1/session`, { headers })).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429]);
  await other.stop();
});
