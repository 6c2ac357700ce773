import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isOneSentence } from './one-sentence.ts';
import { createReadyWorkspace } from './ready-workspace.ts';

const workspace = createTestWorkspace();
afterAll(() => workspace.remove());

const configFile = `${workspace.folder}/proofmark.config.json`;
const realKey = Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7 + 3)).toString('base64');

async function refused(
  parameters: string[],
  environment: Record<string, string> = {},
  { place = workspace, asProcess = true } = {},
): Promise<string> {
  const run = asProcess ? place.run : place.runHere;
  const all = ['serve', '--port', '0', '--data-dir', place.dataDir, ...parameters];
  const done = await run(all, environment);
  expect(done.code, done.stderr).toBe(3);
  expect(done.stdout).toBe('');
  expect(isOneSentence(done.stderr), done.stderr).toBe(true);
  expect(place.databaseProcesses()).toEqual([]);
  return done.stderr;
}

/** These settings are checked before a database is started, so the tests run in this process. */
describe('what is read before the start', () => {
  test.each([
    ['a port that is a word', ['--port', 'high'], {}, '--port'],
    ['a port that is too large', ['--port', '70000'], {}, '--port'],
    ['a negative port', ['--port=-1'], {}, '--port'],
    ['a database URL of another kind', ['--database-url', 'mysql://x'], {}, '--database-url'],
    ['a rate limit of zero', [], { PROOFMARK_RATE_LIMIT: '0/0' }, 'PROOFMARK_RATE_LIMIT'],
    ['a rate limit in words', [], { PROOFMARK_RATE_LIMIT: 'much' }, 'PROOFMARK_RATE_LIMIT'],
    ['a worker that is maybe on', [], { PROOFMARK_WORKER: 'maybe' }, 'PROOFMARK_WORKER'],
    ['a quota in words', [], { PROOFMARK_TRIALS_PER_DAY: 'few' }, 'PROOFMARK_TRIALS_PER_DAY'],
    ['a rule that keeps nothing', [], { PROOFMARK_KEEP_RUNS: '0d' }, 'PROOFMARK_KEEP_RUNS'],
    ['an unknown log level', [], { PROOFMARK_LOG_LEVEL: 'loud' }, 'PROOFMARK_LOG_LEVEL'],
    ['a public URL of no web', [], { PROOFMARK_PUBLIC_URL: 'ftp://x' }, 'PROOFMARK_PUBLIC_URL'],
    [
      'half of OIDC',
      [],
      { PROOFMARK_OIDC_ISSUER: 'https://i.example' },
      'PROOFMARK_OIDC_CLIENT_ID',
    ],
    ['an empty secret key', [], { PROOFMARK_SECRET_KEY: '' }, 'PROOFMARK_SECRET_KEY'],
    [
      'a configuration file that is not there',
      [],
      { PROOFMARK_CONFIG: 'missing.config.json' },
      'missing.config.json',
    ],
  ] as [string, string[], Record<string, string>, string][])(
    '%s',
    async (_, parameters, environment, named) => {
      expect(await refused(parameters, environment, { asProcess: false })).toContain(named);
    },
  );
});

describe('what is found at the start', () => {
  test.each([
    ['a host nobody knows', ['--host', 'nowhere.invalid'], {}, 'nowhere.invalid'],
    [
      'a database that does not answer',
      ['--database-url', 'postgres://proofmark:password-canary-31@127.0.0.1:1/proofmark'],
      { PROOFMARK_SECRET_KEY: realKey },
      'database does not answer',
    ],
    ['a short secret key', [], { PROOFMARK_SECRET_KEY: 'c2hvcnQ=' }, 'PROOFMARK_SECRET_KEY'],
    ['a key of zeros', [], { PROOFMARK_SECRET_KEY: '0'.repeat(64) }, 'PROOFMARK_SECRET_KEY'],
    [
      'a key that repeats a word',
      [],
      { PROOFMARK_SECRET_KEY: Buffer.from('changemechangemechangemechangeme').toString('base64') },
      'PROOFMARK_SECRET_KEY',
    ],
  ] as [string, string[], Record<string, string>, string][])(
    '%s',
    async (_, parameters, environment, named) => {
      const sentence = await refused(parameters, environment, { asProcess: false });
      expect(sentence).toContain(named);
      const secret = environment['PROOFMARK_SECRET_KEY'];
      if (secret) expect(sentence).not.toContain(secret);
      expect(sentence).not.toContain('canary');
    },
  );
});

describe('the configuration file', () => {
  afterAll(() => rmSync(configFile));
  test.each([
    ['is no JSON', '{"port": 1', 'proofmark.config.json'],
    ['is a list', '[]', 'proofmark.config.json'],
    ['has an unknown setting', '{"prot": 1}', 'prot'],
    ['has a rate limit in words', '{"rateLimit": "much"}', 'rateLimit'],
    ['holds the secret key', JSON.stringify({ secretKey: realKey }), 'secret key'],
    [
      'has a stdio server without an absolute command',
      '{"stdioServers": [{"name": "x", "command": "sh"}]}',
      'stdioServers',
    ],
  ])('%s', async (_, text, named) => {
    writeFileSync(configFile, text);
    expect(await refused([], {}, { asProcess: false })).toContain(named);
  });
});

describe('an installation that has its key', () => {
  const other = createReadyWorkspace();
  const taken = createServer();
  const file = `${other.dataDir}/secret.key`;
  beforeAll(async () => {
    writeFileSync(file, `${realKey}\n`, { mode: 0o600 });
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => taken.close(resolve));
    await other.remove();
  });

  test('does not start while others can read the key file', async () => {
    for (const mode of [0o644, 0o640, 0o604]) {
      chmodSync(file, mode);
      const sentence = await refused([], {}, { place: other, asProcess: false });
      expect(sentence).toContain('chmod 600');
    }
    chmodSync(file, 0o600);
  });

  test('does not start with a stdio server for a project that does not exist', async () => {
    const own = `${other.folder}/proofmark.config.json`;
    writeFileSync(
      own,
      '{"stdioServers": [{"name": "x", "command": "/bin/true", "projectId": "prj_none"}]}',
    );
    const sentence = await refused([], {}, { place: other, asProcess: false });
    expect(sentence).toContain('prj_none');
    rmSync(own);
  });

  test('does not start with another key, and still starts with its own', async () => {
    const wrong = Buffer.from(Array.from({ length: 32 }, (_, at) => 255 - at)).toString('base64');
    const sentence = await refused(
      [],
      { PROOFMARK_SECRET_KEY: wrong },
      { place: other, asProcess: false },
    );
    expect(sentence).toContain('another key');
    const again = await other.serveHere([], { PROOFMARK_SECRET_KEY: realKey });
    expect((await again.stop()).code).toBe(0);
  });

  test('does not start on a port that is in use, and stops its database again', async () => {
    const { port } = taken.address() as { port: number };
    expect(await refused(['--port', String(port)], {}, { place: other })).toContain(`Port ${port}`);
  });
});
