import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createMember, createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let mine: Tenant;
let theirs: Tenant;
let otherProjectId: string;
let cursor: string;

beforeAll(async () => {
  service = await startTestService();
  mine = await createTenant(service, 'mine');
  theirs = await createTenant(service, 'theirs');
  const other = await send('/projects', mine.key, { name: 'Other' });
  otherProjectId = other.body.id;
  for (const projectId of [mine.projectId, otherProjectId]) {
    for (const name of ['One', 'Two', 'Three']) {
      const server = { name, enabled: true, transportType: 'http', url: 'https://mcp.example/' };
      expect((await send(`/projects/${projectId}/servers`, mine.key, server)).status).toBe(201);
    }
  }
  cursor = (await read(mine.projectId, mine.key)).body.nextCursor;
});
afterAll(() => service.stop());

function send(path: string, key: string, body: unknown) {
  return call(`${service.baseUrl}/api/v1${path}`, { method: 'POST', key, body });
}

function read(projectId: string, key: string, given?: string) {
  const query = given === undefined ? '' : `&cursor=${encodeURIComponent(given)}`;
  return call(`${service.baseUrl}/api/v1/projects/${projectId}/servers?limit=1${query}`, { key });
}

test('as it was given it leads on', async () => {
  const answer = await read(mine.projectId, mine.key, cursor);
  expect(answer.status).toBe(200);
  expect(answer.body.items).toHaveLength(1);
});

test('with any bit of any character changed, cut short or made longer, it is none', async () => {
  const altered = [...cursor].flatMap((character, at) =>
    [1, 2, 4, 8, 16, 32, 64].map(
      (bit) =>
        cursor.slice(0, at) +
        String.fromCharCode(character.charCodeAt(0) ^ bit) +
        cursor.slice(at + 1),
    ),
  );
  const cut = Array.from({ length: cursor.length }, (_, at) => cursor.slice(0, at));
  const longer = ['A', '=', '.', ' ', '%00', '\n'].flatMap((text) => [
    cursor + text,
    text + cursor,
  ]);
  const all = [...altered, ...cut, ...longer];
  const accepted: string[] = [];
  for (const given of all) {
    const { status, body } = await read(mine.projectId, mine.key, given);
    if (status !== 400 || body.code !== 'VALIDATION_ERROR') accepted.push(given);
  }
  expect(all.length).toBeGreaterThan(500);
  expect(accepted).toEqual([]);
});

test('on another project, list or organization, or for another member, it is none', async () => {
  const member = await createMember(service, mine, 'admin');
  const elsewhere = [
    read(otherProjectId, mine.key, cursor),
    read(theirs.projectId, theirs.key, cursor),
    read(mine.projectId, member.key, cursor),
    call(`${service.baseUrl}/api/v1/projects?cursor=${cursor}`, { key: mine.key }),
    call(`${service.baseUrl}/api/v1/projects/${mine.projectId}/eval-suites?cursor=${cursor}`, {
      key: mine.key,
    }),
  ];
  for (const answer of await Promise.all(elsewhere)) {
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
  }
});
