/**
 * Tests that two services on one PostgreSQL act as one: one first owner, one list of revoked keys,
 * one rate limit bucket.
 */

import { readFileSync } from 'node:fs';
import type {
  ProofmarkProcess,
  StartedProofmark,
} from '@proofmark/harness/journeys/start-proofmark.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { call } from '@proofmark/harness/test-service.ts';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connect } from '../../packages/server/src/platform/database/connect.ts';
import { latestMigration, migrate } from '../../packages/server/src/platform/migrations/migrate.ts';
import { serviceRoleOf } from '../../packages/server/src/platform/migrations/service-grants.ts';
import { isOneSentence } from './one-sentence.ts';
import { type OwnCluster, startOwnCluster } from './own-cluster.ts';
import { signInByLink } from './sign-in-by-link.ts';

const workspace = createTestWorkspace();
const environment = {
  PROOFMARK_SECRET_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at * 11)).toString('hex'),
};
let cluster: OwnCluster;
let databaseUrl: string;
let services: StartedProofmark[];

beforeAll(async () => {
  cluster = await startOwnCluster();
  databaseUrl = await cluster.createDatabase();
});
afterAll(async () => {
  await workspace.remove();
  await cluster.stop();
});

async function bootstrap(name: string) {
  const done = await workspace.runHere(
    [
      ...['admin', 'bootstrap', '--json', '--database-url', databaseUrl],
      ...['--email', `owner@${name}.example`, '--organization', name],
    ],
    environment,
  );
  expect(done.code, done.stderr).toBe(0);
  return JSON.parse(done.stdout);
}

/**
 * Holds back all migrations during the work: the last action of each is to write its row in the
 * locked table.
 */
async function whileLedgerIsHeld(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin; lock table proofmark.migrations in exclusive mode');
  try {
    await work();
  } finally {
    await client.query('rollback');
  }
}

async function countOf(client: pg.Client, what: string): Promise<number> {
  const { rows } = await client.query(`select count(*)::integer as count from ${what}`);
  return rows[0].count;
}

const waitingForLedger = `pg_locks where relation = 'proofmark.migrations'::regclass and not granted`;
const otherConnections =
  'pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

async function describeSchema(client: pg.Client): Promise<unknown[]> {
  const { rows } = await client.query(`
    select 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable
      || coalesce(' ' || column_default, '') as line
    from information_schema.columns where table_schema = 'proofmark'
    union all select indexdef from pg_indexes where schemaname = 'proofmark'
    union all select 'policy ' || tablename || ' ' || policyname || ' ' || coalesce(qual, '')
      from pg_policies where schemaname = 'proofmark'
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = 'proofmark'::regnamespace
    union all select conrelid::regclass || ' ' || pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'proofmark'::regnamespace
    union all select 'done ' || number || ' ' || name from proofmark.migrations
    order by line`);
  return rows.map(({ line }) => line);
}

function burst(count: number, key: string) {
  return Promise.all(
    Array.from({ length: count }, (_, at) => call(`${services[at % 2]?.url}/api/v1/me`, { key })),
  );
}

test('a migration that is killed before it ends leaves nothing of itself, and the next goes on', async () => {
  const command = ['migrate', '--database-url', databaseUrl];
  const otherUrl = await cluster.createDatabase();
  await migrate(otherUrl);
  await connect(databaseUrl, async (client) => {
    for (const done of new Set([0, latestMigration - 1])) {
      await migrate(databaseUrl, done);
      const before = await describeSchema(client);
      await whileLedgerIsHeld(client, async () => {
        const migrating = workspace.spawn(command, environment);
        const isHeld = async () => (await countOf(client, waitingForLedger)) === 1;
        await until(isHeld, `all of a migration is done but its line: ${migrating.stderr()}`);
        expect(await migrating.kill()).toEqual({ code: null, signal: 'SIGKILL' });
      });
      const isAlone = async () => (await countOf(client, otherConnections)) === 0;
      await until(isAlone, 'the connection of the killed migration is gone');
      expect(await describeSchema(client)).toEqual(before);
    }
    const finished = await workspace.run(command, environment);
    expect(finished.code, finished.stderr).toBe(0);
    const uninterrupted = await connect(otherUrl, describeSchema);
    expect(await describeSchema(client)).toEqual(uninterrupted);
  });
  const again = await workspace.runHere(command, environment);
  expect(again.stdout).toBe('Nothing to migrate.\n');
});

