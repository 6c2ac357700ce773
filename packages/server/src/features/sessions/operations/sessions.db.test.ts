import { randomBytes } from 'node:crypto';
import { makeId, scheduledRunNote } from '@proofmark/domain';
import { insertProject, type ProjectIds } from '@proofmark/harness/eval-rows.ts';
import { createReporter, failing, passing, unique } from '@proofmark/harness/reporter.ts';
import { storeRun } from '@proofmark/harness/stored-wave.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTrialsThatMaySay } from '../../evals/store/trial-sessions.ts';

let service: TestService;
let mine: Tenant;
beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'acme');
});
afterAll(() => service.stop());

type Query = Record<string, string>;

async function list(project: ProjectIds, query: Query = {}, key = mine.key) {
  const search = new URLSearchParams(query);
  const answer = await call(
    `${service.baseUrl}/api/v1/projects/${project.projectId}/sessions?${search}`,
    { key },
  );
  return { ...answer, titles: answer.body.items?.map(({ title }: { title: string }) => title) };
}

async function addChat(project: ProjectIds, columns: Record<string, unknown>) {
  const { sql } = service.owner;
  const id = makeId('chatSession', Date.now(), randomBytes(10));
  await sql`insert into chat_sessions ${sql({
    id,
    organization_id: project.organizationId,
    project_id: project.projectId,
    account_id: mine.accountId,
    status: 'active',
    ...columns,
  } as never)}`;
  return id;
}

async function report(project: ProjectIds, results: readonly object[]) {
  const body = { suiteName: unique('Suite'), results };
  const { projectId } = project;
  const answer = await createReporter(service, mine).ingest('report', body, { project: projectId });
  expect(answer.status, answer.text).toBe(200);
  return answer.body.runId as string;
}

const trialWithTexts = (caseTitle: string, ...texts: string[]) => ({
  ...failing,
  caseTitle,
  trace: { messages: texts.map((content) => ({ role: 'user', content })) },
});

test('the latest activity comes first, whatever the source, over pages of any size', async () => {
  const project = await insertProject(service, mine);
  await report(project, [
    trialWithTexts('one', 'Hi'),
    trialWithTexts('two', 'Hi'),
    trialWithTexts('three', 'Hi'),
  ]);
  const later = new Date(Date.now() + 60_000);
  await addChat(project, { title: 'late', last_activity_at: later });
  await addChat(project, { title: 'early', last_activity_at: new Date(0) });
  await addChat(project, { title: 'put away', status: 'archived' });
  // Gives all trials the same end time, so that only their ids order them.
  await service.owner.sql`
    update eval_iterations set ended_at = date_trunc('second', ended_at) where ended_in_project = ${project.projectId}`;
  const { titles, body } = await list(project);
  expect(titles).toHaveLength(5);
  expect([titles[0], titles[4]]).toEqual(['late', 'early']);
  expect(titles.slice(1, 4).sort()).toEqual(['one', 'three', 'two']);
  expect(body).not.toHaveProperty('scope');
  for (const limit of ['1', '2', '3', '4']) {
    const walked: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: Awaited<ReturnType<typeof list>> = await list(project, {
        limit,
        ...(cursor !== '' && { cursor }),
      });
      walked.push(...page.titles);
      cursor = page.body.nextCursor;
    }
    expect(walked).toEqual(titles);
  }
  expect((await list(project, { status: 'archived' })).titles).toEqual(['put away']);
});

test('a trial says what was asked, how much was said and where it is shown', async () => {
  const project = await insertProject(service, mine);
  const runId = await report(project, [passing, failing]);
  const { body } = await list(project, { sourceType: 'eval' });
  expect(body.items).toHaveLength(1);
  const [item] = body.items;
  const path = `/projects/${project.projectId}/runs/${runId}/trials/${item.id}`;
  expect(item).toMatchObject({
    chatSessionId: item.id,
    projectId: project.projectId,
    sourceType: 'eval',
    origin: null,
    status: 'active',
    synthetic: true,
    lockReason: null,
    title: 'weather',
    firstMessagePreview: 'What is the weather in Rome?',
    visibility: 'project',
    ownedByViewer: true,
    modelId: 'small-1',
    messageCount: 1,
    cumulativeToolCallCount: 1,
    cumulativeUserMessageCount: 1,
    cumulativeInputTokens: 10,
    cumulativeOutputTokens: 15,
    parentRef: { kind: 'evalRun', iterationId: item.id, suiteRunId: runId },
    link: { path, url: `${service.baseUrl}${path}` },
  });
  const trial = await call(
    `${service.baseUrl}/api/v1/projects/${project.projectId}/eval-runs/${runId}/iterations/${item.id}`,
    { key: mine.key },
  );
  expect(trial.body.title).toBe('weather');
});

