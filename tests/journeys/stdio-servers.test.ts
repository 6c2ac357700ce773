/**
 * stdio servers come only from the operator's file. They are listed, but cannot be created or
 * changed over HTTP.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import type { ServiceHere } from '@proofmark/harness/journeys/serve-here.ts';
import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const configFile = `${workspace.folder}/proofmark.config.json`;
const marker = `${workspace.folder}/marker`;
const unlimited = { PROOFMARK_RATE_LIMIT: 'off' };
let service: ServiceHere;
let key: string;
let projectId: string;

function writeConfig(names: readonly string[]): void {
  const stdioServers = names.map((name) => ({
    name,
    command: '/usr/bin/touch',
    args: [marker],
    env: { TOKEN: 'stdio-canary-77' },
    projectId,
  }));
  writeFileSync(configFile, JSON.stringify({ stdioServers }));
}

async function servers() {
  const page = await call(`${service.url}/api/v1/projects/${projectId}/servers`, { key });
  expect(page.text).not.toMatch(/touch|canary|marker/);
  return page.body.items as { id: string; name: string; transportType: string; url: unknown }[];
}

beforeAll(async () => {
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  key = made.apiKey;
  projectId = made.projectId;
  writeConfig(['Files', 'Shell']);
  service = await workspace.serve([], unlimited);
});
afterAll(() => workspace.remove());

test('they appear as saved servers, without their command', async () => {
  const found = await servers();
  expect(found).toHaveLength(2);
  for (const server of found) expect(server).toMatchObject({ transportType: 'stdio', url: null });
  expect(found.map(({ name }) => name).sort()).toEqual(['Files', 'Shell']);
});

describe('over HTTP', () => {
  const http = { name: 'New', enabled: true, transportType: 'http', url: 'https://mcp.example/' };
  test.each([
    ['transportType stdio', { ...http, transportType: 'stdio' }],
    ['stdio without a URL', { name: 'New', enabled: true, transportType: 'stdio' }],
    ['a command', { ...http, command: '/usr/bin/touch', args: [marker] }],
    ['arguments', { ...http, args: [marker] }],
    ['an environment', { ...http, env: { PATH: '/' } }],
    ['a file URL', { ...http, url: `file://${marker}` }],
    ['a stdio URL', { ...http, url: 'stdio:///usr/bin/touch' }],
  ])('none can be made by %s', async (_, body) => {
    const url = `${service.url}/api/v1/projects/${projectId}/servers`;
    const answer = await call(url, { method: 'POST', key, body });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.body.code).toBe('VALIDATION_ERROR');
  });

  test.each([
    ['PATCH', { name: 'Renamed' }, 403],
    ['PATCH', { url: 'https://evil.example/' }, 403],
    ['PATCH', { enabled: false }, 403],
    ['PATCH', { command: '/bin/sh' }, 400],
    ['PATCH', { transportType: 'stdio' }, 400],
    ['DELETE', undefined, 403],
  ])('none can be changed by %s %j', async (method, body, status) => {
    const [first] = await servers();
    const url = `${service.url}/api/v1/projects/${projectId}/servers/${first?.id}`;
    const answer = await call(url, { method, key, body });
    expect(answer.status, answer.text).toBe(status);
    expect((await call(url, { key })).body).toEqual(first);
  });

  test('a server made over HTTP cannot become one', async () => {
    const url = `${service.url}/api/v1/projects/${projectId}/servers`;
    const made = await call(url, { method: 'POST', key, body: { ...http, name: 'Plain' } });
    for (const body of [{ transportType: 'stdio' }, { command: '/bin/sh' }, { url: null }]) {
      const answer = await call(`${url}/${made.body.id}`, { method: 'PATCH', key, body });
      expect(answer.status).toBe(400);
    }
    expect((await call(`${url}/${made.body.id}`, { key })).body.transportType).toBe('http');
  });

  test('nothing was started', () => {
    expect(existsSync(marker)).toBe(false);
    expect(service.stdout() + service.stderr()).not.toContain('stdio-canary-77');
  });
});

test('after a restart those the file no longer names are gone and the others kept their ids', async () => {
  const before = await servers();
  await service.stop();
  writeConfig(['Shell', 'Later']);
  service = await workspace.serveHere([], unlimited);
  const after = await servers();
  expect(after.map(({ name }) => name).sort()).toEqual(['Later', 'Plain', 'Shell']);
  const idOf = (list: typeof after) => list.find(({ name }) => name === 'Shell')?.id;
  expect(idOf(after)).toBe(idOf(before));

  await service.stop();
  rmSync(configFile);
  service = await workspace.serveHere([], unlimited);
  expect((await servers()).map(({ name }) => name)).toEqual(['Plain']);
});