test('started together on the database, both come up, with one first owner', async () => {
  const flags = ['--database-url', databaseUrl];
  services = await Promise.all([1, 2].map(() => workspace.serve(flags, environment)));
  for (const { url } of services) expect((await call(`${url}/readyz`)).status).toBe(200);
  const links = services.flatMap((service) =>
    service.events().filter(({ event }) => event === 'signInLink'),
  );
  expect(new Set(links.map(({ email }) => email))).toEqual(new Set(['owner@localhost']));
  const { rows } = await connect(databaseUrl, (client) =>
    client.query(`
      select (select count(*)::int from proofmark.accounts) as accounts,
        (select count(*)::int from proofmark.organizations) as organizations,
        (select count(*)::int from proofmark.projects) as projects,
        (select array_agg(number order by number) from proofmark.migrations) as migrations`),
  );
  expect(rows).toEqual([
    {
      accounts: 1,
      organizations: 1,
      projects: 1,
      migrations: Array.from({ length: latestMigration }, (_, at) => at + 1),
    },
  ]);
  expect(workspace.databaseProcesses()).toEqual([]);
});

test('a key revoked through one under load is refused by both from the next request on', async () => {
  const person = await signInByLink(services);
  const api = `${person.url}/console/v1/api-keys`;
  let acceptedLater = 0;
  let sentLater = 0;
  const rounds = 6;
  for (let round = 0; round < rounds; round += 1) {
    const made = await call(api, {
      method: 'POST',
      headers: person.headers,
      body: { name: `round ${round}`, organizationId: person.organizationId },
    });
    let revoked = false;
    let accepted = 0;
    const clients = services.map(async ({ url }) => {
      for (let later = 0; later < 5; ) {
        const startedLater = revoked;
        const { status } = await call(`${url}/api/v1/me`, { key: made.body.key });
        if (status === 200) accepted += 1;
        if (!startedLater) continue;
        later += 1;
        sentLater += 1;
        if (status !== 401) acceptedLater += 1;
      }
    });
    await until(() => accepted > 2, 'the key was used');
    const gone = await call(`${api}/${made.body.id}`, {
      method: 'DELETE',
      headers: person.headers,
    });
    revoked = true;
    expect(gone.status, gone.text).toBe(200);
    await Promise.all(clients);
  }
  expect(sentLater).toBe(rounds * 10);
  expect(acceptedLater).toBe(0);
});

test('what serves has no session of the owner, whose address was given', async () => {
  const { rows } = await connect(databaseUrl, (client) =>
    client.query<{ usename: string }>(`
      select usename, array_agg(distinct application_name) as kinds from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() group by usename`),
  );
  const role = serviceRoleOf(new URL(databaseUrl).pathname.slice(1));
  expect(rows.map(({ usename }) => usename)).toEqual([role]);
});

test.runIf(process.platform === 'linux')('the process list shows no password', () => {
  const { password } = new URL(databaseUrl);
  for (const { pid } of services) {
    const shown = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    expect(shown).toContain('--database-url');
    expect(shown).not.toContain(password);
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    for (const child of children === '' ? [] : children.split(' ')) {
      expect(readFileSync(`/proc/${child}/cmdline`, 'utf8')).not.toContain(password);
    }
  }
});

