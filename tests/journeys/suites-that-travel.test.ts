/**
 * A suite contains the command that starts its server. A command that a person typed is trusted in
 * that folder; in any other checkout of the suite, the person must allow it.
 */
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeOwnServer } from '@proofmark/harness/journeys/own-stdio-server.ts';
import { runHere } from '@proofmark/harness/journeys/run-here.ts';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
const place = (name: string) => `${workspace.folder}/${name}`;
const environment = { LC_ALL: 'C.UTF-8', XDG_CONFIG_HOME: place('config') };
const runIn = (folder: string, ...parameters: string[]) =>
  runHere({ folder: place(folder), parameters, environment });
afterAll(() => workspace.remove());

mkdirSync(place('shop'));
writeOwnServer(place('shop/shop.mjs'));
const contract = 'shop.contract.suite.yaml';

test('what init wrote is tested without a flag, and elsewhere only with permission', async () => {
  const typed = await runIn('shop', 'init', '--server-command', 'node shop.mjs');
  expect(typed.code, typed.stderr).toBe(0);
  expect(readFileSync(place(`shop/${contract}`), 'utf8')).toContain('shop.mjs');
  expect(await runIn('shop', 'test', contract)).toMatchObject({ code: 0 });
  cpSync(place('shop'), place('clone'), { recursive: true });
  const refused = await runIn('clone', 'test', contract);
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toMatch(/starts the program node shop\.mjs .*--trust/s);
  expect(await runIn('clone', 'test', contract, '--trust')).toMatchObject({ code: 0 });
  expect(await runIn('clone', 'test', contract)).toMatchObject({ code: 0 });
  const changed = readFileSync(place(`clone/${contract}`), 'utf8').replaceAll(
    'shop.mjs',
    'evil.mjs',
  );
  writeFileSync(place(`clone/${contract}`), changed);
  expect(await runIn('clone', 'test', contract)).toMatchObject({ code: 2 });
  // A server command on the command line overrides the file and needs no permission.
  const wins = await runIn('clone', 'test', contract, '--server-command', 'node shop.mjs');
  expect(wins.code, wins.stderr).toBe(0);
});

test('a server that differs from its pin fails the test of its suite', async () => {
  expect(await runIn('shop', 'surface', 'pin', contract)).toMatchObject({ code: 0 });
  expect(await runIn('shop', 'test', contract)).toMatchObject({ code: 0 });
  writeOwnServer(place('shop/shop.mjs'), {
    others: [{ name: 'price', description: 'Tells the price of bread.', says: "'3'" }],
  });
  const { code, stderr } = await runIn('shop', 'test', contract);
  expect(code).toBe(1);
  expect(stderr).toContain('surface-changed: The tool "price" is new.');
  expect(stderr).toContain('FAILED: 1 server differs from its pin');
});

test('without a flag the file of a folder gives the server, which is told', async () => {
  mkdirSync(place('found/.vscode'), { recursive: true });
  writeOwnServer(place('found/shop.mjs'));
  const program = { command: 'node', args: ['shop.mjs'] };
  const files: [string, object][] = [
    ['package.json', { name: '@ann/shop', version: '1.0.0', bin: 'shop.mjs' }],
    [
      'server.json',
      {
        name: 'io.github.ann/shop',
        description: 'A shop.',
        version: '1',
        packages: [{ registryType: 'npm', identifier: '@ann/shop', transport: { type: 'stdio' } }],
      },
    ],
    ['.vscode/mcp.json', { servers: { shop: program } }],
    ['.mcp.json', { mcpServers: { shop: program } }],
  ];
  for (const [file, content] of files) {
    writeFileSync(place(`found/${file}`), JSON.stringify(content));
    const { code, stderr } = await runIn('found', 'lint', '--trust');
    expect(stderr).toContain(`using the server shop of ${file}`);
    expect(code, stderr).toBe(0);
  }
  for (const [file] of files) rmSync(place(`found/${file}`));
  writeFileSync(place('found/claude_desktop_config.json'), JSON.stringify(files[3]?.[1]));
  const given = await runIn('found', 'init', '--from', 'claude_desktop_config.json', '--trust');
  expect(given.code, given.stderr).toBe(0);
});
