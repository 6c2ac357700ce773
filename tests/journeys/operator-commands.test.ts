import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOneSentence } from './one-sentence.ts';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const owner = 'owner@acme.example';
const wanted = ['bootstrap', '--email', owner, '--organization', 'Acme', '--project', 'Gate'];
let service: ServiceHere;
// biome-ignore lint/suspicious/noExplicitAny: the answer of a command.
let made: any;

beforeAll(async () => {
  service = await workspace.serveHere();
  made = await workspace.admin(...wanted);
});
afterAll(() => workspace.remove());

async function refused(...parameters: string[]): Promise<string> {
  const done = await workspace.runHere(['admin', ...parameters, '--data-dir', workspace.dataDir]);
  expect(done.code).toBe(3);
  expect(done.stdout).toBe('');
  expect(isOneSentence(done.stderr), done.stderr).toBe(true);
  return done.stderr;
}

function runHealth(environment: Record<string, string>, dataDir = workspace.dataDir) {
  return workspace.runHere(['admin', 'health', '--data-dir', dataDir], environment);
}

/**
 * Returns the problems except `diskNearlyFull`, since a full disk of the test machine is not a
 * failure of the service.
 */
function aboutWorkers({ problems }: { problems: string[] }): string[] {
  return problems.filter((problem) => problem !== 'diskNearlyFull');
}

