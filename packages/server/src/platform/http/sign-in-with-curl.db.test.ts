import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import {
  type TemporaryDirectory,
  temporaryDirectory,
} from '@proofmark/harness/temporary-directory.ts';
import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const guide = readFileSync(
  new URL('../../../../../docs/guides/people.md', import.meta.url),
  'utf8',
);
const commands = [...guide.matchAll(/```sh\n([^`]+)```/g)].map(([, command = '']) => command);
const [accept = '', setPassword = '', signIn = ''] = commands;
let service: TestService;
let folder: TemporaryDirectory;
beforeAll(async () => {
  folder = temporaryDirectory();
  service = await startTestService();
  await createTenant(service, 'acme');
});
afterAll(async () => {
  await service.stop();
  folder.remove();
});

test.skipIf(!existsSync('/usr/bin/curl'))(
  'an invitation is accepted, a password set and used, by the commands of the guide',
  async () => {
    expect(commands).toHaveLength(3);
    const EMAIL = 'new@acme.example';
    const invitation = await service.operator.invite('acme', EMAIL, 'member', service.baseUrl);
    const link = { TOKEN: new URL(invitation.url).hash.replace('#token=', ''), EMAIL };
    const given = { ...link, URL: service.baseUrl, PASSWORD: 'correct horse battery staple' };
    const run = async (command: string, more: Record<string, string> = {}) => {
      const env = { ...given, ...more, PATH: '/usr/bin:/bin' };
      const shell = { cwd: folder.path, env };
      return JSON.parse((await promisify(execFile)('/bin/sh', ['-c', command], shell)).stdout);
    };
    const accepted = await run(accept);
    expect(accepted).toMatchObject({ signedIn: true, account: { email: EMAIL } });
    const CSRF: string = accepted.csrfToken;
    expect(await run(setPassword, { CSRF })).toMatchObject({ signedIn: true });
    expect(await run(signIn)).toMatchObject({ signedIn: true, account: { email: EMAIL } });
    expect(await run(signIn, { PASSWORD: 'another' })).toMatchObject({ code: 'UNAUTHORIZED' });
  },
);
