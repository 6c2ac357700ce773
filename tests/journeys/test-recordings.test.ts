/** `proofmark test --record` and `--replay`: recorded once with the server, graded again without it, without a key. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createReadyWorkspace();
const environment = { PROOFMARK_DATA_DIR: workspace.dataDir, LC_ALL: 'C.UTF-8' };
const place = (name: string) => `${workspace.folder}/${name}`;
afterAll(() => workspace.remove());

const canaries = ['canary-of-environment', 'canary-in-output'];
const variant = 'proofmark~lexical-1';
const recordings = 'shop.suite.yaml.recordings';
const opens = `${recordings}/opens.${variant}.1.jsonl`;

/** A stdio server with two tools; one of them shows secrets. */
function writeServer(): void {
  const sdk = (part: string) => import.meta.resolve(`@modelcontextprotocol/sdk/server/${part}.js`);
  writeFileSync(
    place('shop.mjs'),
    `import { McpServer } from '${sdk('mcp')}';
import { StdioServerTransport } from '${sdk('stdio')}';
const server = new McpServer({ name: 'shop', version: '1' });
const say = (text) => async () => ({ content: [{ type: 'text', text }] });
server.registerTool('opening_time', { description: 'Tells when the shop opens today.' }, say('At nine.'));
const secrets = { token: 'canary-in-output', of: process.env.SHOP_KEY };
server.registerTool('price_list', { description: 'Lists the price of bread.' }, say('Bread: 3. ' + JSON.stringify(secrets)));
await server.connect(new StdioServerTransport());
`,
  );
}

interface Wish {
  readonly needle?: string;
  readonly question?: string;
  readonly cases?: readonly string[];
}

function writeSuite({ needle = 'nine', question = 'the price of bread?', cases }: Wish = {}): void {
  const of = (id: string, prompt: string, assertion: object) => ({
    ...{ id, title: id, steps: [{ kind: 'prompt', prompt }], assertions: [assertion] },
  });
  const says = (text: string) => ({ type: 'responseContains', needle: text });
  const called = { type: 'toolCalledWith', toolName: 'price_list', arguments: {} };
  const all = [
    of('opens', 'When does the shop open today?', says(needle)),
    of('price', `What is ${question}`, called),
    of('again', 'Tell when the shop opens today.', says('nine')),
  ];
  const suite = {
    schemaVersion: '1',
    suite: { id: 'shop', name: 'Shop' },
    defaults: { repetitions: 2 },
  };
  const played = all.filter(({ id }) => cases?.includes(id) ?? true);
  writeFileSync(place('shop.suite.yaml'), JSON.stringify({ ...suite, cases: played }));
}

const said: string[] = [];
async function run(...parameters: string[]) {
  const done = await workspace.runHere(['test', ...parameters], environment);
  said.push(done.stdout, done.stderr);
  expect(
    done.stdout.split('\n').filter((line) => [...line].length > 80 && !line.includes('/projects/')),
  ).toEqual([]);
  return done;
}
const record = () =>
  run('--record', '--server-command', 'node shop.mjs', '--server-env', `SHOP_KEY=${canaries[0]}`);
const files = () => readdirSync(place(recordings)).sort();
const read = (file: string) => readFileSync(place(file), 'utf8');

test('what is recorded is a file for each graded trial, without secrets', async () => {
  writeServer();
  writeSuite();
  const done = await record();
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stderr).toContain(`proofmark: recorded 6 trials in ${recordings}.\n`);
  const names = ['again', 'opens', 'price'].flatMap((id) => [
    `${id}.${variant}.1.jsonl`,
    `${id}.${variant}.2.jsonl`,
  ]);
  expect(files()).toEqual(names);
  const [head = '', ...lines] = read(opens).trimEnd().split('\n');
  expect(JSON.parse(head)).toMatchObject({
    ...{ format: 'proofmark-recording', version: 1, suite: 'shop', case: 'opens' },
  });
  expect(lines.map((line) => JSON.parse(line).kind)).toEqual(['server', 'model', 'call', 'model']);
  const all = names.map((name) => read(`${recordings}/${name}`)).join('');
  expect(all).not.toMatch(/Ms"/);
  expect(all).toContain('$redacted');
  for (const canary of canaries) expect(all + said.join('')).not.toContain(canary);
  // Equal conversations are equal bytes.
  expect(read(`${recordings}/opens.${variant}.2.jsonl`)).toBe(read(opens));
});

