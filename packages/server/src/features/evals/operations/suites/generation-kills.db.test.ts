/**
 * Tests a process that is killed between two cases of a generation. The retry creates the missing
 * cases and charges nothing more.
 */
import { randomBytes } from 'node:crypto';
import { startFakeMcpServer } from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { type Child, startChild } from '@proofmark/harness/start-child.ts';
import { createTestDatabase, type TestDatabase } from '@proofmark/harness/test-database.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { untilWaiting } from '@proofmark/harness/until-waiting.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOperator } from '../../../../main/operator.ts';
import { openDatabase } from '../../../../platform/database/database.ts';
import { createVault } from '../../../../platform/vault/vault.ts';

const secret = randomBytes(32);
let testDatabase: TestDatabase;
let project: { readonly projectId: string; readonly apiKey: string };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  const vault = createVault(secret);
  const owner = openDatabase({ url: testDatabase.url, vault, as: 'owner', maxConnections: 2 });
  const operator = createOperator(owner, '');
  project = await operator.bootstrap({ email: 'ana@example.com', organization: 'Acme' });
  await owner.close();
});
afterAll(() => testDatabase.drop());

async function startProcess(): Promise<{ child: Child; path: string }> {
  const child = startChild('./serve-api.child.ts', [
    testDatabase.serviceUrl,
    secret.toString('hex'),
  ]);
  const { port } = await child.first;
  return { child, path: `http://127.0.0.1:${port}/api/v1/projects/${project.projectId}` };
}

async function post(url: string, body: object): ReturnType<typeof call> {
  return call(url, { method: 'POST', key: project.apiKey, body });
}

const tools = ['ant', 'bee', 'cat', 'dog'].map((name) => ({
  name,
  description: `About the ${name}.`,
  inputSchema: { type: 'object' },
}));

/** Milliseconds. The test starts three processes, and each loads the whole service. */
const timeout = 120_000;

test('killed before the first case and in the middle: as many cases as one call makes, one charge', {
  timeout,
}, async () => {
  const server = await startFakeMcpServer({ 'tools/list': { tools } });
  const { sql } = testDatabase.owner;
  // A trigger makes the insert of this title wait for a lock, so the process is killed at exactly
  // this point.
  await sql.unsafe(`
    create table proofmark.held_title (title text);
    create function proofmark.wait_for_test() returns trigger language plpgsql security definer as $$ begin
      if exists (select from proofmark.held_title where title = new.title)
      then perform pg_advisory_xact_lock(4711); end if;
      return new; end $$;
    create trigger wait_for_test before insert on proofmark.eval_cases
      for each row execute function proofmark.wait_for_test()`);
  let running = await startProcess();
  const url = server.url;
  const saved = { name: 'Zoo', enabled: true, transportType: 'http', url };
  const serverId = (await post(`${running.path}/servers`, saved)).body.id;
  const caseMix = { simple: 4, multiTool: 0, multiTurn: 0, negative: 1 };
  let charged = 0;
  for (const title of ['ant', 'cat']) {
    const tests = [{ title: 'First', steps: [{ id: 'ask', kind: 'prompt', prompt: 'Hello' }] }];
    const suite = { name: title, serverIds: [serverId], model: 'proofmark/lexical-1', tests };
    const { suiteId } = (await post(`${running.path}/eval-suites`, suite)).body;
    const request = { caseMix, idempotencyKey: `key of ${title}` };
    const generate = () => post(`${running.path}/eval-suites/${suiteId}/cases/generate`, request);
    await sql`insert into held_title values (${title})`;
    await testDatabase.owner.transaction(async (held) => {
      await held`select pg_advisory_xact_lock(4711)`;
      const cut = generate().catch(() => 'cut off');
      await untilWaiting(held, 1);
      running.child.kill('SIGKILL');
      expect(await cut).toBe('cut off');
      await running.child.closed;
    });
    await sql`delete from held_title`;
    const asked = server.requests.length;
    running = await startProcess();
    const { status, body, text } = await generate();
    expect(status, text).toBe(200);
    expect(server.requests.length).toBe(asked);
    const titles = [...tools.map(({ name }) => name), 'small talk'];
    expect(body.created.map((one: { title: string }) => one.title)).toEqual(titles);
    const rows = await sql<{ title: string }[]>`
      select title from eval_cases where suite_id = ${suiteId} and title <> 'First' order by position`;
    expect(rows.map((row) => row.title)).toEqual(titles);
    expect((await generate()).body).toEqual(body);
    charged += 1;
    const [counted] = await sql`
      select sum(used)::integer as used, (select count(*)::integer from ledger) as steps
      from daily_counters where counter = 'generationsPerDay'`;
    expect(counted).toEqual({ used: charged, steps: charged });
  }
  running.child.kill('SIGTERM');
  await running.child.closed;
  await server.stop();
});
