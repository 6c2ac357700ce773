import { existsSync, readFileSync, statSync } from 'node:fs';
import type { StartedProofmark } from '@proofmark/harness/journeys/start-proofmark.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { until } from '@proofmark/harness/journeys/until.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendRaw } from './send-raw.ts';

const workspace = createTestWorkspace();
const metricsToken = 'metrics-token-5d1f';
const password = 'correct horse battery staple 41';
const secrets: string[] = [password, metricsToken];
const outputs: string[] = [];
let service: StartedProofmark;
let cookie: string;
let csrfToken: string;

beforeAll(async () => {
  service = await workspace.serve([], { PROOFMARK_METRICS_TOKEN: metricsToken });
});
afterAll(() => workspace.remove());

function stopAndKeepWords(): ReturnType<StartedProofmark['stop']> {
  return service.stop().finally(() => outputs.push(service.stdout() + service.stderr()));
}

test('the first line says that it is ready, and where', () => {
  const [first] = service.stdout().split('\n');
  expect(JSON.parse(first as string)).toEqual({
    event: 'ready',
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
  });
});

test('a log line says that servers on this machine may be called', async () => {
  const line = /"level":"warn".*"Servers on this machine may be called/;
  await until(() => line.test(service.stderr()), 'it is said');
});

test('health and readiness answer', async () => {
  expect(await call(`${service.url}/healthz`)).toMatchObject({
    status: 200,
    body: { status: 'alive' },
  });
  expect(await call(`${service.url}/readyz`)).toMatchObject({
    status: 200,
    body: { status: 'ready' },
  });
});

describe('metrics', () => {
  const proxied = { 'x-forwarded-for': '203.0.113.9' };
  test.each([
    ['from this machine', {}, 200],
    ['through a proxy', proxied, 403],
    ['through a proxy that says Forwarded', { forwarded: 'for=203.0.113.9' }, 403],
    [
      'through a proxy with the token',
      { ...proxied, authorization: `Bearer ${metricsToken}` },
      200,
    ],
    ['through a proxy with another token', { ...proxied, authorization: 'Bearer other' }, 403],
    ['through a proxy with no token', { ...proxied, authorization: 'Bearer ' }, 403],
  ])('%s: %j gives %i', async (_, headers, status) => {
    const answer = await call(`${service.url}/metrics`, { headers });
    expect(answer.status).toBe(status);
    if (status === 200) expect(answer.text).toContain('proofmark_request_seconds');
    else expect(answer.body.code).toBe('FORBIDDEN');
  });
});

describe('the sign-in link of the first start', () => {
  test('signs the owner in once, from our own page only, and never again', async () => {
    const link = service.events().find(({ event }) => event === 'signInLink');
    const url = new URL(link?.['url'] as string);
    expect(url.origin).toBe(service.url);
    expect(Date.parse(link?.['expiresAt'] as string)).toBeGreaterThan(Date.now());
    const token = new URLSearchParams(url.hash.slice(1)).get('token') as string;
    const redeem = (headers: Record<string, string>) =>
      call(`${service.url}/console/v1/session/link`, { method: 'POST', headers, body: { token } });

    expect((await redeem({})).status).toBe(403);
    expect((await redeem({ origin: 'http://evil.example' })).status).toBe(403);
    const together = await Promise.all(
      Array.from({ length: 8 }, () => redeem({ origin: service.url })),
    );
    const entered = together.filter(({ status }) => status === 200);
    expect(entered).toHaveLength(1);
    expect(together.filter(({ status }) => status === 401)).toHaveLength(7);
    expect((await redeem({ origin: service.url })).status).toBe(401);

    cookie = (entered[0]?.headers.get('set-cookie') ?? '').split(';')[0] as string;
    csrfToken = entered[0]?.body.csrfToken;
    secrets.push(cookie.split('=')[1] as string);
    expect(entered[0]?.headers.get('set-cookie')).toMatch(/HttpOnly; SameSite=Lax/);
  });

  test('the session it started can set a password and make a key that reads the account', async () => {
    const headers = { cookie, origin: service.url, 'x-csrf-token': csrfToken };
    const set = await call(`${service.url}/console/v1/password`, {
      method: 'PUT',
      headers,
      body: { newPassword: password },
    });
    expect(set.status, set.text).toBe(200);
    const { body } = await call(`${service.url}/api/v1/organizations`, { headers: { cookie } });
    const made = await call(`${service.url}/console/v1/api-keys`, {
      method: 'POST',
      headers,
      body: { name: 'first', organizationId: body.items[0].id },
    });
    expect(made.status, made.text).toBe(201);
    secrets.push(made.body.key);
    const me = await call(`${service.url}/api/v1/me`, { key: made.body.key });
    expect(me.body).toMatchObject({ email: 'owner@localhost' });
    const created = await call(`${service.url}/api/v1/projects`, {
      method: 'POST',
      key: made.body.key,
      body: { name: 'kept over the restart' },
    });
    expect(created.status).toBe(201);
  });
});

