import { call, startTestService, type TestService } from '@proofmark/harness/test-service.ts';
import { createTenant, type Tenant } from '@proofmark/harness/two-tenants.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let service: TestService;
let acme: Tenant;
beforeAll(async () => {
  service = await startTestService();
  acme = await createTenant(service, 'acme');
  await createTenant(service, 'other');
});
afterAll(() => service.stop());

test('organizations are listed, and one that is not there is told with where to look', async () => {
  const all = await service.operator.listOrganizations();
  expect(all).toContainEqual({
    id: acme.organizationId,
    name: 'acme',
    createdAt: expect.any(Date),
    members: 1,
    projects: expect.any(Number),
  });
  expect(all.map(({ name }) => name)).toContain('other');
  await expect(service.operator.listKeys('Default')).rejects.toThrow('list-organizations');
});

test('quotas are shown with what was used, and whether they are the organization’s own', async () => {
  await service.operator.setQuota('acme', 'trialsPerDay', '250');
  await service.operator.setQuota('acme', 'storedBytes', 'none');
  const [shown, ...others] = await service.operator.readQuotas('acme');
  expect(others).toEqual([]);
  expect(shown).toEqual({
    organization: { id: acme.organizationId, name: 'acme' },
    quotas: [
      { name: 'storedBytes', allowed: null, used: 0, isOwn: true },
      // `used` is 1, because the organization had reported one trial before it got this quota.
      { name: 'trialsPerDay', allowed: 250, used: 1, isOwn: true },
      { name: 'uploadBytesPerDay', allowed: null, used: 0, isOwn: false },
    ],
  });
  expect((await service.operator.readQuotas()).length).toBeGreaterThan(1);
});

test('invitations are listed and withdrawn, and their links open nothing then', async () => {
  const { url } = await service.operator.invite('acme', 'New@acme.example', 'admin');
  const [invitation, ...others] = await service.operator.listInvitations('acme');
  expect(others).toEqual([]);
  expect(invitation).toMatchObject({
    email: 'new@acme.example',
    role: 'admin',
    invitedBy: null,
    isExpired: false,
  });
  expect(await service.operator.listInvitations('other')).toEqual([]);
  const withdraw = (organization: string) =>
    service.operator.withdrawInvitation(organization, 'new@ACME.example');
  await expect(withdraw('other')).rejects.toThrow('has no invitation to other');
  await withdraw('acme');
  await expect(withdraw('acme')).rejects.toThrow('has no invitation');
  const accepted = await call(`${service.baseUrl}/console/v1/session/invitation`, {
    method: 'POST',
    headers: { origin: service.baseUrl },
    body: { token: new URL(url).hash.replace('#token=', '') },
  });
  expect(accepted.status).toBe(401);
  const [line] = await service.operator.readAuditLog({ organization: 'acme', limit: 1 });
  expect(line).toMatchObject({ action: 'member.invitationWithdrawn', callerKind: 'operator' });
});

test('keys say whom they act as', async () => {
  await service.operator.addMember('acme', 'second@acme.example', 'member');
  const { apiKey } = await service.operator.createKey('second@acme.example', 'acme', 'CI');
  const keys = await service.operator.listKeys('acme');
  const owners = new Map(keys.map(({ id, ownerEmail }) => [id, ownerEmail]));
  expect(owners.get(apiKey.id)).toBe('second@acme.example');
  expect([...owners.values()]).toContain('owner@acme.example');
});

test('a tier tells what the person is, since it counts for members alone', async () => {
  const set = (email: string) => service.operator.setTier('acme', 'Default', email, 'manage');
  expect(await set('owner@acme.example')).toEqual({ role: 'owner' });
  expect(await set('second@acme.example')).toEqual({ role: 'member' });
  await expect(set('owner@other.example')).rejects.toThrow('not a member');
});

test('the log of somebody there is not is refused; of somebody who did nothing it is empty', async () => {
  const read = (actor: string) => service.operator.readAuditLog({ actor, limit: 5 });
  await expect(read('unknown@x.example')).rejects.toThrow('no account unknown@x.example');
  expect(await read('SECOND@acme.example')).toEqual([]);
});
