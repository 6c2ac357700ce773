// Runs the real script in a small separate clone without dependencies, whose build only records
// that it ran. Tests when each action happens, and the messages.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuseOldNode } from './prepare.mjs';

const scripts = path.dirname(fileURLToPath(import.meta.url));
const ordinaryUser = 65534;
let clone: string;

beforeEach(() => {
  clone = mkdtempSync(path.join(tmpdir(), 'proofmark-clone-'));
  chmodSync(clone, 0o755);
  for (const name of ['prepare.mjs', 'build-targets.mjs', 'hold-lock.mjs']) {
    write(`scripts/${name}`, readFileSync(path.join(scripts, name), 'utf8'));
  }
  write('package.json', JSON.stringify({ ...named, workspaces: ['packages/*'] }));
  write('package-lock.json', JSON.stringify(lockfile));
  write('packages/cli/package.json', JSON.stringify({ ...named, name: 'cli' }));
  write('packages/cli/src/main.ts', '1');
  write('scripts/build.mjs', fakeBuild);
  write('go.mjs', go);
});

afterEach(() => {
  rmSync(clone, { recursive: true, force: true });
});
afterAll(() => {
  if (prepared !== undefined) rmSync(prepared, { recursive: true, force: true });
});

/** Installing takes most of a test's time, so tests of other behaviour share one installation. */
let prepared: string | undefined;
async function bePrepared(): Promise<void> {
  if (prepared === undefined) {
    await prepare();
    prepared = `${clone}-prepared`;
    execFileSync('cp', ['-a', clone, prepared]);
  } else {
    rmSync(clone, { recursive: true });
    execFileSync('cp', ['-a', prepared, clone]);
  }
  expect((await prepare()).output).toBe('');
}

const named = { name: 'clone', version: '1.0.0' };
const lockfile = {
  ...named,
  lockfileVersion: 3,
  packages: {
    '': { ...named, workspaces: ['packages/*'] },
    'node_modules/cli': { resolved: 'packages/cli', link: true },
    'packages/cli': { version: '1.0.0' },
  },
};
const fakeBuild = `
  import { mkdirSync, writeFileSync } from 'node:fs';
  mkdirSync('packages/cli/dist/light', { recursive: true });
  for (const file of ['main.js', 'light/proofmark.mjs']) writeFileSync('packages/cli/dist/' + file, '');
  await new Promise((done) => setTimeout(done, 100));
`;
const go = `
  import { prepareOrExit } from './scripts/prepare.mjs';
  await prepareOrExit({ build: true });
`;
const everything = 'Installing dependencies.\nBuilding the command.\nBuilding the console.\n';

describe('a clone is prepared', { timeout: 60_000 }, () => {
  test('from nothing, once, and then not again', async () => {
    expect(await prepare()).toEqual({ code: 0, output: everything });
    expect(await prepare()).toEqual({ code: 0, output: '' });
  });

  test('by a build when a source changed, but not when a test did', async () => {
    await bePrepared();
    write('packages/server/src/storage/a.db.test.ts', 'changed');
    expect((await prepare()).output).toBe('');
    write('packages/server/src/storage/a.ts', 'changed');
    expect((await prepare()).output).toBe('Building the command.\n');
    utimesSync(path.join(clone, 'packages/server/src/storage/a.ts'), 1, 1);
    expect((await prepare()).output).toBe('Building the command.\n');
    rmSync(path.join(clone, 'packages/cli/dist'), { recursive: true });
    expect((await prepare()).output).toBe('Building the command.\n');
  });

  test('from the start when a manifest changed', async () => {
    await bePrepared();
    write('packages/cli/package.json', JSON.stringify({ ...named, name: 'cli', private: true }));
    expect((await prepare()).output).toBe(everything);
  });

  test('without installing when somebody ran npm themselves', async () => {
    execFileSync('npm', ['ci', '--loglevel=error'], { cwd: clone });
    expect((await prepare()).output).toBe('Building the command.\nBuilding the console.\n');
  });

  test('by one process when two start together', async () => {
    const [first, second] = await Promise.all([prepare(), prepare()]);
    const outputs = [first.output, second.output].sort();
    expect(outputs).toEqual([everything, 'Waiting for another process that is preparing.\n']);
    expect([first.code, second.code]).toEqual([0, 0]);
  });

  test('after the process that was at it has been killed', async () => {
    await bePrepared();
    rmSync(path.join(clone, 'packages/cli/dist'), { recursive: true });
    const killed = start();
    while (!existsSync(path.join(clone, 'packages/cli/dist/.preparing'))) await pause(5);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    const { code, output } = await prepare();
    expect(code).toBe(0);
    expect(output).toContain('Building the command.');
    expect(existsSync(path.join(clone, 'packages/cli/dist/.preparing'))).toBe(false);
  });

  test('again after a build that failed, which shows its own words', async () => {
    await bePrepared();
    write('scripts/build.mjs', "console.log('Unexpected token'); process.exit(3);");
    const failed = await prepare();
    expect(failed.code).toBe(1);
    expect(failed.output).toContain(
      'Unexpected token\nBuilding the command failed; see the lines above.',
    );
    write('scripts/build.mjs', fakeBuild);
    expect((await prepare()).code).toBe(0);
  });
});

test.skipIf(process.getuid?.() !== 0)(
  'a clone that cannot be written works once it is prepared',
  async () => {
    const before = await prepare(ordinaryUser);
    expect(before.code).toBe(1);
    expect(before.output).toContain('cannot be written; run "npm start" there once as its owner.');
    await prepare();
    expect(await prepare(ordinaryUser)).toEqual({ code: 0, output: '' });
  },
  60_000,
);

test('a Node that is too old is refused in one sentence', () => {
  for (const version of ['18.20.0', '20.18.3', '21.7.3', '22.11.0']) {
    expect(() => refuseOldNode(version)).toThrow(
      `Proofmark needs Node 20.19, 22.12 or newer, and this is ${version};`,
    );
  }
  for (const version of ['20.19.0', '22.12.0', '24.1.0']) refuseOldNode(version);
});

async function prepare(uid?: number): Promise<{ code: unknown; output: string }> {
  const child = start(uid);
  const ended = once(child, 'exit');
  const output = await text(child.stderr as NodeJS.ReadableStream);
  return { code: (await ended)[0], output };
}

function start(uid?: number): ChildProcess {
  return spawn(process.execPath, ['go.mjs'], {
    cwd: clone,
    stdio: ['ignore', 'inherit', 'pipe'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

function write(file: string, content: string): void {
  mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
  writeFileSync(path.join(clone, file), content);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