describe('one bucket', () => {
  test('200 requests at once over both are let through ten times, and as the clock allows', async () => {
    const { apiKey } = await bootstrap('bucket');
    const startedAt = performance.now();
    const answers = await burst(200, apiKey);
    const seconds = (performance.now() - startedAt) / 1000;
    const accepted = answers.filter(({ status }) => status === 200).length;
    expect(accepted).toBeGreaterThanOrEqual(10);
    expect(accepted).toBeLessThanOrEqual(10 + Math.ceil(seconds));
    for (const { status, headers, body } of answers) {
      if (status === 200) continue;
      expect(status).toBe(429);
      expect(body).toMatchObject({ code: 'RATE_LIMITED' });
      expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
  });

  test('waiting as long as Retry-After says is enough, whoever was asked before', async () => {
    const { apiKey } = await bootstrap('waiting');
    await burst(30, apiKey);
    let refusedAfterWaiting = 0;
    let waits = 0;
    for (let round = 0; round < 8; round += 1) {
      const [one, other] = round % 2 === 0 ? services : [...services].reverse();
      const answer = await call(`${one?.url}/api/v1/me`, { key: apiKey });
      if (answer.status === 200) continue;
      waits += 1;
      const seconds = Number(answer.headers.get('retry-after'));
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      const retried = await call(`${other?.url}/api/v1/me`, { key: apiKey });
      if (retried.status !== 200) refusedAfterWaiting += 1;
    }
    expect(waits).toBeGreaterThanOrEqual(3);
    expect(refusedAfterWaiting).toBe(0);
  });
});

describe('a worker alone', () => {
  /**
   * Starts a worker with only the database address and the key, as an inexperienced operator might.
   */
  async function startWorker(url: string) {
    const worker = workspace.spawn(['work', '--database-url', url], environment);
    await until(() => worker.stdout().includes('ready'), 'the worker is ready');
    return worker;
  }

  let going: ProofmarkProcess | undefined;
  afterAll(async () => {
    expect(await going?.stop()).toEqual({ code: 0, signal: null });
  });

  test('starts beside the services, of which each is for one person', async () => {
    going = await startWorker(databaseUrl);
    expect(going.stdout()).toBe('The worker is ready.\n');
    expect(going.stderr()).toContain('Servers on this machine may be called');
  });

  test('hears of a service that is started again for others, whose start fills no bucket', async () => {
    const { apiKey } = await bootstrap('restarting');
    await burst(40, apiKey);
    const startedAt = performance.now();
    const stopped = services[1] as StartedProofmark;
    expect((await stopped.stop()).code).toBe(0);
    // The service is started on the same port, since it reports only its public address.
    const flags = ['--database-url', databaseUrl, '--port', new URL(stopped.url).port];
    const started = await workspace.serve(flags, {
      ...environment,
      PROOFMARK_PUBLIC_URL: 'https://proofmark.example',
    });
    services[1] = { ...started, url: stopped.url };
    const burstAt = performance.now();
    const answers = await burst(40, apiKey);
    const accepted = answers.filter(({ status }) => status === 200).length;
    const wholeSeconds = (from: number, to: number) => Math.ceil((to - from) / 1000);
    const there = Math.min(10, 1 + wholeSeconds(startedAt, burstAt));
    const during = wholeSeconds(burstAt, performance.now());
    expect(accepted).toBeLessThanOrEqual(there + during);
    expect(accepted).toBeLessThan(40);
    const stderr = () => going?.stderr() ?? '';
    await until(() => stderr().includes('no longer calls servers'), 'the worker heard of it');
  });

  test('calls no server on its machine before a service said that it is for one person, nor once one is not', async () => {
    for (const url of [await cluster.createDatabase(), databaseUrl]) {
      const worker = await startWorker(url);
      expect(worker.stderr()).not.toContain('Servers on this machine may be called');
      await worker.stop();
    }
  });

  test('needs a database of its own', async () => {
    const done = await workspace.runHere(['work', '--data-dir', workspace.dataDir]);
    expect(done.code).toBe(3);
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
    expect(done.stderr).toContain('--database-url');
  });
});
