/** Makes the stdio servers of the configuration file, and the sample, appear as saved servers. */
import type { Database } from '../storage/database.ts';
import {
  findProjectOfOperator,
  type OperatorServer,
  syncOperatorServers,
} from '../storage/operator-servers.ts';
import { BadSetting } from './setting.ts';
import type { Settings } from './settings.ts';

const sampleServerName = 'Sample bookshop';

export async function placeOperatorServers(
  owner: Database,
  { stdioServers, sample }: Pick<Settings, 'stdioServers' | 'sample'>,
): Promise<void> {
  const wanted: { name: string; projectId?: string | undefined }[] = [...stdioServers];
  if (sample) wanted.push({ name: sampleServerName });
  const placed: OperatorServer[] = [];
  for (const { name, projectId } of wanted) {
    const project = await findProjectOfOperator(owner, projectId);
    if (project === undefined) {
      throw new BadSetting(`stdioServers: ${name}: there is no project ${projectId ?? 'yet'}.`);
    }
    placed.push({ name, projectId: project.id, organizationId: project.organizationId });
  }
  const { nameTaken } = await syncOperatorServers(owner, placed);
  // Somebody's own server may be called like the sample; then there is no sample.
  const taken = nameTaken.find((name) => name !== sampleServerName);
  if (taken !== undefined) {
    throw new BadSetting(
      `stdioServers: ${taken}: a saved server of the project already has this name.`,
    );
  }
}
