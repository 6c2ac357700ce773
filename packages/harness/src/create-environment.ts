/**
 * Creates, over HTTP, an environment and everything that it can refer to. All parts get the given
 * name, so that a test can create several sets.
 */
import { call, type TestService } from './test-service.ts';

export interface EnvironmentSet {
  readonly serverAttachmentId: string;
  readonly skillId: string;
  readonly pluginId: string;
  readonly pluginVersionId: string;
  readonly environmentId: string;
}

export async function createEnvironment(
  service: TestService,
  tenant: Readonly<Record<'projectId' | 'key' | 'serverId' | 'hostId', string>>,
  name: string,
): Promise<EnvironmentSet> {
  const { serverId, hostId } = tenant;
  const create = async (kind: string, body: object) => {
    const url = `${service.baseUrl}/api/v1/projects/${tenant.projectId}/${kind}`;
    const made = await call(url, { method: 'POST', key: tenant.key, body: { name, ...body } });
    if (made.status !== 201) throw new Error(`${kind} could not be created: ${made.text}`);
    return made.body;
  };
  const group = await create('server-attachments', { serverIds: [serverId] });
  const skill = await create('skills', { content: 'Answer in one sentence.' });
  const plugin = await create('plugins', { serverIds: [serverId], skillIds: [skill.id] });
  const environment = await create('environments', {
    hostId,
    serverAttachmentId: group.id,
    skillSelection: { mode: 'explicit', skillIds: [skill.id] },
    pluginVersionIds: [plugin.activeVersionId],
  });
  return {
    serverAttachmentId: group.id,
    skillId: skill.id,
    pluginId: plugin.id,
    pluginVersionId: plugin.activeVersionId,
    environmentId: environment.id,
  };
}
