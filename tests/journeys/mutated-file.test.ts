import { existsSync, writeFileSync } from 'node:fs';
import { projectApi } from '@proofmark/harness/journeys/stock-servers.ts';
import {
  type FakeMcpServer,
  startFakeMcpServer,
} from '@proofmark/harness/mcp-servers/fake-mcp-server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSharedWorkspace } from './ready-workspace.ts';

const workspace = createSharedWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const suite = `schemaVersion: "1"
suite: { id: hours, name: Hours }
target: { servers: [{ name: shop }] }
cases:
  - id: opens
    title: Tells when it opens
    ask: When does the shop open today?
    calls: opening_time
`;
const tools = [
  {
    name: 'opening_time',
    description: 'Tells when the shop opens today.',
    inputSchema: { type: 'object' },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'close_shop',
    description: 'Closes the shop for good.',
    inputSchema: { type: 'object' },
  },
];
const answer = { opens: 9, town: 'Lyon' };
let shop: FakeMcpServer;

beforeAll(async () => {
  shop = await startFakeMcpServer({
    'tools/list': { tools },
    'tools/call': {
      content: [{ type: 'text', text: JSON.stringify(answer) }],
      structuredContent: answer,
    },
  });
  writeFileSync(place('hours.suite.yaml'), suite);
});
afterAll(async () => {
  await shop.stop();
  await workspace.remove();
});

const alone = { LC_ALL: 'C.UTF-8' };
const mutated = (environment: Readonly<Record<string, string>>, ...words: string[]) =>
  workspace.runHere(['suite', 'mutate', ...words], environment);
const onFile = (...words: string[]) =>
  mutated(alone, 'hours.suite.yaml', '--server', shop.url, ...words);

test('the readout and the exit codes are those of a service', async () => {
  const here = await onFile();
  expect(here.code, here.stderr).toBe(0);
  expect(here.stdout).toMatch(/^The suite noticed \d+ of \d+ changes: /);
  expect(here.stderr).toMatch(
    /^proofmark: At most 60 changes in \d+ trials; its model costs nothing/,
  );
  expect(shop.requests.map(({ message }) => JSON.stringify(message))).not.toContain('close_shop');
  expect((await onFile('--min-score', '1')).code).toBe(1);
  const { code, stdout } = await onFile('--operators', 'error,empty', '--json');
  expect(code).toBe(0);
  const mutation = JSON.parse(stdout);
  expect(mutation).toMatchObject({ status: 'completed', operators: ['error', 'empty'], seed: 1 });
  expect(mutation.progress.done).toBe(mutation.mutants.length);
  expect(existsSync(place('.proofmark'))).toBe(false);

  const service = await workspace.serveHere([], { PROOFMARK_RATE_LIMIT: 'off' });
  const owner = ['bootstrap', '--email', 'owner@acme.example', '--organization', 'Acme'];
  const { apiKey, projectId } = await workspace.admin(...owner, '--project', 'Default');
  const there = { ...alone, PROOFMARK_URL: service.url, PROOFMARK_API_KEY: apiKey };
  const ask = projectApi(service.url, projectId, apiKey);
  const server = { name: 'shop', enabled: true, transportType: 'http', url: shop.url };
  await ask('POST', 'servers', server);
  // A suite in a service must name a model; a file without one is tested with the free model.
  const named = suite.replace('cases:', 'defaults: { model: proofmark/lexical-1 }\ncases:');
  writeFileSync(place('named.suite.yaml'), named);
  const made = await workspace.runHere(['suite', 'import', 'named.suite.yaml'], there);
  expect(made.code, made.stderr).toBe(0);
  const kept = await mutated(there, 'Hours');
  expect(kept.code, kept.stderr).toBe(0);
  expect(here.stdout).toBe(kept.stdout);
  const sameFields = await mutated(there, 'Hours', '--operators', 'error,empty', '--json');
  expect(Object.keys(mutation).sort()).toEqual(Object.keys(JSON.parse(sameFields.stdout)).sort());
});

test('a suite that cannot be mutated here is refused in one sentence', async () => {
  const refused = async (...words: string[]) => {
    const { code, stdout, stderr } = await mutated(alone, ...words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    return stderr.replaceAll(/\s+/g, ' ');
  };
  expect(await refused('gone.suite.yaml')).toContain('There is no file gone.suite.yaml');
  expect(await refused('hours.suite.yaml', '--servers', 'recorded')).toContain(
    'Recordings are stored with the run of a service',
  );
  expect(await refused('hours.suite.yaml', '--url', 'http://127.0.0.1:9')).toContain(
    'remove --url',
  );
  expect(await refused('Hours', '--server', shop.url)).toContain(
    'name a server only beside a file',
  );
  writeFileSync(place('typo.suite.yaml'), suite.replace('ask:', 'asks:'));
  expect(await refused('typo.suite.yaml', '--server', shop.url)).toContain('nothing was run');
});
