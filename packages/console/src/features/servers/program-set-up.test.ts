import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { operatorEntry, testCommands } from './program-set-up.ts';

test('the command is the one for the folder, quoted for a shell', () => {
  const program = { name: 'Files', command: ' node  server.js ', folder: "/srv/it's here" };
  expect(testCommands(program)).toBe(
    [
      `cd '/srv/it'\\''s here'`,
      "proofmark init --server-command 'node server.js'",
      'proofmark test',
    ].join('\n'),
  );
  expect(testCommands({ ...program, command: 'files-mcp', folder: '' })).toBe(
    'proofmark init --server-command files-mcp\nproofmark test',
  );
});

test('the entry of the operator starts the program in its folder', () => {
  const program = { name: ' Files ', command: 'pwd', folder: '/' };
  const { stdioServers } = JSON.parse(operatorEntry(program, 'prj_1'));
  expect(stdioServers).toMatchObject([{ name: 'Files', projectId: 'prj_1', command: '/bin/sh' }]);
  const [{ command, args, env }] = stdioServers;
  expect(execFileSync(command, args, { env, encoding: 'utf8' })).toBe('/\n');
});
