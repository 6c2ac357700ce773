/** Creates the first account, organization and Default project of an empty installation, once. */
import { ensureAccount, lockAccountsAndCheckForAny } from '../platform/accounts/store/accounts.ts';
import { ensureOrganization } from '../platform/accounts/store/organizations.ts';
import type { Database } from '../platform/database/database.ts';

export async function ensureFirstOwner(owner: Database): Promise<void> {
  await owner.transaction(async (sql) => {
    if (await lockAccountsAndCheckForAny(sql)) return;
    const account = await ensureAccount(sql, { email: 'owner@localhost', name: 'Owner' });
    await ensureOrganization(sql, account.id, 'My organization');
  });
}
