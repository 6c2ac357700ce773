import { booking, startVisitReads, type VisitReads } from '@proofmark/harness/visit-reads.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
type Answer = any;

let fixture: VisitReads;
let ask: VisitReads['ask'];
beforeAll(async () => {
  fixture = await startVisitReads();
  ask = fixture.ask;
});
afterAll(() => fixture.stop());

const scenario = () => fixture.scenario();
const mined = () => fixture.mined();

describe('sessions', () => {
  test('90 messages are read in two pages, and what is no number is refused', async () => {
    const { path, visit } = await scenario();
    const turns = Array.from({ length: 45 }, (_, index) => ({
      text: `q${index}`,
      answer: `a${index}`,
    }));
    const id = await visit({ turns });
    const first = await ask('GET', `${path}/sessions/${id}?limit=50`);
    expect(first.status).toBe(200);
    expect(first.body).toMatchObject({ id, chatSessionId: id, messageCount: 90, nextCursor: '50' });
    const second = await ask('GET', `${path}/sessions/${id}?limit=50&cursor=50`);
    expect([first.body.messages.length, second.body.messages.length]).toEqual([50, 40]);
    expect(second.body.nextCursor).toBeUndefined();
    expect(second.body.messages.at(-1)).toEqual({ role: 'assistant', text: 'a44', createdAt: 2 });
    expect((await ask('GET', `${path}/sessions/${id}?cursor=90`)).body.messages).toEqual([]);
    for (const query of ['cursor=oops', 'cursor=-1', 'cursor=1.5', 'limit=x', 'offset=1']) {
      expect([query, (await ask('GET', `${path}/sessions/${id}?${query}`)).status]).toEqual([
        query,
        400,
      ]);
    }
  });

  test('one that cannot be read says so, and is not taken for an empty one', async () => {
    const { path, visit } = await scenario();
    const broken = await visit({ turns: [{ messagesText: '[{' }] });
    const { status, body } = await ask('GET', `${path}/sessions/${broken}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ messageCount: null, transcriptUnavailable: true, messages: [] });
    const empty = await visit({ turns: [{ messagesText: '[]' }] });
    const read = await ask('GET', `${path}/sessions/${empty}`);
    expect(read.body).toMatchObject({ messageCount: 0, messages: [] });
    expect('transcriptUnavailable' in read.body).toBe(false);
    const long = await visit({ turns: [{ text: 'x'.repeat(8 * 1024 * 1024 + 1) }] });
    expect((await ask('GET', `${path}/sessions/${long}`)).body.messageCount).toBe(null);
  });

  test('60 of one instant are 60 in a list of pages, without previews and silent ones', async () => {
    const { path, visit } = await scenario();
    const lastActivityAt = new Date();
    for (let count = 0; count < 60; count += 1) await visit({ lastActivityAt });
    await visit({ isPreview: true });
    await visit({ turns: [] });
    const ids = new Set<string>();
    for (let cursor = ''; ; ) {
      const { body } = await ask('GET', `${path}/sessions?limit=25${cursor}`);
      for (const { id } of body.items) ids.add(id);
      if (body.nextCursor === undefined) break;
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
    }
    expect(ids.size).toBe(60);
  });

  test('what became of one that is over is told with it, and a rating changes it later', async () => {
    const { path, visit } = await scenario();
    const id = await visit({ turns: [booking(true), booking(false)], visitor: 'beef01' });
    await visit({ status: 'active' });
    await mined();
    const { body } = await ask('GET', `${path}/sessions`);
    const [open, over] = body.items.sort((one: Answer) => (one.id === id ? 1 : -1));
    expect(over).toMatchObject({
      id,
      chatSessionId: id,
      preview: 'Book a table badly',
      outcome: 'partial',
      toolCallCount: 2,
      toolErrorCount: 1,
      modelId: 'proofmark/lexical-1',
      chain: { firstFailedStage: 'response', failureCategory: 'serverData' },
      visitor: {
        displayName: 'Guest beef',
        segment: 'guest-new',
        authType: 'guest',
        recency: 'new',
        deviceKind: 'desktop',
        language: 'en',
      },
      feedback: { rating: null, comment: null, count: 0 },
    });
    expect(['outcome' in open, 'chain' in open]).toEqual([false, false]);
    const quiet = await visit({ ratings: [5] });
    await mined();
    const outcomeOf = async () =>
      (await ask('GET', `${path}/sessions`)).body.items.find((one: Answer) => one.id === quiet);
    expect(await outcomeOf()).toMatchObject({
      outcome: 'completed',
      feedback: { rating: 5, count: 1 },
    });
    await fixture.service.owner
      .sql`update visitor_feedback set rating = 2, comment = 'no' where session_id = ${quiet}`;
    await mined();
    expect(await outcomeOf()).toMatchObject({
      outcome: 'unclear',
      feedback: { rating: 2, comment: 'no' },
    });
  });

  test('of another scenario, or of an unpublished one, is found by nobody but admins', async () => {
    const { path, visit, scenarioId } = await scenario();
    const other = await scenario();
    const id = await visit();
    expect((await ask('GET', `${other.path}/sessions/${id}`)).status).toBe(404);
    expect((await ask('DELETE', `${other.path}/sessions/${id}`)).status).toBe(404);
    await fixture.service.owner
      .sql`update scenarios set unpublished_at = now() where id = ${scenarioId}`;
    expect((await ask('GET', `${path}/sessions`)).body.items).toHaveLength(1);
    expect((await ask('GET', `${path}/sessions/${id}`)).status).toBe(200);
    expect((await ask('GET', `${path}/metrics`)).status).toBe(404);
    expect((await ask('GET', `${path}/signals`)).status).toBe(404);
    expect((await ask('DELETE', `${path}/sessions/${id}`)).body).toEqual({ id, deleted: true });
    expect((await ask('DELETE', `${path}/sessions/${id}`)).status).toBe(404);
  });

  test('stand in the list of all sessions of the project, and never among chats', async () => {
    const { visit, scenarioId } = await scenario();
    const id = await visit({ turns: [{ text: 'Where is my zebra?' }], displayName: 'Ann' });
    const { body } = await ask('GET', 'sessions?sourceType=scenario&limit=200');
    expect(body.items.find((one: Answer) => one.id === id)).toMatchObject({
      sourceType: 'scenario',
      origin: 'visit',
      synthetic: false,
      title: 'Bookshop · Ann',
      firstMessagePreview: 'Where is my zebra?',
      ownedByViewer: false,
      parentRef: { kind: 'scenario', label: 'Bookshop', scenarioId },
    });
    const found = await ask('GET', 'sessions?q=zebra&scope=transcripts');
    expect(found.body.items.map((one: Answer) => one.id)).toEqual([id]);
    const titled = await ask('GET', 'sessions?q=Ann&sourceType=scenario');
    expect(titled.body.items.map((one: Answer) => one.id)).toEqual([id]);
    const chats = await fetch(`${fixture.service.baseUrl}/api/v1/chat-sessions?limit=200`, {
      headers: { authorization: `Bearer ${fixture.tenant.key}` },
    });
    expect(await chats.text()).not.toContain(id);
  });

  test('become a case with the words of the visitor', async () => {
    const { path, visit } = await scenario();
    const id = await visit({ turns: [{ text: 'Hi' }, { text: 'Buy it' }] });
    const body = { suiteId: fixture.tenant.suiteId };
    const made = await ask('POST', `${path}/sessions/${id}/eval-case`, body);
    expect(made.status).toBe(201);
    expect(made.body.steps.map((step: Answer) => step.prompt)).toEqual(['Hi', 'Buy it']);
    expect(made.body.models).toMatchObject([{ model: 'proofmark/lexical-1' }]);
    expect((await ask('POST', `${path}/sessions/cht_none/eval-case`, body)).status).toBe(404);
  });
});
