import { startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkUrl } from '../outside/egress/address-policy.ts';
import { claimInstallation, recordForOnePerson } from '../platform/database/installation.ts';
import { bindAddress } from './bind-address.ts';
import { egressPolicy } from './egress-policy.ts';
import { FollowedService } from './followed-service.ts';
import { resolveSettings } from './settings.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
  await claimInstallation(service.owner);
});
afterAll(() => service.stop());

const here = 'http://127.0.0.1:9000/';

async function follow(mayBe: boolean, everyMs = 600_000) {
  const warnings: string[] = [];
  const followed = new FollowedService(mayBe, { warn: (_, sentence) => warnings.push(sentence) });
  const stop = await followed.follow(service.database, everyMs);
  const { settings } = resolveSettings({}, { PROOFMARK_EGRESS_ALLOW: '127.0.0.1:9001' });
  const bind = await bindAddress(settings.host, true);
  const policy = egressPolicy(settings, bind, [], () => followed.isForOnePerson);
  return { policy, warnings, stop };
}

test.each([
  ['nothing', null, true, false],
  ['that others reach it', false, true, false],
  ['that it is for one person', true, true, true],
  ['that it is for one person, and the settings of the worker speak of others', true, false, false],
] as const)(
  'where the service said %s, a worker calls this machine or does not',
  async (_, forOnePerson, mayBe, isOpen) => {
    await service.owner.sql`update installation set for_one_person = ${forOnePerson}`;
    const worker = await follow(mayBe);
    expect(checkUrl(here, worker.policy).refusal).toBe(isOpen ? undefined : 'EGRESS_BLOCKED');
    expect(checkUrl('http://127.0.0.1:9001/', worker.policy)).toEqual({});
    expect(worker.warnings).toHaveLength(isOpen ? 1 : 0);
    await worker.stop();
  },
);

test('a worker that goes on hears what a service says that was started anew', async () => {
  await recordForOnePerson(service.owner, true);
  const worker = await follow(true, 10);
  expect(checkUrl(here, worker.policy)).toEqual({});
  await recordForOnePerson(service.owner, false);
  await expect.poll(() => checkUrl(here, worker.policy).refusal).toBe('EGRESS_BLOCKED');
  expect(worker.warnings.at(-1)).toContain('other machines can reach the service');
  await worker.stop();
});
