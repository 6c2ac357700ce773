import type { Page } from '@proofmark/domain';
import { readFeatures } from '../../storage/accounts/organizations.ts';
import type { ProjectContext } from '../action.ts';

/** A list of the project is there for everybody, and empty while swarms are switched off. */
export async function listWhenOn<Item>(
  { database, project }: Pick<ProjectContext, 'database' | 'project'>,
  read: () => Promise<Page<Item>>,
): Promise<Page<Item>> {
  const { swarms } = await readFeatures(database, project.organizationId);
  return swarms ? read() : { items: [] };
}