test('commands in its folder find it by themselves', async () => {
  const file = `${workspace.dataDir}/service.json`;
  expect(statSync(file).mode & 0o777).toBe(0o600);
  secrets.push(JSON.parse(readFileSync(file, 'utf8')).key);
  const environment = { PROOFMARK_DATA_DIR: workspace.dataDir };
  expect(
    await workspace.runHere(['suite', 'list', '--project', 'Default'], environment),
  ).toMatchObject({ code: 0, stderr: '' });
});

test('a client that sends its headers too slowly is cut off', async () => {
  const answer = await sendRaw(service.url, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n', {
    everyMs: 1000,
    drip: 'X-Slow: 1\r\n',
    waitMs: 20_000,
  });
  expect(answer.closed).toBe(true);
  expect(answer.text).not.toMatch(/^HTTP\/1.1 2/);
});

test('asked to stop, it ends with code 0 and leaves no database behind', async () => {
  expect(workspace.databaseProcesses().length).toBeGreaterThan(0);
  expect(await stopAndKeepWords()).toEqual({ code: 0, signal: null });
  expect(workspace.databaseProcesses()).toEqual([]);
  expect(existsSync(`${workspace.dataDir}/service.json`)).toBe(false);
});

describe('the next start', () => {
  beforeAll(async () => {
    service = await workspace.serve();
  });

  test('prints no sign-in link, since somebody has a password', async () => {
    expect(service.events().map(({ event }) => event)).toEqual(['ready']);
  });

  test('knows the password, the session, the key and the data, and not the key of the folder', async () => {
    const [key, ofFolder] = secrets.filter((secret) => secret.startsWith('sk_'));
    expect((await call(`${service.url}/api/v1/me`, { key: ofFolder as string })).status).toBe(401);
    const projects = await call(`${service.url}/api/v1/projects`, { key });
    const names = projects.body.items.map(({ name }: { name: string }) => name);
    expect(names).toContain('kept over the restart');
    const session = await call(`${service.url}/console/v1/session`, { headers: { cookie } });
    expect(session.body).toMatchObject({ signedIn: true });
    const entered = await call(`${service.url}/console/v1/session`, {
      method: 'POST',
      headers: { origin: service.url },
      body: { email: 'owner@localhost', password },
    });
    expect(entered.status).toBe(200);
  });

  test('a second signal during a stop ends it at once, and its database with it', async () => {
    const { host } = new URL(service.url);
    // A request that is still being sent must delay the first stop.
    const unfinished = `POST /console/v1/session HTTP/1.1\r\nhost: ${host}\r\norigin: ${service.url}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{`;
    const held = sendRaw(service.url, unfinished, { waitMs: 60_000 });
    await call(`${service.url}/healthz`);
    const ended = service.stop();
    const isStopping = () =>
      call(`${service.url}/healthz`).then(
        () => false,
        () => true,
      );
    await until(isStopping, 'nobody new is let in');
    expect(workspace.databaseProcesses()).not.toEqual([]);
    process.kill(service.pid, 'SIGTERM');
    expect(await ended).toEqual({ code: 3, signal: null });
    expect(workspace.databaseProcesses()).toEqual([]);
    await held;
  });

  test('a command that is interrupted leaves no database behind either', async () => {
    // A command that ended before its database was found was not interrupted, so another one is
    // started.
    for (let isInterrupted = false; !isInterrupted; ) {
      const command = workspace.spawn(['migrate', '--data-dir', workspace.dataDir]);
      let isOver = false;
      void command.ended.then(() => {
        isOver = true;
      });
      const runs = () => workspace.databaseProcesses().length > 0;
      await until(() => isOver || runs(), 'its database runs');
      isInterrupted = !isOver;
      await command.stop();
      expect(workspace.databaseProcesses()).toEqual([]);
    }
  });

  test('nothing either process printed held a key, a password, a cookie or a token', async () => {
    await stopAndKeepWords();
    expect(secrets).toHaveLength(5);
    const words = outputs.join('\n');
    expect(words).toContain('createApiKey');
    for (const secret of secrets) expect(words).not.toContain(secret);
  });
});
