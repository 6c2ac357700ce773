/** What other features use of environments. */
export { getClient } from './operations/clients/get-client.ts';
export { listClients } from './operations/clients/list-clients.ts';
export { findEnvironment } from './operations/environments/find-environment.ts';
export { getEnvironment } from './operations/environments/get-environment.ts';
export { listEnvironments } from './operations/environments/list-environments.ts';
export {
  type ClientWithConfig,
  findClientCandidates,
  findClientNames,
  readClient,
} from './store/clients.ts';
export { readEnvironmentParts } from './store/environment-parts.ts';
export { serverAttachmentUsers } from './store/environment-use.ts';
export {
  findEnvironmentNames,
  findEnvironmentStates,
  findLiveEnvironment,
  isNamed,
  readEnvironment,
  type StoredEnvironment,
} from './store/environments.ts';
export { findSkillTexts, listResolvableSkills } from './store/skills.ts';
