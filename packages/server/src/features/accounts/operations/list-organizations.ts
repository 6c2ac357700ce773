import * as organizations from '../../../platform/accounts/store/organizations.ts';
import { type Action, presentPage } from '../../../platform/operations/action.ts';

export const listOrganizations: Action<'listOrganizations'> = async (context, { page }) => {
  const { account, organizationIds } = context.caller;
  const found = await organizations.readOrganizations(
    context.database,
    account.id,
    organizationIds,
    page,
  );
  return presentPage(found, (organization) => ({
    id: organization.id,
    name: organization.name,
    myRole: organization.role,
    isCreator: organization.isCreator,
    createdAt: organization.createdAt.getTime(),
  }));
};
