import type { OrganizationFeature, Page } from '@proofmark/domain';
import { readFeatures } from '../accounts/store/organizations.ts';
import type { ProjectContext } from './action.ts';

export async function listIfFeatureOn<Item>(
  { database, project }: Pick<ProjectContext, 'database' | 'project'>,
  feature: OrganizationFeature,
  read: () => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const on = await readFeatures(database, project.organizationId);
  return (feature === 'swarms' ? on.swarms : on.userTesting) ? read() : { items: [] };
}
