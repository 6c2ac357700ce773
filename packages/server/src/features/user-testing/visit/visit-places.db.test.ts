import { defaultVisitLimits } from '@proofmark/domain';
import {
  startVisitFixture,
  type VisitFixture,
  type Visitor,
} from '@proofmark/harness/visit-fixture.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let fixture: VisitFixture;
beforeAll(async () => {
  fixture = await startVisitFixture();
});
afterAll(() => fixture.stop());

const question = 'What is the status of order 4711?';
const isAsked = (session: { turn?: { approval?: unknown } }) =>
  session.turn?.approval !== undefined;

async function approve(guest: Visitor): Promise<void> {
  const { turn } = await guest.until(isAsked);
  const { approvalId, argumentsHash } = turn.approval;
  const path = `${guest.scenario}/turns/${turn.turnId}/approvals`;
  const decided = await guest.send('POST', path, {
    approvalId,
    argumentsHash,
    decision: 'approve',
  });
  expect(decided.status).toBe(200);
}

async function enter(token: string, count: number): Promise<Visitor[]> {
  const guests: Visitor[] = [];
  while (guests.length < count) guests.push(await (await fixture.visitor()).enter(token));
  return guests;
}

test('a visitor who does not approve keeps no place, in however many conversations', async () => {
  const { token } = await fixture.scenario({ requireToolApproval: true });
  const [one, other] = (await enter(token, 2)) as [Visitor, Visitor];
  const idle = [one, await one.another(), await one.another(), await one.another()];
  const waiting: Promise<unknown>[] = [];
  for (const conversation of idle) {
    waiting.push(conversation.turn(question));
    await conversation.until(isAsked);
  }
  const answered = other.turn(question);
  await approve(other);
  expect((await answered).lines.at(-1)).toMatchObject({ type: 'turn_finish' });
  for (const conversation of idle) {
    const { turn } = await conversation.read();
    await conversation.send('POST', `${conversation.scenario}/turns/${turn.turnId}/stop`);
  }
  await Promise.all(waiting);
});

test('a visitor has one place, whatever the number of their conversations', async () => {
  const { token } = await fixture.slowScenario();
  const [one, other] = (await enter(token, 2)) as [Visitor, Visitor];
  const second = await one.another();
  const first = one.turn(question);
  await fixture.untilHeld(1);
  const refused = await second.turn(question);
  const full = { reason: 'TURNS_AT_ONCE', limit: 'visitorTurnsAtOnce', allowedValue: 1 };
  expect([refused.status, refused.body.details]).toEqual([429, { ...full, currentValue: 1 }]);
  expect(refused.headers.get('retry-after')).toBe('2');
  const served = other.turn(question);
  await fixture.untilHeld(2);
  fixture.letGo();
  for (const answer of [await first, await served]) expect(answer.status).toBe(200);
});

test('a turn that was approved waits for a place, nobody new overtakes it, and then it goes on', async () => {
  const { token } = await fixture.slowScenario('anyone_with_link', { requireToolApproval: true });
  const guests = await enter(token, 6);
  const turns = guests.slice(0, 5).map((guest) => guest.turn(question));
  for (const guest of guests.slice(0, 5)) await guest.until(isAsked);
  for (const guest of guests.slice(0, 4)) await approve(guest);
  await fixture.untilHeld(4);
  await approve(guests[4] as Visitor);
  const late = await guests[5]?.turn(question);
  expect(late?.body.details).toMatchObject({ limit: 'guestTurnsAtOnce', currentValue: 5 });
  const statuses = await fixture.service.owner.sql<{ status: string; count: number }[]>`
    select status, count(*)::integer as count from visitor_turns
    where scenario_id = ${guests[0]?.scenarioId ?? ''} group by status order by status`;
  expect(statuses).toEqual([
    { status: 'awaitingApproval', count: 1 },
    { status: 'running', count: 4 },
  ]);
  fixture.letGo();
  await fixture.untilHeld(1);
  fixture.letGo();
  for (const { lines } of await Promise.all(turns))
    expect(lines.at(-1)).toMatchObject({ type: 'turn_finish' });
});

test('of 12 strangers who speak at once to two processes, as many are answered as there are places', async () => {
  const visitLimits = { ...defaultVisitLimits, guestTurnsAtOnce: 3 };
  const doors = await Promise.all([1, 2].map(() => fixture.service.another({ visitLimits })));
  const { token } = await fixture.slowScenario();
  const guests: Visitor[] = [];
  for (let count = 0; count < 12; count += 1)
    guests.push(await (await fixture.visitor({}, doors[count % 2]?.baseUrl)).enter(token));
  const turns = guests.map((guest) => guest.turn(question));
  let refused = 0;
  for (const turn of turns) void turn.then(({ status }) => (refused += status === 429 ? 1 : 0));
  await fixture.untilHeld(3);
  await expect.poll(() => refused, { timeout: 30_000 }).toBe(9);
  fixture.letGo();
  const statuses = (await Promise.all(turns)).map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(3).fill(200), ...Array(9).fill(429)]);
  for (const door of doors) await door.stop();
});