describe('beside a running service', () => {
  test('bootstrap again gives the same ids and a new key; both keys work', async () => {
    const again = await workspace.admin(...wanted);
    expect({ ...again, apiKey: '', apiKeyId: '' }).toEqual({ ...made, apiKey: '', apiKeyId: '' });
    expect(again.apiKey).not.toBe(made.apiKey);
    for (const key of [made.apiKey, again.apiKey]) {
      const me = await call(`${service.url}/api/v1/me`, { key });
      expect(me.body).toMatchObject({ id: made.accountId, email: owner });
    }
    const projects = await call(`${service.url}/api/v1/projects`, { key: made.apiKey });
    const names = projects.body.items.map(({ name }: { name: string }) => name);
    expect(names).toEqual(['Default', 'Gate']);
  });

  test('a key that is made works, is listed without its value, and is refused once revoked', async () => {
    const key = await workspace.admin(
      ...['create-key', '--email', owner, '--organization', 'Acme', '--name', 'CI'],
    );
    expect((await call(`${service.url}/api/v1/me`, { key: key.apiKey })).status).toBe(200);
    const revoked = await workspace.admin('revoke-key', key.apiKeyId);
    expect((await call(`${service.url}/api/v1/me`, { key: key.apiKey })).status).toBe(401);

    const listed = await workspace.admin('list-keys', 'Acme');
    const row = listed.find(({ id }: { id: string }) => id === key.apiKeyId);
    expect(row).toMatchObject({ name: 'CI', revokedAt: revoked.revokedAt });
    expect(JSON.stringify(listed)).not.toContain(key.apiKey);
    expect(await refused('revoke-key', 'key_none')).toContain('key_none');
  });

  test('health tells of the database, the worker of the service and the disk, for people and as JSON', async () => {
    const health = await workspace.admin('health');
    expect(aboutWorkers(health)).toEqual([]);
    expect(health).toMatchObject({
      workers: [{ processId: process.pid, silent: false }],
      openRuns: { launched: 0, reported: 0 },
      disk: { holdsDatabase: true },
    });
    const result = await runHealth({ PROOFMARK_CHROMIUM: '/nowhere/chromium' });
    expect(result).toMatchObject({ code: health.problems.length === 0 ? 0 : 3, stderr: '' });
    const lines = result.stdout.trimEnd().split('\n');
    expect(lines).toContain('Open runs: 0 launched, 0 reported');
    expect(lines.at(-1)).toMatch(/ ago +alive$/);
  });

  test('the browser of widgets is that of the service, whatever the command would find', async () => {
    const chromium = `${workspace.folder}/chromium`;
    writeFileSync(chromium, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const { stdout } = await runHealth({ PROOFMARK_CHROMIUM: chromium });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `Widgets: not tested, as found by process ${process.pid} on ${hostname()}. This service shows no widgets, because PROOFMARK_CHROMIUM is off`,
    );
    const foreign = await workspace.serveHere(['--data-dir', `${workspace.folder}/other`], {
      PROOFMARK_CHROMIUM: chromium,
    });
    const broken = await runHealth({}, `${workspace.folder}/other`);
    await foreign.stop();
    expect(broken.code).toBe(3);
    expect(broken.stdout).toMatch(/^A browser was found but could not be started/);
    expect(broken.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The browser that shows widgets could not be started.',
    );
    for (const line of broken.stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  });

  test('a member is added once, changes role, and the last owner stays owner', async () => {
    const member = 'member@acme.example';
    expect(await workspace.admin('add-member', 'Acme', member)).toMatchObject({ added: true });
    expect(await workspace.admin('add-member', 'Acme', member)).toMatchObject({ added: false });
    expect(await refused('set-role', 'Acme', owner, 'member')).toContain('last owner');
    await workspace.admin('set-role', 'Acme', member, 'owner');
    await workspace.admin('set-role', 'Acme', owner, 'admin');
    expect(await refused('set-role', 'Acme', member, 'admin')).toContain('last owner');
    expect(await refused('set-role', 'Acme', member, 'king')).toContain('king');
    expect(await refused('set-role', 'Nowhere', member, 'admin')).toContain('Nowhere');
    await workspace.admin('set-role', 'Acme', owner, 'owner');
  });

  test('people are invited, listed, closed out and removed', async () => {
    const person = 'leaver@acme.example';
    const link = await workspace.admin('invite', 'Acme', person, '--url', service.url);
    expect(link.url).toMatch(/\/invitation#token=[\w-]{43}$/);
    const token = new URLSearchParams(new URL(link.url).hash.slice(1)).get('token');
    const accepted = await call(`${service.url}/console/v1/session/invitation`, {
      method: 'POST',
      headers: { origin: service.url },
      body: { token },
    });
    expect(accepted.body).toMatchObject({ signedIn: true, account: { email: person } });
    const key = ['--email', person, '--organization', 'Acme', '--scope', 'read-only'];
    const { apiKey } = await workspace.admin('create-key', ...key, '--expires-in-days', '30');
    const me = async () => (await call(`${service.url}/api/v1/me`, { key: apiKey })).status;
    expect(await me()).toBe(200);
    await workspace.admin('disable-account', person);
    expect(await me()).toBe(401);
    await workspace.admin('enable-account', person);
    expect(await workspace.admin('end-sessions', person)).toMatchObject({ endedSessions: 0 });
    const reset = await workspace.admin('reset-password', person, '--url', service.url);
    expect(reset.url).toMatch(/\/sign-in#token=[\w-]{43}$/);
    // The account's earlier access is removed, since another person may have opened the invitation.
    expect(await me()).toBe(401);
    await workspace.admin('create-key', ...key);
    const listed = await workspace.admin('list-members', 'Acme');
    expect(listed).toContainEqual(expect.objectContaining({ email: person, activeKeys: 1 }));
    const removed = await workspace.admin('remove-member', 'Acme', person);
    expect(removed.revokedKeys).toHaveLength(1);
    expect(await refused('remove-member', 'Acme', person)).toContain('not a member');
  });

  test('a feature that is switched on shows at once, and off again', async () => {
    const read = async () => {
      const url = `${service.url}/api/v1/projects/${made.projectId}/capabilities`;
      return (await call(url, { key: made.apiKey })).body.features.swarms.enabled;
    };
    expect(await read()).toBe(false);
    await workspace.admin('set-feature', 'Acme', 'swarms', 'on');
    expect(await read()).toBe(true);
    await workspace.admin('set-feature', 'Acme', 'swarms', 'off');
    expect(await read()).toBe(false);
    expect(await refused('set-feature', 'Acme', 'magic', 'on')).toContain('magic');
  });

  test('quotas and retention are set, told and looked at, and nothing goes by looking', async () => {
    const quota = await workspace.admin('set-quota', 'Acme', 'trialsPerDay', '250');
    expect(quota).toEqual({ quota: 'trialsPerDay', allowed: 250, used: 0 });
    const url = `${service.url}/api/v1/projects/${made.projectId}/capabilities`;
    const { plan } = (await call(url, { key: made.apiKey })).body;
    expect(plan.limits).toMatchObject({ trialsPerDay: 250, storedBytes: null });
    expect(await workspace.admin('set-quota', 'Acme', 'trialsPerDay', 'none')).toMatchObject({
      allowed: null,
    });
    expect(await refused('set-quota', 'Acme', 'credits', '5')).toContain('credits');
    expect(await refused('set-quota', 'Acme', 'trialsPerDay', 'many')).toContain('whole number');

    const rule = await workspace.admin('set-retention', 'Acme', 'runs', '90d/50');
    expect(rule).toMatchObject({
      kind: 'runs',
      days: 90,
      count: 50,
      goes: { runs: { count: 0 } },
    });
    expect(await refused('set-retention', 'Acme', 'suites', '90d')).toContain('suites');
    const [preview] = await workspace.admin('retention', 'Acme', '--preview');
    expect(preview).toMatchObject({
      organization: { name: 'Acme' },
      rules: { runs: { days: 90, count: 50 }, traces: { days: null, count: null } },
      goes: { runs: { count: 0, trials: 0, bytes: 0 }, sessions: { count: 0 } },
    });
    const previewed = await workspace.runHere([
      ...['admin', 'retention', 'Acme', '--preview', '--data-dir', workspace.dataDir],
    ]);
    expect(previewed.stdout).toContain('  runs: the newest 50, at most 90 days\n  traces: all\n');
    const [unset] = await workspace.admin('retention', 'Acme', '--preview', 'runs=7d');
    expect(unset).toMatchObject({ rules: { runs: { days: 7, count: null } } });
    expect(previewed.stdout).toContain('Nothing would be removed.');
    await workspace.admin('set-retention', 'Acme', 'runs', 'default');
  });

  test('what is typed wrongly ends with 2', async () => {
    for (const parameters of [['backup'], ['admin', 'quotas', '--never'], ['admin', 'set-role']]) {
      const done = await workspace.runHere(parameters);
      expect([done.code, done.stdout], done.stderr).toEqual([2, '']);
    }
    expect(await workspace.runHere(['admin', '--help'])).toMatchObject({ code: 0 });
  });

  test('a backup is written over another only when that is said', async () => {
    const file = `${workspace.folder}/kept.backup`;
    writeFileSync(file, 'kept');
    const backup = (...flags: string[]) =>
      workspace.runHere(['backup', file, '--data-dir', workspace.dataDir, ...flags]);
    expect(await backup()).toMatchObject({ code: 3, stdout: '' });
    expect(readFileSync(file, 'utf8')).toBe('kept');
    expect(await backup('--yes')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).not.toBe('kept');
  });

  test('a link signs the person in once', async () => {
    const link = await workspace.admin('create-link', owner, '--url', service.url);
    const token = new URLSearchParams(new URL(link.url).hash.slice(1)).get('token');
    const redeem = () =>
      call(`${service.url}/console/v1/session/link`, {
        method: 'POST',
        headers: { origin: service.url },
        body: { token },
      });
    expect((await redeem()).body).toMatchObject({ signedIn: true, account: { email: owner } });
    expect((await redeem()).status).toBe(401);
  });
});

describe('on a stopped service', () => {
  beforeAll(() => service.stop().then(() => undefined));

  test('the same commands find the same data and stop the database again', async () => {
    const again = await workspace.admin(...wanted);
    expect(again).toMatchObject({ accountId: made.accountId, projectId: made.projectId });
    expect(workspace.databaseProcesses()).toEqual([]);
    expect(aboutWorkers(await workspace.admin('health'))).toEqual(['noWorker']);
    const revoked = await workspace.admin('revoke-key', made.apiKeyId);
    const listed = await workspace.admin('list-keys', 'Acme');
    const rows = [made.apiKeyId, again.apiKeyId].map((id) =>
      listed.find((row: { id: string }) => row.id === id),
    );
    expect(rows.map((row) => row.revokedAt)).toEqual([revoked.revokedAt, null]);
    await workspace.admin('set-feature', 'Acme', 'user-testing', 'on');
    expect(workspace.databaseProcesses()).toEqual([]);

    // Changes that were made while the service was stopped apply after its start.
    service = await workspace.serve();
    const me = `${service.url}/api/v1/me`;
    expect((await call(me, { key: made.apiKey })).status).toBe(401);
    expect((await call(me, { key: again.apiKey })).status).toBe(200);
    const url = `${service.url}/api/v1/projects/${made.projectId}/capabilities`;
    const capabilities = await call(url, { key: again.apiKey });
    expect(capabilities.body.features.userTesting.enabled).toBe(true);
  });
});