test('with the server gone and no data it comes to the same verdict', async () => {
  rmSync(place('shop.mjs'));
  const done = await workspace.runHere(['test', '--replay'], {
    LC_ALL: 'C.UTF-8',
    PROOFMARK_DATA_DIR: place('nowhere'),
  });
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stdout).toMatch(/^PASSED: all 3 case variants/);
  expect(done.stderr).toBe(
    'proofmark: replayed 6 trials of shop.suite.yaml, asking no server and no model.\n',
  );
  expect(readdirSync(workspace.folder)).not.toContain('nowhere');
});

test('a changed assertion grades the same conversations anew', async () => {
  writeSuite({ needle: 'noon' });
  const done = await run('--replay');
  expect(done.code, done.stdout + done.stderr).toBe(1);
  expect(done.stdout).toMatch(/^FAILED: 1 of 3 case variants/);
});

test('what is stale, missing or diverged is named, and is no verdict', async () => {
  writeSuite({ needle: 'noon', question: 'the price of bread now?' });
  const kept = read(opens);
  writeFileSync(place(opens), kept.replace('Tells when', 'Says when'));
  rmSync(place(`${recordings}/again.${variant}.1.jsonl`));
  const done = await run('--replay', '--json');
  writeFileSync(place(opens), kept);
  expect(done.code, done.stdout + done.stderr).toBe(3);
  expect(JSON.parse(done.stdout).summary.replay).toMatchObject({ diverged: 2, notRecorded: 2 });
  expect(done.stderr.split('\n').map((line) => line.replace('proofmark: ', ''))).toEqual([
    'replayed 2 trials of shop.suite.yaml; 2 diverged, 2 notRecorded.',
    'price diverged: The model was to be asked otherwise than recorded at /messages/0/content. recorded: What is the price of bread?; now: What is the price of bread now?',
    `${opens}: it is stale: it is not as it was recorded.`,
    `${recordings}/again.${variant}.1.jsonl: it is missing.`,
    '',
  ]);
});

test('a last repetition that the suite asks for and nobody recorded leaves its case out', async () => {
  writeSuite({ cases: ['opens', 'price'] });
  const last = `${recordings}/price.${variant}.2.jsonl`;
  const kept = read(last);
  rmSync(place(last));
  const done = await run('--replay', '--json');
  const fewer = await run('--replay', '--repetitions', '1');
  writeFileSync(place(last), kept);
  expect(done.code, done.stdout + done.stderr).toBe(3);
  expect(JSON.parse(done.stdout).summary.replay).toMatchObject({ diverged: 0, notRecorded: 1 });
  expect(done.stderr).toContain(`proofmark: ${last}: it is missing.\n`);
  expect(fewer.code, fewer.stdout + fewer.stderr).toBe(0);
});

test('recording again leaves equal files alone, and removes those of a case that is gone', async () => {
  writeServer();
  writeSuite({ cases: ['opens', 'price'] });
  const price = `${recordings}/price.${variant}.1.jsonl`;
  const before = statSync(place(price)).mtimeMs;
  const done = await record();
  expect(done.code, done.stdout + done.stderr).toBe(0);
  expect(done.stderr).toContain(`recorded 4 trials in ${recordings}, and removed 1.`);
  expect(files().filter((name) => name.startsWith('again'))).toEqual([]);
  expect(files()).toHaveLength(4);
  expect(statSync(place(price)).mtimeMs).toBe(before);
  for (const canary of canaries) expect(said.join('')).not.toContain(canary);
});

test.each([
  ['both at once', ['--record', '--replay']],
  ['watching', ['--replay', '--watch']],
  ['a server to replay with', ['--replay', '--server', 'http://127.0.0.1:1/mcp']],
  ['a service to replay on', ['--replay', '--url', 'http://127.0.0.1:1']],
])('%s is a wrong use', async (_name, parameters) => {
  const done = await run(...parameters);
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toMatch(/^proofmark: [^\n]+\n$/);
});

test('where nothing is recorded it says so, and ends without a verdict', async () => {
  rmSync(place(recordings), { recursive: true });
  const done = await run('--replay');
  expect(done).toMatchObject({ code: 3, stdout: '' });
  expect(done.stderr).toContain('notRecorded');
});
