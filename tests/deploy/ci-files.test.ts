import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { temporaryDirectory } from '@proofmark/harness/temporary-directory.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '../architecture/repository-root.ts';

/** A replacement for the command: prints its arguments, and reports a failed run. */
const command = `
if (process.argv[2] === 'eval') console.log(JSON.stringify({ runId: 'run_1' }));
else console.log('reported ' + process.argv.slice(2).join(' '));
process.exitCode = process.argv[2] === 'eval' ? 1 : 0;
`;
const template = parse(readFileSync(`${repositoryRoot}/deploy/gitlab-ci.yml`, 'utf8'));
const action = parse(readFileSync(`${repositoryRoot}/deploy/github-action/action.yml`, 'utf8'));
const directory = temporaryDirectory();
let server: Server;
let served = command;

beforeAll(async () => {
  const integrity = `sha256-${createHash('sha256').update(command).digest('base64')}`;
  server = createServer(({ url }, response) =>
    url?.startsWith('/cli/')
      ? response.end(url.endsWith('.json') ? JSON.stringify({ version: '1', integrity }) : served)
      : response.writeHead(404).end(),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  server.close();
  directory.remove();
});

function shell(
  parameters: readonly string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; stdout: string }> {
  const { port } = server.address() as AddressInfo;
  const env = {
    PATH: process.env['PATH'],
    SUITE: 'Order desk',
    INPUT_SUITE: 'Order desk',
    PROOFMARK_API_KEY: 'sk_1',
    // A URL that was copied from a browser ends with a slash.
    PROOFMARK_URL: `http://127.0.0.1:${port}/`,
    GITHUB_OUTPUT: `${directory.path}/output`,
    ...environment,
  };
  return new Promise((resolve) => {
    execFile('bash', [...parameters], { cwd: directory.path, env }, (error, stdout) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout }),
    );
  });
}

const ways: [string, () => string[]][] = [
  ['action', () => [`${repositoryRoot}/deploy/github-action/run.sh`]],
  [
    'template',
    () => {
      writeFileSync(`${directory.path}/job.sh`, template['.proofmark-saved'].script.join('\n'));
      return ['-e', 'job.sh'];
    },
  ],
];

test.each(ways)('the %s ends with the code of the run', async (_, parameters) => {
  served = command;
  expect(await shell(parameters())).toMatchObject({ code: 1 });
});

test.each(ways)('the %s ends with 3 where there is no service', async (_, parameters) => {
  const absent = { PROOFMARK_URL: 'http://127.0.0.1:9' };
  expect(await shell(parameters(), absent)).toMatchObject({ code: 3, stdout: '' });
});

test('the action reports the run, and names it to later steps', async () => {
  served = command;
  const { stdout } = await shell((ways[0] as (typeof ways)[0])[1]());
  expect(stdout).toContain('reported report github run_1');
  expect(readFileSync(`${directory.path}/output`, 'utf8')).toContain('run-id=run_1\n');
});

test.each(ways)('the %s runs no other command than the one described', async (_, parameters) => {
  served = `${command}console.log('other');`;
  const { code, stdout } = await shell(parameters());
  expect(code).toBe(3);
  expect(stdout).toBe('');
});

test('inputs reach the script by the environment alone, each under its own name', () => {
  const [step] = action.runs.steps;
  expect(step.run).not.toContain('inputs.');
  for (const input of Object.keys(action.inputs)) {
    const name = input === 'github-token' ? 'GITHUB_TOKEN' : environmentName(input);
    expect(step.env[name]).toBe(`\${{ inputs.${input} }}`);
  }
});

test('the action has no required input', () => {
  const inputs: object[] = Object.values(action.inputs);
  for (const input of inputs) {
    expect(input).toHaveProperty('default');
    expect(input).not.toHaveProperty('required');
  }
});

function environmentName(input: string): string {
  return `INPUT_${input.toUpperCase().replaceAll('-', '_')}`;
}
