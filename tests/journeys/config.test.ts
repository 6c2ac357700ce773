import { writeFileSync } from 'node:fs';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
afterAll(() => workspace.remove());

const secrets = {
  PROOFMARK_SECRET_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at * 5)).toString('hex'),
  PROOFMARK_METRICS_TOKEN: 'metrics-canary-81',
  PROOFMARK_OIDC_CLIENT_SECRET: 'oidc-canary-82',
  DATABASE_URL: 'postgres://proofmark:password-canary-83@127.0.0.1:1/proofmark',
};

async function shown(parameters: string[], environment: Record<string, string>) {
  const done = await workspace.runHere(['config', '--json', ...parameters], environment);
  expect(done.code, done.stderr).toBe(0);
  return JSON.parse(done.stdout);
}

test('a flag wins over the environment, which wins over the file, which wins over the default', async () => {
  writeFileSync(
    `${workspace.folder}/proofmark.config.json`,
    JSON.stringify({ dataDir: 'from-file', rateLimit: '7/3', host: '127.0.0.3', worker: false }),
  );
  const all = await shown(['--data-dir', 'from-flag'], {
    PROOFMARK_DATA_DIR: 'from-environment',
    PROOFMARK_RATE_LIMIT: 'off',
  });
  expect(all.dataDir).toEqual({ value: `${workspace.folder}/from-flag`, source: 'flag' });
  expect(all.rateLimit).toEqual({ value: 'off', source: 'environment' });
  expect(all.host).toEqual({ value: '127.0.0.3', source: 'file' });
  expect(all.worker).toEqual({ value: false, source: 'file' });
  expect(all.port).toEqual({ value: 3300, source: 'default' });
  const fewer = await shown([], { PROOFMARK_DATA_DIR: 'from-environment' });
  expect(fewer.dataDir.value).toBe(`${workspace.folder}/from-environment`);
  expect(fewer.rateLimit).toMatchObject({ value: { perMinute: 7, burst: 3 }, source: 'file' });
});

test('secrets are said to be set and not shown, in both forms', async () => {
  writeFileSync(
    `${workspace.folder}/proofmark.config.json`,
    JSON.stringify({
      stdioServers: [{ name: 'x', command: '/bin/true', env: { TOKEN: 'stdio-canary-84' } }],
    }),
  );
  for (const form of [['config'], ['config', '--json']]) {
    const { stdout, stderr, code } = await workspace.runHere(form, secrets);
    expect(code).toBe(0);
    expect(stdout.match(/\(set, not shown\)/g)).toHaveLength(5);
    for (const secret of [...Object.values(secrets), 'canary']) {
      expect(stdout + stderr).not.toContain(secret);
    }
  }
});