test('a trial of a run that the schedule launched says so', async () => {
  const project = await insertProject(service, mine);
  const runId = await report(project, [failing]);
  const originWith = async (notes: string | null) => {
    const { sql } = service.owner;
    await sql`update eval_runs set source = 'api', notes = ${notes} where id = ${runId}`;
    return (await list(project)).body.items[0].origin;
  };
  expect(await originWith(null)).toBe('api');
  expect(await originWith(scheduledRunNote)).toBe('schedule');
});

test('private conversations of others are in no list and found by no search', async () => {
  const project = await insertProject(service, mine);
  await addChat(project, { title: 'My secret' });
  const shared = await addChat(project, { title: 'Shared secret', visibility: 'project' });
  const member = await createMember(service, mine, 'member');
  for (const query of [{}, { q: 'secret' }, { sourceType: 'direct' }] as Query[]) {
    expect((await list(project, query, member.key)).titles).toEqual(['Shared secret']);
    expect((await list(project, query)).titles).toHaveLength(2);
  }
  const [row] = (await list(project, {}, member.key)).body.items;
  expect(row).toMatchObject({ id: shared, visibility: 'project', ownedByViewer: false });

  const chats = async (key: string, projectId = project.projectId) =>
    (await call(`${service.baseUrl}/api/v1/chat-sessions?projectId=${projectId}`, { key })).body;
  expect((await chats(member.key)).items).toMatchObject([
    { id: shared, visibility: 'project', isPinned: false, isUnread: true },
  ]);
  const own = (await chats(mine.key)).items;
  // The two chats may have been created in the same millisecond, so their order is not tested.
  const shown = own.map(
    (one: Record<string, unknown>) => `${one['visibility']} ${one['isUnread']}`,
  );
  expect(shown.sort()).toEqual(['private false', 'project false']);
  const all = await call(`${service.baseUrl}/api/v1/chat-sessions`, { key: member.key });
  expect(all.body.items.map(({ id }: { id: string }) => id)).toEqual([shared]);
  await service.owner
    .sql`update projects set visibility = 'private' where id = ${project.projectId}`;
  const unseen = await call(`${service.baseUrl}/api/v1/chat-sessions`, { key: member.key });
  expect(unseen.body.items).toEqual([]);
});

describe('sessions of journeys', () => {
  const asks = (content: string) => ({ messages: [{ role: 'user', content }] });
  let project: ProjectIds;
  let sessionIds: readonly string[];
  let title: string;
  beforeAll(async () => {
    project = await insertProject(service, mine);
    const place = { ...mine, ...project };
    const sessions = [asks('Is it warm in Oslo? "content"'), asks('Is it warm in Bergen?')];
    ({ sessionIds } = await storeRun(service, place, { waveId: unique('wave'), sessions }));
    const listed = (await list(project, { sourceType: 'swarm' })).body.items;
    title = listed.find(({ id }: { id: string }) => id === sessionIds[0]).title;
  });
  const chats = (key: string, query: Query = {}) => {
    const search = new URLSearchParams({ projectId: project.projectId, ...query });
    return call(`${service.baseUrl}/api/v1/chat-sessions?${search}`, { key });
  };

  test('are found by what was said in them, and not by how it is stored', async () => {
    const find = (q: string, sourceType = 'swarm,eval') =>
      list(project, { q, scope: 'transcripts', sourceType });
    const { titles, body } = await find('OSLO');
    expect(titles).toEqual([title]);
    expect(body.items[0].matchPreview).toBe('Is it warm in Oslo? "content"');
    expect((await find('warm')).titles).toHaveLength(2);
    expect((await find('"content"')).titles).toEqual([title]);
    expect((await find('role')).titles).toEqual([]);
    expect((await find('oslo', 'eval')).titles).toEqual([]);
    const old = { q: 'oslo', scope: 'transcripts', status: 'archived' };
    expect((await list(project, old)).titles).toEqual([]);
  });

  test('are chat sessions of whoever sees the project, among their own', async () => {
    await addChat(project, { title: 'late', last_activity_at: new Date(Date.now() + 60_000) });
    await addChat(project, { title: 'early', last_activity_at: new Date(0) });
    const { items } = (await chats(mine.key)).body;
    const titles = items.map((item: { title: string }) => item.title);
    expect(titles).toHaveLength(4);
    expect([titles[0], titles[3]]).toEqual(['late', 'early']);
    expect(title).toMatch(/^.+ · .+ · 1$/);
    expect(items.find(({ id }: { id: string }) => id === sessionIds[0])).toMatchObject({
      title,
      status: 'active',
      projectId: project.projectId,
      visibility: 'project',
      isPinned: false,
      isUnread: false,
    });
    const walked: string[] = [];
    for (let before: string | undefined = ''; before !== undefined; ) {
      const page = await chats(mine.key, { limit: '1', ...(before !== '' && { before }) });
      walked.push(...page.body.items.map((item: { title: string }) => item.title));
      before = page.body.nextCursor;
    }
    expect(walked).toEqual(titles);
    expect((await chats(mine.key, { status: 'archived' })).body.items).toEqual([]);
  });

  test('are unread to others, and unseen by who does not see the project', async () => {
    const member = await createMember(service, mine, 'member');
    const everywhere = async () => {
      const all = await call(`${service.baseUrl}/api/v1/chat-sessions`, { key: member.key });
      return all.body.items.filter(({ id }: { id: string }) => sessionIds.includes(id));
    };
    expect(await everywhere()).toMatchObject([{ isUnread: true }, { isUnread: true }]);
    const { projectId } = project;
    await service.owner.sql`update projects set visibility = 'private' where id = ${projectId}`;
    expect(await everywhere()).toEqual([]);
    expect((await chats(member.key)).status).toBe(404);
  });
});

