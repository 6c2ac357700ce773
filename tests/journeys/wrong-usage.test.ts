/**
 * Typical mistakes of new users, in an empty folder. Each must get a message with the next action,
 * before any request is sent.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { runHere } from '@proofmark/harness/journeys/run-here.ts';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, expect, test } from 'vitest';

const directory = temporaryDirectory(0o755);
const folder = directory.path;
const suite = `schemaVersion: "1"
suite: { id: a, name: A }
mode: serverContract
cases:
  - id: one
    title: One
    steps: [{ kind: toolCall, serverName: shop, toolName: find, arguments: {} }]
`;
writeFileSync(`${folder}/suite.yaml`, suite);
writeFileSync(`${folder}/empty.yaml`, '');
writeFileSync(`${folder}/comment.yaml`, '# later\n');
writeFileSync(`${folder}/hello.yaml`, 'hello\n');
writeFileSync(`${folder}/version.yaml`, 'schemaVersion: "2"\n');
afterAll(() => directory.remove());

const start = ['--server-command', 'node s.js'];
test.each<[string[], RegExp]>([
  [['tset'], /Did you mean test\?/],
  [['gate', 'run_1'], /Try: proofmark eval gate\./],
  [['test'], /proofmark init --server-command "node server\.js"/],
  [['test', 'nope.yaml', ...start], /There is no file nope\.yaml; give its path/],
  [
    ['test', 'suite.yaml'],
    /does not say how to reach a server; .* give one with --server, --server-command or --from/,
  ],
  [['test', 'empty.yaml'], /empty\.yaml is empty; .* `proofmark init`/],
  [['test', 'empty.yaml', '--keep', ...start], /empty\.yaml is empty; .* `proofmark init`/],
  [['test', 'comment.yaml'], /comment\.yaml is empty/],
  [['test', 'hello.yaml'], /an object with keys, not text\.\n.*hello\.yaml: 1 mistake/],
  [['test', 'version.yaml'], /suite is missing[\s\S]*version\.yaml: \d mistakes; nothing was run/],
  [['test', 'version.yaml', '--keep', ...start], /version\.yaml: \d mistakes; nothing was run/],
  [['test', 'suite.yaml', '--server', 'localhost:8080'], /as http:\/\/127\.0\.0\.1:8080\/mcp/],
  [
    ['test', 'suite.yaml', '--server-command', 'nonsense-of-us'],
    /check its name, or give its path/,
  ],
  [['test', 'suite.yaml', '--config', 'mcp.json'], /There is no file mcp\.json/],
  [['test', '--watch', '--json'], /remove --json/],
  [['test', '--model'], /See: proofmark test --help/],
  [
    ['init', '--server-command', 'node s.js --api-key live-abcdef123456'],
    /contains a text that looks like a secret .*--server-env/s,
  ],
  [['init', 'server.js'], /--server-command "node server\.js"/],
  [['eval', 'run'], /See: proofmark eval run --help/],
  [['eval', 'gate', 'run_1', '--min-pass-rate', '101'], /for example 0\.9 or 90%/],
  [['ingest', 'r.xml', '--suite', 'Shop', '--min-pass-rate', '101'], /for example 0\.9 or 90%/],
  [['eval', 'run', 'Shop'], /`proofmark serve`, .*`proofmark login URL`/],
  [['whoami', '--url', 'http://127.0.0.1:9'], /`proofmark login http:\/\/127\.0\.0\.1:9`/],
  [['login', 'nowhere'], /give one like http:\/\/127\.0\.0\.1:3300/],
  [['call'], /argument 'tool'\nSee: proofmark call --help/],
  [['suite', 'list', '--projet', 'x'], /Did you mean --project\?/],
])('%j', async (parameters, next) => {
  const done = await runHere({ folder, parameters });
  expect(done).toMatchObject({ code: 2, stdout: '' });
  expect(done.stderr).toMatch(next);
  expect(existsSync(`${folder}/.proofmark`)).toBe(false);
});

test.each<[string, RegExp]>([
  [
    '{\n  "mcpServers": {\n    "a": { "command": node }\n} }',
    /^proofmark: \.mcp\.json is not valid JSON; see line 3\.$/m,
  ],
  [
    '{ "mcpServers": { "a": { "command": "node" }, "b": { "command": "node" } } }',
    /\.mcp\.json has several servers\. Name one of them with --server-name: a, b\./,
  ],
])('init in a folder with %j says what is wrong with it', async (content, next) => {
  const own = temporaryDirectory(0o755);
  try {
    writeFileSync(`${own.path}/.mcp.json`, content);
    const done = await runHere({ folder: own.path, parameters: ['init'] });
    expect(done).toMatchObject({ code: 2, stdout: '' });
    expect(done.stderr).toMatch(next);
  } finally {
    own.remove();
  }
});
