import { call } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOneSentence } from './one-sentence.ts';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
const secret = 'canary-51c0ffee';
let projectId: string;
let serverId: string;

beforeAll(async () => {
  const service = await workspace.serveHere();
  const made = await workspace.admin(
    ...['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'],
  );
  projectId = made.projectId;
  const servers = `${service.url}/api/v1/projects/${projectId}/servers`;
  const created = await call(servers, {
    method: 'POST',
    key: made.apiKey,
    body: {
      name: 'Search',
      enabled: true,
      transportType: 'http',
      url: `https://mcp.example/${secret}`,
      headers: { Authorization: secret },
      clientSecret: secret,
    },
  });
  serverId = created.body.id;
  await call(`${servers}/${serverId}`, { method: 'DELETE', key: made.apiKey });
});
afterAll(() => workspace.remove());

async function auditLog(...parameters: string[]) {
  const place = ['--data-dir', workspace.dataDir, '--database-url', await workspace.databaseUrl()];
  return workspace.runHere(['admin', 'audit-log', ...parameters, ...place]);
}

test('newest first, within 80 columns, and with nothing secret in it', async () => {
  const { stdout } = await auditLog('--organization', 'Acme');
  const lines = stdout.trimEnd().split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const firsts = lines.filter((line) => !line.startsWith(' '));
  expect(firsts).toEqual([
    expect.stringMatching(new RegExp(`Z {2}server\\.deleted +${serverId}$`)),
    expect.stringMatching(new RegExp(`Z {2}server\\.created +${serverId}$`)),
    expect.stringMatching(/Z {2}apiKey\.created +key_\w+$/),
    expect.stringMatching(/Z {2}organization\.created +org_\w+$/),
  ]);
  expect(stdout).toContain(`by owner@acme.example (API key)  in ${projectId}`);
  expect(stdout).toContain('clientSecret');
  expect(stdout).not.toContain(secret);
});

test('as JSON, cut to the limit, and of one project', async () => {
  const [newest, ...others] = await workspace.admin('audit-log', '--limit', '1');
  expect(newest).toMatchObject({ action: 'server.deleted', subjectId: serverId, projectId });
  expect(others).toEqual([]);
  expect(await workspace.admin('audit-log', '--project', projectId)).toHaveLength(2);
  expect(await workspace.admin('audit-log', '--project', 'prj_none')).toEqual([]);
});

test('as a file, all of it or what is asked for', async () => {
  const csv = await auditLog('--export', 'csv', '--kind', 'server', '--organization', 'Acme');
  const [head, ...rows] = csv.stdout.trimEnd().split('\r\n');
  expect(head).toBe(
    'id,at,action,subjectId,actor,actorId,callerKind,organizationId,projectId,details',
  );
  expect(rows.map((row) => row.split(',')[2])).toEqual(['server.deleted', 'server.created']);
  const json = await auditLog('--export', 'jsonl', '--resource', serverId);
  const lines = json.stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line).subjectId)).toEqual([serverId, serverId]);
});

test('a wrong limit, organization or format is said in one sentence', async () => {
  for (const wrong of [
    ['--limit', 'many'],
    ['--organization', 'Nowhere'],
    ['--export', 'pdf'],
  ]) {
    const done = await auditLog(...wrong);
    expect(done).toMatchObject({ code: 3, stdout: '' });
    expect(isOneSentence(done.stderr), done.stderr).toBe(true);
  }
});