describe('a search', () => {
  let project: ProjectIds;
  beforeAll(async () => {
    project = await insertProject(service, mine);
    await report(project, [
      trialWithTexts('Romeo', 'Who is "that"?'),
      trialWithTexts('In Rome', 'Rome', 'rome, Rome'),
    ]);
    await report(project, [
      trialWithTexts('Oslo', 'Not in ROME.'),
      trialWithTexts('rome', 'Ärger'),
    ]);
    await addChat(project, { title: 'A chrome pot' });
  });

  test('of titles has the best first, and shows the hit', async () => {
    const { titles, body } = await list(project, { q: ' ROME ' });
    expect(titles).toEqual(['rome', 'Romeo', 'In Rome', 'A chrome pot']);
    expect(body.scope).toBe('titles');
    expect(body.items[3].matchPreview).toBe('A chrome pot');
  });

  test('of transcripts looks at what was said, and not at how it is stored', async () => {
    const find = (q: string) => list(project, { q, scope: 'transcripts' });
    const { titles, body } = await find('rome');
    expect(titles).toEqual(['In Rome', 'Oslo']);
    expect(body.scope).toBe('transcripts');
    expect(body.items[1].matchPreview).toBe('Not in ROME.');
    expect((await find('"that"')).titles).toEqual(['Romeo']);
    expect((await find('ärger')).titles).toEqual(['rome']);
    for (const q of ['role', 'content', 'traceVersion']) expect((await find(q)).titles).toEqual([]);
  });

  test('looks through no more than so many trials and so many bytes, the newest first', async () => {
    const find = async (traces: number, bytes: number) => {
      const { sql } = service.owner;
      const found = await readTrialsThatMaySay(sql, project.projectId, 'e', { traces, bytes });
      return found.map(({ title }) => title).sort();
    };
    expect(await find(9, 1e6)).toHaveLength(4);
    expect(await find(2, 1e6)).toEqual(['Oslo', 'rome']);
    const [size] = await service.owner.sql<{ bytes: number }[]>`
      select max(octet_length(trace)) as bytes from eval_traces join eval_iterations using (run_id, ordinal)
      where title = 'rome' and ended_in_project = ${project.projectId}`;
    expect((await find(9, size?.bytes ?? 0)).length).toBeLessThan(2);
    expect(await find(9, 10)).toEqual([]);
  });

  test('that is blank finds nothing, and one of a source without sessions neither', async () => {
    expect((await list(project, { q: '  ' })).body).toEqual({ items: [], scope: 'titles' });
    expect((await list(project, { q: 'rome', sourceType: 'swarm,scenario' })).titles).toEqual([]);
    expect((await list(project, { sourceType: 'direct' })).titles).toEqual(['A chrome pot']);
  });

  test('has cursors of its own', async () => {
    const first = await list(project, { q: 'rome', limit: '3' });
    const cursor = first.body.nextCursor as string;
    expect((await list(project, { q: 'rome', cursor })).titles).toEqual(['A chrome pot']);
    for (const other of [{}, { q: 'oslo' }, { q: 'rome', sourceType: 'eval' }] as Query[]) {
      expect((await list(project, { ...other, cursor })).status).toBe(400);
    }
    expect((await list(project, { q: 'rome', scope: 'transcripts', cursor })).status).toBe(400);
  });

  test('is refused where it is not understood', async () => {
    for (const [query, path] of [
      [{ scope: 'titles' }, 'query.scope'],
      [{ q: 'a', scope: 'all' }, 'query.scope'],
      [{ sourceType: 'eval,chat' }, 'query.sourceType'],
      [{ status: 'open' }, 'query.status'],
    ] as const) {
      const { status, body } = await list(project, query);
      expect([status, body.details?.path]).toEqual([400, path]);
    }
  });
});
