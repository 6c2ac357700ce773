import type { Operations } from '../../platform/operations/action.ts';
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
  createEnvironment,
  createPlugin,
  createPluginVersion,
  createSkill,
  createSkillVersion,
  deletePlugin,
  deleteSkill,
  ensureAdhocEnvironment,
  getEnvironment,
  getEnvironmentCapabilities,
  getPlugin,
  getPluginVersion,
  getSkill,
  listEnvironments,
  listProjectPlugins,
  listSkills,
  nameEnvironment,
  resolveEnvironment,
  restoreEnvironment,
  updateEnvironment,
} satisfies Operations<unknown>;
