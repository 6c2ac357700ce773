import type { Operations } from '../../platform/operations/action.ts';
import { createClient } from './operations/clients/create-client.ts';
import { deleteClient } from './operations/clients/delete-client.ts';
import { duplicateClient } from './operations/clients/duplicate-client.ts';
import { getClient } from './operations/clients/get-client.ts';
import { createHost } from './operations/clients/hosts/create-host.ts';
import { deleteHost } from './operations/clients/hosts/delete-host.ts';
import { duplicateHost } from './operations/clients/hosts/duplicate-host.ts';
import { getHost } from './operations/clients/hosts/get-host.ts';
import { listHosts } from './operations/clients/hosts/list-hosts.ts';
import { setHostServers } from './operations/clients/hosts/set-host-servers.ts';
import { updateHost } from './operations/clients/hosts/update-host.ts';
import { listClients } from './operations/clients/list-clients.ts';
import { setClientServers } from './operations/clients/set-client-servers.ts';
import { updateClient } from './operations/clients/update-client.ts';
import { archiveEnvironment } from './operations/environments/archive-environment.ts';
import { createEnvironment } from './operations/environments/create-environment.ts';
import { ensureAdhocEnvironment } from './operations/environments/ensure-adhoc-environment.ts';
import { getEnvironment } from './operations/environments/get-environment.ts';
import { getEnvironmentCapabilities } from './operations/environments/get-environment-capabilities.ts';
import { listEnvironments } from './operations/environments/list-environments.ts';
import { nameEnvironment } from './operations/environments/name-environment.ts';
import { resolveEnvironment } from './operations/environments/resolve-environment.ts';
import { restoreEnvironment } from './operations/environments/restore-environment.ts';
import { updateEnvironment } from './operations/environments/update-environment.ts';
import { createPlugin } from './operations/plugins/create-plugin.ts';
import { createPluginVersion } from './operations/plugins/create-plugin-version.ts';
import { deletePlugin } from './operations/plugins/delete-plugin.ts';
import { getPlugin } from './operations/plugins/get-plugin.ts';
import { getPluginVersion } from './operations/plugins/get-plugin-version.ts';
import { listProjectPlugins } from './operations/plugins/list-project-plugins.ts';
import { createSkill } from './operations/skills/create-skill.ts';
import { createSkillVersion } from './operations/skills/create-skill-version.ts';
import { deleteSkill } from './operations/skills/delete-skill.ts';
import { getSkill } from './operations/skills/get-skill.ts';
import { listSkills } from './operations/skills/list-skills.ts';

export const environmentsOperations = {
  archiveEnvironment,
  createClient,
  createEnvironment,
  createHost,
  createPlugin,
  createPluginVersion,
  createSkill,
  createSkillVersion,
  deleteClient,
  deleteHost,
  deletePlugin,
  deleteSkill,
  duplicateClient,
  duplicateHost,
  ensureAdhocEnvironment,
  getClient,
  getEnvironment,
  getEnvironmentCapabilities,
  getHost,
  getPlugin,
  getPluginVersion,
  getSkill,
  listClients,
  listEnvironments,
  listHosts,
  listProjectPlugins,
  listSkills,
  nameEnvironment,
  resolveEnvironment,
  restoreEnvironment,
  setClientServers,
  setHostServers,
  updateClient,
  updateEnvironment,
  updateHost,
} satisfies Operations<unknown>;
