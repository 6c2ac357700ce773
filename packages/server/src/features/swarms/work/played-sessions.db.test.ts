/** The results of played sessions are derived from their unredacted content. */
import { consolePerson } from '@proofmark/harness/console-person.ts';
import { startStageServer } from '@proofmark/harness/stage-servers.ts';
import {
  callsOnce,
  type SwarmFixture,
  startSwarmFixture,
} from '@proofmark/harness/swarm-fixture.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { deleteUnnamedSurfaces, findNewestSurface } from '../../evals/store/tool-surfaces.ts';

let fixture: SwarmFixture;
let url: string;

const customer = 'customer-4242';
const long = 'x'.repeat(120_000);
const says = JSON.stringify({ message: 'And now?', endSession: false });

beforeAll(async () => {
  fixture = await startSwarmFixture({
    one: callsOnce('weather', { city: 'Oslo' }),
    /**
     * One call has a short argument that is also the value of a secret header. The other calls have
     * arguments that exceed the size limit of a record.
     */
    many: ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: `The weather of ${customer} is fine.` }
        : {
            toolCalls: [customer, ...Array.from({ length: 10 }, () => long)].map((city) => ({
              name: 'weather',
              arguments: { city },
            })),
          },
    'user-lost': (_, count) => (count === 1 ? { text: says } : { status: 500 }),
  });
  ({ url } = await fixture.mcpServer({
    'tools/call': { content: [{ type: 'text', text: 'sunny' }] },
  }));
});
afterAll(() => fixture.stop());

async function saved(headers: Record<string, string> = {}, at = url): Promise<string> {
  const name = `Server ${Math.random()}`;
  const body = { name, enabled: true, transportType: 'http', url: at, headers };
  return (await fixture.get(201, 'POST', 'servers', body)).id;
}

async function played(serverId: string, model: string, journey: object) {
  const environmentId = await fixture.environment([serverId], model);
  const journeyId = await fixture.journey({ environmentIds: [environmentId], ...journey });
  const { id } = await fixture.launch(journeyId);
  const run = await fixture.ended(id);
  const isGraded = async () =>
    (await fixture.sessions(id)).every(({ grading }) => grading.status !== 'pending');
  await vi.waitUntil(isGraded, { timeout: 20_000 });
  return { run, attempt: run.attempts[0], session: (await fixture.sessions(id))[0] };
}

test('criteria hold for what was called and said, also where none of it may be kept', async () => {
  const rubric = [
    {
      predicate: {
        type: 'toolCalledWith',
        toolName: 'weather',
        args: { args: { city: customer }, argumentMatching: 'partial' },
      },
    },
    { predicate: { type: 'responseContains', needle: customer } },
    { predicate: { type: 'responseContains', needle: 'elsewhere' } },
  ];
  const serverId = await saved({ 'X-Session-Id': customer });
  const { session } = await played(serverId, 'local/many', { rubric });
  expect(session.grading.status).toBe('completed');
  const passed = session.criteria.map((one: { passed: boolean }) => one.passed);
  expect(passed).toEqual([true, true, false]);
  const [row] = await fixture.service.owner.sql<Record<string, unknown>[]>`
    select swarm_sessions.*, trace from swarm_sessions join swarm_traces on session_id = id
    where id = ${session.id}`;
  const kept = JSON.stringify(row);
  expect(kept).toContain('[hidden]');
  expect(kept).not.toContain(customer);
  // The stored evidence is short, because the long arguments were shortened too.
  expect(String(row?.['evidence']).length).toBeLessThan(200_000);
});

test('the tools that a session was offered are kept as long as its run, and drafts are made from them', async () => {
  const { database, owner } = fixture.service;
  const serverId = await saved();
  const { run, session } = await played(serverId, 'local/one', {});
  const { projectId, organizationId } = fixture.tenant;
  const newest = () =>
    database.tenant([organizationId], (sql) => findNewestSurface(sql, projectId, [serverId]));
  expect((await newest())?.get(serverId)).toContainEqual(
    expect.objectContaining({ name: 'weather' }),
  );
  const trace = await fixture.get(
    200,
    'GET',
    `journey-runs/${run.id}/sessions/${session.id}/trace`,
  );
  const { hash } = trace.toolSurface;
  const kept = async () => {
    await owner.sql`update tool_surfaces set last_named_at = now() - interval '2 days' where hash = ${hash}`;
    await deleteUnnamedSurfaces(database);
    return (await owner.sql`select from tool_surfaces where hash = ${hash}`).count;
  };
  expect(await kept()).toBe(1);
  await owner.sql`delete from journey_runs where id = ${run.id}`;
  expect(await kept()).toBe(0);
});

test('a judge of a provider of the organization is refused at the launch, since nobody could ask it later', async () => {
  const { service, tenant, provider } = fixture;
  const owner = await consolePerson(service, { ...tenant, email: 'owner@acme.example' });
  const path = `organizations/${tenant.organizationId}/model-providers/own`;
  const set = await owner.ask('PUT', path, {
    kind: 'openai-compatible',
    baseUrl: provider.baseUrl,
    apiKey: 'sk-own',
    models: [{ name: 'one' }],
    expectedRevision: 0,
  });
  expect(set.status, set.text).toBe(200);
  const environmentIds = [await fixture.environment([await saved()], 'own/one')];
  const judgedBy = (judgeModel: string) => ({
    environmentIds,
    judgeConfig: { goalCompletion: { judgeModel, autoRun: true } },
  });
  const refused = await fixture.journey(judgedBy('own/one'));
  const { code, details } = await fixture.get(400, 'POST', `journeys/${refused}/runs`, {});
  expect([code, details.reason]).toEqual(['VALIDATION_ERROR', 'MODEL_NOT_AVAILABLE']);
  await fixture.launch(await fixture.journey(judgedBy('local/one')));
});

test('a user that fails after the last turn is no cap that was reached', async () => {
  const journey = { personaModel: 'local/user-lost', maxTurns: 1 };
  const { attempt, session } = await played(await saved(), 'local/one', journey);
  expect(attempt).toMatchObject({ status: 'failed', errorCode: 'persona_driver_failed' });
  expect(session).toMatchObject({ endReason: null, readiness: null, turnCount: 1 });
});

test('a server that refuses a call was opened, and the attempt says no other', async () => {
  const server = await startStageServer({ kind: 'status', method: 'tools/call', status: 403 });
  const { attempt } = await played(await saved({}, server.url), 'local/one', {});
  expect(attempt).toMatchObject({ status: 'failed', errorCode: 'server_unreachable' });
  expect(attempt.errorMessage).toBe(
    'A server of the target accepted the connection, but then rejected the credentials of a call.',
  );
  await server.stop();
});
