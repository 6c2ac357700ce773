import { keepEverything, retainedKinds } from '@proofmark/domain';
import { readRetention } from '../../../platform/accounts/store/retention-rules.ts';
import type { Action } from '../../../platform/operations/action.ts';
import type { AccountsParts } from '../accounts-context.ts';
import { asAdmin } from './enter-as-admin.ts';

export const getOrganizationRetention: Action<'getOrganizationRetention', AccountsParts> = (
  context,
  { params: { organizationId } },
) =>
  asAdmin(context, organizationId, async (sql) => {
    const rules = await readRetention(sql, organizationId, context.retention ?? keepEverything);
    return { rules: retainedKinds.map((kind) => ({ kind, ...rules[kind] })) };
  });
