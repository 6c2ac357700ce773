import { existsSync, readFileSync, statSync } from 'node:fs';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { folderServiceOf } from './folder-service.ts';
import { resolveSettings } from './settings.ts';

const loopback = { address: '127.0.0.1', loopback: true };
const directory = temporaryDirectory();
const file = `${directory.path}/service.json`;
let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await createTenant(service, 'acme');
});
afterAll(async () => {
  await service.stop();
  directory.remove();
});

function settingsWith(environment: Record<string, string> = {}) {
  const folders = { PROOFMARK_DATA_DIR: directory.path, XDG_STATE_HOME: `${directory.path}/state` };
  return resolveSettings({}, { ...folders, ...environment }).settings;
}
const readKey = (): string => JSON.parse(readFileSync(file, 'utf8')).key;
const statusWith = async (key: string) =>
  (await call(`${service.baseUrl}/api/v1/me`, { key })).status;

test('the file says where the service is and with which key, to its owner alone, until it stops', async () => {
  const folderService = folderServiceOf(settingsWith(), loopback);
  await folderService.announce(service.owner, 'http://127.0.0.1:4711');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    url: 'http://127.0.0.1:4711',
    key: expect.any(String),
    pid: process.pid,
  });
  const key = readKey();
  expect(await statusWith(key)).toBe(200);
  await folderService.withdraw(service.database);
  expect(existsSync(file)).toBe(false);
  expect(await statusWith(key)).toBe(401);
});

test('what a killed service left is worth nothing after the next start, wherever that one listens', async () => {
  const left = async () => {
    await folderServiceOf(settingsWith(), loopback).announce(service.owner, 'http://a.example');
    return readKey();
  };
  const first = await left();
  const second = await left();
  expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
  const open = folderServiceOf(settingsWith(), { address: '::', loopback: false });
  await open.announce(service.owner, 'http://a.example');
  expect(existsSync(file)).toBe(false);
  expect(await statusWith(second)).toBe(401);
  const rows = await service.owner.sql`
    select from api_keys where name = '.proofmark/service.json'`;
  expect(rows).toHaveLength(0);
});

test.each([
  ['a PostgreSQL of its own', { PROOFMARK_DATABASE_URL: 'postgres://db.example/p' }, loopback],
  ['a public address', { PROOFMARK_PUBLIC_URL: 'https://p.example' }, loopback],
  ['a network to listen on', {}, { address: '192.0.2.7', loopback: false }],
])('there is none with %s', async (_name, environment, bind) => {
  const folderService = folderServiceOf(settingsWith(environment as Record<string, string>), bind);
  await folderService.announce(service.owner, 'http://a.example');
  expect(existsSync(file)).toBe(false);
});

test('making and revoking it stand in the audit log', async () => {
  const rows = await service.owner.sql<{ action: string }[]>`
    select distinct action from audit_log where account_email = 'start' order by action`;
  expect(rows.map(({ action }) => action)).toEqual(['apiKey.created', 'apiKey.revoked']);
});
