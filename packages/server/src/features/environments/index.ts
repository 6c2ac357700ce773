export { findEnvironment } from './operations/environments/find-environment.ts';
export { readEnvironmentParts } from './store/environment-parts.ts';
export { countScenariosOfClient, serverAttachmentUsers } from './store/environment-use.ts';
export {
  countLiveEnvironments,
  findEnvironmentNames,
  findEnvironmentStates,
  findLiveEnvironment,
  isNamed,
  readEnvironment,
  type StoredEnvironment,
} from './store/environments.ts';
export { findSkillTexts, holdSkills, listResolvableSkills } from './store/skills.ts';
