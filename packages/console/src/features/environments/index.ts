export { PluginsSection, ServerGroupsSection, SkillsSection } from './bundles-sections.tsx';
export { ClientsSection } from './clients-section.tsx';
export {
  type EnvironmentOfServer,
  environmentFor,
  useEnvironmentsOf,
} from './data/server-environments.ts';
export { EnvironmentsSection } from './environments-section.tsx';
export { FirstEnvironment } from './first-environment.tsx';
